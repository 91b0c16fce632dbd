"""One action of a game as messages: all that it has changed, from the positions before and after it."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from gamut.doors.acquire import to_client as t
from gamut.games.acquire.actions import NAMES, params_of
from gamut.games.acquire.board import ALONE, CHAINS, PRICES
from gamut.games.acquire.files.telling import shown_next
from gamut.games.acquire.kinds import Rack, affected, rack_kinds
from gamut.games.acquire.scores import nets
from gamut.games.acquire.state import AcquireState, Acted, Began
from gamut.games.game import Seat
from gamut.hall.live.live_table import Step

Clocks = Sequence[int] | None


class ActionDone:
    """One action, or the start of the game. It is encoded once for all who are told the same."""

    __slots__ = ("_affected", "_done", "_event", "same")

    def __init__(self, number: int, step: Step, clocks: Clocks) -> None:
        """`step` is what watchers see."""
        event = self._event = step.event
        self._affected: set[int] | None = None
        """Tiles that would do something else than before if they were played; None: perhaps any."""
        if type(event) is Began:
            self._done = _begun(number, step, clocks)
        else:
            self._done = _acted(number, step, clocks)
            if event.cells:
                self._affected = affected(step.before.board, step.after.board, event.cells)
        self.same = t.framed(self._done)
        """For watchers, and for players of whose tiles there is nothing new."""

    @property
    def begins(self) -> bool:
        """Whether this is the start of the game."""
        return type(self._event) is Began

    def concerns(self, seat: Seat) -> bool:
        """Whether there may be something new of this player's tiles."""
        event = self._event
        return type(event) is Began or bool(event.cells) or any(drew == seat for drew, _ in event.racks)

    def for_player(self, seat: Seat, step: Step) -> bytes:
        """The same for a player who sees it as this step."""
        rack, kinds = self._tiles(seat, step)
        history = step.event.history
        if rack is None and history == self._event.history:
            return self.same
        return t.framed(replace(self._done, history=history, rack=rack, rack_types=kinds))

    def _tiles(self, seat: Seat, step: Step) -> tuple[Rack | None, str | None]:
        """The player's rack and what its tiles would do, if any of that has changed."""
        before: AcquireState | None = step.before
        after: AcquireState = step.after
        rack = after.racks[seat]
        if before is not None and rack == before.racks[seat]:
            if self._affected is not None and self._affected.isdisjoint(rack):
                return None, None
            kinds = rack_kinds(after.board, rack)
            return (None, None) if kinds == rack_kinds(before.board, rack) else (rack, kinds)
        return rack, rack_kinds(after.board, rack)


def _begun(number: int, step: Step, clocks: Clocks) -> t.GameActionDone:
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
        score_board=list(enumerate(score_rows(state))),
        chains=(),
        rack_counts=rack_counts(state.racks),
        rack=None,
        rack_types=None,
        turn_player=state.next.turn,
        next=next_of(state),
        clocks=clocks,
    )


def _acted(number: int, step: Step, clocks: Clocks) -> t.GameActionDone:
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
        score_board=_changed_rows(before, event, after) if event.rows or event.sizes else (),
        chains=_changed_chains(before, after) if event.sizes or event.available else (),
        rack_counts=_changed_counts(before.racks, after.racks),
        rack=None,
        rack_types=None,
        turn_player=after.next.turn,
        next=next_of(after),
        clocks=clocks,
    )


def _changed_rows(before: AcquireState, event: Acted, after: AcquireState) -> list[tuple[int, Sequence[int]]]:
    changed = [row[0] for row in event.rows]
    worth = zip(nets(before), score_rows(after), strict=True)
    return [(seat, row) for seat, (net, row) in enumerate(worth) if net != row[-1] or seat in changed]


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
    return [len(rack) - rack.count(None) for rack in racks]


def score_rows(state: AcquireState) -> list[list[int]]:
    """Of each player the shares by chain, the cash, and what all of it is worth."""
    return [
        [*shares, cash, net] for shares, cash, net in zip(state.shares, state.cash, nets(state), strict=True)
    ]


def next_of(state: AcquireState) -> dict[str, Any]:
    if state.next.action == "GameOver":
        return {"player": None, "action": "GameOver"}
    return shown_next(state)
