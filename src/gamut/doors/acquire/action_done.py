"""One action of a game as messages: all that it has changed, from the positions before and after it."""

from collections.abc import Callable, Collection, Sequence
from operator import itemgetter
from typing import Any

from msgspec.structs import replace

from gamut.doors.acquire import to_client as t
from gamut.games.acquire.actions import NAMES, params_of
from gamut.games.acquire.board import ALONE, CHAINS, PRICES, RACK
from gamut.games.acquire.evolve import rack_after
from gamut.games.acquire.files.showing import shown_next
from gamut.games.acquire.kinds import NO_TILE, Kinds, Rack
from gamut.games.acquire.scores import added_up, holdings
from gamut.games.acquire.state import AcquireState, Acted, Began
from gamut.games.game import Seat
from gamut.hall.ids import PersonId, Seq
from gamut.hall.live.live_table import Step

Clocks = Sequence[int] | None

Tiles = tuple[Rack, str]
"""A player's rack, and what each of its tiles would do."""
NO_TILES: Tiles = (None,) * RACK, NO_TILE * RACK

_CHAINS = range(len(CHAINS))
_SEAT: Callable[[Any], Seat] = itemgetter(0)


class LastTold:
    """What was worked out to tell the last action at a table. What the next one changes of it is worked out anew.

    The hall folds the position that watchers know. A player knows nothing more than that and the own rack, so
    the positions of single players are not folded.
    """

    __slots__ = ("holdings", "kinds", "nets", "persons", "seq", "tiles")

    def __init__(self, state: AcquireState) -> None:
        """`state`: the position that watchers know."""
        self.seq: Seq | None = None
        """The event of the table with which it was told; None while it is being told.
        If later events were not told from here, it is out of date."""
        self.kinds = Kinds(state.board)
        self.holdings = [holdings(state, chain) for chain in _CHAINS]
        self.nets = added_up(state.cash, self.holdings)
        self.persons: Sequence[PersonId | None] = ()
        """Who sat where."""
        self.tiles: dict[Seat, Tiles] = {}
        """Of seats in which people sit."""


class ActionDone:
    """One action, or the start of the game. It is encoded once for all who are told the same."""

    __slots__ = ("_done", "own", "same")

    def __init__(
        self, number: int, step: Step, clocks: Clocks, last: LastTold, seen_by: Callable[[Seat], Any]
    ) -> None:
        """`step` is what watchers see, `seen_by` gives its event as a player sees it."""
        event = step.event
        drew: Collection[Seat]
        changed: set[int] | None = set()
        if type(event) is Began:
            drew = last.tiles
            self._done = _begun(number, step, clocks, last)
        else:
            drew = list(map(_SEAT, event.racks))
            if event.cells:
                changed = last.kinds.change(step.after.board, event.cells)
            self._done = _acted(number, step, clocks, last)
        self.own = _own(event, drew, changed, last, seen_by)
        """What players are told of their tiles, with the history as they see it, if there is anything to tell.
        None: they have the same tiles, and these would do the same."""
        self.same = t.framed(self._done)
        """For everybody else."""

    def frame(self, seat: Seat | None) -> bytes:
        if seat is None or seat not in self.own:
            return self.same
        tiles, history = self.own[seat]
        rack, kinds = (None, None) if tiles is None else tiles
        return t.framed(replace(self._done, history=history, rack=rack, rack_types=kinds))


Own = dict[Seat, tuple[Tiles | None, Sequence[t.Message]]]


def _own(
    event: Began | Acted,
    drew: Collection[Seat],
    changed: set[int] | None,
    last: LastTold,
    seen_by: Callable[[Seat], Any],
) -> Own:
    """`changed`: tiles that may do something else than before if they are played; None: perhaps any."""
    own: Own = {}
    # Where the board is as it was, only those who drew have anything new to be told.
    for seat in drew if changed is not None and not changed else last.tiles:
        if seat not in last.tiles:
            continue
        before = last.tiles[seat]
        rack, history = before[0], event.history
        if seat in drew:
            seen = seen_by(seat)
            rack = seen.racks[seat] if type(seen) is Began else rack_after(rack, seat, seen)
            history = seen.history
        elif type(event) is Acted and seat == event.seat:
            rack = rack_after(rack, seat, event)
        elif changed is not None and changed.isdisjoint(rack):
            continue
        tiles = rack, last.kinds.of_rack(rack)
        if tiles != before:
            last.tiles[seat] = tiles
            own[seat] = tiles, history
        elif seat in drew:
            own[seat] = None, history
    return own


def _begun(number: int, step: Step, clocks: Clocks, last: LastTold) -> t.GameActionDone:
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
        score_board=list(enumerate(score_rows(state, last.nets))),
        chains=(),
        rack_counts=rack_counts(state.racks),
        turn_player=state.next.turn,
        next=next_of(state),
        clocks=clocks,
    )


def _acted(number: int, step: Step, clocks: Clocks, last: LastTold) -> t.GameActionDone:
    event: Acted = step.event
    before: AcquireState = step.before
    after: AcquireState = step.after
    action = event.action
    chains = _changed_chains(before, after) if event.sizes or event.available else ()
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
        score_board=_changed_rows(event, after, chains, last) if chains or event.rows else (),
        chains=chains,
        # Of racks that nobody sees it is known how many tiles they hold, and nothing else.
        rack_counts=None if after.racks == before.racks else rack_counts(after.racks),
        turn_player=after.next.turn,
        next=next_of(after),
        clocks=clocks,
    )


def _changed_chains(before: AcquireState, after: AcquireState) -> list[t.ChainRow]:
    sizes, available = after.sizes, after.available
    return [
        (chain, sizes[chain], PRICES[chain][sizes[chain]], available[chain])
        for chain in _CHAINS
        if sizes[chain] != before.sizes[chain] or available[chain] != before.available[chain]
    ]


def _changed_rows(
    event: Acted, after: AcquireState, chains: Sequence[t.ChainRow], last: LastTold
) -> list[tuple[int, list[int]]]:
    # The bonus of a chain that is swallowed does not count any more, though its size and its shares are as before.
    merges = after.next.survivor is not None
    for chain in _CHAINS if merges else [row[0] for row in chains]:
        last.holdings[chain] = holdings(after, chain)
    before, last.nets = last.nets, added_up(after.cash, last.holdings)
    changed = list(map(_SEAT, event.rows))
    return [
        (seat, [*after.shares[seat], after.cash[seat], net])
        for seat, net in enumerate(last.nets)
        if net != before[seat] or seat in changed
    ]


def rack_counts(racks: tuple[Rack, ...]) -> list[int]:
    return [RACK - rack.count(None) for rack in racks]


def score_rows(state: AcquireState, worth: list[int]) -> list[list[int]]:
    """Of each player the shares by chain, the cash, and what all of it is worth."""
    return [[*shares, cash, net] for shares, cash, net in zip(state.shares, state.cash, worth, strict=True)]


def next_of(state: AcquireState) -> dict[str, Any]:
    if state.next.action == "GameOver":
        return {"player": None, "action": "GameOver"}
    return shown_next(state)
