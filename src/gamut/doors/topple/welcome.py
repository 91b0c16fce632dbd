"""What somebody who comes into a room is told of it, and the board once more a moment later."""

from typing import TYPE_CHECKING

import msgspec

from gamut.doors.topple import to_client as t
from gamut.doors.topple import views
from gamut.doors.topple.codes import code_of
from gamut.doors.topple.rules import scored
from gamut.games.topple.state import number
from gamut.hall.ids import Millis
from gamut.hall.live.live_table import LiveTable

if TYPE_CHECKING:
    from gamut.doors.topple.session import ToppleSession

_NO_TIMES = t.sync({})
_TAKEN_IN = Millis(100)
"""So long a client may take over a board."""
_MOST_BOARDS = 5
"""Where moves come one upon the other all the time."""


# Each kind of newcomer


def creator(session: "ToppleSession", live: LiveTable) -> list[bytes]:
    """All but the rules of the new room, which the creator may still say."""
    if session.spectator is not None:
        return [t.own_spectator_id(session.spectator), _room(live)]
    return [_key(session, live), _number(session, live), _room(live)]


def creator_with_rules(session: "ToppleSession", live: LiveTable) -> list[bytes]:
    key = [] if session.spectator is not None else [_key(session, live)]
    return [*key, _config(session, live), views.rules(live.table)]


def player(session: "ToppleSession", live: LiveTable, present: bytes) -> list[bytes]:
    """`present`: who was there before."""
    frames = [
        _key(session, live),
        _number(session, live),
        _room(live),
        present,
        _key(session, live),
        _config(session, live),
        views.rules(live.table),
        *_ready_ones(live),
    ]
    if live.table.phase != "setup":
        # Where play begins as soon as every seat is taken, nobody else says so any more.
        frames += [t.STARTED, views.turn(live.table)]
    return frames


def bot(session: "ToppleSession", live: LiveTable) -> list[bytes]:
    return [
        _number(session, live),
        _room(live),
        who_is_here(session, live),
        _key(session, live),
        _config(session, live),
        views.rules(live.table),
    ]


def returned(session: "ToppleSession", live: LiveTable) -> list[bytes]:
    """A player who has come back."""
    frames = [
        _number(session, live),
        _room(live),
        who_is_here(session, live),
        _key(session, live),
    ]
    if live.table.phase == "setup":
        return frames + _before_the_game(session, live)
    frames += [
        t.RECONNECTED,
        _config(session, live),
        views.board(live.table.state),
        views.rules(live.table),
    ]
    return frames + _how_it_stands(session, live)


def spectator(session: "ToppleSession", live: LiveTable, present: bytes) -> list[bytes]:
    assert session.spectator is not None
    frames = [t.own_spectator_id(session.spectator), _room(live), present]
    if live.table.phase == "setup":
        return frames + _before_the_game(session, live)
    frames += [views.rules(live.table), _config(session, live), views.board(live.table.state)]
    return frames + _how_it_stands(session, live)


def player_of_saved_game(session: "ToppleSession", live: LiveTable) -> list[bytes]:
    return [
        t.SEAT_SELECTED,
        _number(session, live),
        _room(live),
        who_is_here(session, live),
        *_saved_board(live),
        _key(session, live),
        _config(session, live),
        views.rules(live.table),
        *_saved_board(live),
        views.team_scores(live.table),
    ]


# Piece by piece


def who_is_here(newcomer: "ToppleSession", live: LiveTable) -> bytes:
    door = newcomer.door
    door.onlookers.look(live, newcomer)
    spectators: list[t.SpectatorEntry] = [
        (session.spectator, None) for session in door.spectators(live) if session.spectator is not None
    ]
    return views.who_is_here(live, [*spectators, *door.onlookers.of(live).values()])


def _room(live: LiveTable) -> bytes:
    return t.room_id(code_of(live))


def _key(session: "ToppleSession", live: LiveTable) -> bytes:
    seat = live.table.seat_of(session.person)
    assert seat is not None
    key = session.door.keys.rejoin(live, seat)
    assert key is not None
    return t.rejoin_key(key, code_of(live), number(seat))


def _number(session: "ToppleSession", live: LiveTable) -> bytes:
    seat = live.table.seat_of(session.person)
    assert seat is not None
    return t.own_number(number(seat), views.teams_of(live.table)[seat])


def _config(session: "ToppleSession", live: LiveTable) -> bytes:
    return views.config(live.table, session.door.host_of(live))


def _ready_ones(live: LiveTable) -> list[bytes]:
    return [t.ready(number(seat), True) for seat in live.table.ready]


def _saved_board(live: LiveTable) -> list[bytes]:
    """The board, where a game is to go on that was suspended."""
    state = views.position(live.table)
    return [] if state is None else [views.board(state)]


def _before_the_game(session: "ToppleSession", live: LiveTable) -> list[bytes]:
    return [_config(session, live), views.rules(live.table), *_saved_board(live), *_ready_ones(live)]


def _scores(live: LiveTable) -> list[bytes]:
    """The scores, where they count."""
    return [views.team_scores(live.table)] if scored(live.table) else []


def _how_it_stands(session: "ToppleSession", live: LiveTable) -> list[bytes]:
    """The scores where they count, whose turn it is and how much time is left, or who has won."""
    table, now = live.table, session.hall.time.now()
    frames = _scores(live)
    if table.state.winner is not None:
        return [*frames, views.won(table, table.state.winner)]
    frames.append(views.turn(table))
    left = views.times_left(table, now)
    if left != _NO_TIMES:
        frames.append(left)
    if table.phase == "paused":
        frames.append(views.paused(table, now))
    return frames


# The board once more. A client needs a moment before it handles messages, and it handles a board later than
# the messages behind it: moves, scores and the end that come meanwhile are lost to it. So it is sent again.


class BoardAgain(msgspec.Struct, frozen=True):
    """A board that is still to be sent, or that was sent a moment ago and may have to be sent again."""

    due: Millis
    last_play: int
    """The last event of the game that the client is sure to know."""
    phase: str
    boards_left: int
    sent: bool = False
    """The board was sent a moment ago. At `due` it is looked whether somebody has moved since."""


def show_again(session: "ToppleSession", live: LiveTable) -> None:
    """Send the board again in a moment, and once more if somebody moves right after that."""
    if live.table.state is not None:
        due = session.hall.time.now() + session.door.settings.shown_again
        session.state.board_again = BoardAgain(Millis(due), *_moment(live), _MOST_BOARDS)
        wait_to_show(session)


def wait_to_show(session: "ToppleSession") -> None:
    """Set the timer for the board that is still to be sent. A session that is taken up again does it, too."""
    plan = session.state.board_again
    if plan is not None:
        wait = max(0, plan.due - session.hall.time.now())
        session.hall.time.later(Millis(wait), lambda: _due(session))


def _due(session: "ToppleSession") -> None:
    live, plan = session.live, session.state.board_again
    if live is None or plan is None or session.is_deaf:
        return
    now, moment = session.hall.time.now(), _moment(live)
    session.state.board_again = None
    if not plan.sent:
        session.send(*_board_again(session, live, plan))
        if plan.boards_left > 1:
            due = Millis(now + _TAKEN_IN)
            session.state.board_again = BoardAgain(due, *moment, plan.boards_left - 1, sent=True)
    elif moment != (plan.last_play, plan.phase):
        due = Millis(now + session.door.settings.shown_again)
        session.state.board_again = msgspec.structs.replace(plan, due=due, sent=False)
    wait_to_show(session)


def _board_again(session: "ToppleSession", live: LiveTable, plan: BoardAgain) -> list[bytes]:
    frames = [views.board(live.table.state)]
    if plan.phase == "paused" and live.table.phase == "playing":
        frames.append(t.RESUMED)
    if _moment(live) != (plan.last_play, plan.phase) or live.table.phase == "over":
        return frames + _how_it_stands(session, live)
    return frames + _scores(live)


def _moment(live: LiveTable) -> tuple[int, str]:
    """How far a game has come."""
    return live.table.last_play, live.table.phase
