"""Playing a recorded game through by the rules."""

from collections.abc import Iterator

from gamut.games.files import BadFile
from gamut.games.topple import events as happened
from gamut.games.topple.evolve import evolve
from gamut.games.topple.files.cursor import damaged
from gamut.games.topple.files.record import Event, Moved, Record, Removed
from gamut.games.topple.state import Setup, ToppleState, seat_of

LARGEST_BOARD = 1 << 17
"""Tiles; larger boards can be read, but are not played through."""


def start(record: Record) -> ToppleState:
    if record.x * record.y > LARGEST_BOARD:
        raise BadFile("unsupported", f"The board is too large to be played through: {record.x}x{record.y}.")
    setup = Setup(
        topology=record.topology,
        x=record.x,
        y=record.y,
        teams=record.teams,
        scoring=record.scoring or "elim",
        penalty="random" if record.clock is None else record.clock.penalty,
    )
    return evolve(None, happened.Began(setup))


def positions(record: Record) -> Iterator[ToppleState]:
    """The position after each event. Raises BadFile when something happens that the rules do not allow.

    Whose turn it is does not matter, because files do not tell when a turn was skipped. Nor does a game have to
    end when one team is left by the others: on other servers that team moves once more.
    """
    state = start(record)
    for event in record.events:
        state = stepped(state, event)
        yield state


def final(record: Record) -> ToppleState:
    state = start(record)
    for later in positions(record):
        state = later
    return state


def stepped(state: ToppleState, event: Event) -> ToppleState:
    """The position after one event: the same one if it changes nothing on the board."""
    match event:
        case Moved(player=player, tile=tile):
            seat = seat_of(player)
            if state.ending == "everything":
                raise damaged(f"player {player} moves after the end")
            if not state.alive[seat]:
                raise damaged(f"player {player} moves, but is out")
            if state.owners[tile] not in (0, state.setup.teams[seat]):
                raise damaged(f"player {player} moves on a tile of others")
            return evolve(state, happened.Moved(seat, tile))
        case Removed(player=player) if state.alive[seat_of(player)]:
            return evolve(state, happened.Removed(seat_of(player), "left"))
    return state
