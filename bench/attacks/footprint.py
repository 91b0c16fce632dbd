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


class Footprint(msgspec.Struct, kw_only=True):
    """Of the server's process; what bots think in is counted with the CPU time only."""

    memory: Level
    files: Level
    disk: int = 0
    log: int = 0
    cpu: float = 0.0
    bots_cpu: float = 0.0
    database_cpu: float = 0.0
    """Of PostgreSQL, if there is one."""
    others: float = 0.0
    """Part of the machine that went to what has nothing to do with this."""


class Observer:
    def __init__(self, hall: Hall, attacker: int) -> None:
        self._hall = hall
        self._attacker = attacker
        self.seen = Footprint(memory=Level(), files=Level())
        self._disk, self._log = hall.disk_bytes, hall.log_bytes
        self._cpu, self._bots, self._database = self._spent()
        self._busy, self._ours, self._since = self._machine()

    def before(self) -> None:
        memory, files = self._now()
        self.seen.memory = Level(memory, memory)
        self.seen.files = Level(files, files)
        self._disk, self._log = self._hall.disk_bytes, self._hall.log_bytes
        self._cpu, self._bots, self._database = self._spent()
        self._busy, self._ours, self._since = self._machine()

    async def watch(self) -> None:
        """Until cancelled."""
        while True:
            memory, files = self._now()
            self.seen.memory.peak = max(self.seen.memory.peak, memory)
            self.seen.files.peak = max(self.seen.files.peak, files)
            await asyncio.sleep(_STEP)

    def spent(self) -> None:
        """The attack is over: this much was used for it."""
        cpu, bots, database = self._spent()
        self.seen.cpu, self.seen.bots_cpu = cpu - self._cpu, bots - self._bots
        self.seen.database_cpu = database - self._database
        busy, ours, now = self._machine()
        lasted = max(now - self._since, _STEP) * len(CORES)
        self.seen.others = max(0.0, (busy - self._busy) - (ours - self._ours)) / lasted
        self.seen.disk = self._hall.disk_bytes - self._disk
        self.seen.log = self._hall.log_bytes - self._log

    def after(self) -> None:
        self.seen.memory.after, self.seen.files.after = self._now()

    def _now(self) -> tuple[int, int]:
        try:
            return machine.resident(self._hall.pid), len(os.listdir(f"/proc/{self._hall.pid}/fd"))
        except OSError:
            # It has died; the verdict says so.
            return 0, 0

    def _machine(self) -> tuple[float, float, float]:
        """How long all cores were busy, how long they were busy for us, and when that was."""
        ours = sum(self._spent()) + process_time() + _cpu(self._attacker)
        return sum(map(machine.core_busy_seconds, CORES)), ours, monotonic()

    def _spent(self) -> tuple[float, float, float]:
        database = self._hall.database
        stored = 0.0 if database is None else machine.family_cpu_seconds(database.pid)
        try:
            return machine.cpu_seconds(self._hall.pid), machine.children_cpu_seconds(self._hall.pid), stored
        except OSError:
            return 0.0, 0.0, stored


def _cpu(pid: int) -> float:
    try:
        return machine.cpu_seconds(pid)
    except OSError:
        return 0.0
