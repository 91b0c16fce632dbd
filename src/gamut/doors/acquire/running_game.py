"""A game that is on, as the people of this door know it: what an action has changed is told from here."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.positions import next_of, rack_counts
from gamut.doors.telling import Viewer
from gamut.games.acquire.actions import NAMES, PlayTile, params_of
from gamut.games.acquire.board import ALONE, CHAINS, PRICES
from gamut.games.acquire.evolve import evolve
from gamut.games.acquire.kinds import Rack, rack_kinds
from gamut.games.acquire.scores import nets
from gamut.games.acquire.state import AcquireState, Acted, Began, Forfeited
from gamut.games.game import Seat


class RunningGame:
    """What everybody may see, folded event by event, and the racks of the players who are here.

    The hall would tell each viewer's position, but only as it is after all that has happened. Here it is known what was
    before: one command may bring several actions, and each is told with what it changed.
    """

    __slots__ = ("_kinds", "_number", "_racks", "_worth", "state")

    def __init__(self, number: int, state: AcquireState, racks: Mapping[Seat, Rack]) -> None:
        self._number = number
        self.state = state
        """As a watcher knows it."""
        self._worth = nets(state)
        self._racks = dict(racks)
        self._kinds = {seat: rack_kinds(state.board, rack) for seat, rack in racks.items()}

    @classmethod
    def begun(cls, number: int, seen: Mapping[Viewer, Began]) -> "RunningGame":
        """A game that has just begun, as each viewer who is here saw it; a watcher's view is always there."""
        racks = {seat: began.racks[seat] for seat, began in seen.items() if seat is not None}
        return cls(number, evolve(None, seen[None]), racks)

    def knows(self, seat: Seat, rack: Rack) -> None:
        """A player has come in."""
        self._racks[seat] = rack
        self._kinds[seat] = rack_kinds(self.state.board, rack)

    def started(
        self, seen: Mapping[Viewer, Began], at: int, clocks: Sequence[int] | None
    ) -> dict[Viewer, bytes]:
        """The start of the game, as an action like any other."""
        state = self.state
        began = seen[None]
        frames: dict[Viewer, bytes] = {}
        for viewer, event in seen.items():
            done = t.GameActionDone(
                game_number=self._number,
                game_state_history_size=state.actions,
                player_id=began.host,
                action="StartGame",
                params=(),
                timestamp=at,
                auto_played=False,
                history=event.history,
                board_changes=[(tile, ALONE) for tile, cell in enumerate(state.board) if cell == ALONE],
                score_board=[(seat, self._row(seat)) for seat in range(len(state.racks))],
                chains=(),
                rack_counts=rack_counts(state.racks),
                rack=None if viewer is None else self._racks[viewer],
                rack_types=None if viewer is None else self._kinds[viewer],
                turn_player=state.next.turn,
                next=next_of(state),
                clocks=clocks,
            )
            frames[viewer] = t.framed(done)
        return frames

    def forfeited(self, event: Forfeited) -> None:
        self.state = evolve(self.state, event)

    def acted(
        self, seen: Mapping[Viewer, Acted], at: int, clocks: Sequence[int] | None
    ) -> dict[Viewer, bytes]:
        """One action as each viewer is told of it; it is encoded once for all who are told the same."""
        public, before = seen[None], self.state
        after = self.state = evolve(before, public)
        done = self._done(public, before, after, at, clocks)
        frames: dict[Viewer, bytes] = {}
        same: bytes | None = None
        for viewer, event in seen.items():
            rack, kinds = (None, None) if viewer is None else self._rack(viewer, event)
            if rack is None and event.history == public.history:
                if same is None:
                    same = t.framed(done)
                frames[viewer] = same
            else:
                frames[viewer] = t.framed(replace(done, history=event.history, rack=rack, rack_types=kinds))
        return frames

    def _done(
        self,
        event: Acted,
        before: AcquireState,
        after: AcquireState,
        at: int,
        clocks: Sequence[int] | None,
    ) -> t.GameActionDone:
        """As a watcher is told of it."""
        counts = None
        if before.racks is not after.racks:
            counts = rack_counts(after.racks)
            if counts == rack_counts(before.racks):
                counts = None
        return t.GameActionDone(
            game_number=self._number,
            game_state_history_size=after.actions,
            player_id=event.seat,
            action=NAMES[type(event.action)],
            params=params_of(event.action),
            timestamp=at,
            auto_played=event.auto,
            history=event.history,
            board_changes=event.cells,
            score_board=self._rows(event),
            chains=_chains(before, after) if event.sizes or event.available else (),
            rack_counts=counts,
            rack=None,
            rack_types=None,
            turn_player=after.next.turn,
            next=next_of(after),
            clocks=clocks,
        )

    def _rows(self, event: Acted) -> list[tuple[int, Sequence[int]]]:
        if not (event.rows or event.sizes or event.cells):
            return []
        before, self._worth = self._worth, nets(self.state)
        changed = {row[0] for row in event.rows}
        return [
            (seat, self._row(seat))
            for seat, (old, new) in enumerate(zip(before, self._worth, strict=True))
            if old != new or seat in changed
        ]

    def _row(self, seat: int) -> list[int]:
        return [*self.state.shares[seat], self.state.cash[seat], self._worth[seat]]

    def _rack(self, viewer: Seat, event: Acted) -> tuple[Rack | None, str | None]:
        """The viewer's rack and what its tiles would do, if any of that has changed."""
        before = rack = self._racks[viewer]
        if event.seat == viewer and type(event.action) is PlayTile:
            slot = rack.index(event.action.tile)
            rack = (*rack[:slot], None, *rack[slot + 1 :])
        for seat, told in event.racks:
            if seat == viewer:
                rack = told
        if rack == before and not event.cells:
            return None, None
        kinds = rack_kinds(self.state.board, rack)
        if rack == before and kinds == self._kinds[viewer]:
            return None, None
        self._racks[viewer], self._kinds[viewer] = rack, kinds
        return rack, kinds


def _chains(before: AcquireState, after: AcquireState) -> list[tuple[int, int, int, int]]:
    return [
        (chain, after.sizes[chain], PRICES[chain][after.sizes[chain]], after.available[chain])
        for chain in range(len(CHAINS))
        if before.sizes[chain] != after.sizes[chain] or before.available[chain] != after.available[chain]
    ]
