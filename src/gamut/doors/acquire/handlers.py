"""What each message does."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import msgspec

from gamut.doors.acquire import from_client as f
from gamut.doors.acquire import logging_in, playing, setting_up
from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.naming import game_number
from gamut.doors.acquire.refusals import not_found
from gamut.doors.acquire.snapshots import snapshot
from gamut.doors.acquire.users import user_ids
from gamut.games.acquire.files.array import written
from gamut.games.acquire.files.recording import record_of
from gamut.games.game import Refused
from gamut.hall.files.recording import played_game
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import commands as c

if TYPE_CHECKING:
    from gamut.doors.acquire.session import AcquireSession

Handler = Callable[["AcquireSession", Any], Awaitable[None] | None]
GameHandler = Callable[["AcquireSession", Any, LiveTable], Awaitable[None] | None]


def _at_game(handler: GameHandler) -> Handler:
    """For messages about one game: it is found first, in the ledger if it must be."""

    def handle(session: "AcquireSession", message: f.OfGame) -> Awaitable[None] | None:
        live = session.at_hand(message.game_number)
        if live is None:
            return _when_read(handler, session, message)
        _check_known(session, live)
        return handler(session, message, live)

    return handle


async def _when_read(handler: GameHandler, session: "AcquireSession", message: f.OfGame) -> None:
    number = message.game_number
    live = await session.hall.find(session.door.name, str(number)) if 0 < number < 1 << 31 else None
    if live is None:
        raise not_found()
    if session.is_deaf:
        return
    _check_known(session, live)
    waiting = handler(session, message, live)
    if waiting is not None:
        await waiting


def _check_known(session: "AcquireSession", live: LiveTable) -> None:
    """Whether this person may know of the game: a private one does not exist for those outside."""
    table = live.table
    hidden = table.private and not table.inside(session.person) and not session.is_at(live)
    if hidden or (table.phase == "over" and table.outcome is None):
        raise not_found()


async def _follow_lobby(session: "AcquireSession", message: f.LobbyConnect) -> None:
    lobby = session.door.lobby
    await lobby.read_boards()
    await lobby.private.read(session.person)
    if not session.is_deaf:
        lobby.follow(session, message.last_event_index, message.id)


def _enter(session: "AcquireSession", message: f.EnterGame, live: LiveTable) -> None:
    known = message.game_state_history_size
    if live.table.phase != "setup" and known > live.state_for(live.viewer(session.person)).actions:
        raise Refused("stale", "The game has not come so far; ask for all of it.")
    session.enter(live)
    session.send(snapshot(session.door, live, session.person, known))


def _exit(session: "AcquireSession", message: f.ExitGame, live: LiveTable) -> None:
    session.exit(live)


def _say(session: "AcquireSession", message: f.SendChatMessage) -> Awaitable[None] | None:
    if message.game_number is not None:
        return _say_at_game(session, message)
    known = session.state.known
    assert known is not None
    session.hall.say(known.id, known.name, message.message)
    session.hall.lobby.tell_now()
    return None


@_at_game
def _say_at_game(session: "AcquireSession", message: f.SendChatMessage, live: LiveTable) -> None:
    known, table = session.state.known, live.table
    assert known is not None
    if not session.is_at(live) and not table.inside(known.id):
        raise Refused("not_here", "Enter the game first.")
    channel: Any = "table" if table.seat_of(known.id) is not None or table.one_chat else "kibitz"
    session.do(live, c.Say(known.id, known.name, message.message, channel))


async def _review(session: "AcquireSession", message: f.GetGameReview, live: LiveTable) -> None:
    if live.table.phase != "over":
        raise Refused("game_not_over", "The game is not over: its review would tell everybody everything.")
    if live.table.outcome is None:
        raise not_found()  # it was called off since we looked
    review: bytes = await session.hall.run_blocking(review_of, live)
    if not session.is_deaf:
        session.send(t.GameReview(game_number=game_number(live.table), review=msgspec.Raw(review)))


def review_of(live: LiveTable) -> bytes:
    """The whole game as one JSON array. It takes some milliseconds, and changes nothing."""
    users = [user or 0 for user in user_ids(live.table.players)]
    return written(record_of(played_game(live), users))


HANDLERS: dict[type, Handler] = {
    f.Login: logging_in.log_in,
    f.CreateUserAndLogin: logging_in.create_user,
    f.Logout: logging_in.log_out,
    f.LobbyConnect: _follow_lobby,
    f.CreateGame: setting_up.create,
    f.EnterGame: _at_game(_enter),
    f.ExitGame: _at_game(_exit),
    f.DoGameSetupAction: _at_game(setting_up.change),
    f.DoGameAction: _at_game(playing.act),
    f.Forfeit: _at_game(playing.forfeit),
    f.SendChatMessage: _say,
    f.GetGameReview: _at_game(_review),
}
