"""What somebody inside a room asks for, message by message."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from gamut.doors.topple import from_client as f
from gamut.doors.topple import to_client as t
from gamut.doors.topple import views
from gamut.doors.topple.codes import is_machine, new_spectator_id
from gamut.doors.topple.rules import configuring, switching
from gamut.doors.topple.telling import WatchesAs
from gamut.games.game import Refused, Seat
from gamut.games.topple.events import Place
from gamut.games.topple.files.bots import level_of
from gamut.games.topple.files.formats import REPLAY, SUSPENSION
from gamut.games.topple.state import seat_of
from gamut.hall.files.recording import file_of, suspended_file_of
from gamut.hall.limits.attempts import TooManyTries
from gamut.hall.live.audience import Cause
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import commands as c
from gamut.hall.table.seats import BotSitter, Sitter

if TYPE_CHECKING:
    from gamut.doors.topple.session import ToppleSession


def _live(session: "ToppleSession") -> LiveTable:
    assert session.live is not None
    return session.live


def _host_only(session: "ToppleSession") -> LiveTable:
    live = _live(session)
    if live.table.host != session.person:
        raise Refused("not_host", "only the host may do that")
    return live


def _waiting_only(session: "ToppleSession") -> LiveTable:
    live = _live(session)
    if live.table.phase != "setup":
        raise Refused("wrong_phase", "the game has begun")
    return live


def _seat(live: LiveTable, number: int) -> Seat:
    """The seat of somebody who is there."""
    seat = seat_of(number)
    if not 0 <= seat < len(live.table.seats) or live.table.seats[seat] is None:
        raise Refused("nobody", f"there is no player {number}")
    return seat


# Leaving


def _waiting_leave(session: "ToppleSession", message: f.WaitingLeave) -> None:
    _waiting_only(session)
    session.leave()


def _player_leave(session: "ToppleSession", message: f.PlayerLeave) -> None:
    if session.spectator is not None:
        raise Refused("nobody", "you are no player")
    session.leave()


def _spectator_leave(session: "ToppleSession", message: f.SpectatorLeave) -> None:
    if session.spectator is None:
        raise Refused("nobody", "you are no spectator")
    session.leave()


def _spectate(session: "ToppleSession", message: f.Spectate) -> None:
    live = _waiting_only(session)
    if session.seat is None:
        raise Refused("nobody", "you are no player")
    if not live.table.watchable:
        raise Refused("wrong_phase", "spectators are not allowed in this room")
    if sum(1 for _ in live.table.sitters()) < 2:
        raise Refused("wrong_phase", "somebody must stay")
    spectator = new_spectator_id()
    session.hall.do(live, c.Leave(session.person), Cause(session, WatchesAs(spectator)))
    if session.is_deaf:
        return  # nobody else was there, and the room was closed
    session.state.spectator = spectator
    # Spectators are listed in the order in which they began to watch.
    live.depart(session)
    live.attend(session)


# Setting up


def _start(session: "ToppleSession", message: f.Start) -> None:
    _host_only(session)
    live = _waiting_only(session)
    teams = views.teams_of(live.table)
    if len({teams[seat] for seat, _ in live.table.present()}) < 2:
        raise Refused("wrong_phase", "at least two players of different teams must be there")
    session.hall.do(live, c.Start(session.person))


def _promote(session: "ToppleSession", message: f.Promote) -> None:
    live = _host_only(session)
    seat = _seat(live, message.payload.n)
    holder = live.table.seats[seat]
    if isinstance(holder, Sitter) and is_machine(holder.person):
        raise Refused("nobody", "a bot cannot be host")
    session.hall.do(live, c.Promote(session.person, seat))


def _ready(session: "ToppleSession", message: f.SetReady) -> None:
    live = _live(session)
    if session.spectator is not None:
        raise Refused("nobody", "you are no player")
    session.hall.do(live, c.Ready(session.person, message.payload.r))


def _colours(session: "ToppleSession", message: f.TeamColors | f.TeamCols) -> None:
    live = _host_only(session)
    session.hall.do(live, c.Decorate(session.person, {"colours": message.payload.c}))


def change_rules(session: "ToppleSession", message: f.Rules) -> None:
    live = _live(session)
    # The existing client says this each time that it hears a room's code, whoever and wherever it is.
    if live.table.host != session.person or live.table.phase != "setup" or live.table.options.resume:
        return
    command = configuring(live.table, session.person, message.payload)
    if command is not None:
        session.hall.do(live, command)


def _bot(session: "ToppleSession", message: f.Bot) -> None:
    _host_only(session)
    live = _waiting_only(session)
    level = level_of(message.payload.bot)
    if level is None:
        raise Refused("no_such_level", "there is no such bot; /bots has the list")
    session.hall.do(live, c.SeatBot(session.person, level))


def _switch(session: "ToppleSession", message: f.Switch) -> None:
    live = _waiting_only(session)
    seat = session.seat
    if seat is None:
        raise Refused("nobody", "you are no player")
    if live.table.options.resume or live.table.host is None:
        raise Refused("wrong_phase", "the teams of this game are settled")
    if views.teams_of(live.table)[seat] != message.payload.t:
        session.hall.do(live, switching(live.table, seat, message.payload.t))


# Playing


def _move(session: "ToppleSession", message: f.Move) -> None:
    session.hall.do(_live(session), c.Act(session.person, Place(message.payload.n)))


def _pause(session: "ToppleSession", message: f.Pause) -> None:
    live = _host_only(session)
    if live.table.phase != "paused":
        session.hall.do(live, c.Pause(session.person))


def _resume(session: "ToppleSession", message: f.Resume) -> None:
    live = _host_only(session)
    if live.table.phase != "playing":
        session.hall.do(live, c.Resume(session.person))


def _kick(session: "ToppleSession", message: f.Kick | f.WaitingKick) -> None:
    live = _host_only(session)
    who = message.payload.n
    if isinstance(who, str):
        _kick_spectator(session, live, who)
        return
    seat = _seat(live, who)
    holder = live.table.seats[seat]
    if live.table.phase != "over" or isinstance(holder, BotSitter):
        session.hall.do(live, c.Unseat(session.person, seat))
        return
    assert isinstance(holder, Sitter)
    if holder.person == session.person:
        raise Refused("bad_field", "you cannot kick yourself; leave instead")
    session.hall.do(live, c.Leave(holder.person), Cause(session, message))
    session.door.kicked.bar_lost(live, holder.person)
    for other in session.door.sessions_at(live):
        if other.person == holder.person:
            session.door.kicked.bar(live, other.address)
            other.dismissed()


def _kick_spectator(session: "ToppleSession", live: LiveTable, who: str) -> None:
    if who == session.spectator:
        raise Refused("bad_field", "you cannot kick yourself; leave instead")
    for other in session.door.spectators(live):
        if other.spectator == who:
            session.door.others(live, t.kicked(who))
            session.door.kicked.bar(live, other.address)
            other.dismissed()
            return
    raise Refused("nobody", "there is no such spectator")


def _ping(session: "ToppleSession", message: f.Ping) -> None:
    live = _live(session)
    seat = _seat(live, message.payload.n)
    now, every = session.hall.time.now(), session.door.settings.ping_every
    for other in session.door.sessions_at(live):
        if other.seat == seat and (other.state.pinged is None or now - other.state.pinged >= every):
            other.state.pinged = now
            other.send(t.pinged(message.payload.kind))


# Files


def _download(session: "ToppleSession", message: f.Download | f.Export) -> Awaitable[None]:
    live = _live(session)
    if live.table.outcome is None:
        raise Refused("no_replay", "there is no replay before the game is over")
    return _send_replay(session, live)


async def _send_replay(session: "ToppleSession", live: LiveTable) -> None:
    try:
        file = await session.hall.slow_work.run(
            session.person, session.address, file_of, live, REPLAY, None, session.door.keys.fingerprint
        )
    except TooManyTries as refused:
        raise Refused("too_much", refused.reason) from None
    if not session.is_deaf:
        session.send(t.replay_file(file))


def _export(session: "ToppleSession", message: f.Export) -> Awaitable[None] | None:
    live = _host_only(session)
    table = live.table
    if table.phase == "over":
        return _download(session, message)
    if table.phase == "setup":
        raise Refused("wrong_phase", "the game has not begun")
    file = suspended_file_of(live, SUSPENSION, session.hall.time.now(), session.door.keys.fingerprint)
    session.send(t.export_file(file))
    session.hall.do(live, c.Close(session.person))
    return None


def _too_late(session: "ToppleSession", message: Any) -> None:
    raise Refused("wrong_phase", "you are in already")


HANDLERS: dict[type, Callable[["ToppleSession", Any], Awaitable[None] | None]] = {
    f.WaitingLeave: _waiting_leave,
    f.PlayerLeave: _player_leave,
    f.SpectatorLeave: _spectator_leave,
    f.Spectate: _spectate,
    f.Start: _start,
    f.Promote: _promote,
    f.SetReady: _ready,
    f.TeamColors: _colours,
    f.TeamCols: _colours,
    f.Rules: change_rules,
    f.Bot: _bot,
    f.Switch: _switch,
    f.Move: _move,
    f.Pause: _pause,
    f.Resume: _resume,
    f.Kick: _kick,
    f.WaitingKick: _kick,
    f.Ping: _ping,
    f.Download: _download,
    f.Export: _export,
    f.Password: _too_late,
    f.Select: _too_late,
}
