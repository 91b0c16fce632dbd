"""How a game begins, what an action does to it, and what the server does for those who do not act themselves."""

from collections.abc import Sequence

from gamut.games.acquire.actions import SELECTS, Action, DisposeOfShares, PlayTile, PurchaseShares
from gamut.games.acquire.bag import Draw, without
from gamut.games.acquire.board import RACK, TILES
from gamut.games.acquire.checks import check
from gamut.games.acquire.course import Course
from gamut.games.acquire.evolve import evolve
from gamut.games.acquire.kinds import Rack, playable
from gamut.games.acquire.state import AcquireState, Acted, Awaited, Began, Event, Forfeited, Message
from gamut.games.game import Refused, Seat


def begun(seats: int, teams: int, host: Seat, draw: Draw) -> Began:
    """A tile of each player is laid on the board; then everybody draws a rack, one player after the other."""
    unseen = tuple(range(TILES))

    def drawn() -> int:
        nonlocal unseen
        tile = draw(unseen)
        unseen = without(unseen, tile)
        return tile

    laid = [drawn() for _ in range(seats)]
    # The order of play is fixed by now: the lowest tile is said to be the first player's.
    ranks = {tile: rank for rank, tile in enumerate(sorted(laid))}
    history: list[Message] = [("DrewPositionTile", ranks[tile], tile) for tile in laid]
    history.append(("StartedGame", host))
    racks: list[Rack] = []
    for seat in range(seats):
        rack = tuple(drawn() for _ in range(RACK))
        history += [("DrewTile", seat, tile) for tile in rack]
        racks.append(rack)
    history.append(("TurnBegan", 0))
    return Began(teams, host, tuple(history), tuple(racks), Awaited(Seat(0), "PlayTile", Seat(0)))


def done(state: AcquireState, seat: Seat, action: Action, draw: Draw, *, auto: bool = False) -> Acted:
    """This one action, if it is allowed."""
    check(state, seat, action)
    return Course(state, draw).run(seat, action, auto=auto)


def decided(
    state: AcquireState, seat: Seat, action: Action, draw: Draw, *, auto: bool = False
) -> Sequence[Event]:
    """The action, and then those of players who have forfeited."""
    event = done(state, seat, action, draw, auto=auto)
    if not state.forfeited:
        return (event,)
    return [event, *played_for_them(evolve(state, event), draw)]


def timed_out(state: AcquireState, seat: Seat, draw: Draw) -> Sequence[Event]:
    if seat != state.next.seat or state.next.action == "GameOver":
        raise Refused("not_your_turn", "Nobody waits for you.")
    return decided(state, seat, default_action(state), draw, auto=True)


def forfeited(state: AcquireState, seat: Seat, draw: Draw) -> Sequence[Event]:
    if state.next.action == "GameOver":
        raise Refused("game_over", "The game is over.")
    if seat in state.forfeited:
        raise Refused("already_forfeited", "You have forfeited this game already.")
    if not 0 <= seat < len(state.racks):
        raise Refused("not_a_player", "You do not play in this game.")
    event = Forfeited(seat)
    return [event, *played_for_them(evolve(state, event), draw)]


def played_for_them(state: AcquireState, draw: Draw) -> list[Event]:
    """The actions of those who have forfeited, until somebody else is to act."""
    events: list[Event] = []
    while state.next.seat in state.forfeited and state.next.action != "GameOver":
        event = Course(state, draw).run(state.next.seat, default_action(state), auto=True)
        events.append(event)
        state = evolve(state, event)
    return events


def default_action(state: AcquireState) -> Action:
    """What the server does for a player who does not act: the first tile, the first chain, no shares."""
    awaited = state.next
    match awaited.action:
        case "PlayTile":
            return PlayTile(playable(state.board, state.racks[awaited.seat])[0])
        case "DisposeOfShares":
            return DisposeOfShares(0, 0)
        case "PurchaseShares":
            # Nobody is left who would want to go on.
            nobody_plays = len(state.forfeited) == len(state.racks)
            return PurchaseShares((), nobody_plays and awaited.can_end)
        case select:
            return SELECTS[select](awaited.chains[0])
