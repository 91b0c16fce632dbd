"""The server under attack: started as anybody would start it, with the limits that anybody has."""

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import IO, Self

from tests.support.postgres import Postgres

from bench.pace import BenchFailed
from bench.servers.gamut import PROXIED, free_port, serving

_STOP_SECONDS = 20.0
_LOG = "server.log"


class Hall:
    """`gamut serve` on free ports. Nobody waits for it to end: it may die, and that is a result."""

    def __init__(
        self, data: Path, flags: tuple[str, ...], open_files: int | None, database: Postgres | None = None
    ) -> None:
        """On SQLite in the data folder, or on this PostgreSQL."""
        self.data = data
        self.database = database
        self.port, self.tower_port, self.tafl_port = free_port(), free_port(), free_port()
        ports = serving(self.port, self.tower_port, self.tafl_port)
        command = (sys.executable, "-m", "gamut.cli", "serve", "--data", str(data), *ports)
        self._log: IO[bytes] = (data / _LOG).open("wb")
        store = () if database is None else ("--store", database.url())
        self._child = subprocess.Popen(
            (*command, *PROXIED, *store, *flags),
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,
            preexec_fn=None if open_files is None else _limited(open_files),
        )
        assert self._child.stdout is not None
        if not self._child.stdout.readline():
            self.stop()
            raise BenchFailed(f"the server ended before it was ready: {self.last_words()}")

    @property
    def pid(self) -> int:
        return self._child.pid

    @property
    def died(self) -> bool:
        return self._child.poll() is not None

    @property
    def log_bytes(self) -> int:
        return (self.data / _LOG).stat().st_size

    @property
    def disk_bytes(self) -> int:
        """Of PostgreSQL without its WAL, which it makes in pieces and uses again."""
        if self.database is not None:
            return sum(map(_size, (self.database.data / "base").rglob("*")))
        return sum(file.stat().st_size for file in self.data.iterdir() if file.name != _LOG)

    def last_words(self) -> str:
        lines = (self.data / _LOG).read_text(errors="replace").splitlines()
        return lines[-1][:500] if lines else "not a word"

    def stop(self) -> float:
        """Seconds that it took to stop."""
        began = monotonic()
        if not self.died:
            self._child.terminate()
            try:
                self._child.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
        if self._child.stdout is not None:
            self._child.stdout.close()
        self._log.close()
        return monotonic() - began

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:  # PostgreSQL has removed it just now
        return 0


def _limited(open_files: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))
