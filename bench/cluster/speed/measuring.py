"""Nodes that take turns under the same load: one on SQLite, one on PostgreSQL, and perhaps an owner with a gateway."""

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter, process_time

from tests.support.nats import Nats
from tests.support.postgres import Postgres

from bench import machine
from bench.clients.tower import Tables
from bench.cluster.speed.figures import GATEWAY, POSTGRES, SQLITE, Delays, Figures, Slice
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
_CLUSTER = "cluster"
"""The database of the owner."""
_SILENT = {"log-level": "error"}


class Side:
    """A node that may have a turn; or an owner, with the gateway and the NATS by which people come to it."""

    def __init__(
        self,
        name: str,
        node: Gamut,
        database: Postgres,
        gateway: Gamut | None = None,
        nats: Nats | None = None,
    ) -> None:
        self.name = name
        self._node = node
        self._database = database
        self._gateway = gateway
        self._nats = nats
        self._port = (node if gateway is None else gateway).port
        self._tables = 0
        """So many were opened here."""

    async def slice(self, size: int) -> Slice:
        """As many games one after the other as it takes."""
        moves, readings = 0, [0.0] * len(self._meters())
        while moves < _MOVES:
            made, risen = await middle_of_games(size, self._port, self._tables, self._meters)
            self._tables += size
            moves += made
            readings = [sum(pair) for pair in zip(readings, risen, strict=True)]
            await self.rest()
        seconds, node, gateway, nats, database, generator, node_core, generator_core = readings
        return Slice(
            moves=moves,
            seconds=seconds,
            node_cpu=node,
            gateway_cpu=gateway,
            nats_cpu=nats,
            database_cpu=database,
            generator_cpu=generator,
            node_core=node_core,
            generator_core=generator_core,
        )

    def _meters(self) -> tuple[float, ...]:
        return (
            perf_counter(),
            machine.cpu_seconds(self._node.pid),
            _cpu_of(self._gateway),
            _cpu_of(self._nats),
            machine.family_cpu_seconds(self._database.pid),
            process_time(),
            machine.core_busy_seconds(machine.SERVER_CORE),
            machine.core_busy_seconds(machine.GENERATOR_CORE),
        )

    async def lone(self) -> Delays:
        tables = Tables(1, long_games_from_the_start(), self._port, first=self._tables)
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
        spent, last = self._spent(), float("inf")
        while last > _QUIET_CPU and perf_counter() < late:
            await asyncio.sleep(_QUIET_SECONDS)
            now = self._spent()
            spent, last = now, now - spent

    def _spent(self) -> float:
        return machine.cpu_seconds(self._node.pid) + _cpu_of(self._gateway)


def _cpu_of(process: Gamut | Nats | None) -> float:
    return 0.0 if process is None else machine.cpu_seconds(process.pid)


async def measure(tables: int, turns: int, *, gateway: bool = False) -> Figures:
    """All of them run all the while, on the same core; one of them has something to do. With `gateway` an owner with a
    gateway has turns, too."""
    with ExitStack() as stack:
        # What the nodes use is not on their core.
        machine.run_on(*machine.DATABASE_CORES)
        database = stack.enter_context(Postgres(fsync=True))
        nats = stack.enter_context(Nats()) if gateway else None
        data = stack.enter_context(DataFolder())
        machine.run_on(machine.GENERATOR_CORE)
        one_disk = _one_disk(data, database.folder)
        sqlite = stack.enter_context(Gamut(data / SQLITE, _SILENT))
        postgres = stack.enter_context(Gamut(data / POSTGRES, {**_SILENT, "store": database.url()}))
        sides = [Side(SQLITE, sqlite, database), Side(POSTGRES, postgres, database)]
        if nats is not None:
            cluster = {**_SILENT, "cluster": nats.url()}
            with database.connect() as connection:
                connection.execute(f"CREATE DATABASE {_CLUSTER}")
            of_owner = {**cluster, "role": "owner", "store": database.url(_CLUSTER)}
            owner = stack.enter_context(Gamut(data / "owner", of_owner))
            of_gateway = {**cluster, "role": "gateway"}
            at = stack.enter_context(Gamut(data / "gateway", of_gateway, has_bots=False))
            sides.append(Side(GATEWAY, owner, database, at, nats))
        return await _in_turns(sides, tables, turns, same_disk=one_disk)


async def _in_turns(sides: Sequence[Side], tables: int, turns: int, *, same_disk: bool) -> Figures:
    figures = Figures(
        machine=about_machine(),
        tables=tables,
        lone_rate=_LONE_RATE,
        same_disk=same_disk,
        slices={side.name: [] for side in sides},
        lone={side.name: [] for side in sides},
    )
    for side in sides:
        say(f"speed: {tables} tables on {side.name}, to get warm")
        await side.slice(tables)
    for turn in range(1, turns + 1):
        for side in sides:
            found = await side.slice(tables)
            figures.slices[side.name].append(found)
            say(f"speed: {tables} tables, turn {turn} of {turns}, {side.name}: {found.told}")
    for turn in range(1, turns + 1):
        for side in sides:
            delays = await side.lone()
            figures.lone[side.name].append(delays)
            say(f"speed: a lone table, turn {turn} of {turns}, {side.name}: {delays.told}")
    return figures


def _one_disk(*folders: Path) -> bool:
    return len({folder.stat().st_dev for folder in folders}) == 1
