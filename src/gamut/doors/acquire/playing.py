"""Actions of players, and giving up."""

from typing import TYPE_CHECKING

from gamut.doors.acquire import from_client as f
from gamut.doors.acquire.snapshots import player_of
from gamut.games.acquire.checks import asked
from gamut.games.acquire.state import AcquireState
from gamut.games.game import Refused, Seat
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import commands as c

if TYPE_CHECKING:
    from gamut.doors.acquire.session import AcquireSession


def act(session: "AcquireSession", message: f.DoGameAction, live: LiveTable) -> None:
    seat = _player(session, live)
    # A clock may have run out on the way: then something has happened before this.
    if live.deadline is not None:
        session.hall.catch_up(live)
    _check_running(live)
    state: AcquireState = live.state_for(None)
    if message.game_state_history_size != state.actions:
        raise Refused("stale", "Something happened before that arrived; look again.")
    if seat != state.next.seat:
        raise Refused("not_your_turn", "Somebody else is to act.")
    session.do(live, c.Act(session.person, asked(state, message.action, message.params)))


def forfeit(session: "AcquireSession", message: f.Forfeit, live: LiveTable) -> None:
    _player(session, live)
    _check_running(live)
    session.do(live, c.Resign(session.person))


def _player(session: "AcquireSession", live: LiveTable) -> Seat:
    seat = player_of(live.table, session.person)
    if seat is None:
        raise Refused("not_a_player", "You do not play in this game.")
    return seat


def _check_running(live: LiveTable) -> None:
    phase = live.table.phase
    if phase == "over":
        raise Refused("game_over", "The game is over.")
    if phase == "setup":
        raise Refused("not_in_progress", "The game has not begun.")
    if live.table.halted:
        raise Refused("not_in_progress", "The game is paused.")
