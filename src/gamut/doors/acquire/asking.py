"""What each message does."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import msgspec

from gamut.doors.acquire import from_client as f
from gamut.doors.acquire import logging_in, playing, setting_up
from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.positions import game_number
from gamut.doors.acquire.users import user_ids
from gamut.games.acquire.files.array import written
from gamut.games.acquire.files.recording import record_of
from gamut.games.game import Refused
from gamut.hall.files.recording import played_game
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import commands as c

if TYPE_CHECKING:
    from gamut.doors.acquire.session import AcquireSession


async def _follow_lobby(session: "AcquireSession", message: f.LobbyConnect) -> None:
    lobby = session.door.lobby
    await lobby.read_boards()
    if not session.is_deaf:
        lobby.follow(session, message.last_event_index, message.id)


def _enter(session: "AcquireSession", message: f.EnterGame, live: LiveTable) -> None:
    known = message.game_state_history_size
    if live.table.phase != "setup" and known > live.state_for(live.viewer(session.person)).actions:
        raise Refused("stale", "The game has not come so far; ask for all of it.")
    session.enter(live)
    session.send(session.door.picture(live, session, known))


def _exit(session: "AcquireSession", message: f.ExitGame, live: LiveTable) -> None:
    session.exit(live)


def _say(session: "AcquireSession", message: f.SendChatMessage, live: LiveTable | None = None) -> None:
    known = session.state.known
    assert known is not None
    if live is None:
        session.hall.say(known.id, known.name, message.message)
        session.hall.lobby.tell_now()
        return
    if live.id not in session.following and not live.table.inside(known.id):
        raise Refused("not_here", "Enter the game first.")
    seated = live.table.seat_of(known.id) is not None
    channel: Any = "table" if seated or live.table.one_chat else "kibitz"
    session.do(live, c.Say(known.id, known.name, message.message, channel))


async def _review(session: "AcquireSession", message: f.GetGameReview, live: LiveTable) -> None:
    if live.table.phase != "over":
        raise Refused("game_not_over", "The game is not over: its review would tell everybody everything.")
    review: bytes = await session.hall.run_blocking(review_of, live)
    if not session.is_deaf:
        session.send(t.GameReview(game_number=game_number(live.table), review=msgspec.Raw(review)))


def review_of(live: LiveTable) -> bytes:
    """The whole game as one JSON array. It takes some milliseconds, and changes nothing."""
    users = [user or 0 for user in user_ids(live.table.players)]
    return written(record_of(played_game(live), users))


HANDLERS: dict[type, Callable[..., Awaitable[None] | None]] = {
    f.Login: logging_in.log_in,
    f.CreateUserAndLogin: logging_in.create_user,
    f.Logout: logging_in.log_out,
    f.LobbyConnect: _follow_lobby,
    f.CreateGame: setting_up.create,
    f.EnterGame: _enter,
    f.ExitGame: _exit,
    f.DoGameSetupAction: setting_up.change,
    f.DoGameAction: playing.act,
    f.Forfeit: playing.forfeit,
    f.SendChatMessage: _say,
    f.GetGameReview: _review,
}
