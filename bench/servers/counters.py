"""Instructions of a running server: they hardly vary from run to run, whatever else the machine does.

The processor's own counter (`perf stat`) is asked where the machine has one. Most virtual machines have none; there the
server runs in valgrind, whose callgrind counts what is executed outside of the kernel. It is about fifty times slower.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Protocol

from bench.pace import BenchFailed

_EVENT = "instructions:u"
_ATTACHING_SECONDS = 0.5


class Counter(Protocol):
    name: str

    def ready(self) -> AbstractContextManager[object]:
        """What it needs for as long as it is used."""
        ...

    def around(self, command: list[str]) -> list[str]:
        """The command that starts the server so that it can be counted."""
        ...

    def counting(self, pid: int) -> AbstractContextManager["Count"]:
        """Count what the process does inside of the `with`."""
        ...


class Count:
    """A figure that is known after the `with`."""

    instructions = 0


def counter() -> Counter:
    """The best that this machine has."""
    if Perf.works():
        return Perf()
    if shutil.which("valgrind") and shutil.which("vgdb"):
        return Callgrind()
    raise BenchFailed(
        f"Instructions cannot be counted here: perf stat knows no {_EVENT} on this machine, and there is no valgrind "
        "(on Debian: apt-get install valgrind)."
    )


class Perf:
    name = f"perf stat, {_EVENT}"

    @staticmethod
    def works() -> bool:
        if shutil.which("perf") is None:
            return False
        told = subprocess.run(
            ["perf", "stat", "-x", ",", "-e", _EVENT, "true"], capture_output=True, text=True, check=False
        )
        return told.returncode == 0 and _counted(told.stderr) is not None

    def ready(self) -> AbstractContextManager[object]:
        return nullcontext()

    def around(self, command: list[str]) -> list[str]:
        return command

    @contextmanager
    def counting(self, pid: int) -> Iterator[Count]:
        count = Count()
        perf = subprocess.Popen(
            ["perf", "stat", "-x", ",", "-e", _EVENT, "-p", str(pid)], stderr=subprocess.PIPE, text=True
        )
        try:
            # It says nothing when it has attached itself to all threads.
            with suppress(subprocess.TimeoutExpired):
                perf.wait(_ATTACHING_SECONDS)
            yield count
        finally:
            perf.send_signal(signal.SIGINT)
            _, told = perf.communicate()
        found = _counted(told)
        if found is None:
            raise BenchFailed(f"perf stat has counted nothing: {told.strip()[-300:]}")
        count.instructions = found


def _counted(told: str) -> int | None:
    for line in told.splitlines():
        figure = line.split(",")[0]
        if _EVENT in line and figure.isdecimal():
            return int(figure)
    return None


class Callgrind:
    name = "valgrind's callgrind"

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="gamut-callgrind-")

    def ready(self) -> AbstractContextManager[object]:
        return self._folder

    def around(self, command: list[str]) -> list[str]:
        valgrind = ["valgrind", "--tool=callgrind", "--quiet", "--instr-atstart=no"]
        return [*valgrind, f"--callgrind-out-file={self._folder.name}/out.%p", *command]

    @contextmanager
    def counting(self, pid: int) -> Iterator[Count]:
        count = Count()
        self._tell(pid, "instrumentation", "on")
        yield count
        self._tell(pid, "dump")
        self._tell(pid, "instrumentation", "off")
        count.instructions = self._total(pid)

    def _tell(self, pid: int, *words: str) -> None:
        done = subprocess.run(
            ["vgdb", f"--pid={pid}", *words], capture_output=True, text=True, check=False, timeout=120
        )
        if done.returncode:
            raise BenchFailed(f"vgdb {' '.join(words)}: {done.stderr.strip()[-300:]}")

    def _total(self, pid: int) -> int:
        """Of the latest dump: each has a number, and counts from the one before."""
        dumps = Path(self._folder.name).glob(f"out.{pid}.*")
        latest = max(dumps, key=lambda path: int(path.suffix[1:]))
        for line in reversed(latest.read_text().splitlines()):
            if line.startswith("totals:"):
                return int(line.split()[1])
        raise BenchFailed(f"callgrind has written no totals to {latest}.")


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """The process stands still for as long as the `with` lasts."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)
