"""The server under load: started as anybody would start it, on a core of its own, with a data folder on the disk."""

import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, sleep
from types import TracebackType
from typing import Self

from bench import machine
from bench.pace import BenchFailed

_STOP_SECONDS = 20.0
_BOTS_SECONDS = 10.0
_QUIET_SECONDS = 0.5

# The measurements must meet the server's work, not its guards.
_FLAGS = {
    "message-rate": "0",
    "connections": "50000",
    "most-tables": "100000",
    "log-level": "warning",
    "greeting-seconds": "3600",
    "stored-per-second": "0",
    "tables-per-person": "10000",
}


PROXIED = ("--trusted-proxies", "127.0.0.1", "--proxy-protocol", "true")
"""Everybody seems to come through a proxy, so that each may have an address, to which limits apply."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def serving(port: int, tower_port: int, tafl_port: int) -> tuple[str, ...]:
    """The flags of a server with all its doors on these ports."""
    return "--port", str(port), "--tower-port", str(tower_port), "--tafl-port", str(tafl_port)


def python_of(tree: Path | None) -> str:
    """The interpreter of this checkout, or of another one."""
    return sys.executable if tree is None else str(tree / ".venv" / "bin" / "python")


class Process:
    """A child on the server's core, or on all of them, of which the system tells CPU time and memory."""

    def __init__(self, command: list[str], folder: Path | None = None, *, all_cores: bool = False) -> None:
        machine.run_on(*(machine.CORES if all_cores else (machine.SERVER_CORE,)))
        try:
            began = perf_counter()
            # A group of its own: Ctrl-C reaches the bench alone, which then ends its children in order.
            self._child = subprocess.Popen(
                command, stdout=subprocess.PIPE, cwd=folder, start_new_session=True
            )
        finally:
            machine.run_on(machine.GENERATOR_CORE)
        try:
            assert self._child.stdout is not None
            self.line = self._child.stdout.readline().decode().strip()
            self.start_seconds = perf_counter() - began
            if not self.line:
                raise BenchFailed(f"{' '.join(command)} ended before it was ready.")
        except BaseException:
            self.stop()
            raise

    @property
    def pid(self) -> int:
        return self._child.pid

    def stop(self) -> None:
        if self._child.poll() is None:
            self._child.terminate()
            try:
                self._child.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
        if self._child.stdout is not None:
            self._child.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class DataFolder:
    """A folder beside these files, so on a real disk and not in memory, that is gone afterwards."""

    def __enter__(self) -> Path:
        self._path = Path(tempfile.mkdtemp(prefix="data-", dir=Path(__file__).parents[1]))
        return self._path

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self._path, ignore_errors=True)


class Gamut(Process):
    """`gamut serve` on the given data folder."""

    def __init__(
        self,
        data: Path,
        more: dict[str, str] | None = None,
        *,
        all_cores: bool = False,
        tree: Path | None = None,
        around: Callable[[list[str]], list[str]] | None = None,
        has_bots: bool = True,
    ) -> None:
        """`tree`: of another checkout, with its own .venv. `around`: the command with which it is run instead.
        `has_bots`: not if it is a gateway."""
        self.port = free_port()
        """Tower's own."""
        self.main_port = free_port()
        self.tafl_port = free_port()
        flags = [word for name, value in {**_FLAGS, **(more or {})}.items() for word in (f"--{name}", value)]
        ports = serving(self.main_port, self.port, self.tafl_port)
        command = [python_of(tree), "-m", "gamut.cli", "serve", "--data", str(data), *ports, *flags]
        super().__init__(around(command) if around else command, all_cores=all_cores)
        if has_bots:
            self._let_bots_get_ready()

    def _let_bots_get_ready(self) -> None:
        """The process in which bots think is started a moment after the server, on the same core: not in our time."""
        until = perf_counter() + _BOTS_SECONDS
        spent, since = 0.0, perf_counter()
        while perf_counter() < until and (not spent or perf_counter() - since < _QUIET_SECONDS):
            sleep(_QUIET_SECONDS / 10)
            now = machine.children_cpu_seconds(self.pid)
            if now != spent:
                spent, since = now, perf_counter()
