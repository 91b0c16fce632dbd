"""Load on a server for a while, and what it cost."""

import asyncio
import gc
from time import perf_counter, process_time

import msgspec

from bench import machine
from bench.connection import Gate, Tally
from bench.pace import BenchFailed
from bench.scripts import SEATS, Repertoire
from bench.tower_client import Table

_OPENING_SECONDS = 180.0
_TICK = 0.001
_STEP = 0.02
_LONGEST = 5


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
    reconnect_p50_ms: float
    reconnect_p99_ms: float
    """From hanging up until the next game begins."""
    server_busy: float
    """Part of the time in which the server was on its core."""
    others_busy: float
    """Part of the time in which something else was on the server's core."""
    generator_busy: float
    failures: int
    first_failures: list[str]

    def told(self, unit: str) -> str:
        """The figures in a line, and what disturbed them."""
        reconnects = (
            f"{self.reconnects} reconnects of {self.reconnect_p50_ms:.0f} ms; " if self.reconnects else ""
        )
        line = (
            f"{self.moves_per_second:,.0f} {unit}s/s, {self.cpu_us_per_move:.1f} us of CPU per {unit}, "
            f"p50 {self.p50_ms:.1f} ms, p99 {self.p99_ms:.1f} ms; "
            f"{reconnects}core: server {self.server_busy:.0%}, others {self.others_busy:.0%}; "
            f"generator {self.generator_busy:.0%}"
        )
        failures = "".join(f"\n  FAILED: {failure}" for failure in self.first_failures)
        return f"{line}; {self.failures} failures{failures}"


class Tables:
    """Tables with everybody seated, waiting for the word to start."""

    def __init__(
        self, count: int, repertoire: Repertoire, port: int, seats: int = SEATS, first: int = 0
    ) -> None:
        self.tally = Tally()
        self._seated = 0
        self._all_seated = asyncio.Event()
        self._settled = 0
        self._all_settled = asyncio.Event()
        gate = Gate(port)
        self.tables = [
            Table(number, repertoire, self.tally, gate, self._one_seated, self._one_settled, seats)
            for number in range(first, first + count)
        ]

    def _one_seated(self) -> None:
        self._seated += 1
        if self._seated == len(self.tables):
            self._all_seated.set()

    def _one_settled(self) -> None:
        self._settled += 1
        if self._settled == len(self.tables):
            self._all_settled.set()

    async def open(self) -> None:
        for table in self.tables:
            table.open()
        await reached(self._all_seated, self.tally, _OPENING_SECONDS)
        if not self._all_seated.is_set():
            why = self.tally.failures[:3] or "nothing went wrong, it is only slow"
            raise BenchFailed(f"{self._seated} of {len(self.tables)} tables came together: {why}")

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
        await reached(self._all_settled, self.tally, most_seconds)

    async def played(self, moves: int) -> None:
        """Until so many moves have been made."""
        while self.tally.moves < moves and not self.tally.failed.is_set():  # noqa: ASYNC110
            # Looking now and then is cheaper than a check at each move.
            await asyncio.sleep(_TICK)

    def close(self) -> None:
        self.tally.playing = False
        for table in self.tables:
            for player in table.players:
                player.abort()


async def reached(event: asyncio.Event, tally: Tally, seconds: float) -> None:
    """Wait for the event; a failure or the end of patience ends the wait as well."""
    waits = [asyncio.ensure_future(event.wait()), asyncio.ensure_future(tally.failed.wait())]
    await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()


async def measure(tally: Tally, tables: int, pid: int, seconds: float, cycle: int = 1) -> Figures:
    """Let what is running run, and look at it for a while: for so long, and then until a cycle of moves is complete.

    Games end in waves, so half a cycle may have too many reconnects in it or too few.
    """
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        tally.latencies, tally.absences = [], []
        moves, reconnects = tally.moves, tally.reconnects
        core = machine.core_busy_seconds(machine.SERVER_CORE)
        began, cpu, own = perf_counter(), machine.cpu_seconds(pid), process_time()
        await asyncio.sleep(seconds)
        latest = began + _LONGEST * seconds
        enough = moves + -(-(tally.moves - moves) // cycle) * cycle
        while tally.moves < enough and not tally.failed.is_set() and perf_counter() < latest:  # noqa: ASYNC110
            # Looking now and then is cheaper than a check at each move.
            await asyncio.sleep(_STEP)
        elapsed = perf_counter() - began
        cpu = machine.cpu_seconds(pid) - cpu
        own = process_time() - own
        core = machine.core_busy_seconds(machine.SERVER_CORE) - core
        moves, reconnects = tally.moves - moves, tally.reconnects - reconnects
        latencies, absences = sorted(tally.latencies), sorted(tally.absences)
    finally:
        gc.enable()
        gc.unfreeze()
    if not moves:
        raise BenchFailed(f"Nothing moves at {tables} tables: {tally.failures[:3]}")
    return Figures(
        tables=tables,
        seconds=elapsed,
        moves=moves,
        moves_per_second=moves / elapsed,
        cpu_us_per_move=1e6 * cpu / moves,
        moves_per_cpu_second=moves / cpu if cpu else 0.0,
        p50_ms=_milliseconds(latencies, 0.5),
        p99_ms=_milliseconds(latencies, 0.99),
        reconnects=reconnects,
        reconnect_p50_ms=_milliseconds(absences, 0.5),
        reconnect_p99_ms=_milliseconds(absences, 0.99),
        server_busy=cpu / elapsed,
        others_busy=max(0.0, core - cpu) / elapsed,
        generator_busy=own / elapsed,
        failures=len(tally.failures),
        first_failures=tally.failures[:3],
    )


def _milliseconds(latencies: list[float], quantile: float) -> float:
    return 1000 * latencies[int(len(latencies) * quantile)] if latencies else 0.0
