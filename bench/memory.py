"""What a connection and a table weigh, by the growth of the server's resident memory."""

import asyncio
from collections.abc import Callable

import msgspec

from bench import machine
from bench.clients.connection import Connection, Gate, Tally
from bench.clients.gathering import Gathering
from bench.clients.tower import Tables
from bench.pace import Pace, say
from bench.scripts.tower import SEATS, long_games
from bench.servers.gamut import DataFolder, Gamut

_RESTING_SECONDS = 1.5


class Memory(msgspec.Struct, kw_only=True):
    """Bytes. The first tenth of each crowd is not counted: it pays for what is there once for all."""

    server: int
    """The server alone."""
    connections: int
    tables: int
    tables_in_setup: int
    """How many of each there were."""
    idle_connection: float
    """A socket that has joined nothing."""
    seated_connection: float
    """A socket at a table in play, with its third of the table."""
    table_in_setup: float
    """A table with one of three seated, its connection taken off."""
    table_in_play: float
    """A table that has begun and where nobody moves, its three connections taken off."""


async def run(pace: Pace) -> Memory:
    connections, tables, setups = pace.connections, pace.tables, pace.connections
    say(f"memory: {connections} connections that do nothing")
    alone, idle = await _idle(connections)
    say(f"memory: {setups} tables with one player each")
    setup = await _seated(setups, 1)
    say(f"memory: {tables} tables with three players each")
    play = await _seated(tables, SEATS)
    figures = Memory(
        server=alone,
        connections=connections,
        tables=tables,
        tables_in_setup=setups,
        idle_connection=idle,
        seated_connection=play / SEATS,
        table_in_setup=setup - idle,
        table_in_play=play - SEATS * idle,
    )
    say(
        f"  idle connection {idle / 1024:.1f} KiB, seated {figures.seated_connection / 1024:.1f} KiB; "
        f"table in setup {figures.table_in_setup / 1024:.1f} KiB, in play {figures.table_in_play / 1024:.1f} KiB"
    )
    return figures


async def _settled(pid: int) -> int:
    await asyncio.sleep(_RESTING_SECONDS)
    return machine.resident(pid)


class _Visitor(Connection):
    __slots__ = ("_on_entered",)

    def __init__(self, tally: Tally, on_entered: Callable[[], None]) -> None:
        super().__init__(tally, "/")
        self._on_entered = on_entered

    def entered(self) -> None:
        self._on_entered()


class _Visitors:
    def __init__(self, port: int) -> None:
        self._gate = Gate(port)
        self._tally = Tally()
        self._all: list[_Visitor] = []

    async def come(self, count: int) -> None:
        everybody = Gathering(self._tally, count, "came in")
        new = [_Visitor(self._tally, everybody.one) for _ in range(count)]
        self._all += new
        for visitor in new:
            self._gate.connect(visitor)
        await everybody.complete()

    def close(self) -> None:
        for visitor in self._all:
            visitor.abort()


async def _idle(count: int) -> tuple[int, float]:
    with DataFolder() as data, Gamut(data) as server:
        alone = await _settled(server.pid)
        visitors = _Visitors(server.port)
        try:
            await visitors.come(count // 10)
            before = await _settled(server.pid)
            await visitors.come(count)
            return alone, (await _settled(server.pid) - before) / count
        finally:
            visitors.close()


async def _seated(count: int, seats: int) -> float:
    with DataFolder() as data, Gamut(data) as server:
        crowds = [Tables(count // 10, long_games(), server.port, seats, first=count)]
        try:
            await crowds[0].open()
            before = await _settled(server.pid)
            crowds.append(Tables(count, long_games(), server.port, seats))
            await crowds[1].open()
            return (await _settled(server.pid) - before) / count
        finally:
            for crowd in crowds:
                crowd.close()
