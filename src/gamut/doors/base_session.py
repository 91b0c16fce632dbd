"""What the sessions of all doors have in common.

All that a door keeps for one connection is its state, a Struct that can be written down: so a session can move to
another node, where it finds its door, its hall and its wire.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from gamut.hall.hall import Hall
from gamut.hall.ids import PersonId, TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.store.journal import Wire


class SessionState(msgspec.Struct, kw_only=True, omit_defaults=True):
    address: str
    arrived: bool = False
    """The hall counts this connection among those of its person."""
    deaf: bool = False
    """Whatever is said from now on is not heard: the connection is about to end."""
    ended: bool = False
    """Nothing is left to be done for it."""


class TableState(SessionState, kw_only=True, omit_defaults=True):
    """Of somebody who is at one table at most."""

    person: PersonId
    table: TableId | None = None


# A session knows the whole of its own door, and nothing of others.
Door = TypeVar("Door", bound=Any)
State = TypeVar("State", bound=SessionState)
AtTable = TypeVar("AtTable", bound=TableState)


class BaseSession(ABC, Generic[Door, State]):
    """A door says how it is opened, what it hears, and in `left` what becomes of somebody who is gone."""

    __slots__ = ("door", "hall", "state", "wire")

    counted_as: ClassVar[str] = ""
    """Before the code of every refusal, where they are counted."""

    def __init__(self, door: Door, wire: Wire, state: State) -> None:
        self.door = door
        self.wire = wire
        self.state = state
        self.hall: Hall = door.hall

    @property
    @abstractmethod
    def person(self) -> PersonId: ...

    @property
    def address(self) -> str:
        return self.state.address

    @property
    def is_deaf(self) -> bool:
        return self.state.deaf

    # Coming and going

    def enter_hall(self) -> None:
        """The person of this connection is in the hall."""
        self.state.arrived = True
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
            self.hall.gone(self.person)

    def freeze(self) -> None:
        """The server stops, and nobody leaves because of that: everybody finds everything as it was."""
        self.state.deaf = self.state.ended = True

    def do_or_end(self, kind: str, call: Callable[[], None]) -> None:
        """Do this to one of many connections. If it fails, this one ends, and the others have their turn."""
        if not self.hall.faults.guard(kind, call, door=self.door.name):
            self.hall.journal.fail(self.wire)

    # Answers

    def count_refusal(self, code: str) -> None:
        self.hall.refusals[self.counted_as + code] += 1

    def close(self, code: int, reason: str) -> None:
        """End the connection, after all that has been said by now."""
        self.hall.journal.close(self.wire, code, reason)


class TableSession(BaseSession[Door, AtTable]):
    """One connection that is at one table at most."""

    __slots__ = ("live",)

    def __init__(self, door: Door, wire: Wire, state: AtTable) -> None:
        super().__init__(door, wire, state)
        self.live: LiveTable | None = None

    @property
    def person(self) -> PersonId:
        return self.state.person

    def be_at(self, live: LiveTable | None) -> LiveTable | None:
        """From now on this is the table; gives the one before."""
        before, self.live = self.live, live
        self.state.table = None if live is None else live.id
        return before
