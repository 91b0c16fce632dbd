"""What the server takes of the machine, looked at again and again."""

import asyncio
import os
from time import monotonic, process_time

import msgspec

from bench import machine
from bench.attacks.server import Hall

_STEP = 0.1
CORES = sorted(os.sched_getaffinity(0))


class Level(msgspec.Struct):
    before: int = 0
    peak: int = 0
    after: int = 0


class Taken(msgspec.Struct, kw_only=True):
    """Of one process. What bots think in is counted by itself."""

    memory: Level
    files: Level
    cpu: float = 0.0


class Footprint(msgspec.Struct, kw_only=True):
    nodes: dict[str, Taken]
    """By what they are: server; owner and gateway; or the processes that have wings, and gateway."""
    disk: int = 0
    log: int = 0
    bots_cpu: float = 0.0
    database_cpu: float = 0.0
    """Of PostgreSQL, if there is one."""
    nats_cpu: float = 0.0
    others: float = 0.0
    """Part of the machine that went to what has nothing to do with this."""


class _Spent(msgspec.Struct):
    """CPU seconds so far."""

    nodes: dict[str, float]
    bots: float
    database: float
    nats: float

    @property
    def whole(self) -> float:
        return sum(self.nodes.values()) + self.bots + self.database + self.nats


class Observer:
    def __init__(self, hall: Hall, attacker: int) -> None:
        self._hall = hall
        self._attacker = attacker
        self.seen = Footprint(nodes={node.name: Taken(memory=Level(), files=Level()) for node in hall.nodes})

    def before(self) -> None:
        for name, (memory, files) in self._now().items():
            self.seen.nodes[name] = Taken(memory=Level(memory, memory), files=Level(files, files))
        self._disk, self._log = self._hall.disk_bytes, self._hall.log_bytes
        self._before = self._spent()
        self._busy, self._ours, self._since = self._machine()

    async def watch(self) -> None:
        """Until cancelled."""
        while True:
            for name, (memory, files) in self._now().items():
                taken = self.seen.nodes[name]
                taken.memory.peak = max(taken.memory.peak, memory)
                taken.files.peak = max(taken.files.peak, files)
            await asyncio.sleep(_STEP)

    def spent(self) -> None:
        """The attack is over: this much was used for it."""
        now, before = self._spent(), self._before
        for name, seconds in now.nodes.items():
            self.seen.nodes[name].cpu = seconds - before.nodes[name]
        self.seen.bots_cpu = now.bots - before.bots
        self.seen.database_cpu = now.database - before.database
        self.seen.nats_cpu = now.nats - before.nats
        busy, ours, moment = self._machine()
        lasted = max(moment - self._since, _STEP) * len(CORES)
        self.seen.others = max(0.0, (busy - self._busy) - (ours - self._ours)) / lasted
        self.seen.disk = self._hall.disk_bytes - self._disk
        self.seen.log = self._hall.log_bytes - self._log

    def after(self) -> None:
        for name, (memory, files) in self._now().items():
            taken = self.seen.nodes[name]
            taken.memory.after, taken.files.after = memory, files

    def _now(self) -> dict[str, tuple[int, int]]:
        return {node.name: _memory_and_files(node.pid) for node in self._hall.nodes}

    def _machine(self) -> tuple[float, float, float]:
        """How long all cores were busy, how long they were busy for us, and when that was."""
        ours = self._spent().whole + process_time() + _cpu(self._attacker)
        return sum(map(machine.core_busy_seconds, CORES)), ours, monotonic()

    def _spent(self) -> _Spent:
        hall = self._hall
        return _Spent(
            nodes={node.name: _cpu(node.pid) for node in hall.nodes},
            bots=sum(_bots_cpu(node.pid) for node in hall.nodes),
            database=0.0 if hall.database is None else machine.family_cpu_seconds(hall.database.pid),
            nats=0.0 if hall.nats is None else _cpu(hall.nats.pid),
        )


def _memory_and_files(pid: int) -> tuple[int, int]:
    try:
        return machine.resident(pid), len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        # It has died; the verdict says so.
        return 0, 0


def _cpu(pid: int) -> float:
    try:
        return machine.cpu_seconds(pid)
    except OSError:
        return 0.0


def _bots_cpu(pid: int) -> float:
    try:
        return machine.children_cpu_seconds(pid)
    except OSError:
        return 0.0
