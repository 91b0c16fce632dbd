"""What the sessions of all doors have in common.

All that a door keeps for one connection is its state, a Struct that can be written down: so a session can move to
another node, where it finds its door, its hall and its wire, and goes on.
"""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

import msgspec

from gamut.doors.close_codes import GOING_AWAY, POLICY
from gamut.doors.offer import Newcomer
from gamut.games.game import Refused
from gamut.hall.hall import Hall
from gamut.hall.ids import PersonId, TableId, new_person_id
from gamut.hall.live.audience import Cause
from gamut.hall.live.live_table import LiveTable
from gamut.hall.people.person import Credentials
from gamut.hall.store.journal import Wire
from gamut.hall.table import commands as c


class SessionState(msgspec.Struct, kw_only=True, omit_defaults=True):
    address: str
    arrived: bool = False
    """The hall counts this connection among those of its person."""
    deaf: bool = False
    """Whatever is said from now on is not heard: the connection is about to end."""
    ended: bool = False
    """Nothing is left to be done for it."""

    @property
    def tables(self) -> Collection[TableId]:
        """Those that are followed."""
        return ()


class TableState(SessionState, kw_only=True, omit_defaults=True):
    """Of somebody who is at one table at most."""

    person: PersonId
    table: TableId | None = None

    @property
    def tables(self) -> Collection[TableId]:
        return () if self.table is None else (self.table,)


# A session knows the whole of its own door, and nothing of others.
Door = TypeVar("Door", bound=Any)
State = TypeVar("State", bound=SessionState)
AtTable = TypeVar("AtTable", bound=TableState)

_encode = msgspec.msgpack.Encoder().encode


class BaseSession(ABC, Generic[Door, State]):
    """A door says how a message is read and handled, how it is refused, and in `left` what becomes of somebody who is
    gone."""

    __slots__ = ("door", "hall", "state", "waits", "wire")

    state_type: ClassVar[Any]
    """That of `state`."""
    counted_as: ClassVar[str] = ""
    """Before the code of every refusal, where they are counted."""
    most_bytes: ClassVar[int] = 64 * 1024
    """Of a message that is text."""
    is_spread: ClassVar[bool] = False
    """Whoever is at tables in several wings of the hall has a session in each of these, and in the main wing at any
    rate. Else a session is in one wing at a time."""
    is_part: bool = False
    """A session in the main wing speaks for this client; this one is there for the tables of its wing."""

    def __init__(self, door: Door, wire: Wire, state: State) -> None:
        self.door = door
        self.wire = wire
        self.state = state
        self.hall: Hall = door.hall
        self.waits = False
        """Something that the client asked for takes a while, and is not done yet."""

    @property
    @abstractmethod
    def person(self) -> PersonId: ...

    @property
    def is_somebody(self) -> bool:
        """Whether it is known who this is; else nothing has been done in anybody's name, and there is no `person`."""
        return True

    @property
    def credentials(self) -> Credentials | None:
        """Of somebody who has logged in, or is known by a token; None: nobody else is asked who this is."""
        return None

    @property
    @abstractmethod
    def followed(self) -> Collection[LiveTable]:
        """The tables that the state names."""

    @property
    def address(self) -> str:
        return self.state.address

    @property
    def is_deaf(self) -> bool:
        return self.state.deaf

    @property
    @abstractmethod
    def greeted(self) -> bool:
        """Whether the client has said what it came for."""

    # What the client says

    @abstractmethod
    def opened(self) -> Awaitable[None] | None:
        """The connection stands."""

    @abstractmethod
    def binary(self, data: bytes) -> Awaitable[None] | None:
        """A message that is no text."""

    def text(self, data: bytes) -> Awaitable[None] | None:
        if self.state.deaf:
            return None
        if len(data) > self.most_bytes:
            self.oversized()
            return None
        asked = None
        try:
            asked = self.parsed(data)
            waiting = self.handle(asked)
        except Refused as refused:
            self.refuse(refused, asked)
            return None
        return None if waiting is None else self.guarded(waiting, asked)

    @abstractmethod
    def parsed(self, data: bytes) -> Any:
        """The message in a frame or a line; Refused if there is none."""

    @abstractmethod
    def handle(self, message: Any) -> Awaitable[None] | None:
        """Do what is asked for, or raise Refused with nothing changed. Whatever takes a while is waited for."""

    @abstractmethod
    def refuse(self, refused: Refused, asked: Any = None) -> None:
        """This client is told no, in the words of its protocol. `asked`: the message, if there was one."""

    def guarded(self, waiting: Awaitable[None], asked: Any = None) -> Awaitable[None]:
        """Wait for this; if it is refused, answer as if it had been refused at once."""
        self.waits = True
        return self._wait(waiting, asked)

    async def _wait(self, waiting: Awaitable[None], asked: Any) -> None:
        try:
            await waiting
        except Refused as refused:
            if not self.state.deaf:
                self.refuse(refused, asked)
        finally:
            self.waits = False

    @abstractmethod
    def oversized(self) -> None: ...

    def rate_limited(self) -> None:
        if not self.state.deaf:
            self.refuse(Refused("rate_limited", "Too many messages; this one was not looked at."))

    def count_refusal(self, code: str) -> None:
        self.hall.refusals[self.counted_as + code] += 1

    # Coming and going

    def enter_hall(self) -> None:
        """The person of this connection is in the hall."""
        self.state.arrived = True
        self.door.came(self)
        self.hall.arrived(self.person, self.state.address)

    def closed(self) -> None:
        """The connection is gone, whoever ended it. That is dealt with once."""
        if self.state.ended:
            return
        self.state.deaf = self.state.ended = True
        self.left()

    @abstractmethod
    def left(self) -> None:
        """What becomes of the seat, and of whoever followed something."""

    def leave_hall(self) -> None:
        """The person of this connection is not in the hall any more, unless by another one."""
        if self.state.arrived:
            self.state.arrived = False
            self.door.went(self)
            self.hall.gone(self.person)

    def cut_off(self) -> Collection[LiveTable]:
        """A fault of ours, or a stop of the process that held it, has ended the connection: nobody leaves by that.

        Gives the tables that were followed. A moment later, when whoever could has come back to them, all others are to
        count as cut off there (`Attendance.cut_off`).
        """
        followed = tuple(self.followed)
        self.state.deaf = self.state.ended = True
        self.stop_listening()
        self.leave_hall()
        return followed

    def close(self, code: int, reason: str) -> None:
        """End the connection, after all that has been said by now."""
        self.hall.journal.close(self.wire, code, reason)

    def hang_up(self, code: int, reason: str) -> None:
        """End the connection; from here on nothing is heard from it and nothing told to it."""
        self.close(code, reason)
        self.closed()

    def flooded(self) -> None:
        self.hang_up(POLICY, "too many messages")

    def closing(self) -> None:
        """The server stops, and nobody leaves because of that: everybody finds everything as it was."""
        self.state.deaf = self.state.ended = True
        self.say_goodbye()
        self.close(GOING_AWAY, "the server is restarting")

    def say_goodbye(self) -> None:
        """For protocols that have a word for a server that is about to stop."""

    def hold(self) -> bool:
        """The process that holds the connection stops in a moment, and the hall goes on. Whether the client can wait
        for `part`, and is not heard until then; False: this protocol has no word for that."""
        return False

    def part(self, unheard: Sequence[bytes]) -> None:
        """It stops now: the last that this client is told. `unheard`: what it has said and was not dealt with. That has
        had no effect and will have none, so a protocol that has a word for it has the client say it once more."""
        self.say_goodbye()

    # Faults

    def broken(self) -> None:
        """A fault of ours has kept a message from being dealt with: this connection ends, and no other."""
        self.hall.journal.fail(self.wire)

    def do_or_end(self, kind: str, call: Callable[[], None]) -> None:
        """Do this to one of many connections. If it fails, this one ends, and the others have their turn."""
        if not self.hall.faults.guard(kind, call, door=self.door.name):
            self.hall.journal.fail(self.wire)

    # Moving to another node

    @property
    def can_be_packed(self) -> bool:
        """Whether the state holds all that this session knows, so that another one can go on from it.

        It does not while something is waited for, when the connection is about to end, and after something could not be
        told. Whoever moves sessions asks again when it waits no more, or closes the connection as at a restart.
        """
        if self.waits or self.state.deaf:
            return False
        # Asked with every move. Nearly always nobody is silenced, and that is seen without looking for this one.
        for live in self.followed:  # noqa: SIM110 - a generator would cost more than all of it
            if live.silenced and self in live.silenced:
                return False
        return True

    def packed(self) -> bytes:
        return _encode(self.state)

    @classmethod
    def unpacked(cls, door: Door, wire: Wire, packed: bytes) -> Self:
        """A session that can go on from there. Raises DecodeError."""
        return cls(door, wire, cls.state_of(packed))

    @classmethod
    def state_of(cls, packed: bytes) -> Any:
        return msgspec.msgpack.decode(packed, type=cls.state_type)

    @classmethod
    def part_of(cls, door: Door, wire: Wire, packed: bytes) -> Self:
        """A part, in this wing of the hall, of the session in the main wing that was packed there."""
        raise NotImplementedError

    def hand_over(self) -> State:
        """Let go of everything without a word to anybody; what is given is all that another session needs to go on."""
        assert self.can_be_packed
        state: State = self.state_of(self.packed())
        self.stop_listening()
        self.leave_hall()
        self.state.deaf = self.state.ended = True
        return state

    async def load(self) -> list[LiveTable]:
        """Before `take_up`, where the tables may not be in memory: whoever holds these keeps them there.

        Raises Refused if one cannot be read: then the connection is closed as at a restart.
        """
        found = {table: await self.hall.load(table) for table in self.wanted}
        return [live for table in self.state.tables if (live := found[table]) is not None]

    @property
    def wanted(self) -> Collection[TableId]:
        """The tables that have to be in memory for `take_up`."""
        return self.state.tables

    @property
    def is_replaced(self) -> bool:
        """Before `take_up`: whether another connection has come meanwhile, and this protocol has one of each person."""
        return False

    def take_up(self) -> None:
        """Go on where the session was that has handed over this state. Nobody is told anything of that.

        Nothing is waited for in here: where it follows upon `hand_over` at once, nothing can be missed or told twice.
        Elsewhere nothing may happen at the tables from the one to the other.
        """
        if self.state.arrived:
            self.enter_hall()
        self.listen_again()

    def refresh(self) -> None:
        """Right after `take_up` at another node: tell anew what is told as it changes and stored nowhere.

        Something of it may have been lost on the way: of the lobby, and of who watches.
        """

    def attend_again(self, table: TableId, *, glance: bool = False) -> LiveTable:
        live = self.hall.in_memory(table)
        assert live is not None, "it was loaded before"
        self.hall.attendance.attend_again(live, self, glance=glance)
        return live

    def stop_listening(self) -> None:
        """To tables, the lobby, and whatever else this session follows."""
        for live in self.followed:
            live.depart(self)

    @abstractmethod
    def listen_again(self) -> None:
        """To all that the state names."""


AnySession = BaseSession[Any, Any]


class TableSession(BaseSession[Door, AtTable]):
    """One connection that is at one table at most."""

    __slots__ = ("live",)

    state_type: ClassVar[Any] = TableState

    @classmethod
    def new(cls, door: Door, wire: Wire, newcomer: Newcomer) -> Self:
        """Nobody knows who it is, so it is somebody new."""
        return cls(door, wire, cls.state_type(person=new_person_id(), address=newcomer.address))

    def __init__(self, door: Door, wire: Wire, state: AtTable) -> None:
        super().__init__(door, wire, state)
        self.live: LiveTable | None = None

    @property
    def person(self) -> PersonId:
        return self.state.person

    @property
    def followed(self) -> Collection[LiveTable]:
        return () if self.live is None else (self.live,)

    @property
    def is_replaced(self) -> bool:
        table = self.state.table
        live = None if table is None else self.hall.in_memory(table)
        return live is not None and any(other.person == self.person for other in self.door.sessions_at(live))

    def be_at(self, live: LiveTable | None) -> LiveTable | None:
        """From now on this is the table; gives the one before."""
        before, self.live = self.live, live
        self.state.table = None if live is None else live.id
        return before

    def sit(
        self,
        live: LiveTable,
        command: c.Sit,
        cause: Cause | None = None,
        *,
        granted: bool = False,
        opened: bool = False,
    ) -> None:
        """Sit down, and hear all that follows from it; who may not sit there is at no table.

        `opened`: the table was opened for this player alone, so nothing is left of it if they may not sit there.
        """
        live.attend(self)
        self.be_at(live)
        try:
            self.hall.do(live, command, cause, granted=granted)
        except Refused:
            self.be_at(None)
            live.depart(self)
            if opened:
                self.hall.do(live, c.CallOff(self.person))
            raise

    def stop_listening(self) -> None:
        super().stop_listening()
        self.live = None

    def listen_again(self) -> None:
        if self.state.table is not None:
            self.live = self.attend_again(self.state.table)
