"""Two nodes that take turns under the same load: one on SQLite, one on PostgreSQL."""

import asyncio
from pathlib import Path
from time import perf_counter, process_time

from tests.support.postgres import Postgres

from bench import machine
from bench.clients.tower import Tables
from bench.cluster.speed.figures import POSTGRES, SQLITE, Delays, Figures, Slice
from bench.doors.tower import middle_of_games
from bench.pace import say
from bench.report import about_machine
from bench.scripts.tower import long_games_from_the_start
from bench.servers.gamut import DataFolder, Gamut

_MOVES = 20_000
"""At least so many are looked at in each turn."""
_LONE_RATE = 50.0
_LONE_MOVES = 250
_LONE_BEFORE = 25
"""The moves of a lone table that are not looked at: those in which it comes together."""
_QUIET_SECONDS = 0.2
_QUIET_CPU = 0.02
"""Seconds of a core. A node that nobody visits still renews its lease."""
_MOST_WAITING = 30.0
_SILENT = {"log-level": "error"}


class Side:
    """One of the two nodes."""

    def __init__(self, store: str, node: Gamut, database: Postgres) -> None:
        self.store = store
        self._node = node
        self._database = database
        self._tables = 0
        """So many were opened here."""

    async def slice(self, size: int) -> Slice:
        """As many games one after the other as it takes."""
        moves, readings = 0, [0.0] * len(self._meters())
        while moves < _MOVES:
            made, risen = await middle_of_games(size, self._node.port, self._tables, self._meters)
            self._tables += size
            moves += made
            readings = [sum(pair) for pair in zip(readings, risen, strict=True)]
            await self.rest()
        seconds, node, database, generator, node_core, generator_core = readings
        return Slice(
            moves=moves,
            seconds=seconds,
            node_cpu=node,
            database_cpu=database,
            generator_cpu=generator,
            node_core=node_core,
            generator_core=generator_core,
        )

    def _meters(self) -> tuple[float, ...]:
        return (
            perf_counter(),
            machine.cpu_seconds(self._node.pid),
            machine.family_cpu_seconds(self._database.pid),
            process_time(),
            machine.core_busy_seconds(machine.SERVER_CORE),
            machine.core_busy_seconds(machine.GENERATOR_CORE),
        )

    async def lone(self) -> Delays:
        tables = Tables(1, long_games_from_the_start(), self._node.port, first=self._tables)
        self._tables += 1
        try:
            await tables.open()
            tables.start(_LONE_RATE)
            await tables.played(_LONE_BEFORE)
            tables.tally.latencies = []
            await tables.played(_LONE_BEFORE + _LONE_MOVES)
            delays = [1000 * delay for delay in tables.tally.latencies]
        finally:
            tables.close()
        await self.rest()
        return Delays(each=delays)

    async def rest(self) -> None:
        """Until all that follows from people's leaving is done, so that the other node has the core for itself."""
        late = perf_counter() + _MOST_WAITING
        spent, last = machine.cpu_seconds(self._node.pid), float("inf")
        while last > _QUIET_CPU and perf_counter() < late:
            await asyncio.sleep(_QUIET_SECONDS)
            now = machine.cpu_seconds(self._node.pid)
            spent, last = now, now - spent


async def measure(tables: int, turns: int) -> Figures:
    """Both nodes run all the while, on the same core; one of them has something to do."""
    machine.run_on(*machine.DATABASE_CORES)
    with Postgres(fsync=True) as database, DataFolder() as data:
        machine.run_on(machine.GENERATOR_CORE)
        with (
            Gamut(data / SQLITE, _SILENT) as sqlite,
            Gamut(data / POSTGRES, {**_SILENT, "store": database.url()}) as postgres,
        ):
            sides = Side(SQLITE, sqlite, database), Side(POSTGRES, postgres, database)
            return await _in_turns(sides, tables, turns, same_disk=_one_disk(data, database.folder))


async def _in_turns(sides: tuple[Side, Side], tables: int, turns: int, *, same_disk: bool) -> Figures:
    figures = Figures(
        machine=about_machine(),
        tables=tables,
        lone_rate=_LONE_RATE,
        same_disk=same_disk,
        slices={side.store: [] for side in sides},
        lone={side.store: [] for side in sides},
    )
    for side in sides:
        say(f"speed: {tables} tables on {side.store}, to get warm")
        await side.slice(tables)
    for turn in range(1, turns + 1):
        for side in sides:
            found = await side.slice(tables)
            figures.slices[side.store].append(found)
            say(f"speed: {tables} tables, turn {turn} of {turns}, {side.store}: {found.told}")
    for turn in range(1, turns + 1):
        for side in sides:
            delays = await side.lone()
            figures.lone[side.store].append(delays)
            say(f"speed: a lone table, turn {turn} of {turns}, {side.store}: {delays.told}")
    return figures


def _one_disk(*folders: Path) -> bool:
    return len({folder.stat().st_dev for folder in folders}) == 1
