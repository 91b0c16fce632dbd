"""The machine: which core is whose, and what the system says about a process."""

import os
import resource
from contextlib import suppress
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
CORES = sorted(os.sched_getaffinity(0))
SERVER_CORE = CORES[0]
GENERATOR_CORE = CORES[-1]
DATABASE_CORES = CORES[1:-1] or [GENERATOR_CORE]
"""All that nobody else has, or else the generator's."""
ONE_CORE = len(CORES) == 1


def raise_limits() -> None:
    """As many open files as the system allows; children inherit it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def run_on(*cores: int) -> None:
    """Pin this process; a child started now begins its life on the same cores."""
    os.sched_setaffinity(0, cores)


def cpu_seconds(pid: int) -> float:
    """User and system time of a process with all its threads."""
    return sum(map(int, _fields(pid)[11:13])) / _TICKS


def sleeps(pid: int) -> bool:
    """Whether all threads of a process wait for something to do."""
    states = [
        thread.read_text().rpartition(") ")[2][0] for thread in Path(f"/proc/{pid}/task").glob("*/stat")
    ]
    return all(state == "S" for state in states)


def children_cpu_seconds(pid: int) -> float:
    """The same for the processes that it has started."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return sum(cpu_seconds(int(child)) for child in children)


def family_cpu_seconds(pid: int) -> float:
    """User and system time of a process and of those that it has started, also of those that have ended."""
    # With what it was told of each child that has ended.
    seconds = sum(map(int, _fields(pid)[11:15])) / _TICKS
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        with suppress(FileNotFoundError, ProcessLookupError):
            seconds += cpu_seconds(int(child))
    return seconds


def _fields(pid: int) -> list[str]:
    """Of what `man proc_pid_stat` says, from the third field on."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def resident(pid: int) -> int:
    """Bytes of memory that a process really occupies."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise ProcessLookupError(pid)


def core_busy_seconds(core: int) -> float:
    """How long a core has been working, for whomever."""
    for line in Path("/proc/stat").read_text().splitlines():
        if line.startswith(f"cpu{core} "):
            user, nice, system, _idle, _iowait, irq, softirq, steal, *_ = map(int, line.split()[1:])
            return (user + nice + system + irq + softirq + steal) / _TICKS
    return 0.0
