"""One attack on a fresh server, measured."""

import asyncio
import contextlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from time import perf_counter

import msgspec
from tests.support.postgres import Postgres

from bench.attacks.attacker import Told
from bench.attacks.catalogue import ATTACKS, Attack
from bench.attacks.footprint import Footprint, Observer
from bench.attacks.newcomer import Newcomers
from bench.attacks.quiet import Quiet
from bench.attacks.server import Hall, alone, in_a_cluster
from bench.attacks.target import Target
from bench.pace import BenchFailed, say
from bench.servers.gamut import DataFolder

BEFORE_SECONDS = 3.0
_AFTER_SECONDS = 2.0
_ENDING_SECONDS = 15.0
_STALLED_MS = 100.0
_OTHERS = 0.25
"""From here on a delay may be the machine's: others take this part of it."""


class Delays(msgspec.Struct, kw_only=True):
    """Milliseconds from sending a move to hearing it."""

    moves: int
    p50: float
    p99: float
    worst: float


class Result(msgspec.Struct, kw_only=True):
    attack: str
    verdicts: list[str]
    """Empty if all is well."""
    before: Delays
    during: Delays
    doors: dict[str, Delays]
    """The same of the quiet table at each door."""
    dropped: int
    """Quiet players who lost their connections."""
    lost: list[str]
    """Why a quiet table could not play on."""
    newcomers: int
    came_in: int
    slowest_newcomer_ms: float
    kept_out: list[str]
    footprint: Footprint
    told: Told
    prepared_seconds: float
    stop_seconds: float
    last_words: str = ""


def _delays(found: list[float]) -> Delays:
    if not found:
        return Delays(moves=0, p50=0.0, p99=0.0, worst=0.0)
    ordered = sorted(delay * 1000 for delay in found)
    at = len(ordered) - 1
    return Delays(moves=len(ordered), p50=ordered[at // 2], p99=ordered[round(at * 0.99)], worst=ordered[-1])


class _Attacker:
    """The other process, and the talk with it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, attack: Attack, hall: Hall, seconds: float) -> "_Attacker":
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bench.attacks.attacker",
            attack.name,
            msgspec.json.encode(hall.ways),
            str(seconds),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
            limit=1 << 20,
        )
        return cls(process)

    @property
    def pid(self) -> int:
        return self._process.pid

    async def line(self, seconds: float) -> str:
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(seconds):
                return (await self._process.stdout.readline()).decode().strip()
        except TimeoutError:
            return ""

    def go(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(b"go\n")

    async def stop(self) -> None:
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()


@contextlib.contextmanager
def _running(*work: asyncio.Task[None]) -> Iterator[None]:
    try:
        yield
    finally:
        for task in work:
            task.cancel()


async def lay(
    name: str, seconds: float, *, postgres: bool = False, gateway: bool = False, wings: int = 1
) -> Result:
    """Lay siege: quiet players, three seconds of peace, then the attack. `wings`: of the hall behind a gateway."""
    attack = ATTACKS[name]
    with DataFolder() as data, Postgres(fsync=True) if postgres or gateway else nullcontext() as database:
        if attack.past is not None:
            say(f"{name}: writing a past")
            _write_past(attack.past, data, database)
        with _opened(attack, data, database, wings if gateway else 0) as hall:
            attacker = await _Attacker.start(attack, hall, seconds)
            try:
                result = await _measured(attack, hall, attacker, seconds)
            finally:
                await attacker.stop()
            result.stop_seconds = await asyncio.to_thread(hall.stop)
        return result


def _opened(
    attack: Attack, data: Path, database: Postgres | None, wings: int
) -> AbstractContextManager[Hall]:
    """`wings`: 0: there is no gateway."""
    if not wings:
        return alone(data, attack.flags, attack.open_files, database)
    assert database is not None
    return in_a_cluster(data, attack.flags, attack.open_files, database, wings)


def _write_past(past: Callable[[Path], None], data: Path, database: Postgres | None) -> None:
    if database is None:
        past(data)
        return
    folder = data / "past"
    past(folder)
    moving = [sys.executable, "-m", "gamut.cli", "move-store", str(folder), database.url()]
    moved = subprocess.run(moving, capture_output=True, text=True, check=False)
    if moved.returncode:
        raise BenchFailed(f"the past could not be moved to PostgreSQL: {moved.stderr.strip()[-400:]}")
    shutil.rmtree(folder)


async def _measured(attack: Attack, hall: Hall, attacker: _Attacker, seconds: float) -> Result:
    began = perf_counter()
    line = await attacker.line(attack.preparing + _ENDING_SECONDS)
    prepared = perf_counter() - began
    if line != "ready":
        raise BenchFailed(f"{attack.name} could not be prepared: {line[:400] or 'it said nothing in time'}")
    ours = Target(hall.ways, seconds, _at_once)
    quiet = Quiet(ours, BEFORE_SECONDS + seconds + _AFTER_SECONDS)
    newcomers = Newcomers(ours)
    try:
        await quiet.begin()
        await asyncio.sleep(BEFORE_SECONDS)
        observer = Observer(hall, attacker.pid)
        observer.before()
        start = perf_counter()
        attacker.go()
        with _running(asyncio.create_task(observer.watch()), asyncio.create_task(newcomers.come())):
            words = await attacker.line(seconds + _ENDING_SECONDS)
            await quiet.end(perf_counter())
        observer.spent()
        dropped = quiet.dropped()
        await attacker.stop()
        await asyncio.sleep(_AFTER_SECONDS)
        observer.after()
    finally:
        quiet.close()
    told = msgspec.json.decode(words, type=Told) if words else _silent()
    before, during = quiet.delays(start)
    result = Result(
        attack=attack.name,
        verdicts=[],
        before=_delays(before),
        during=_delays(during),
        doors={door: _delays(found) for door, found in quiet.by_door(start).items()},
        dropped=dropped,
        lost=[f"{why} (told: {dict(ours.told) or 'nothing'})" for why in quiet.lost()],
        newcomers=newcomers.tries,
        came_in=newcomers.came_in,
        slowest_newcomer_ms=newcomers.slowest * 1000,
        kept_out=sorted(set(newcomers.why)),
        footprint=observer.seen,
        told=told,
        prepared_seconds=prepared,
        stop_seconds=0.0,
        last_words=hall.last_words(),
    )
    died = [node.name for node in hall.died if not (attack.harms and node.handed_over)]
    result.verdicts = _verdicts(result, died)
    return result


async def _at_once() -> None:
    """Our own people need no word to begin."""


def _silent() -> Told:
    return Told(told={}, notes=[], broken=[], failed="it did not end in time")


def _verdicts(result: Result, died: list[str]) -> list[str]:
    nodes, most = result.footprint.nodes, ATTACKS[result.attack].memory
    grown = [name for name, taken in nodes.items() if taken.memory.peak - taken.memory.before > most]
    found = {
        _of("DIED", died, nodes): bool(died),
        "DROPPED": result.dropped > 0,
        # The door that suffers most: among the moves of all of them its own might not be seen.
        "STALLED": max(door.p99 for door in result.doors.values()) > _STALLED_MS or bool(result.lost),
        _of("GREW", grown, nodes): bool(grown),
        "SHUT": result.came_in < result.newcomers,
        "BROKE": bool(result.told.broken),
        # The machine was busy with something else: look at orders of magnitude.
        "(noisy)": result.before.p99 > _STALLED_MS or result.footprint.others > _OTHERS,
    }
    hurt = {"DROPPED", "STALLED", "SHUT"} if ATTACKS[result.attack].harms else set()
    return [verdict for verdict, is_so in found.items() if is_so and verdict not in hurt]


def _of(verdict: str, names: list[str], nodes: Collection[str]) -> str:
    """Of whom, if there are several."""
    return f"{verdict}({','.join(names)})" if len(nodes) > 1 else verdict
