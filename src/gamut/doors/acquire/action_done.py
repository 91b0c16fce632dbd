"""One action of a game as messages: all that it has changed, from the positions before and after it."""

from collections.abc import Collection, Sequence
from typing import Any

from msgspec.structs import replace

from gamut.doors.acquire import to_client as t
from gamut.games.acquire.actions import NAMES, params_of
from gamut.games.acquire.board import ALONE, CHAINS, PRICES, RACK
from gamut.games.acquire.files.showing import shown_next
from gamut.games.acquire.kinds import Rack, affected, rack_kinds
from gamut.games.acquire.scores import nets
from gamut.games.acquire.state import AcquireState, Acted, Began
from gamut.games.game import Seat
from gamut.hall.ids import Seq
from gamut.hall.live.live_table import Step

Clocks = Sequence[int] | None
Rows = Sequence[tuple[int, Sequence[int]]]


Tiles = tuple[Rack, str]
"""A player's rack, and what each of its tiles would do."""


class LastTold:
    """What was worked out to tell the last action at a table, kept for telling the next one.

    The hall folds the position that watchers know. A player knows nothing more than that and the own rack, so
    the positions of single players are not folded.
    """

    __slots__ = ("nets", "seq", "tiles")

    def __init__(self, seq: Seq) -> None:
        self.seq = seq
        """The event of the table with which it was told.
        If later events were not told from here, it is out of date."""
        self.nets: list[int] | None = None
        self.tiles: dict[Seat, Tiles] = {}
        """Of the players who were told."""


class ActionDone:
    """One action, or the start of the game. It is encoded once for all who are told the same."""

    __slots__ = ("_affected", "_board", "_done", "begins", "drew", "event", "nets", "same")

    def __init__(self, number: int, step: Step, clocks: Clocks, worth: list[int] | None) -> None:
        """`step` is what watchers see; `worth` is what everybody was worth before, if that is known."""
        self._board = step.after.board
        event = self.event = step.event
        self.begins = type(event) is Began
        """Whether it is the start of the game."""
        self._affected: set[int] | None = set()
        """Tiles that may do something else than before if they are played; None: perhaps any."""
        if type(event) is Began:
            self.drew: Collection[int] = range(len(event.racks))
            """Who has drawn tiles, or laid some aside."""
            self.nets = nets(step.after)
            """What everybody is worth after it."""
            self._done = _begun(number, step, clocks, self.nets)
        else:
            before, after = step.before, step.after
            self.drew = [seat for seat, _ in event.racks]
            self.nets = nets(before) if worth is None else worth
            rows: Rows = ()
            if event.rows or event.sizes:
                worth, self.nets = self.nets, nets(after)
                rows = _changed_rows(event, after, worth, self.nets)
            if event.cells:
                self._affected = affected(before.board, after.board, event.cells)
            self._done = _acted(number, step, clocks, rows)
        self.same = t.framed(self._done)
        """For watchers, and for players of whose tiles there is nothing new."""

    def leaves(self, seat: Seat, tiles: Tiles) -> bool:
        """A quick check: whether the action surely changes nothing for a player with these tiles."""
        event = self.event
        if seat in self.drew or (seat == event.seat and event.cells):
            return False
        return self._affected is not None and self._affected.isdisjoint(tiles[0])

    def tiles(self, before: Tiles | None, rack: Rack) -> Tiles:
        """The tiles and their kinds of a player who has this rack now.
        If nothing has changed it is `before` itself."""
        if before is not None and rack == before[0]:
            if self._affected is not None and self._affected.isdisjoint(rack):
                return before
            kinds = rack_kinds(self._board, rack)
            return before if kinds == before[1] else (rack, kinds)
        return rack, rack_kinds(self._board, rack)

    def with_tiles(self, tiles: Tiles | None, history: Sequence[t.Message]) -> bytes:
        """For a player of whose tiles, or draws, there is something to tell."""
        rack, kinds = (None, None) if tiles is None else tiles
        return t.framed(replace(self._done, history=history, rack=rack, rack_types=kinds))


def _begun(number: int, step: Step, clocks: Clocks, worth: list[int]) -> t.GameActionDone:
    event: Began = step.event
    state: AcquireState = step.after
    return t.GameActionDone(
        game_number=number,
        game_state_history_size=state.actions,
        player_id=event.host,
        action="StartGame",
        params=(),
        timestamp=step.at,
        auto_played=False,
        history=event.history,
        board_changes=[(tile, ALONE) for tile, cell in enumerate(state.board) if cell == ALONE],
        score_board=list(enumerate(score_rows(state, worth))),
        chains=(),
        rack_counts=rack_counts(state.racks),
        rack=None,
        rack_types=None,
        turn_player=state.next.turn,
        next=next_of(state),
        clocks=clocks,
    )


def _acted(number: int, step: Step, clocks: Clocks, rows: Rows) -> t.GameActionDone:
    event: Acted = step.event
    before: AcquireState = step.before
    after: AcquireState = step.after
    action = event.action
    return t.GameActionDone(
        game_number=number,
        game_state_history_size=after.actions,
        player_id=event.seat,
        action=NAMES[type(action)],
        params=params_of(action),
        timestamp=step.at,
        auto_played=event.auto,
        history=event.history,
        board_changes=event.cells,
        score_board=rows,
        chains=_changed_chains(before, after) if event.sizes or event.available else (),
        rack_counts=_changed_counts(before.racks, after.racks),
        rack=None,
        rack_types=None,
        turn_player=after.next.turn,
        next=next_of(after),
        clocks=clocks,
    )


def _changed_rows(event: Acted, after: AcquireState, worth: list[int], now: list[int]) -> Rows:
    changed = [row[0] for row in event.rows]
    rows = zip(worth, score_rows(after, now), strict=True)
    return [(seat, row) for seat, (net, row) in enumerate(rows) if net != row[-1] or seat in changed]


def _changed_chains(before: AcquireState, after: AcquireState) -> list[tuple[int, int, int, int]]:
    return [
        (chain, after.sizes[chain], PRICES[chain][after.sizes[chain]], after.available[chain])
        for chain in range(len(CHAINS))
        if before.sizes[chain] != after.sizes[chain] or before.available[chain] != after.available[chain]
    ]


def _changed_counts(before: tuple[Rack, ...], after: tuple[Rack, ...]) -> list[int] | None:
    if before is after:
        return None
    counts = rack_counts(after)
    return None if counts == rack_counts(before) else counts


def rack_counts(racks: tuple[Rack, ...]) -> list[int]:
    return [RACK - rack.count(None) for rack in racks]


def score_rows(state: AcquireState, worth: list[int]) -> list[list[int]]:
    """Of each player the shares by chain, the cash, and what all of it is worth."""
    return [[*shares, cash, net] for shares, cash, net in zip(state.shares, state.cash, worth, strict=True)]


def next_of(state: AcquireState) -> dict[str, Any]:
    if state.next.action == "GameOver":
        return {"player": None, "action": "GameOver"}
    return shown_next(state)
