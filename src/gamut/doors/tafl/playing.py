"""Playing: being ready, moves, giving up, and draws."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gamut.doors.tafl import from_client as f
from gamut.doors.tafl import to_client as t
from gamut.games.game import Refused, Seat
from gamut.games.tafl.state import Move
from gamut.hall.ids import PersonId
from gamut.hall.live.audience import Cause
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import commands as c

if TYPE_CHECKING:
    from gamut.doors.tafl.session import TaflSession

_RESTS = ("paused", "waiting")


def own_game(session: "TaflSession") -> LiveTable:
    """The game in which this client has a seat."""
    live = session.live
    if live is None or session.state.person not in live.table.persons:
        raise Refused("not_in_game", "You play no game.")
    return live


def begun_game(session: "TaflSession") -> LiveTable:
    live = own_game(session)
    if live.table.phase == "setup":
        raise Refused("not_started", "The game has not begun.")
    if live.table.phase == "over":
        raise Refused("over", "The game is over.")
    return live


def ready(session: "TaflSession", message: f.Ready) -> None:
    live = own_game(session)
    # What is due by now may change who counts as ready: it happens first.
    session.hall.catch_up(live)
    if live.table.phase == "over" or (session.plays and session.state.ready):
        raise Refused("already_started", "The game has begun.")
    session.state.ready = True
    if session.plays:
        # The game did not wait for that: it began when the table was full, or when its host wanted it to.
        session.send(t.SUCCESS)
    elif is_ready_unknown(session, live):
        session.hall.do(live, c.Ready(session.person, True), Cause(session, message))
    else:
        session.send(t.WAITING)


def is_ready_unknown(session: "TaflSession", live: LiveTable) -> bool:
    """Whether the client has said that it is ready, but the table does not count it so any more. At this door
    a client stays ready until the start, whatever others change meanwhile."""
    table = live.table
    seat = table.seat_of(session.person)
    if table.phase != "setup" or not session.state.ready or seat is None or seat in table.ready:
        return False
    # Where everybody has to approve, nobody can before all are there.
    return table.start != "approval" or table.full


def play(session: "TaflSession", message: f.Move) -> None:
    live = begun_game(session)
    numbers = live.table.state.on.numbers
    start, end = numbers.get(message.start), numbers.get(message.end)
    if start is None or end is None:
        raise Refused("illegal_move", "The board has no such space.")
    try:
        session.hall.do(live, c.Act(session.state.person, Move(start, end)), Cause(session, message))
    except Refused as refused:
        if refused.code not in _RESTS or session.dialect != "O":
            raise
        # The client's own board shows the move already, so it is kept and played when play goes on.
        session.state.held = message


def play_held(session: "TaflSession") -> None:
    """Play goes on: the move that was made meanwhile can be played."""
    held, session.state.held = session.state.held, None
    if held is None or session.live is None:
        return
    try:
        play(session, held)
    except Refused as refused:
        session.refuse(refused, held)


def simply(
    command: Callable[[PersonId], c.Command], game_of: Callable[["TaflSession"], LiveTable]
) -> Callable[["TaflSession", f.Message], None]:
    """For messages that are a command of the table and nothing else."""
    return lambda session, message: session.hall.do(game_of(session), command(session.person))


def offered_draw(session: "TaflSession") -> LiveTable:
    """The game in which somebody else has offered a draw."""
    live = begun_game(session)
    seat: Seat | None = session.seat
    if not any(other != seat for other in live.table.draw_offers):
        raise Refused("no_offer", "Nobody has offered a draw.")
    return live
