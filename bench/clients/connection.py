"""One connection of the generator, by WebSocket unless its kind says otherwise, and the gate for many of them."""

import asyncio
from collections import deque
from typing import cast

from bench.clients import wire

_CONNECTING_AT_ONCE = 64


class Tally:
    """What all connections of a run have in common."""

    def __init__(self) -> None:
        self.connections = 0
        self.moves = 0
        self.reconnects = 0
        self.latencies: list[float] = []
        self.absences: list[float] = []
        """How long tables were without one of their players."""
        self.failures: list[str] = []
        self.failed = asyncio.Event()
        self.playing = False
        self.paced = False
        self.held: list[tuple[Connection, bytes]] | None = None
        """What clients want to send, if somebody else says when it is sent."""
        self.heard: list[tuple[Connection, bytes, int]] | None = None
        """All that clients hear, and how many moves they count then, if somebody wants to know."""


class Connection(asyncio.Protocol):
    """Comes in, answers pings, and leaves the rest to its kind."""

    __slots__ = ("gone", "number", "path", "tally", "transport", "upgraded")

    def __init__(self, tally: Tally, path: str) -> None:
        self.tally = tally
        tally.connections += 1
        self.number = tally.connections
        self.path = path
        self.upgraded = False
        self.gone = False
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are none of asyncio's classes, only like them.
        self.transport = cast(asyncio.Transport, transport)

    def send(self, data: bytes) -> None:
        if self.tally.held is not None:
            self.tally.held.append((self, data))
            return
        self.send_now(data)

    def send_now(self, data: bytes) -> None:
        assert self.transport is not None
        self.transport.write(data)

    def first_words(self, port: int) -> bytes:
        """What is sent as soon as there is a connection."""
        return wire.upgrade(self.path, port)

    def unusual(self, data: bytes) -> None:
        """The handshake or a ping; or what should not have been said."""
        if self.gone:
            return
        if not self.upgraded:
            self._upgrade(data)
            return
        ping = data.find(wire.PING)
        if ping >= 0:
            self.send(wire.PONG)
            rest = data[:ping] + data[ping + len(wire.PING) :]
            if rest:
                self.data_received(rest)
            return
        self.give_up(f"heard {data[:300]!r}, expected {self.expected()[:300]!r}")

    def _upgrade(self, data: bytes) -> None:
        head, end, rest = data.partition(wire.HEAD_END)
        if not end or not head.startswith(wire.UPGRADED):
            self.give_up(f"not let in: {data[:300]!r}")
            return
        self.upgraded = True
        self.entered()
        if rest:
            self.data_received(rest)

    def entered(self) -> None:
        """The handshake is done."""

    def expected(self) -> bytes:
        """What should have come next."""
        return b""

    def data_received(self, data: bytes) -> None:
        self.unusual(data)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.gone:
            self.give_up(f"cut off ({error})")

    def give_up(self, why: str) -> None:
        self.gone = True
        self.tally.failures.append(f"{self.called()}: {why}")
        self.tally.failed.set()

    def called(self) -> str:
        return f"connection to {self.path}"

    @property
    def place(self) -> tuple[int, int]:
        """The number of its table, and its seat there."""
        raise NotImplementedError

    def hang_up(self) -> None:
        self.gone = True
        self.send(wire.CLOSE)

    def abort(self) -> None:
        self.gone = True
        if self.transport is not None:
            self.transport.abort()


class TalkingConnection(Connection):
    """One to which not everything is known beforehand: it is told message by message."""

    __slots__ = ("_unread",)

    def __init__(self, tally: Tally, path: str) -> None:
        super().__init__(tally, path)
        self._unread = b""
        """The beginning of a frame whose rest has not come."""

    def heard(self, text: bytes) -> None:
        raise NotImplementedError

    def data_received(self, data: bytes) -> None:
        if not self.upgraded:
            self.unusual(data)
            return
        data, read = self._unread + data, 0
        for kind, text, end in wire.frames(data):
            read = end
            if kind == wire.TEXT:
                self.heard(text)
            else:
                self.unusual(bytes((kind, len(text))) + text)
        self._unread = data[read:]


class _Tap(asyncio.Protocol):
    """Writes down what a connection hears."""

    def __init__(self, connection: Connection, heard: list[tuple[Connection, bytes, int]]) -> None:
        self._connection = connection
        self._heard = heard

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._connection.connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        self._connection.connection_lost(error)

    def data_received(self, data: bytes) -> None:
        tally = self._connection.tally
        before = tally.moves
        self._connection.data_received(data)
        self._heard.append((self._connection, data, tally.moves - before))


class Gate:
    """Connects, only so many at a time: a full backlog would measure the kernel's patience."""

    def __init__(self, port: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._port = port
        self._waiting: deque[Connection] = deque()
        self._connecting = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def connect(self, connection: Connection) -> None:
        if self._connecting >= _CONNECTING_AT_ONCE:
            self._waiting.append(connection)
            return
        self._connecting += 1
        task = self._loop.create_task(self._dial(connection))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _dial(self, connection: Connection) -> None:
        try:
            listener = (
                connection if connection.tally.heard is None else _Tap(connection, connection.tally.heard)
            )
            await self._loop.create_connection(lambda: listener, "127.0.0.1", self._port)
            connection.send(connection.first_words(self._port))
        except OSError as error:
            connection.give_up(f"cannot connect ({error})")
        self._connecting -= 1
        if self._waiting:
            self.connect(self._waiting.popleft())
