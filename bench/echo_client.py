"""Connections that send a message and wait for it to come back."""

import asyncio
from time import perf_counter

from bench import wire
from bench.connection import Connection, Gate, Tally
from bench.load import reached
from bench.pace import BenchFailed
from bench.scripts import PLACE

_OPENING_SECONDS = 60.0

# As long as a mark in Tower.
_SENT = wire.from_client(PLACE[0])
_HEARD = wire.from_server(PLACE[0])


class Echo(Connection):
    __slots__ = ("_at", "_echoes", "_sent_at")

    def __init__(self, echoes: "Echoes") -> None:
        super().__init__(echoes.tally, "/")
        self._echoes = echoes
        self._at = 0

    def entered(self) -> None:
        self._echoes.one_in()

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
        self._in = 0
        self._all_in = asyncio.Event()
        self._connections = [Echo(self) for _ in range(count)]

    def one_in(self) -> None:
        self._in += 1
        if self._in == len(self._connections):
            self._all_in.set()

    async def open(self) -> None:
        for connection in self._connections:
            self._gate.connect(connection)
        await reached(self._all_in, self.tally, _OPENING_SECONDS)
        if not self._all_in.is_set():
            raise BenchFailed(f"{self._in} of {len(self._connections)} came in: {self.tally.failures[:3]}")

    def start(self) -> None:
        for connection in self._connections:
            connection.say()

    def close(self) -> None:
        for connection in self._connections:
            connection.abort()
