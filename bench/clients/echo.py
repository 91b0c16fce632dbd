"""Connections that send a message and wait for it to come back."""

from collections.abc import Callable
from time import perf_counter

from bench.clients import wire
from bench.clients.connection import Connection, Gate, Tally
from bench.clients.gathering import Gathering
from bench.scripts.tower import PLACE

# As long as a mark in Tower.
_SENT = wire.from_client(PLACE[0])
_HEARD = wire.from_server(PLACE[0])


class Echo(Connection):
    __slots__ = ("_at", "_on_entered", "_sent_at")

    def __init__(self, tally: Tally, on_entered: Callable[[], None]) -> None:
        super().__init__(tally, "/")
        self._on_entered = on_entered
        self._at = 0

    def entered(self) -> None:
        self._on_entered()

    def say(self) -> None:
        self._sent_at = perf_counter()
        self.send(_SENT)

    def data_received(self, data: bytes) -> None:
        if not self.upgraded or not _HEARD.startswith(data, self._at):
            self.unusual(data)
            return
        self._at += len(data)
        if self._at == len(_HEARD):
            self._at = 0
            self.tally.moves += 1
            self.tally.latencies.append(perf_counter() - self._sent_at)
            self.say()

    def expected(self) -> bytes:
        return _HEARD[self._at :]


class Echoes:
    """Many of them, each with one message on its way."""

    def __init__(self, count: int, port: int) -> None:
        self.tally = Tally()
        self._gate = Gate(port)
        self._in = Gathering(self.tally, count, "came in")
        self._connections = [Echo(self.tally, self._in.one) for _ in range(count)]

    async def open(self) -> None:
        for connection in self._connections:
            self._gate.connect(connection)
        await self._in.complete()

    def start(self) -> None:
        for connection in self._connections:
            connection.say()

    def close(self) -> None:
        for connection in self._connections:
            connection.abort()
