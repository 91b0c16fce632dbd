"""The thin shell around a door's sessions: moves bytes between a WebSocket and a session."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from http import HTTPStatus

import msgspec

from gamut.doors.session import Session
from gamut.hall.attempts import Attempts, TooManyTries
from gamut.hall.journal import Wire
from gamut.net.address import counted_as, is_loopback
from gamut.net.frames import (
    BINARY,
    CLOSE,
    PART,
    PING,
    TEXT,
    FrameReader,
    Message,
    TooBig,
    Violation,
    close_code,
    closing_frame,
    control_frame,
    lone_message,
)
from gamut.net.frames import PONG as _PONG
from gamut.net.handshake import HandshakeRefused
from gamut.net.limits import ConnectionLimits, MessageRate
from gamut.net.settings import Settings

log = logging.getLogger("gamut.server")

_DATA = (TEXT, BINARY)
_POLICY, _TOO_BIG, _BROKEN = 1008, 1009, 1011
_CLOSE_SECONDS = 2.0
_MOST_OVER_RATE = 100
_SMALL = 0.25
"""What a frame that is no whole message costs of the rate of messages: a ping, a pong, a piece."""
_TURN = 16
"""Frames of one connection that are dealt with before others get their turn."""
_PING = control_frame(PING)
_UNANSWERED = 2
"""After so many pings without a sign of life the connection is given up."""


def _unsaid(data: bytes) -> None:
    """What is said to whoever is gone."""


class Admission(msgspec.Struct, frozen=True):
    """Somebody who may come in: to which door, from where, and as what."""

    door: str
    address: str
    session_on: Callable[[Wire], Session]
    largest: int
    """Bytes of a message beyond which the door reads none: nobody keeps more of one in the memory."""


class Socket(asyncio.Protocol):
    """One WebSocket connection. What it sends are finished frames, so that a broadcast is framed once for everybody."""

    __slots__ = (
        "_admission",
        "_alarm",
        "_closed",
        "_deaf",
        "_ended",
        "_greeting",
        "_over_rate",
        "_parting",
        "_rate",
        "_reader",
        "_session",
        "_silent",
        "_sockets",
        "_task",
        "_transport",
        "_turn",
        "pending",
        "write",
    )
    write: Callable[[bytes], None]
    """The transport's own, without a detour: this is what the server does most of all."""

    def __init__(self, sockets: "Sockets", admission: Admission, transport: asyncio.Transport) -> None:
        settings = sockets.settings
        self._sockets = sockets
        self._admission = admission
        self._transport = transport
        self.write = transport.write
        self.pending = 0
        self._reader: FrameReader | None = None
        """Reads what does not come as one short frame after the other; None: so far it does."""
        self._rate = (
            MessageRate(settings.message_rate, settings.message_burst) if settings.message_rate else None
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
        self._silent = 0
        """Pings since anything came."""
        self._task: asyncio.Future[None] | None = None
        self._turn: asyncio.Handle | None = None
        """Goes on with what has come and has not been dealt with. Until then nothing more is read."""
        # Whoever cannot keep up is let go and may resume; nobody else waits for them.
        transport.set_write_buffer_limits(high=settings.send_queue_bytes)
        self._session = admission.session_on(self)
        self._alarm = sockets.loop.call_later(settings.heartbeat, self._beat)
        self._greeting = sockets.loop.call_later(settings.greeting_seconds, self._ungreeted)

    def begin(self) -> None:
        self._sockets.entered(self._admission, self._session, self)
        self._tell(self._session.opened)

    # In

    def data_received(self, data: bytes) -> None:
        self._silent = 0
        if self._deaf:
            return
        message = lone_message(data) if self._reader is None and self._task is None else None
        if message is None:
            self._read(data)
            return
        try:
            self._hear(message)
        except Violation as violation:
            self._violated(violation)

    def _read(self, data: bytes = b"") -> None:
        reader = self._reader
        if reader is None:
            largest = min(self._admission.largest, self._sockets.settings.message_bytes)
            reader = self._reader = FrameReader(largest)
        frames = reader.feed(data)
        if self._task is not None or self._turn is not None:
            return  # what was said before comes first
        try:
            for number, message in enumerate(frames, 1):
                self._hear(message)
                if self._task is not None or self._deaf:
                    return
                if number == _TURN:
                    self._turn = self._sockets.loop.call_soon(self._go_on)
                    self._pause()
                    return
        except TooBig:
            self._sockets.hits["bad_frame"] += 1
            if not self._parting:
                self._tell(self._session.oversized)
                self._part_soon(_TOO_BIG, "message too big")
            self._read()
        except Violation as violation:
            self._violated(violation)
        else:
            if reader.between:
                self._reader = None

    def _violated(self, violation: Violation) -> None:
        self._sockets.hits["bad_frame"] += 1
        self._deaf = True
        self.close(violation.code, violation.reason)

    def _hear(self, message: Message) -> None:
        kind, payload = message
        if self._ended:
            return
        if self._parting and kind != CLOSE:
            self._overheard()
        elif kind in _DATA:
            if self._rate is not None and not self._rate.take():
                self._throw_away("message_rate", tell=True)
                return
            try:
                waiting = (self._session.text if kind == TEXT else self._session.binary)(payload)
            except Exception:  # noqa: BLE001 - logged there
                self._broken()
                return
            if waiting is not None:
                self._wait(waiting)
        elif kind == CLOSE:
            code = close_code(payload)
            self._deaf = True
            self._say_last(closing_frame(code))
            self._transport.close()
            self._end()
        elif self._rate is not None and not self._rate.take(_SMALL):
            if kind == PART and self._reader is not None:
                # A message without one of its pieces would be another one.
                self._reader.drop()
            self._throw_away("frame_rate", tell=kind == PART)
        elif kind == PING:
            self.write(control_frame(_PONG, payload))

    def _throw_away(self, limit: str, *, tell: bool) -> None:
        """A frame came too soon, and is thrown away."""
        self._sockets.hits[limit] += 1
        self._over_rate += 1
        if tell:
            self._tell(self._session.rate_limited)
        if self._over_rate >= _MOST_OVER_RATE:
            self._deaf = True
            self._pause()
            self._tell(self._session.flooded)
            self._part_soon(_POLICY, "too many messages")

    def _overheard(self) -> None:
        """What is said after goodbye is not acted on; who goes on and on is cut off."""
        if self._rate is not None and not self._rate.take(_SMALL):
            self._sockets.hits["frame_rate"] += 1
            self._deaf = True
            self._transport.abort()

    def _tell(self, call: Callable[[], Awaitable[None] | None]) -> None:
        try:
            waiting = call()
        except Exception:  # noqa: BLE001 - logged there
            self._broken()
            return
        if waiting is not None:
            self._wait(waiting)

    def _wait(self, waiting: Awaitable[None]) -> None:
        """Nothing more is heard until this has come."""
        self._task = asyncio.ensure_future(waiting)
        self._task.add_done_callback(self._told)
        self._pause()

    def _pause(self) -> None:
        if not self._transport.is_closing():
            self._transport.pause_reading()

    def _told(self, task: "asyncio.Future[None]") -> None:
        """What had to be waited for has come; now for what was said meanwhile."""
        self._task = None
        if not task.cancelled() and task.exception() is not None:
            self._broken(task.exception())
        self._catch_up()

    def _go_on(self) -> None:
        self._turn = None
        self._catch_up()

    def _catch_up(self) -> None:
        if self._reader is not None and not self._deaf:
            self._read()
        if self._task is None and self._turn is None:
            if self._transport.is_closing():
                self._end()
            elif not self._deaf:
                self._transport.resume_reading()

    def _broken(self, error: BaseException | None = None) -> None:
        """A fault of ours ends this connection and no other."""
        log.error("a session failed", exc_info=error or True, extra={"door": self._admission.door})
        self._sockets.hits["session_failed"] += 1
        self.close(_BROKEN, "something went wrong")

    # Out

    def _say_last(self, data: bytes) -> None:
        self.write(data)
        self._closed = True
        self.write = _unsaid

    def pause_writing(self) -> None:
        self.drop()

    def drop(self) -> None:
        if not self._closed:
            self._sockets.hits["slow_reader"] += 1
        self._parting = True
        self._say_last(b"")
        self._transport.abort()

    def resume_writing(self) -> None:
        """Nobody waits for that."""

    @property
    def queued(self) -> int:
        return self._transport.get_write_buffer_size()

    def close(self, code: int, reason: str) -> None:
        self._parting = True
        if self._closed:
            return
        self._say_last(closing_frame(code, reason))
        self._alarm.cancel()
        self._alarm = self._sockets.loop.call_later(_CLOSE_SECONDS, self._transport.abort)

    def _part_soon(self, code: int, reason: str) -> None:
        """The session says goodbye in its own words; whether or not it does, this is the end."""
        self._sockets.loop.call_later(_CLOSE_SECONDS, self.close, code, reason)

    # Time

    def _beat(self) -> None:
        if self._silent == _UNANSWERED:
            self._sockets.hits["heartbeat"] += 1
            self._transport.abort()
            return
        self.write(_PING)
        self._silent += 1
        self._alarm = self._sockets.loop.call_later(self._sockets.settings.heartbeat, self._beat)

    def _ungreeted(self) -> None:
        if not self._session.greeted and not self._closed:
            self._sockets.hits["greeting_timeout"] += 1
            self.close(_POLICY, "nothing was said")

    # The end

    def connection_lost(self, error: Exception | None) -> None:
        self._closed = True
        self.write = _unsaid
        self._alarm.cancel()
        self._sockets.left(self)
        if self._task is None and self._turn is None:
            self._end()
            # Or each would keep the other until the collector comes by.
            del self._session

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            self._greeting.cancel()
            self._sockets.over(self._admission, self._session)
            try:
                self._session.closed()
            except Exception:
                log.exception("a session failed at its end", extra={"door": self._admission.door})


class Sockets:
    """All WebSocket connections of this server."""

    def __init__(
        self,
        settings: Settings,
        hits: Counter[str],
        limits: ConnectionLimits,
        handshakes: Attempts | None = None,
    ) -> None:
        self.loop = asyncio.get_running_loop()
        self.settings = settings
        self.hits = hits
        self._limits = limits
        self._handshakes = handshakes
        """How often one address may come in."""
        self.open: dict[str, set[Session]] = {}
        self._sockets: set[Socket] = set()
        self._gone = asyncio.Event()
        self.stopping = False
        self.told_to_wait: set[str] = set()
        """Doors whose protocol has a word for a server that is about to stop: newcomers are let in to hear it."""

    def check(self, admission: Admission) -> None:
        if self.stopping and admission.door not in self.told_to_wait:
            self.hits["stopping"] += 1
            raise HandshakeRefused(HTTPStatus.SERVICE_UNAVAILABLE, "The server is stopping.")
        if self._handshakes is not None and not is_loopback(admission.address):
            try:
                self._handshakes.take(counted_as(admission.address))
            except TooManyTries as refused:
                self.hits["handshake_rate"] += 1
                raise HandshakeRefused(
                    HTTPStatus.TOO_MANY_REQUESTS, "Too many connections.", wait=-(-refused.wait // 1000)
                ) from None
        if not self._limits.enter(admission.address):
            raise HandshakeRefused(HTTPStatus.TOO_MANY_REQUESTS, "Too many connections.")

    def enter(self, admission: Admission, transport: asyncio.Transport) -> Socket:
        return Socket(self, admission, transport)

    def entered(self, admission: Admission, session: Session, socket: Socket) -> None:
        self._sockets.add(socket)
        self.open.setdefault(admission.door, set()).add(session)

    def over(self, admission: Admission, session: Session) -> None:
        self.open[admission.door].discard(session)
        self._limits.leave(admission.address)

    def left(self, socket: Socket) -> None:
        self._sockets.discard(socket)
        if not self._sockets:
            self._gone.set()

    def stop(self) -> None:
        """Tell everybody that the server stops; each connection ends after what was said to it before."""
        self.stopping = True
        for sessions in self.open.values():
            for session in list(sessions):
                session.closing()

    def queued_bytes(self) -> int:
        """What waits for readers, all together."""
        return sum(socket.queued for socket in self._sockets)

    async def drained(self) -> None:
        while self._sockets:
            self._gone.clear()
            await self._gone.wait()
