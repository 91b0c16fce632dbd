"""The thin shell around a door's sessions: moves bytes between a WebSocket and a session."""

import asyncio
from collections import Counter
from collections.abc import Callable

from aiohttp import WSMsgType, web

from gamut.doors.session import Session
from gamut.hall.journal import Wire
from gamut.net.limits import ConnectionLimits, MessageRate
from gamut.net.settings import Settings

_POLICY = 1008
_CLOSE_TIMEOUT = 2.0
_HURRIED_AT_MOST = 100


class SocketWire:
    """Sends frames that are already built, so that a broadcast costs one write for each receiver and no more."""

    __slots__ = ("_closed", "_hits", "_most_queued", "_socket", "_tasks", "_transport")

    def __init__(
        self,
        socket: web.WebSocketResponse,
        transport: asyncio.Transport,
        most_queued: int,
        hits: Counter[str],
        tasks: set[asyncio.Task[bool]],
    ) -> None:
        self._socket = socket
        self._transport = transport
        self._most_queued = most_queued
        self._hits = hits
        self._tasks = tasks
        self._closed = False

    def write(self, data: bytes) -> None:
        transport = self._transport
        if self._closed or transport.is_closing():
            return
        transport.write(data)
        if transport.get_write_buffer_size() > self._most_queued:
            # Whoever cannot keep up is let go and may resume; nobody else waits for them.
            self._hits["slow_reader"] += 1
            transport.abort()

    @property
    def queued(self) -> int:
        return self._transport.get_write_buffer_size()

    def close(self, code: int, reason: str) -> None:
        self._closed = True
        task = asyncio.ensure_future(self._socket.close(code=code, message=reason.encode()))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class Sockets:
    """All WebSocket connections of this server."""

    def __init__(self, settings: Settings, hits: Counter[str]) -> None:
        self._settings = settings
        self.hits = hits
        self.open: dict[str, set[Session]] = {}
        self._limits = ConnectionLimits(settings.connections_per_address, settings.connections, hits)
        self._closing: set[asyncio.Task[bool]] = set()
        self._wires: set[SocketWire] = set()
        self.stopping = False
        self.told_to_wait: set[str] = set()
        """Doors whose protocol has a word for a server that is about to stop: newcomers are let in to hear it."""

    async def serve(
        self, request: web.Request, door: str, address: str, session_on: Callable[[Wire], Session]
    ) -> web.StreamResponse:
        if self.stopping and door not in self.told_to_wait:
            raise web.HTTPServiceUnavailable(text="The server is stopping.")
        if not self._limits.enter(address):
            raise web.HTTPTooManyRequests(text="Too many connections.")
        try:
            return await self._serve(request, door, session_on)
        finally:
            self._limits.leave(address)

    async def _serve(
        self, request: web.Request, door: str, session_on: Callable[[Wire], Session]
    ) -> web.StreamResponse:
        settings = self._settings
        socket = web.WebSocketResponse(
            max_msg_size=settings.message_bytes,
            heartbeat=settings.heartbeat,
            timeout=_CLOSE_TIMEOUT,
            compress=False,
            decode_text=False,
        )
        await socket.prepare(request)
        transport = request.transport
        if transport is None:
            return socket  # gone before the handshake was done
        wire = SocketWire(socket, transport, settings.send_queue_bytes, self.hits, self._closing)
        session = session_on(wire)
        here = self.open.setdefault(door, set())
        here.add(session)
        self._wires.add(wire)
        greeting = asyncio.get_running_loop().call_later(
            settings.greeting_seconds, self._ungreeted, session, wire
        )
        try:
            waiting = session.opened()
            if waiting is not None:
                await waiting
            await self._read(socket, session, wire)
        finally:
            greeting.cancel()
            here.discard(session)
            self._wires.discard(wire)
            session.closed()
        return socket

    async def _read(self, socket: web.WebSocketResponse, session: Session, wire: SocketWire) -> None:
        rate = MessageRate(self._settings.message_rate, self._settings.message_burst)
        hurried = 0
        async for message in socket:
            if hurried >= _HURRIED_AT_MOST:
                continue  # dismissed: nothing is looked at any more
            if message.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                if not rate.take():
                    self.hits["message_rate"] += 1
                    hurried += 1
                    session.hurried()
                    if hurried >= _HURRIED_AT_MOST:
                        session.dismissed()
                    continue
                hear = session.text if message.type is WSMsgType.TEXT else session.binary
                waiting = hear(message.data)
                if waiting is not None:
                    await waiting
            elif message.type is WSMsgType.ERROR:
                self.hits["bad_frame"] += 1
                return

    def _ungreeted(self, session: Session, wire: SocketWire) -> None:
        if not session.greeted:
            self.hits["greeting_timeout"] += 1
            wire.close(_POLICY, "nothing was said")

    async def stop(self) -> None:
        """Tell everybody that the server stops; each connection ends after what was said to it before."""
        self.stopping = True
        for sessions in self.open.values():
            for session in list(sessions):
                session.closing()

    def queued_bytes(self) -> int:
        """What waits for readers, all together."""
        return sum(wire.queued for wire in self._wires)

    async def drained(self) -> None:
        while self._closing:
            await asyncio.wait(self._closing)
