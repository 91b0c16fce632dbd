"""A WebSocket without a network: the real Socket on a transport in memory, with a session that says everything back."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from tests.net.websocket.test_frames import frame, whole

from gamut.doors.framing import binary_frame, text_frame
from gamut.hall.store.journal import Wire
from gamut.net.port.connection import Admission
from gamut.net.port.connections import Connections
from gamut.net.port.limits import ConnectionLimits, TurnedAway
from gamut.net.settings import Settings
from gamut.net.websocket.connection import WebSocket
from gamut.net.websocket.frames import CLOSE, Message

__all__ = ["Echo", "Line", "closed_with", "frame", "said_by_server", "whole"]


class Echo:
    """Remembers what it hears and says it back."""

    greeted = True

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.heard: list[bytes] = []
        self.told: list[str] = []
        """What the shell had to say, by name."""
        self.wait: Callable[[], Awaitable[None]] | None = None
        """Asked for each message, if somebody sets it."""

    def opened(self) -> None:
        pass

    def text(self, data: bytes) -> Awaitable[None] | None:
        return self._hear(data, text_frame)

    def binary(self, data: bytes) -> Awaitable[None] | None:
        return self._hear(data, binary_frame)

    def _hear(self, data: bytes, framed: Callable[[bytes], bytes]) -> Awaitable[None] | None:
        self.heard.append(data)
        self.wire.write(framed(data))
        return None if self.wait is None else self.wait()

    def oversized(self) -> None:
        self.told.append("oversized")
        self.wire.close(1009, "message too big")

    def rate_limited(self) -> None:
        self.told.append("rate_limited")

    def broken(self) -> None:
        self.wire.fail()

    def flooded(self) -> None:
        self.told.append("flooded")
        self.wire.close(1008, "too many messages")

    def closing(self) -> None:
        self.told.append("closing")

    def closed(self) -> None:
        self.told.append("closed")


class Line(asyncio.Transport):
    """The transport of one connection, and the client at its other end."""

    def __init__(self, largest: int = 1 << 20, **settings: Any) -> None:
        super().__init__()
        self.hits: Counter[str] = Counter()
        shown = Settings(**{"message_rate": 0, **settings})
        limits = ConnectionLimits(10, 10, TurnedAway(self.hits))
        connections = Connections(shown, self.hits, limits)
        sessions: list[Echo] = []

        def session_on(wire: Wire) -> Echo:
            sessions.append(Echo(wire))
            return sessions[0]

        self.written = b""
        self.paused = False
        self.closing = False
        admission = Admission("echo", "192.0.2.1", session_on, largest)
        connections.check(admission)
        self.socket = WebSocket(connections, admission, self)
        (self.session,) = sessions
        self.socket.begin()

    # The server's end

    def write(self, data: Any) -> None:
        if not self.closing:
            self.written += data

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        if not self.closing:
            self.closing = True
            asyncio.get_running_loop().call_soon(self.socket.connection_lost, None)

    abort = close

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 0

    # The client's end

    async def send(self, *pieces: bytes) -> None:
        """One piece after the other, each when the server reads, until it reads no more."""
        for piece in pieces:
            if not await self._is_read():
                return
            self.socket.data_received(piece)
        await self._is_read()

    async def _is_read(self) -> bool:
        for _ in range(100_000):
            if self.closing or not self.paused:
                return not self.closing
            await asyncio.sleep(0)
        return False

    @property
    def said(self) -> list[Message]:
        """The frames that have come from the server."""
        return said_by_server(self.written)


def said_by_server(data: bytes) -> list[Message]:
    found: list[Message] = []
    while data:
        size, at = data[1], 2
        assert size < 128, "a server does not mask"
        if size >= 126:
            at = 4 if size == 126 else 10
            size = int.from_bytes(data[2:at], "big")
        assert data[0] & 0xF0 == 0x80, "whole frames without extensions"
        found.append((data[0] & 0x0F, data[at : at + size]))
        data = data[at + size :]
    return found


def closed_with(said: list[Message]) -> int | None:
    """The code of the closing frame, which is the last and only one."""
    assert [kind for kind, _ in said].count(CLOSE) == 1, said
    kind, payload = said[-1]
    assert kind == CLOSE, said
    return int.from_bytes(payload[:2], "big") if payload else None
