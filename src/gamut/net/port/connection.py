"""The thin shell around a door's session: one connection, whatever carries its messages.

What all connections have in common is here: the rate of messages, the time in which a client must greet,
pauses while a session waits for something, slow readers, faults of ours, and the end. A subclass adds how
messages are found in the bytes, and how the connection says goodbye (`net/websocket/connection.py`,
`net/lines/connection.py`).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from time import monotonic
from typing import TYPE_CHECKING, Protocol

import msgspec

from gamut.doors.close_codes import INTERNAL_ERROR, POLICY
from gamut.doors.session import Session
from gamut.hall.faults import Fault
from gamut.hall.limits.token_bucket import Rate, TokenBucket
from gamut.hall.store.journal import Wire
from gamut.net.websocket.frames import BINARY, CLOSE, TEXT, Message, Violation

if TYPE_CHECKING:
    from gamut.net.port.connections import Connections

log = logging.getLogger("gamut.server")

CLOSE_SECONDS = 2.0
"""How long the other side may take to take in the last of what was said to it."""
SMALL = 0.25
"""What a ping, or a piece of a message, costs of the rate; a message costs 1."""
_SECOND = 1
_MOST_OVER_RATE = 100
_OUR_FAULT = "something went wrong"
_AT_A_TIME = 16
"""Messages of one connection that are dealt with before others get their turn."""


class _Held:
    """Stands where the next turn would be while the connection is held:
    it has no turn until it is released."""

    def cancel(self) -> None:
        """There is nothing to be called."""


_HELD = _Held()


def _write_nothing(data: bytes) -> None:
    """For connections that are closed."""


class Admission(msgspec.Struct, frozen=True):
    """Somebody who may come in: to which door, from where, and as what."""

    door: str
    address: str
    session_on: Callable[[Wire], Session]
    largest: int
    """Bytes of a message beyond which the door reads none: nobody keeps more of one in the memory."""
    greeting_seconds: float | None = None
    """In which the client must say what it came for; None: as is set for all doors."""
    message_burst: int | None = None
    """Messages that may come at once; None: as is set for all doors."""


class Reader(Protocol):
    """Finds messages in the bytes that come."""

    def feed(self, data: bytes) -> Iterable[Message]:
        """The messages that these bytes complete. Whoever stops early goes on later with `feed(b"")`."""
        ...

    @property
    def between(self) -> bool:
        """Nothing of what has come is left over: the next byte begins a message."""
        ...


class Connection(asyncio.Protocol):
    """One connection. What it sends are finished messages, so that a broadcast is framed once for everybody."""

    __slots__ = (
        "_admission",
        "_alarm",
        "_begun",
        "_closed",
        "_connections",
        "_deaf",
        "_ended",
        "_greeting",
        "_over_rate",
        "_parting",
        "_rate",
        "_reader",
        "_session",
        "_task",
        "_transport",
        "_turn",
        "pending",
        "write",
    )
    write: Callable[[bytes], None]
    """The transport's own, without a detour: this is what the server does most of all."""

    def __init__(
        self, connections: "Connections", admission: Admission, transport: asyncio.Transport
    ) -> None:
        settings = connections.settings
        self._connections = connections
        self._admission = admission
        self._transport = transport
        self.write = transport.write
        self.pending = 0
        self._reader: Reader | None = None
        """Made when bytes come that are not exactly one short message; None while nothing is left over."""
        burst = settings.message_burst if admission.message_burst is None else admission.message_burst
        self._rate = (
            TokenBucket(Rate(burst, settings.message_rate, _SECOND)) if settings.message_rate else None
        )
        self._over_rate = 0
        self._closed = False
        """Nothing more is sent."""
        self._parting = False
        """We have said goodbye: only the answer to that is heard."""
        self._deaf = False
        """Whatever comes means nothing any more."""
        self._ended = False
        """The session knows that it is over."""
        self._task: asyncio.Future[None] | None = None
        self._turn: asyncio.Handle | _Held | None = None
        """The call that will go on with messages that have come. Until then nothing more is read."""
        self._begun = False
        self._alarm: asyncio.TimerHandle | None = None
        # A client that does not keep up is cut off, and may come back: the server does not wait for it.
        transport.set_write_buffer_limits(high=settings.send_queue_bytes)
        self._session = admission.session_on(self)
        greeting = admission.greeting_seconds
        self._greeting = connections.loop.call_later(
            settings.greeting_seconds if greeting is None else greeting, self._greeting_timeout
        )

    def begin(self) -> None:
        self._connections.entered(self._admission, self._session, self)
        if self._turn is not _HELD:
            self._open()

    def _open(self) -> None:
        self._begun = True
        self._tell(self._session.opened)

    def __str__(self) -> str:
        """For the log: the door, and nobody's address."""
        return f"a connection at {self._admission.door}"

    # Held while nothing can be stored

    def hold(self) -> None:
        """Nothing is heard until `release`, not even that the other side has gone."""
        if self._turn is not None:
            self._turn.cancel()
        self._turn = _HELD
        self._pause()

    def release(self) -> None:
        """Go on, when it is this connection's turn."""
        self._turn = self._connections.loop.call_soon(self._go_on)

    @property
    def held(self) -> bool:
        return self._turn is _HELD

    # What a subclass adds

    def _new_reader(self, largest: int) -> Reader:
        raise NotImplementedError

    def _hear_other(self, kind: int, payload: bytes) -> None:
        """Something came that is no message for the session."""
        raise NotImplementedError

    def _violated(self, violation: Violation) -> None:
        """What came breaks the rules of whatever carries the messages."""
        raise NotImplementedError

    def _say_goodbye(self, code: int, reason: str) -> None:
        """The last that is sent."""
        raise NotImplementedError

    # In

    def _read(self, data: bytes = b"") -> None:
        reader = self._reader
        if reader is None:
            largest = min(self._admission.largest, self._connections.settings.message_bytes)
            reader = self._reader = self._new_reader(largest)
        messages = reader.feed(data)
        if self._task is not None or self._turn is not None:
            return  # what was said before comes first
        try:
            for number, message in enumerate(messages, 1):
                self._hear(message)
                if self._task is not None or self._turn is not None or self._deaf:
                    return
                if number == _AT_A_TIME:
                    self._turn = self._connections.loop.call_soon(self._go_on)
                    self._pause()
                    return
        except Violation as violation:
            self._violated(violation)
        else:
            if reader.between:
                self._reader = None

    def _hear(self, message: Message) -> None:
        kind, payload = message
        if self._ended:
            return
        if self._parting and kind != CLOSE:
            self._said_after_goodbye()
        elif kind == TEXT:
            self._hear_text(payload)
        elif kind != BINARY:
            self._hear_other(kind, payload)
        elif self._within_rate():
            self._tell(lambda: self._session.binary(payload))

    def _hear_text(self, text: bytes) -> None:
        if self._ended:
            return
        if self._parting:
            self._said_after_goodbye()
            return
        if self._rate is not None and not self._within_rate():
            return
        try:
            waiting = self._session.text(text)
        except Fault:
            self._broken()
            return
        if waiting is not None:
            self._wait(waiting)

    def _within_rate(self) -> bool:
        """Whether one more message may come now; if not, it is thrown away."""
        within = self._rate is None or self._rate.take(monotonic())
        if not within:
            self._over_limit("message_rate", tell=True)
        return within

    def _over_limit(self, limit: str, *, tell: bool) -> None:
        """Something came too soon, and is thrown away."""
        self._connections.hits[limit] += 1
        self._over_rate += 1
        if tell:
            self._tell(self._session.rate_limited)
        if self._over_rate >= _MOST_OVER_RATE:
            self._deaf = True
            self._pause()
            self._tell(self._session.flooded)
            self._close_soon(POLICY, "too many messages")

    def _said_after_goodbye(self) -> None:
        """It is not acted on; who goes on and on is cut off."""
        if self._rate is not None and not self._rate.take(monotonic(), SMALL):
            self._connections.hits["frame_rate"] += 1
            self._deaf = True
            self._transport.abort()

    def _tell(self, call: Callable[[], Awaitable[None] | None]) -> None:
        try:
            waiting = call()
        except Fault:
            self._broken()
            return
        if waiting is not None:
            self._wait(waiting)

    def _wait(self, waiting: Awaitable[None]) -> None:
        """Nothing more is heard until this has come."""
        self._task = asyncio.ensure_future(waiting)
        self._task.add_done_callback(self._waited)
        self._pause()

    def _pause(self) -> None:
        if not self._transport.is_closing():
            self._transport.pause_reading()

    def _resume(self) -> None:
        self._transport.resume_reading()

    def _waited(self, task: "asyncio.Future[None]") -> None:
        """The session's wait is over: go on with the messages that came meanwhile."""
        self._task = None
        if not task.cancelled() and task.exception() is not None:
            self._broken(task.exception())
        self._catch_up_or_break()

    def _go_on(self) -> None:
        self._turn = None
        if not self._begun:
            self._open()
        self._catch_up_or_break()

    def _catch_up_or_break(self) -> None:
        try:
            self._catch_up()
        except Fault:
            # Otherwise the connection would stay paused for ever, and its client would wait in vain.
            self._broken()
            self._transport.abort()

    def _catch_up(self) -> None:
        if self._reader is not None and not self._deaf:
            self._read()
        if self._task is None and self._turn is None:
            if self._transport.is_closing():
                self._end()
            elif not self._deaf:
                self._resume()

    def _broken(self, error: BaseException | None = None) -> None:
        """A fault of ours ends this connection and no other."""
        log.error("a session failed", exc_info=error or True, extra={"door": self._admission.door})
        try:
            self._session.broken()
        except Fault:
            self.fail()

    # Out

    def _say_last(self, data: bytes) -> None:
        self.write(data)
        self._closed = True
        self.write = _write_nothing

    def pause_writing(self) -> None:
        self.drop()

    def drop(self) -> None:
        if not self._closed:
            self._connections.hits["slow_reader"] += 1
        self._parting = self._closed = True
        # No last message: it may be that nothing can be written.
        self.write = _write_nothing
        self._transport.abort()

    def fail(self) -> None:
        if not self._closed:
            self._connections.hits["session_failed"] += 1
        self.close(INTERNAL_ERROR, _OUR_FAULT)

    def resume_writing(self) -> None:
        """Nothing to do: `pause_writing` has cut the connection off."""

    @property
    def queued(self) -> int:
        return self._transport.get_write_buffer_size()

    def close(self, code: int, reason: str) -> None:
        self._parting = True
        if self._closed:
            return
        self._say_goodbye(code, reason)
        self._set_alarm(CLOSE_SECONDS, self._transport.abort)

    def _close_soon(self, code: int, reason: str) -> None:
        """The session says goodbye in its own words; whether or not it does, this is the end."""
        self._connections.loop.call_later(CLOSE_SECONDS, self.close, code, reason)

    # Time

    def _set_alarm(self, seconds: float, call: Callable[[], None]) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = self._connections.loop.call_later(seconds, call)

    def _greeting_timeout(self) -> None:
        greeted = self._session.greeted
        if self.held or greeted is None:
            # The client may have greeted, and could not be heard: it gets more time.
            self._greeting = self._connections.loop.call_later(CLOSE_SECONDS, self._greeting_timeout)
        elif not greeted and not self._closed:
            self._connections.hits["greeting_timeout"] += 1
            self.close(POLICY, "nothing was said")

    # The end

    def connection_lost(self, error: Exception | None) -> None:
        self._closed = True
        self.write = _write_nothing
        if self._alarm is not None:
            self._alarm.cancel()
        self._connections.left(self)
        if self._task is None and self._turn is None:
            self._end()
            # Session and connection refer to each other: without this they wait for the garbage collector.
            del self._session

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            self._greeting.cancel()
            self._connections.over(self._admission, self._session)
            try:
                self._session.closed()
            except Fault:
                log.exception("a session failed at its end", extra={"door": self._admission.door})
                self._connections.hits["session_failed"] += 1
