"""Load on a server for a while, and what it cost."""

import asyncio
import contextlib
import gc
from collections import deque
from collections.abc import Callable
from time import perf_counter, process_time

import msgspec

from bench import machine, wire
from bench.tower_client import Player, Repertoire, Table, Tally

_CONNECTING_AT_ONCE = 64
_OPENING_SECONDS = 180.0
_TICK = 0.001


class Figures(msgspec.Struct, kw_only=True):
    """One measurement."""

    tables: int
    seconds: float
    moves: int
    moves_per_second: float
    cpu_us_per_move: float
    moves_per_cpu_second: float
    p50_ms: float
    p99_ms: float
    reconnects: int
    server_busy: float
    """Part of the time in which the server was on its core."""
    others_busy: float
    """Part of the time in which something else was on the server's core."""
    generator_busy: float
    failures: int
    first_failures: list[str]


class Gate:
    """Connects players, only so many at a time: a full backlog would measure the kernel's patience."""

    def __init__(self, port: int, path: Callable[[Player], str]) -> None:
        self._loop = asyncio.get_running_loop()
        self._port = port
        self._path = path
        self._waiting: deque[Player] = deque()
        self._connecting = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def connect(self, player: Player) -> None:
        if self._connecting >= _CONNECTING_AT_ONCE:
            self._waiting.append(player)
            return
        self._connecting += 1
        task = self._loop.create_task(self._dial(player))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _dial(self, player: Player) -> None:
        try:
            await self._loop.create_connection(lambda: player, "127.0.0.1", self._port)
            player.send(wire.upgrade(self._path(player), self._port))
        except OSError as error:
            player.table.tally.fail(f"cannot connect: {error}")
        self._connecting -= 1
        if self._waiting:
            self.connect(self._waiting.popleft())


class Tables:
    """Open tables with everybody seated, waiting for the word to start."""

    def __init__(self, count: int, repertoire: Repertoire, port: int) -> None:
        self.tally = Tally()
        self._full = 0
        self._all_full = asyncio.Event()
        self._settled = 0
        self._all_settled = asyncio.Event()
        gate = Gate(port, lambda _player: "/")
        self.tables = [
            Table(number, repertoire, self.tally, gate.connect, self._one_full, self._one_settled)
            for number in range(count)
        ]

    def _one_full(self) -> None:
        self._full += 1
        if self._full == len(self.tables):
            self._all_full.set()

    def _one_settled(self) -> None:
        self._settled += 1
        if self._settled == len(self.tables):
            self._all_settled.set()

    async def open(self) -> None:
        for table in self.tables:
            table.open()
        try:
            async with asyncio.timeout(_OPENING_SECONDS):
                await self._all_full.wait()
        except TimeoutError:
            why = self.tally.failures[:3] or "nothing went wrong, it is only slow"
            raise RuntimeError(f"{self._full} of {len(self.tables)} tables came together: {why}") from None

    def start(self, rate: float | None = None) -> None:
        """Begin every game: as fast as the server answers, or at so many moves per second in all."""
        self.tally.playing = True
        if rate is None:
            for table in self.tables:
                table.start()
            return
        self.tally.paced = True
        for table in self.tables:
            table.start()
        self._rate = rate
        self._began = perf_counter()
        self._made = 0
        self._pace()

    def _pace(self) -> None:
        """Whoever is next in the round is due; a table that is not ready then moves as soon as it can."""
        if not self.tally.playing:
            return
        now = perf_counter()
        due = int((now - self._began) * self._rate)
        while self._made < due:
            self.tables[self._made % len(self.tables)].due()
            self._made += 1
        asyncio.get_running_loop().call_later(_TICK, self._pace)

    async def settle(self, most_seconds: float) -> None:
        """Until every table has its first game behind it and they are all at different places."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(most_seconds):
                await self._all_settled.wait()

    def close(self) -> None:
        self.tally.playing = False
        for table in self.tables:
            for player in table.players:
                player.abort()


async def measure(tally: Tally, tables: int, pid: int, seconds: float) -> Figures:
    """Let what is running run, and look at it for a while."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        tally.latencies = []
        moves, reconnects = tally.moves, tally.reconnects
        core = machine.core_busy_seconds(machine.SERVER_CORE)
        began, cpu, own = perf_counter(), machine.cpu_seconds(pid), process_time()
        await asyncio.sleep(seconds)
        elapsed = perf_counter() - began
        cpu = machine.cpu_seconds(pid) - cpu
        own = process_time() - own
        core = machine.core_busy_seconds(machine.SERVER_CORE) - core
        moves, reconnects = tally.moves - moves, tally.reconnects - reconnects
        latencies = sorted(tally.latencies)
    finally:
        gc.enable()
        gc.unfreeze()
    return Figures(
        tables=tables,
        seconds=elapsed,
        moves=moves,
        moves_per_second=moves / elapsed,
        cpu_us_per_move=1e6 * cpu / max(1, moves),
        moves_per_cpu_second=moves / cpu if cpu else 0.0,
        p50_ms=_milliseconds(latencies, 0.5),
        p99_ms=_milliseconds(latencies, 0.99),
        reconnects=reconnects,
        server_busy=cpu / elapsed,
        others_busy=max(0.0, core - cpu) / elapsed,
        generator_busy=own / elapsed,
        failures=len(tally.failures),
        first_failures=tally.failures[:3],
    )


def _milliseconds(latencies: list[float], quantile: float) -> float:
    return 1000 * latencies[int(len(latencies) * quantile)] if latencies else 0.0
