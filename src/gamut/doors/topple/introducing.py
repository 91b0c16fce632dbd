"""What a newcomer is told of a room, piece by piece."""

from typing import TYPE_CHECKING

from gamut.doors.topple import to_client as t
from gamut.doors.topple import views
from gamut.doors.topple.rules import scored
from gamut.games.topple.state import number
from gamut.hall.ids import PersonId
from gamut.hall.live.live_table import LiveTable

if TYPE_CHECKING:
    from gamut.doors.topple.door import ToppleDoor
    from gamut.doors.topple.session import ToppleSession

_NO_TIMES = t.sync({})


def room_of(live: LiveTable) -> bytes:
    return t.room_id(code_of(live))


def code_of(live: LiveTable) -> str:
    """What this protocol calls the room; a table that was opened on the page has only its id."""
    return live.table.room if live.table.room is not None else live.id


def key_of(door: "ToppleDoor", live: LiveTable, person: PersonId) -> bytes:
    seat = live.table.seat_of(person)
    assert seat is not None
    key = door.keys.rejoin(live, seat)
    assert key is not None
    return t.rejoin_key(key, code_of(live), number(seat))


def number_of(live: LiveTable, person: PersonId) -> bytes:
    seat = live.table.seat_of(person)
    assert seat is not None
    return t.own_number(number(seat), views.teams_of(live.table)[seat])


def config_of(door: "ToppleDoor", live: LiveTable) -> bytes:
    return views.config(live.table, door.host_of(live))


def who_is_here(newcomer: "ToppleSession", live: LiveTable) -> bytes:
    door = newcomer.door
    door.onlookers.look(live, newcomer)
    spectators: list[t.SpectatorEntry] = [
        (session.spectator, None) for session in door.spectators(live) if session.spectator is not None
    ]
    return views.who_is_here(live, [*spectators, *door.onlookers.of(live).values()])


def ready_ones(live: LiveTable) -> list[bytes]:
    return [t.ready(number(seat), True) for seat in live.table.ready]


def saved_board(live: LiveTable) -> list[bytes]:
    """The board, where a game is to go on that was suspended."""
    state = views.position(live.table)
    return [] if state is None else [views.board(state)]


def before_the_game(door: "ToppleDoor", live: LiveTable) -> list[bytes]:
    return [config_of(door, live), views.rules(live.table), *saved_board(live), *ready_ones(live)]


def scores_of(live: LiveTable) -> list[bytes]:
    """The scores, where they count."""
    return [views.team_scores(live.table)] if scored(live.table) else []


def how_it_stands(door: "ToppleDoor", live: LiveTable) -> list[bytes]:
    """The scores where they count, whose turn it is and how much time is left, or who has won."""
    table, now = live.table, door.hall.time.now()
    frames = scores_of(live)
    if table.state.winner is not None:
        return [*frames, views.won(table, table.state.winner)]
    frames.append(views.turn(table))
    left = views.times_left(table, now)
    if left != _NO_TIMES:
        frames.append(left)
    if table.phase == "paused":
        frames.append(views.paused(table, now))
    return frames
