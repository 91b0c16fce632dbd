"""What each event does to a position. There are no rules here: an event says what has changed."""

from msgspec.structs import replace

from gamut.games.acquire.actions import PlayTile
from gamut.games.acquire.bag import without
from gamut.games.acquire.board import ALONE, BARE, CHAINS, RACK, SHARES, TILES, painted
from gamut.games.acquire.kinds import UNSEEN, Rack
from gamut.games.acquire.state import AcquireState, Acted, Began, Event, Forfeited, Message
from gamut.games.game import Seat

CASH = 60
"""What everybody begins with."""
_NO_SHARES = (0,) * len(CHAINS)
_TELLS_A_TILE = frozenset(("DrewPositionTile", "DrewTile", "ReplacedDeadTile"))


def evolve(state: AcquireState | None, event: Event) -> AcquireState:
    if type(event) is Acted:
        assert state is not None
        return _acted(state, event)
    if isinstance(event, Began):
        return _began(event)
    assert state is not None
    assert isinstance(event, Forfeited)
    return replace(state, forfeited=(*state.forfeited, event.seat))


def hidden(count: int) -> Rack:
    """A rack of so many tiles that the viewer does not see; which slots they are in is not shown either."""
    return (UNSEEN,) * count + (None,) * (RACK - count)


def _began(event: Began) -> AcquireState:
    seats = len(event.racks)
    laid = [message[2] for message in event.history if message[0] == "DrewPositionTile"]
    return AcquireState(
        teams=event.teams,
        board=painted(BARE, [tile for tile in laid if isinstance(tile, int)], ALONE),
        racks=event.racks,
        unseen=_still_unseen(tuple(range(TILES)), event.history),
        bag=TILES - seats * (RACK + 1),
        shares=(_NO_SHARES,) * seats,
        cash=(CASH,) * seats,
        available=(SHARES,) * len(CHAINS),
        sizes=_NO_SHARES,
        next=event.next,
        actions=1,
    )


def _still_unseen(unseen: tuple[int, ...], history: tuple[Message, ...]) -> tuple[int, ...]:
    for message in history:
        if message[0] in _TELLS_A_TILE:
            tile = message[2]
            # A dead tile that is laid aside was seen before by whoever held it.
            if tile in unseen:
                unseen = without(unseen, tile)
    return unseen


def _acted(state: AcquireState, event: Acted) -> AcquireState:
    racks, unseen, action = state.racks, state.unseen, event.action
    if event.racks or type(action) is PlayTile:
        held = list(racks)
        if type(action) is PlayTile:
            rack, tile = held[event.seat], action.tile
            if tile in rack:
                held[event.seat] = _played(rack, tile)
            else:
                held[event.seat] = hidden(rack.count(UNSEEN) - 1)
                unseen = without(unseen, tile)
        for seat, rack in event.racks:
            held[seat] = rack
        racks = tuple(held)
        if event.racks:
            unseen = _still_unseen(unseen, event.history)
    shares, cash = state.shares, state.cash
    for seat, owned, money in event.rows:
        shares = (*shares[:seat], owned, *shares[seat + 1 :])
        cash = (*cash[:seat], money, *cash[seat + 1 :])
    return AcquireState(
        teams=state.teams,
        board=_patched(state.board, event.cells) if event.cells else state.board,
        racks=racks,
        unseen=unseen,
        bag=state.bag if event.bag is None else event.bag,
        shares=shares,
        cash=cash,
        available=event.available or state.available,
        sizes=event.sizes or state.sizes,
        next=event.next,
        forfeited=state.forfeited,
        actions=state.actions + 1,
    )


def rack_after(rack: Rack, seat: Seat, event: Acted) -> Rack:
    """A player's rack after an action as that player sees it."""
    for player, drawn in event.racks:
        if player == seat:
            return drawn
    action = event.action
    return _played(rack, action.tile) if event.seat == seat and type(action) is PlayTile else rack


def _played(rack: Rack, tile: int) -> Rack:
    slot = rack.index(tile)
    return (*rack[:slot], None, *rack[slot + 1 :])


def _patched(board: str, cells: tuple[tuple[int, str], ...]) -> str:
    if len(cells) == 1:
        ((tile, cell),) = cells
        return board[:tile] + cell + board[tile + 1 :]
    patched = list(board)
    for tile, cell in cells:
        patched[tile] = cell
    return "".join(patched)
