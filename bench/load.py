"""Load on a server for a while, and what it cost."""

import asyncio
import gc
from time import perf_counter, process_time
from typing import Protocol

import msgspec

from bench import machine
from bench.clients.connection import Tally
from bench.pace import BenchFailed, say

_STEP = 0.02
_LONGEST = 10
"""Times as long as was asked for, if a cycle takes so long."""


class Load(Protocol):
    """Clients of a server that play on their own once they are started."""

    tally: Tally

    async def open(self) -> object: ...

    def start(self) -> None: ...

    def close(self) -> None: ...


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


async def under_load(
    load: Load,
    tables: int,
    pid: int,
    seconds: float,
    *,
    settling: float = 0.5,
    cycle: int = 1,
    unit: str = "move",
) -> Figures:
    """All of it: from coming in to leaving, with a look at it in between, and a line about what was seen."""
    try:
        await load.open()
        load.start()
        await asyncio.sleep(settling)
        figures = await measure(load.tally, tables, pid, seconds, cycle)
    finally:
        load.close()
    say(f"  {figures.told(unit)}")
    return figures


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
