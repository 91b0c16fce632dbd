"""What each message does. A handler gives None to have it answered with ok, True if it has answered by itself, or what
has to be waited for."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import msgspec

from gamut.doors.web import from_client as f
from gamut.doors.web import setting_up
from gamut.doors.web import to_client as t
from gamut.doors.web.pieces import LOBBY, History, LobbyTables, Snapshot
from gamut.games.game import Refused
from gamut.hall.ids import PersonId, Seq, TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import commands as c
from gamut.hall.table.deciding.rights import WrongTablePassword

if TYPE_CHECKING:
    from gamut.doors.web.session import WebSession

Answered = bool | None
Handler = Callable[["WebSession", Any], Answered | Awaitable[Answered]]


def _unreadable(session: "WebSession", message: f.Unreadable) -> Answered:
    raise Refused("bad_message", message.reason)


# Who is there


def _hello(session: "WebSession", message: f.Hello) -> Answered | Awaitable[Answered]:
    if session.state.known is not None:
        raise Refused("greeted", "You are known already.")
    if message.token is not None:
        person = session.door.people.by_token(message.token)
        if person is None:
            raise Refused("bad_token", "That token is not valid any more; log in, or come as a guest.")
        session.welcome(person, None, message.id)
        return True
    if message.name is None:
        raise Refused("no_name", "Say a name or a token.")
    return _new_guest(session, message, message.name)


async def _new_guest(session: "WebSession", message: f.Hello, name: str) -> Answered:
    people = session.door.people
    person = await people.guest(name, session.address)
    token = people.issue(person)
    # Connection and person may be gone by now.
    if not session.is_deaf and people.by_token(token) is not None:
        session.welcome(person, token, message.id)
    return True


def _ping(session: "WebSession", message: f.Ping) -> Answered:
    session.send(t.Pong(now=session.hall.time.now(), id=message.id))
    return True


# The lobby, and watching tables


def _lobby(session: "WebSession", message: f.Lobby) -> Answered:
    lobby = session.hall.lobby
    session.state.in_lobby = message.follow
    if not message.follow:
        lobby.depart(session)
        session.reader.stop(LOBBY)
        return None
    lobby.attend(session)
    session.reader.begin(LOBBY, LobbyTables([*lobby.tables][::-1], answers=message.id))
    return True


def _watch(session: "WebSession", message: f.Watch) -> Answered:
    live = session.invited_table(message.table, message.key)
    if live.id not in session.following:
        session.check_follow_limit()
        _attend(session, live, message)
        # The table may not have been in memory when they took another name.
        session.hall.call_by_name(live, session.known)
    else:
        session.hall.attendance.looks(live, session, glance=message.glance)
    session.follows(live, glance=message.glance)
    since = message.since
    if since is not None and _knows(session, live, since, message.stamp):
        session.reader.begin(live.id, History(since, live.table.seq, answers=message.id))
    else:
        session.reader.begin(live.id, Snapshot(message.id))
    session.door.watching.changed(live, session)
    return True


def _knows(session: "WebSession", live: LiveTable, since: Seq, stamp: int | None) -> bool:
    """Whether the client's events are those that it would be told now, so that only
    later ones are missing."""
    if since > live.table.seq or stamp not in (None, live.stamp(since)):
        return False
    return live.looks_alike(session.person, since, since)


def _attend(session: "WebSession", live: LiveTable, message: f.Watch) -> None:
    """Follow a table. Wrong passwords are counted; somebody who needs none is not kept out by
    the guesses of others."""
    hall, invited = session.hall, message.key == live.table.key
    if invited or message.password is None or not live.guarded_from(session.person):
        hall.attendance.attend(live, session, invited=invited, glance=message.glance)
        return
    with hall.wrong_passwords.counting(session.address, WrongTablePassword):
        hall.attendance.attend(live, session, password=message.password, glance=message.glance)


def _unwatch(session: "WebSession", message: f.Unwatch) -> Answered:
    live = session.following.get(TableId(message.table))
    if live is not None:
        session.unfollow(live)
    else:
        session.known_table(message.table)  # refused if there is no table that they may know of
    return None


# Seats


def _sit(session: "WebSession", message: f.Sit) -> Answered:
    live = session.invited_table(message.table, message.key)
    command = c.Sit(session.sitter(), message.seat, message.key, message.password)
    if live.id not in session.following:
        session.check_follow_limit()
    if live.table.password is None or command.password is None:
        session.hall.do(live, command)
    else:
        with session.hall.wrong_passwords.counting(session.address, WrongTablePassword):
            session.hall.do(live, command)
    session.follow(live)
    return None


# Playing


def _act(session: "WebSession", message: f.Act) -> Answered:
    live = session.known_table(message.table)
    try:
        action = session.door.actions[live.table.game].decode(message.action)
    except f.WRONG as error:
        raise Refused("bad_action", f.explained(error)) from None
    session.hall.do(live, c.Act(session.person, action, message.seen))
    return None


def _legal(session: "WebSession", message: f.Legal) -> Answered:
    live = session.known_table(message.table)
    seat = live.viewer(session.person)
    if seat is None and live.id not in session.following:
        raise Refused("not_here", "Watch the table first.")
    actions = [] if seat is None else list(live.legal(seat))
    session.send(t.Legal(table=live.id, seq=live.table.seq, actions=actions, id=message.id))
    return True


def _decorate(session: "WebSession", message: f.Decorate) -> Answered:
    live = session.known_table(message.table)
    try:
        decor = msgspec.convert(message.decor, live.game.decor_type)
    except msgspec.ValidationError as error:
        title = live.game.traits.title
        raise Refused(
            "bad_decor", f"A table of {title} cannot look like that: {f.shortened(error)}."
        ) from None
    session.hall.do(live, c.Decorate(session.person, msgspec.to_builtins(decor)))
    return None


def _say(session: "WebSession", message: f.Say) -> Answered:
    known = session.known
    if message.table is None:
        session.hall.say(known.id, known.name, message.text)
        return None
    live = session.known_table(message.table)
    if live.id not in session.following:
        raise Refused("not_here", "Watch the table first.")
    session.hall.do(live, c.Say(known.id, known.name, message.text, message.channel))
    return None


def _simply(command: Callable[[PersonId, Any], c.Command]) -> Handler:
    """For messages that are a command of the table and nothing else."""

    def handle(session: "WebSession", message: Any) -> None:
        session.hall.do(session.known_table(message.table), command(session.person, message))

    return handle


HANDLERS: dict[type, Handler] = {
    f.Unreadable: _unreadable,
    f.Hello: _hello,
    f.Ping: _ping,
    f.Lobby: _lobby,
    f.Open: setting_up.open_table,
    f.Watch: _watch,
    f.Unwatch: _unwatch,
    f.Sit: _sit,
    f.Leave: _simply(lambda person, _: c.Leave(person)),
    f.Bot: _simply(lambda person, message: c.SeatBot(person, message.level, message.seat)),
    f.Unseat: _simply(lambda person, message: c.Unseat(person, message.seat, message.bar)),
    f.Swap: _simply(lambda person, message: c.Swap(person, message.a, message.b)),
    f.Ready: _simply(lambda person, message: c.Ready(person, message.ready)),
    f.Start: _simply(lambda person, _: c.Start(person)),
    f.Promote: _simply(lambda person, message: c.Promote(person, message.seat)),
    f.Configure: setting_up.configure,
    f.Decorate: _decorate,
    f.Export: _simply(lambda person, _: c.Close(person)),
    f.CallOff: _simply(lambda person, _: c.CallOff(person)),
    f.Act: _act,
    f.Legal: _legal,
    f.Resign: _simply(lambda person, _: c.Resign(person)),
    f.TakeBack: _simply(lambda person, message: c.TakeBack(person, message.moves)),
    f.Flag: _simply(lambda person, _: c.ReportFlag(person)),
    f.Draw: _simply(lambda person, message: (c.OfferDraw if message.accept else c.DeclineDraw)(person)),
    f.Pause: _simply(lambda person, _: c.Pause(person)),
    f.Resume: _simply(lambda person, _: c.Resume(person)),
    f.Rematch: _simply(lambda person, message: c.Rematch(person, message.level)),
    f.Say: _say,
}
