"""Which words a client may say in each dialect, and what is done then."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from gamut.doors.tafl import creating, entering, playing, talking
from gamut.doors.tafl import from_client as f
from gamut.doors.tafl import to_client as t
from gamut.doors.tafl.dialects import Dialect, Rejected
from gamut.doors.tafl.history import history_of
from gamut.hall.live.live_table import LiveTable

if TYPE_CHECKING:
    from gamut.doors.tafl.session import TaflSession

_LONGEST_TOKEN = 200

Handler = Callable[["TaflSession", str], Awaitable[None] | None]


def _log_in_again(session: "TaflSession", rest: str) -> None:
    raise Rejected("invalid-login")


def _game_list(session: "TaflSession", rest: str) -> None:
    session.send(session.door.game_list(session))


def _client_list(session: "TaflSession", rest: str) -> None:
    session.send(session.door.client_list())


def _create(session: "TaflSession", rest: str) -> Awaitable[None]:
    return creating.create(session, f.create(rest, extended=session.dialect == "S+"))


def _create_old(session: "TaflSession", rest: str) -> Awaitable[None]:
    return creating.create(session, f.create_old(rest))


def _join(session: "TaflSession", rest: str) -> Awaitable[None]:
    return entering.join(session, f.enter(rest))


def _join_old(session: "TaflSession", rest: str) -> Awaitable[None]:
    return entering.join(session, f.enter_old(rest, "false"))


def _spectate(session: "TaflSession", rest: str) -> Awaitable[None]:
    return entering.spectate(session, f.enter(rest))


def _spectate_old(session: "TaflSession", rest: str) -> Awaitable[None]:
    return entering.spectate(session, f.enter_old(rest, "true"))


def _resume(session: "TaflSession", rest: str) -> Awaitable[None]:
    return entering.resume(session, f.guid(rest.strip()))


def _history(session: "TaflSession", rest: str) -> Awaitable[None]:
    if rest.strip():
        return creating.load(session, rest)
    if session.live is None:
        raise Rejected("not-in-game")
    return _tell_history(session, session.live)


async def _tell_history(session: "TaflSession", live: LiveTable) -> None:
    await session.door.histories.prepare(live, "O")
    if not session.is_deaf and session.live is live:
        session.send(history_of(session.door.histories, live))


def _clocks(session: "TaflSession", rest: str) -> None:
    if rest.strip():
        creating.set_clocks(session, rest)
        return
    if session.live is None:
        raise Rejected("not-in-game")
    session.send(t.clock_update(session.dialect, session.live.table.clock, session.hall.time.now()))


def _ping(session: "TaflSession", rest: str) -> None:
    if len(rest) > _LONGEST_TOKEN or not rest.isprintable():
        raise Rejected("malformed")
    session.send(t.line(f"pong {rest}"))


_PLAIN: dict[str, Handler] = {
    "login": _log_in_again,
    "lobby-chat": talking.lobby_chat,
    "get-game-list": _game_list,
    "create-game": _create,
    "join-game": _join,
    "ready-for-game": playing.ready,
    "move": playing.play,
    "end-game": playing.resign,
    "leave-game": entering.leave,
    "spectate-game": _spectate,
    "game-chat": talking.game_chat,
    "spectator-chat": talking.spectator_chat,
}
_EXTENDED: dict[str, Handler] = {
    **_PLAIN,
    "client-list": _client_list,
    "history": _history,
    "clock-update": _clocks,
    "resign": playing.resign,
    "draw-offer": playing.offer_draw,
    "draw-accept": playing.accept_draw,
    "draw-decline": playing.decline_draw,
    "ping": _ping,
    "resume": _resume,
}
_OLD: dict[str, Handler] = {
    "login": _log_in_again,
    "lobby-chat": talking.lobby_chat,
    "game-list": _game_list,
    "client-list": _client_list,
    "create-game": _create_old,
    "join-game": _join_old,
    "spectate": _spectate_old,
    "history": _history,
    "clock-update": _clocks,
    "move-record": playing.play,
    "game-ended": playing.resign,
    "leave-game": entering.leave,
    "game-chat": talking.game_chat,
}

HANDLERS: Mapping[Dialect, Mapping[str, Handler]] = {"S": _PLAIN, "S+": _EXTENDED, "O": _OLD}
