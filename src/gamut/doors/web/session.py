"""One connection at the web door."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from gamut.doors.base_session import BaseSession, SessionState
from gamut.doors.close_codes import GOING_AWAY, LOGGED_OUT, POLICY, TOO_BIG, UNSUPPORTED
from gamut.doors.web import arranging
from gamut.doors.web import from_client as f
from gamut.doors.web import to_client as t
from gamut.doors.web.arranging import Later
from gamut.doors.web.pieces import History, LobbyTables, Picture, Tellings
from gamut.games.game import Refused, Seat
from gamut.hall.ids import PersonId, Seq, TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.people.person import Person
from gamut.hall.store.journal import Wire
from gamut.hall.table import commands as c
from gamut.hall.table.deciding.rights import WrongTablePassword
from gamut.hall.table.seats import Sitter

if TYPE_CHECKING:
    from gamut.doors.web.door import WebDoor

MOST_BYTES = 64 * 1024
MOST_FOLLOWED = 100
_LOBBY = "lobby"
_LONGEST_REASON = 300


class WebState(SessionState, kw_only=True, omit_defaults=True):
    known: Person | None = None
    """Who said hello."""
    following: dict[TableId, bool] = {}
    """The tables that are followed, and whether only for a small picture of each."""


class WebSession(BaseSession["WebDoor", WebState]):
    __slots__ = ("_cookie", "following", "tellings")

    def __init__(self, door: "WebDoor", wire: Wire, person: Person | None, address: str) -> None:
        super().__init__(door, wire, WebState(address=address))
        self._cookie = person
        """Who they are by their cookie, until the connection stands."""
        self.following: dict[TableId, LiveTable] = {}
        self.tellings = Tellings(self)

    @property
    def greeted(self) -> bool:
        return self.state.known is not None

    @property
    def person(self) -> PersonId:
        # Asked for every listener of every move: not by way of another property.
        known = self.state.known
        assert known is not None
        return known.id

    @property
    def name(self) -> str:
        return self._known.name

    @property
    def _known(self) -> Person:
        assert self.state.known is not None
        return self.state.known

    def looks_at(self, table: TableId) -> bool:
        """Whether this is somebody at the table, and not only a small picture of it."""
        return self.state.following.get(table) is False

    def goes_on(self, old: LiveTable, new: LiveTable) -> None:
        """The people of a table went on to another one, and so do we."""
        del self.following[old.id]
        self._follows(new, glance=self.state.following.pop(old.id))
        self.door.watching.changed(new, self)
        # In the game that is over they keep the name they played it under; this one is another.
        new.when_told(partial(self.hall.call_by_name, new, self._known))

    def _follows(self, live: LiveTable, *, glance: bool = False) -> None:
        self.following[live.id] = live
        self.state.following[live.id] = glance

    def opened(self) -> None:
        if self._cookie is not None:
            self._welcome(self._cookie, None, None)

    def text(self, data: bytes) -> Awaitable[None] | None:
        if self.state.deaf:
            return None
        if len(data) > MOST_BYTES:
            self.oversized()
            return None
        try:
            message = f.decoder.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self._error("bad_message", _explained(error), f.number_of(data))
            return None
        try:
            if self.state.known is None and type(message) is not f.Hello:
                raise Refused("hello_first", "Say hello first, with a name or a token.")
            table = getattr(message, "table", None)
            if table is not None and self.hall.here(TableId(table)) is None:
                return self._after_loading(message, TableId(table))
            if isinstance(message, f.Hello):
                return self._hello(message)
            return self._handle(message)
        except Refused as refused:
            self._refuse(refused, message)
        return None

    def binary(self, data: bytes) -> None:
        self._error("bad_message", "This protocol is text.", None)
        self.close(UNSUPPORTED, "this protocol is text")

    def oversized(self) -> None:
        self._error("too_big", f"A message has at most {MOST_BYTES} bytes.", None)
        self.close(TOO_BIG, "message too big")

    def rate_limited(self) -> None:
        self._error("too_fast", "Too many messages; slow down. This one was not looked at.", None)

    def flooded(self) -> None:
        self.close(POLICY, "too many messages")

    def closing(self) -> None:
        # Nobody leaves or drops because the server stops: they find everything as it was.
        self.freeze()
        self.send(t.Bye(why="restart"))
        self.close(GOING_AWAY, "the server is restarting")

    def left(self) -> None:
        self.tellings.end()
        self.hall.lobby.depart(self)
        for live in list(self.following.values()):
            self.unfollow(live)
        self.leave_hall()

    def renamed(self, person: Person) -> None:
        self.state.known = person
        for live in self.following.values():
            self.door.watching.changed(live)
            self.hall.looks(live, self, glance=self.state.following[live.id])

    def logged_out(self) -> None:
        self._error("logged_out", "You were logged out.", None)
        self.close(LOGGED_OUT, "logged out")
        # From here on nothing is heard and nothing is told: the connection itself may take a while to end.
        self.closed()

    # Who is there

    def _hello(self, message: f.Hello) -> Awaitable[None] | None:
        if self.state.known is not None:
            raise Refused("greeted", "You are known already.")
        if message.token is not None:
            person = self.door.people.by_token(message.token)
            if person is None:
                raise Refused("bad_token", "That token is not valid any more; log in, or come as a guest.")
            self._welcome(person, None, message.id)
            return None
        if message.name is None:
            raise Refused("no_name", "Say a name or a token.")
        return self._new_guest(message, message.name)

    async def _new_guest(self, message: f.Hello, name: str) -> None:
        try:
            person = await self.door.people.guest(name, self.address)
        except Refused as refused:
            self._refuse(refused, message)
            return
        token = self.door.people.issue(person)
        # Connection and person may be gone by now.
        if not self.state.deaf and self.door.people.by_token(token) is not None:
            self._welcome(person, token, message.id)

    def _welcome(self, person: Person, token: str | None, answers: int | None) -> None:
        self.state.known = person
        self.enter_hall()
        tables = sorted(self.hall.register.seated.get(person.id, ()))
        self.send(
            t.Welcome(
                person=person.id,
                name=person.name,
                guest=person.guest,
                now=self.hall.time.now(),
                protocol=t.PROTOCOL,
                token=token,
                tables=tables,
                id=answers,
            )
        )

    def sitter(self) -> Sitter:
        return Sitter(self._known.id, self._known.name, guest=self._known.guest)

    # Answers

    def send(self, message: t.ToClient) -> None:
        self.hall.journal.send(self.wire, t.framed(message))

    def _error(self, code: str, reason: str, answers: int | None) -> None:
        self.count_refusal(code)
        self.send(t.Error(code=code, message=reason, id=answers))

    def _refuse(self, refused: Refused, message: f.FromClient) -> None:
        self._error(refused.code, refused.reason, message.id)

    # What they ask for

    async def _after_loading(self, message: Any, table: TableId) -> None:
        try:
            live = await self.hall.load(table)  # held until the message is dealt with
            if live is None:
                raise Refused("no_such_table", "There is no such table.")
            waiting = None if self.state.deaf else self._handle(message)
        except Refused as refused:
            self._refuse(refused, message)
            return
        if waiting is not None:
            await waiting

    def _handle(self, message: Any) -> Awaitable[None] | None:
        answered = _HANDLERS[type(message)](self, message)
        if answered is None:
            if message.id is not None:
                self.send(t.Ok(id=message.id))
        elif not isinstance(answered, bool):
            return self._answer_later(message, answered)
        return None

    async def _answer_later(self, message: Any, later: Later) -> None:
        """What has to be waited for is answered as if it had come at once."""
        try:
            answered = await later()
        except Refused as refused:
            self._refuse(refused, message)
            return
        if message.id is not None and not answered:
            self.send(t.Ok(id=message.id))

    def _live(self, table: str) -> LiveTable:
        live = self.hall.here(TableId(table))
        assert live is not None, "it was loaded before the message was looked at"
        return live

    def known_table(self, table: str) -> LiveTable:
        """The table, if this person may know of it: a private one does not exist for those outside."""
        live = self._live(table)
        if live.table.private and not live.table.knows_of_it(self.person) and live.id not in self.following:
            raise Refused("no_such_table", "There is no such table.")
        return live

    def _ping(self, message: f.Ping) -> bool:
        self.send(t.Pong(now=self.hall.time.now(), id=message.id))
        return True

    def _lobby(self, message: f.Lobby) -> bool | None:
        if not message.follow:
            self.hall.lobby.depart(self)
            self.tellings.stop(_LOBBY)
            return None
        self.hall.lobby.attend(self)
        self.tellings.begin(_LOBBY, LobbyTables(self, message.id))
        return True

    def _watch(self, message: f.Watch) -> bool:
        live = self._live(message.table)
        if live.table.private and message.key != live.table.key:
            live = self.known_table(message.table)
        if live.id not in self.following:
            self.check_follow_limit()
            self._attend(live, message)
            assert self.state.known is not None
            # The table may not have been in memory when they took another name.
            self.hall.call_by_name(live, self.state.known)
        else:
            self.hall.looks(live, self, glance=message.glance)
        self._follows(live, glance=message.glance)
        since = None if message.since is None else Seq(message.since)
        if since is not None and self._knows(live, since, message.stamp):
            self.tellings.begin(live.id, History(self, live, since, message.id))
        else:
            self.tellings.begin(live.id, Picture(self, live, message.id))
        self.door.watching.changed(live, self)
        return True

    def _knows(self, live: LiveTable, since: Seq, stamp: int | None) -> bool:
        """Whether what the client has is the beginning of what it would be told now."""
        if since > live.table.seq or stamp not in (None, live.stamp(since)):
            return False
        return live.looks_alike(self.person, since, since)

    def _attend(self, live: LiveTable, message: f.Watch) -> None:
        """Follow a table; wrong passwords are counted. Those who need none are not kept out by others' guesses."""
        invited = message.key == live.table.key
        if invited or message.password is None or not live.guarded_from(self.person):
            self.hall.attend(live, self, invited=invited, glance=message.glance)
            return
        with self.hall.wrong_passwords.counting(self.address, WrongTablePassword):
            self.hall.attend(live, self, password=message.password, glance=message.glance)

    def check_follow_limit(self) -> None:
        if len(self.following) >= MOST_FOLLOWED:
            raise Refused("too_many_followed", f"One connection follows at most {MOST_FOLLOWED} tables.")

    def follow(self, live: LiveTable) -> None:
        if live.id not in self.following:
            self.check_follow_limit()
            self.hall.attend(live, self)
            self._follows(live)
            self.send(t.picture(live, self.person, self.hall.time.now()))
            self.door.watching.changed(live, self)

    def _unwatch(self, message: f.Unwatch) -> None:
        live = self.following.get(TableId(message.table))
        if live is not None:
            self.unfollow(live)
        else:
            self.known_table(message.table)  # what somebody may not know of is not there

    def unfollow(self, live: LiveTable) -> None:
        del self.following[live.id], self.state.following[live.id]
        self.tellings.stop(live.id)
        self.hall.depart(live, self)
        self.door.watching.changed(live)

    def _sit(self, message: f.Sit) -> None:
        live = self._live(message.table)
        if live.table.private and message.key != live.table.key:
            live = self.known_table(message.table)
        seat = None if message.seat is None else Seat(message.seat)
        command = c.Sit(self.sitter(), seat, message.key, message.password)
        if live.id not in self.following:
            self.check_follow_limit()
        self._try(live, command)
        self.follow(live)

    def _try(self, live: LiveTable, command: c.Sit) -> None:
        """Sit down; wrong passwords are counted."""
        if live.table.password is None or command.password is None:
            self.hall.do(live, command)
            return
        with self.hall.wrong_passwords.counting(self.address, WrongTablePassword):
            self.hall.do(live, command)

    def _act(self, message: f.Act) -> None:
        live = self.known_table(message.table)
        try:
            action = self.door.actions[live.table.game].decode(message.action)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Refused("bad_action", _explained(error)) from None
        self.hall.do(live, c.Act(self.person, action, None if message.seen is None else Seq(message.seen)))

    def _legal(self, message: f.Legal) -> bool:
        live = self.known_table(message.table)
        seat = live.viewer(self.person)
        if seat is None and live.id not in self.following:
            raise Refused("not_here", "Watch the table first.")
        actions = [] if seat is None else list(live.legal(seat))
        self.send(t.Legal(table=live.id, seq=live.table.seq, actions=actions, id=message.id))
        return True

    def _bot(self, message: f.Bot) -> None:
        seat = None if message.seat is None else Seat(message.seat)
        self.hall.do(self.known_table(message.table), c.SeatBot(self.person, message.level, seat))

    def _decorate(self, message: f.Decorate) -> None:
        live = self.known_table(message.table)
        try:
            decor = msgspec.convert(message.decor, live.game.decor_type)
        except msgspec.ValidationError as error:
            title = live.game.traits.title
            raise Refused(
                "bad_decor", f"A table of {title} cannot look like that: {str(error)[:_LONGEST_REASON]}."
            ) from None
        self.hall.do(live, c.Decorate(self.person, msgspec.to_builtins(decor)))

    def _draw(self, message: f.Draw) -> None:
        command = c.OfferDraw(self.person) if message.accept else c.DeclineDraw(self.person)
        self.hall.do(self.known_table(message.table), command)

    def _say(self, message: f.Say) -> None:
        if message.table is None:
            self.hall.say(self.person, self._known.name, message.text)
            return
        live = self.known_table(message.table)
        if live.id not in self.following:
            raise Refused("not_here", "Watch the table first.")
        self.hall.do(live, c.Say(self.person, self._known.name, message.text, message.channel))


def _simply(command: Callable[[PersonId, Any], c.Command]) -> Callable[[WebSession, Any], None]:
    """For messages that are a command of the table and nothing else."""

    def handle(session: WebSession, message: Any) -> None:
        session.hall.do(session.known_table(message.table), command(session.person, message))

    return handle


_HANDLERS: dict[type, Callable[[WebSession, Any], Later | bool | None]] = {
    f.Ping: WebSession._ping,
    f.Lobby: WebSession._lobby,
    f.Open: arranging.open_table,
    f.Watch: WebSession._watch,
    f.Unwatch: WebSession._unwatch,
    f.Sit: WebSession._sit,
    f.Leave: _simply(lambda person, _: c.Leave(person)),
    f.Bot: WebSession._bot,
    f.Unseat: _simply(lambda person, message: c.Unseat(person, Seat(message.seat), message.bar)),
    f.Swap: _simply(lambda person, message: c.Swap(person, Seat(message.a), Seat(message.b))),
    f.Ready: _simply(lambda person, message: c.Ready(person, message.ready)),
    f.Start: _simply(lambda person, _: c.Start(person)),
    f.Promote: _simply(lambda person, message: c.Promote(person, Seat(message.seat))),
    f.Configure: arranging.configure,
    f.Decorate: WebSession._decorate,
    f.Export: _simply(lambda person, _: c.Close(person)),
    f.CallOff: _simply(lambda person, _: c.CallOff(person)),
    f.Act: WebSession._act,
    f.Legal: WebSession._legal,
    f.Resign: _simply(lambda person, _: c.Resign(person)),
    f.Flag: _simply(lambda person, _: c.ReportFlag(person)),
    f.Draw: WebSession._draw,
    f.Pause: _simply(lambda person, _: c.Pause(person)),
    f.Resume: _simply(lambda person, _: c.Resume(person)),
    f.Rematch: _simply(lambda person, _: c.Rematch(person)),
    f.Say: WebSession._say,
}


def _explained(error: Exception) -> str:
    if isinstance(error, msgspec.ValidationError):
        # It may repeat a word of the message, however long that was.
        return f"That message is not right: {str(error)[:_LONGEST_REASON]}."
    return "That is not JSON."
