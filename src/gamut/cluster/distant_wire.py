"""A connection as its owner has it: the socket is at a gateway, the session is here."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from operator import methodcaller
from typing import TYPE_CHECKING

from gamut.cluster.messages import (
    BINARY,
    FLOODED,
    OVERSIZED,
    RATE_LIMITED,
    TEXT,
    Close,
    Cut,
    Elsewhere,
    Frame,
    Number,
    Point,
    State,
    ToGateway,
)
from gamut.doors.base_session import AnySession
from gamut.doors.close_codes import GOING_AWAY
from gamut.hall.faults import Fault
from gamut.hall.ids import TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.wings import Elsewhere as OtherWing

if TYPE_CHECKING:
    from gamut.cluster.peer import Peer

log = logging.getLogger("gamut.cluster")

_UNDER_WAY = 262_144
"""Bytes that may be on their way to a client that takes in everything, before we hear that it does. The gateway lets go
of slow readers exactly; here is only seen to it that nothing grows without end."""


class DistantWire:
    """Implements `gamut.hall.store.journal.Wire`, and hands the session what the client says."""

    __slots__ = (
        "__weakref__",
        "_closed",
        "_elsewhere",
        "_ended",
        "_handled",
        "_held_after",
        "_hold_when_awake",
        "_is_lost",
        "_known",
        "_most_queued",
        "_packed",
        "_parts",
        "_queue",
        "_said",
        "_state_elsewhere",
        "_task",
        "_to_be_known",
        "_told",
        "door",
        "has_gone_elsewhere",
        "is_to_be_known",
        "number",
        "peer",
        "pending",
        "session",
        "sleeps",
        "tables",
        "taken_up",
        "took",
    )

    def __init__(self, peer: "Peer", number: Number, door: str, most_queued: int) -> None:
        self.peer = peer
        self.door = door
        self.session: AnySession
        self.pending = 0
        self.took = 0
        """Bytes that the client has taken in."""
        self.tables: tuple[TableId, ...] = ()
        """That the gateway knows it to follow."""
        self.number = number
        self._most_queued = most_queued + _UNDER_WAY
        self._said = 0
        self._handled = -1
        """How many frames are dealt with; not even its coming is."""
        self._packed: bytes | None = None
        self._told = -1, False
        """With that what the gateway knows: how much is dealt with, and whether the client has greeted."""
        self._known: Collection[TableId] | None = ()
        """The tables that the gateway is known to know of; None: that it lets go of this client when we are gone."""
        self._to_be_known: deque[Collection[TableId] | None] = deque()
        """The same of what it was told since, and has not said to have."""
        self.is_to_be_known = False
        """The gateway is to be asked now."""
        self._queue: deque[Frame | None] = deque()
        """What waits to be dealt with; None: its coming."""
        self._task: asyncio.Task[None] | None = None
        self._closed = False
        """Nothing more is sent."""
        self._is_lost = False
        self._hold_when_awake: int | None = None
        """As `_held_after`, of a session that sleeps."""
        self._ended = False
        self.taken_up = True
        """The session is here."""
        self.sleeps = False
        """It comes from another owner, and what its client says waits until its tables are awake."""
        self._held_after: int | None = None
        """The gateway stops soon, and so many frames came before that. No later one is dealt with; the client gets them
        back at the end."""
        self._parts = False
        """It stops now."""
        self._elsewhere: list[Elsewhere] = []
        """What is to be said in other wings of the hall, of which the gateway is told with the next point."""
        self._state_elsewhere: bytes | None = None
        """With which the session goes on there."""
        self.has_gone_elsewhere = False
        """The gateway was told so: nothing of this connection is here any more."""

    def __str__(self) -> str:
        """For the log: the door, and nobody's address."""
        return f"a connection at {self.door}, by a gateway"

    # From the client

    def comes(self) -> None:
        """The client has come to the door; the session knows that as soon as anybody is heard."""
        self._queue.append(None)
        self.go_on()

    def goes_on(self, handled: int) -> None:
        """It has been at another owner, and goes on here when its turn comes."""
        self._handled = handled
        self._known = tuple(self.session.state.tables)
        self.sleeps, self.taken_up = True, False

    def wakes(self) -> None:
        """Its session is taken up, and its tables are awake."""
        self.sleeps = False
        after, self._hold_when_awake = self._hold_when_awake, None
        fine = after is None or self._holds_back(after)
        self.go_on()
        if self._parts or not fine:
            self.parts()

    def hear(self, frame: Frame) -> None:
        if self.sleeps:
            self._queue.append(frame)
            self.peer.owner.returning.need(self)
        elif (
            self._queue
            or self._task is not None
            or self._held_after is not None
            or self.peer.owner.holds
            or self._has_gone_ahead()
            or self._is_to_be_sent_on
        ):
            self._queue.append(frame)
        else:
            self._deal_with(frame)

    def lost(self) -> None:
        """The client is gone. What it said before is dealt with first."""
        self._is_lost = True
        if self.sleeps:
            self.peer.owner.returning.need(self)
        self.go_on()

    def go_on(self) -> None:
        """Deal with what waits, as far as that is possible now."""
        if self.peer.owner.holds or self.sleeps:
            return
        while self._queue and self._task is None and self._may_be_dealt_with(self._queue[0]):
            self._deal_with(self._queue.popleft())
        if (
            self._is_lost
            and self._task is None
            and not self._ended
            and not (self._queue and (self._has_gone_ahead() or self._is_to_be_sent_on))
        ):
            self._end()

    def _has_gone_ahead(self) -> bool:
        """Whether the session follows a table of which the gateway may not know. What is said there then would be said
        once more at the next owner, if what both of us were told by then had been stored and lost on its way."""
        known = self._known
        if self._closed or known is None or all(table in known for table in self.session.state.tables):
            return False
        self.peer.owner.points.touched(self)
        return True

    @property
    def _is_to_be_sent_on(self) -> bool:
        """Something is to be said in another wing, of which the gateway is yet to be told. With that it is told our
        state, for the part of the session there: if what comes next takes a while, there would be none."""
        return bool(self._elsewhere) and not self._closed

    def is_known(self) -> None:
        """The gateway has what it was told of our tables."""
        if self._to_be_known:
            self._known = self._to_be_known.popleft()
            self.go_on()

    def _may_be_dealt_with(self, frame: Frame | None) -> bool:
        if self._has_gone_ahead() or self._is_to_be_sent_on:
            return False
        if self._held_after is None:
            return True
        return not self._parts and (frame is None or frame.count <= self._held_after)

    def _deal_with(self, frame: Frame | None) -> None:
        session = self.session
        try:
            waiting = session.opened() if frame is None else _asked(session, frame)
        except OtherWing as other:
            self._is_elsewhere(frame, other.wing)
            return
        except Fault as fault:
            self._broken(fault)
            waiting = None
        if waiting is None:
            self._dealt_with(frame)
        else:
            self._task = asyncio.ensure_future(self._wait(waiting, frame))

    async def _wait(self, waiting: Awaitable[None], frame: Frame | None) -> None:
        wing: int | None = None
        try:
            await waiting
        except OtherWing as other:
            # The exception itself would hold this call, and with it what was said, until garbage is collected.
            wing = other.wing
        except Fault as fault:
            self._broken(fault)
        # In the same step as the last that was done for it: no point may come in between.
        self._task = None
        if wing is None:
            self._dealt_with(frame)
        else:
            self._is_elsewhere(frame, wing)
        self.go_on()
        if self._parts and self._task is None:
            self._part()

    def _dealt_with(self, frame: Frame | None) -> None:
        self._handled = 0 if frame is None else frame.count
        self.peer.owner.points.touched(self)

    def _is_elsewhere(self, frame: Frame | None, wing: int) -> None:
        """Nothing was done: the gateway is to say it in that wing of the hall. Whoever is in one wing at a time goes
        there with it."""
        session = self.session
        if not (self._closed or session.is_deaf):
            count = 0 if frame is None else frame.count
            self._elsewhere.append(Elsewhere(self.number, count, wing, stays=session.is_spread))
            if not session.is_spread:
                self._goes_elsewhere(session)
        self._dealt_with(frame)

    def _goes_elsewhere(self, session: AnySession) -> None:
        if session.state.tables or not session.can_be_packed:
            # Nobody can go on elsewhere from how things stand: they come back, as after a restart.
            self._elsewhere.clear()
            session.closing()
            return
        self._state_elsewhere = session.packed()
        session.hand_over()
        self._ended = True
        self._queue.clear()
        self.peer.gone(self.number)

    def came_from_elsewhere(self) -> None:
        """Its session was in another wing of the hall, or the main part of it is."""
        self._handled = 0
        self.peer.owner.points.touched(self)

    def _broken(self, fault: Exception) -> None:
        """A fault of ours ends this connection and no other."""
        log.error("a session failed", exc_info=fault, extra={"door": self.door})
        try:
            self.session.broken()
        except Fault:
            self.fail()

    def _end(self) -> None:
        self._closed = self._ended = True
        self.peer.gone(self.number)
        if self._told[0] < 0:
            # The gateway lets others wait until we are done with who has come.
            self.peer.tell(Point(self.number, self._handled))
        try:
            self.session.closed()
        except Fault as fault:
            log.error("a session failed at its end", exc_info=fault, extra={"door": self.door})

    @property
    def is_busy(self) -> bool:
        """Something that the client asked for is being waited for."""
        return self._task is not None

    def holds_back(self) -> bool:
        """The gateway stops soon, and the client is told to hold its words back until then; False: it has no word for
        that. What it has said by now is dealt with, if that is possible in time. Whatever comes from here on waits."""
        if self._held_after is not None:
            return True
        last = self._queue[-1] if self._queue else None
        # What is being waited for, and what is dealt with, came before the next frame anyway.
        after = 0 if last is None else last.count
        if not self.sleeps:
            return self._holds_back(after)
        if self._hold_when_awake is None:
            self._hold_when_awake = after
        self.peer.owner.returning.need(self)
        return True

    def _holds_back(self, after: int) -> bool:
        session = self.session
        try:
            if session.is_deaf or not session.hold():
                return False
        except Fault as fault:
            self._broken(fault)
            return False
        self._held_after = after
        return True

    def parts(self) -> None:
        """The gateway stops: the client is told so, and finds everything as it was. What it has said and was not dealt
        with never will be: the session may give it back to its client."""
        if self.sleeps:
            self._parts = True
            self.peer.owner.returning.need(self)
            return
        if self._held_after is None:
            self._part()
            return
        self._parts = True
        # Until it is done nobody knows whether what is being waited for has had an effect.
        if self._task is None:
            self._part()

    def _part(self) -> None:
        unheard = [frame.data for frame in self._queue if frame is not None and frame.kind == TEXT]
        self._queue.clear()
        session = self.session
        try:
            if not (session.is_deaf or session.is_part):
                session.part(unheard)
                session.close(GOING_AWAY, "the server is restarting")
        except Fault as fault:
            self._broken(fault)
        self.peer.owner.has_parted(session.cut_off())

    def cut_off(self) -> Collection[LiveTable]:
        """The way to the client is gone, or not what it was. Gives the tables it was at."""
        self._closed = True
        self._queue.clear()
        return self.session.cut_off() if self.taken_up else ()

    # To the client

    @property
    def queued(self) -> int:
        """For whom there is no room on the link, that is as if a reader did not read: what is long is told later."""
        return self._said - self.took + self.peer.without_room

    def write(self, data: bytes) -> None:
        """Said at once, since nothing waits to be stored."""
        self.say(data)
        self.peer.owner.points.touched(self)

    def say(self, data: bytes) -> None:
        if self._closed:
            return
        self._said += len(data)
        if self._said - self.took > self._most_queued:
            self.drop()
            return
        self.peer.write(self.number, data)

    def close(self, code: int, reason: str) -> None:
        self._last(Close(self.number, code, reason))

    def drop(self) -> None:
        self._last(Cut(self.number, fault=False))

    def fail(self) -> None:
        self._last(Cut(self.number, fault=True))

    def _last(self, word: Close | Cut) -> None:
        if not self._closed:
            self._closed = True
            self.peer.tell(word)
            if self._is_lost:
                # Whether the gateway knows of our tables matters no more, and it will not be asked.
                self.peer.owner.pulse.soon(self.go_on)

    # Where it stands

    def news(self) -> tuple[ToGateway, ...]:
        """What the gateway is to know of this connection, if it does not yet. A new state may name other tables."""
        if self._closed or not self.taken_up:
            return ()
        session = self.session
        if self._state_elsewhere is not None:
            self._closed = self.has_gone_elsewhere = True
            state = State(self.number, self._state_elsewhere)
            return state, *self._elsewhere, Point(self.number, self._handled, self._told[1])
        # As things stand in the middle of something nobody could go on from. What was waited for may be done, and not
        # be counted as dealt with yet.
        packed = session.packed() if self._task is None and session.can_be_packed else b""
        greeted, handled = session.greeted, self._handled
        if handled == self._told[0] and packed == self._packed and greeted == self._told[1]:
            return ()
        self._told = handled, greeted
        point = Point(self.number, handled, greeted)
        said, self._elsewhere = self._elsewhere, []
        if said:
            self.peer.owner.pulse.soon(self.go_on)
        if packed == self._packed:
            return *said, point
        self._packed = packed
        self.tables = tuple(session.state.tables)
        self.is_to_be_known = self._may_not_be_known(self.tables if packed else None)
        return State(self.number, packed, self.tables), *said, point

    def _may_not_be_known(self, tables: Collection[TableId] | None) -> bool:
        """Whether the gateway has to be asked if it has what it is told of these tables. Of fewer it need not."""
        known, to_be_known = self._known, self._to_be_known
        if not to_be_known and (
            known is None or (tables is not None and all(table in known for table in tables))
        ):
            self._known = tables
            return False
        to_be_known.append(tables)
        return True


def _asked(session: AnySession, frame: Frame) -> Awaitable[None] | None:
    kind = frame.kind
    if kind == TEXT:
        return session.text(frame.data)
    if kind == BINARY:
        return session.binary(frame.data)
    _WRONG[kind](session)
    return None


_WRONG: dict[int, Callable[[AnySession], None]] = {
    # Each door's own: the functions of AnySession would be those of the base class.
    OVERSIZED: methodcaller("oversized"),
    RATE_LIMITED: methodcaller("rate_limited"),
    FLOODED: methodcaller("flooded"),
}
