"""What each message does; the larger themes have files of their own."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from gamut.doors.tafl import creating, entering, playing
from gamut.doors.tafl import from_client as f
from gamut.doors.tafl import to_client as t
from gamut.doors.tafl.history import history_of
from gamut.doors.tafl.logging_in import log_in
from gamut.games.game import Refused
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import commands as c
from gamut.hall.table.events import Channel

if TYPE_CHECKING:
    from gamut.doors.tafl.session import TaflSession


def _game(session: "TaflSession") -> LiveTable:
    """The game that this client plays or watches."""
    if session.live is None:
        raise _not_in_game()
    return session.live


def _not_in_game() -> Refused:
    return Refused("not_in_game", "You are in no game.")


# Asking


def _list_games(session: "TaflSession", message: f.ListGames) -> None:
    session.send(session.door.game_list(session))


def _list_clients(session: "TaflSession", message: f.ListClients) -> None:
    session.send(session.door.client_list())


def _ask_history(session: "TaflSession", message: f.AskHistory) -> Awaitable[None]:
    return _tell_history(session, _game(session))


async def _tell_history(session: "TaflSession", live: LiveTable) -> None:
    await session.door.histories.prepare(live, "O")
    if not session.is_deaf and session.live is live:
        session.send(history_of(session.door.histories, live))


def _ask_clocks(session: "TaflSession", message: f.AskClocks) -> None:
    clock = _game(session).table.clock
    session.send(t.clock_update(session.dialect, clock, session.hall.time.now()))


def _ping(session: "TaflSession", message: f.Ping) -> None:
    session.send(t.line(f"pong {message.token}"))


# Talking


def _lobby_chat(session: "TaflSession", message: f.LobbyChat) -> None:
    for piece in message.pieces:
        session.hall.say(session.person, session.name, piece)


def _game_chat(session: "TaflSession", message: f.GameChat) -> None:
    """Of a player, to everybody at the table. In dialect O watchers say it, too, and are heard by each other."""
    live = _game(session)
    if session.seat is not None or live.table.one_chat:
        _say(session, live, message.pieces, "table")
    elif session.dialect == "O":
        _say(session, live, message.pieces, "kibitz")
    else:
        raise _not_in_game()


def _spectator_chat(session: "TaflSession", message: f.SpectatorChat) -> None:
    live = _game(session)
    if session.seat is not None:
        raise _not_in_game()
    _say(session, live, message.pieces, "kibitz")


def _say(session: "TaflSession", live: LiveTable, pieces: tuple[str, ...], channel: Channel) -> None:
    for piece in pieces:
        session.hall.do(live, c.Say(session.person, session.name, piece, channel))


HANDLERS: dict[type, Callable[["TaflSession", Any], Awaitable[None] | None]] = {
    f.Blank: lambda session, message: None,
    f.Login: log_in,
    f.LobbyChat: _lobby_chat,
    f.GameChat: _game_chat,
    f.SpectatorChat: _spectator_chat,
    f.ListGames: _list_games,
    f.ListClients: _list_clients,
    f.Create: creating.create,
    f.LoadGame: creating.load,
    f.SetClocks: creating.set_clocks,
    f.Join: entering.join,
    f.Watch: entering.watch,
    f.Resume: entering.resume,
    f.Leave: entering.leave,
    f.Ready: playing.ready,
    f.Move: playing.play,
    f.Resign: playing.simply(c.Resign, playing.begun_game),
    f.OfferDraw: playing.simply(c.OfferDraw, playing.begun_game),
    f.AcceptDraw: playing.simply(c.OfferDraw, playing.offered_draw),
    f.DeclineDraw: playing.simply(c.DeclineDraw, playing.offered_draw),
    f.AskHistory: _ask_history,
    f.AskClocks: _ask_clocks,
    f.Ping: _ping,
}
