"""One connection at the web door."""

from collections.abc import Awaitable, Collection
from functools import partial
from typing import TYPE_CHECKING, Any

from gamut.doors.base_session import BaseSession, SessionState
from gamut.doors.close_codes import LOGGED_OUT, TOO_BIG, UNSUPPORTED
from gamut.doors.offer import Newcomer
from gamut.doors.web import from_client as f
from gamut.doors.web import to_client as t
from gamut.doors.web.handlers import HANDLERS, Answered
from gamut.doors.web.pieces import LOBBY, LobbyTables, Long, WebReader
from gamut.games.game import Refused
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.people.person import Credentials, Person
from gamut.hall.store.journal import Wire
from gamut.hall.table.seats import Sitter
from gamut.hall.wings import MAIN, Elsewhere

if TYPE_CHECKING:
    from gamut.doors.web.door import WebDoor

MOST_FOLLOWED = 100
_ENDED_WITHIN = Millis(2_000)
"""By then the main wing has hung up on whoever was logged out."""


class WebState(SessionState, kw_only=True, omit_defaults=True):
    cookie: Person | None = None
    """Who they are by their cookie, until the connection stands."""
    known: Person | None = None
    """Who said hello."""
    following: dict[TableId, bool] = {}
    """The tables that are followed, and whether only for a small board in a list."""
    in_lobby: bool = False
    """The lobby is followed, too."""
    under_way: dict[str, Long] = {}
    """What is still being told in pieces, by the table it is about, or as the lobby."""
    new_at: tuple[TableId, ...] = ()
    """The tables of which this client is yet to be told who watches there."""
    part: bool = False
    """The session of this client is in the main wing of the hall, and this is a part of it."""

    @property
    def tables(self) -> Collection[TableId]:
        return self.following


class WebSession(BaseSession["WebDoor", WebState]):
    __slots__ = ("following", "reader")

    state_type = WebState
    is_spread = True

    def __init__(self, door: "WebDoor", wire: Wire, state: WebState) -> None:
        super().__init__(door, wire, state)
        self.following: dict[TableId, LiveTable] = {}
        self.reader = WebReader(self)

    @classmethod
    def new(cls, door: "WebDoor", wire: Wire, newcomer: Newcomer) -> "WebSession":
        return cls(door, wire, WebState(address=newcomer.address, cookie=newcomer.person))

    @classmethod
    def part_of(cls, door: "WebDoor", wire: Wire, packed: bytes) -> "WebSession":
        home = cls.unpacked(door, wire, packed).state
        if home.known is None:
            raise ValueError("nobody is anywhere before they have said hello")
        return cls(door, wire, WebState(address=home.address, known=home.known, arrived=True, part=True))

    @property
    def is_part(self) -> bool:  # type: ignore[override]
        return self.state.part

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
    def is_somebody(self) -> bool:
        return self.state.known is not None

    @property
    def known(self) -> Person:
        assert self.state.known is not None
        return self.state.known

    @property
    def credentials(self) -> Credentials | None:
        known = self.state.known
        return None if known is None else known.credentials

    @property
    def followed(self) -> Collection[LiveTable]:
        return self.following.values()

    def opened(self) -> None:
        cookie, self.state.cookie = self.state.cookie, None
        # They may have been logged out, or renamed, since somebody looked whose cookie that is.
        person = None if cookie is None else self.door.people.as_of_now(cookie)
        if person is not None:
            self.welcome(person, None, None)

    # What the client says

    parsed = staticmethod(f.parsed)

    def handle(self, message: Any) -> Awaitable[None] | None:
        if self.state.known is None and type(message) not in f.BEFORE_HELLO:
            raise Refused("hello_first", "Say hello first, with a name or a token.")
        table = getattr(message, "table", None)
        if self.state.part and table is None and type(message) not in f.IN_A_PART:
            raise Elsewhere(MAIN)
        if table is not None and self.hall.here(TableId(table)) is None:
            return self._after_loading(message, TableId(table))
        return self._handle(message)

    async def _after_loading(self, message: Any, table: TableId) -> None:
        live = await self.hall.load(table)  # held until the message is dealt with
        if live is None:
            raise Refused("no_such_table", "There is no such table.")
        waiting = None if self.state.deaf else self._handle(message)
        if waiting is not None:
            await waiting

    def _handle(self, message: Any) -> Awaitable[None] | None:
        answered = HANDLERS[type(message)](self, message)
        if answered is None:
            self._ok(message)
        elif not isinstance(answered, bool):
            return self._answer_later(message, answered)
        return None

    async def _answer_later(self, message: Any, waiting: Awaitable[Answered]) -> None:
        if not await waiting:
            self._ok(message)

    def _ok(self, message: Any) -> None:
        if message.id is not None:
            self.send(t.Ok(id=message.id))

    def refuse(self, refused: Refused, asked: Any = None) -> None:
        """The hall's codes and sentences are this protocol's own."""
        self.count_refusal(refused.code)
        number = None if asked is None else asked.id
        self.send(t.Error(code=refused.code, message=refused.reason, id=number))

    def binary(self, data: bytes) -> None:
        self.refuse(Refused("bad_message", "This protocol is text."))
        self.close(UNSUPPORTED, "this protocol is text")

    def oversized(self) -> None:
        self.refuse(Refused("too_big", f"A message has at most {self.most_bytes} bytes."))
        self.close(TOO_BIG, "message too big")

    def rate_limited(self) -> None:
        self.refuse(Refused("too_fast", "Too many messages; slow down. This one was not looked at."))

    # Coming and going

    def welcome(self, person: Person, token: str | None, answers: int | None) -> None:
        self.state.known = person
        self.enter_hall()
        tables = self.hall.register.tables_of(person.id)
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
        return Sitter(self.known.id, self.known.name, guest=self.known.guest)

    def say_goodbye(self) -> None:
        if not self.state.part:
            self.send(t.Bye(why="restart"))

    def left(self) -> None:
        self.state.under_way.clear()
        self.hall.lobby.depart(self)
        for live in list(self.following.values()):
            self.unfollow(live)
        self.leave_hall()

    def renamed(self, person: Person) -> None:
        if self.known.name != person.name and not self.state.part:
            self.send(t.Renamed(name=person.name))
        self.state.known = person
        for live in self.following.values():
            self.door.watching.changed(live)
            self.hall.attendance.looks(live, self, glance=self.state.following[live.id])

    def logged_out(self) -> None:
        if self.state.part:
            # The session in the main wing ends the connection; or it is one that has come since, if we hear of it late.
            self.closed()
            self.hall.time.later(_ENDED_WITHIN, self.wire.drop)
            return
        self.refuse(Refused("logged_out", "You were logged out."))
        self.hang_up(LOGGED_OUT, "logged out")

    def cut_off(self) -> Collection[LiveTable]:
        followed = super().cut_off()
        for live in followed:
            self.door.watching.changed(live)
        return followed

    def stop_listening(self) -> None:
        super().stop_listening()
        self.hall.lobby.depart(self)
        self.following.clear()
        self.state.under_way.clear()

    def listen_again(self) -> None:
        for table, glance in self.state.following.items():
            self.following[table] = self.attend_again(table, glance=glance)
        for table in self.state.new_at:
            self.door.watching.changed(self.following[table])
        if self.state.in_lobby:
            self.hall.lobby.attend_again(self)
        self.reader.want_more()

    def refresh(self) -> None:
        for live in self.following.values():
            self.door.watching.told_elsewhere(live)
        if self.state.in_lobby:
            asked = self.state.under_way.pop(LOBBY, None)
            answers = None if asked is None else asked.answers
            tables = [*self.hall.lobby.tables][::-1]
            self.reader.begin(LOBBY, LobbyTables(tables, answers=answers, anew=answers is None))

    # Tables

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

    def invited_table(self, table: str, key: str | None) -> LiveTable:
        """The table, also for somebody who has the key of a private one."""
        live = self._live(table)
        return live if live.table.private and key == live.table.key else self.known_table(table)

    def looks_at(self, table: TableId) -> bool:
        """Whether this session shows the table itself, and not only a small board of it in a list."""
        return self.state.following.get(table) is False

    def check_follow_limit(self) -> None:
        if len(self.following) >= MOST_FOLLOWED:
            raise Refused("too_many_followed", f"One connection follows at most {MOST_FOLLOWED} tables.")

    def follow(self, live: LiveTable) -> None:
        if live.id not in self.following:
            self.check_follow_limit()
            self.hall.attendance.attend(live, self)
            self.follows(live)
            self.send(t.snapshot(live, self.person, self.hall.time.now()))
            self.door.watching.changed(live, self)

    def follows(self, live: LiveTable, *, glance: bool = False) -> None:
        self.following[live.id] = live
        self.state.following[live.id] = glance

    def unfollow(self, live: LiveTable) -> None:
        del self.following[live.id], self.state.following[live.id]
        self.is_new_no_more(live.id)
        self.reader.stop(live.id)
        self.hall.attendance.depart(live, self)
        self.door.watching.changed(live)

    def is_new_no_more(self, table: TableId) -> None:
        """It was told who watches there, or need not be."""
        if table in self.state.new_at:
            self.state.new_at = tuple(other for other in self.state.new_at if other != table)

    def goes_on(self, old: LiveTable, new: LiveTable) -> None:
        """The people of a table went on to another one, and so do we."""
        del self.following[old.id]
        self.is_new_no_more(old.id)
        self.follows(new, glance=self.state.following.pop(old.id))
        self.door.watching.changed(new, self)
        # In the game that is over they keep the name they played it under; this one is another.
        new.when_told(partial(self.hall.call_by_name, new, self.known))

    def send(self, message: t.ToClient) -> None:
        self.hall.journal.send(self.wire, t.framed(message))
