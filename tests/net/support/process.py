"""The real server as a process of its own, as an operator starts it. No test leaves one behind."""

import ctypes
import os
import re
import resource
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import cycle
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

import msgspec
from tests.net.support import closed_ports, sockets
from tests.support.draws import SEED_FILE

PATIENCE = 60.0
"""Far more than anything here takes, also on a slow and busy machine."""

_PARENT_DEATH_SIGNAL = 1

_LINE = re.compile(
    r"Gamut is open at http://127\.0\.0\.1:(?P<main>\d+)(?:, Tower clients: ws://127\.0\.0\.1:(?P<tower>\d+))?"
    r"(?:, Tafl clients: tcp://127\.0\.0\.1:(?P<tafl>\d+))?(?:, Tafl clients: tls://127\.0\.0\.1:(?P<tafl_tls>\d+))?\n"
)


_ports = cycle(range(12_000 + os.getpid() % 200 * 100, 32_000))
"""Below those that the system gives to anybody who connects, and for each process of tests from another place on."""


def free_port() -> int:
    """One that nobody has, and that nobody is given until it is used."""
    for port in _ports:
        with socket.socket() as tried, suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return port
    raise AssertionError("ports never end")


SERVE = ("gamut", "serve")
"""The module that is run, and what it is told first."""
SERVE_THROUGH_GATEWAY = ("tests.net.support.serving_through_gateway", "serve")


def command(data: Path, *flags: str, program: Sequence[str] = SERVE) -> list[str]:
    return [
        sys.executable,
        "-m",
        "tests.support.draws",
        str(SEED_FILE),
        *program,
        "--data",
        str(data),
        *flags,
    ]


def environment(**settings: object) -> dict[str, str]:
    """Ours, without the settings of whoever runs the tests, and with these. Tests may read the metrics."""
    settings = {"metrics_open": True} | dict.fromkeys(closed_ports.NAMES, 0) | settings
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GAMUT_")}
    return kept | {f"GAMUT_{name.upper()}": str(value) for name, value in settings.items()}


_libc = ctypes.CDLL(None)


def _before_it_starts(open_files: int | None) -> None:
    """Where the system can do that, the server does not outlive tests that were killed themselves."""
    if sys.platform == "linux":
        _libc.prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if open_files is not None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))


_loaded = get_context("forkserver")
"""Its processes are forked from one that has loaded the program: to load it takes longer than to refuse a start."""
_loaded.set_forkserver_preload(["gamut.cli", __name__])


class Run:
    """The `gamut` command with these arguments, in a process of its own that ends by itself."""

    def __init__(self, *arguments: str, open_files: int | None = None, **settings: object) -> None:
        self._folder = TemporaryDirectory()
        self._process = _loaded.Process(
            target=_run, args=(arguments, environment(**settings), self._folder.name, open_files), daemon=True
        )
        self._process.start()

    def ended(self) -> tuple[int, str, str]:
        """Its exit code, and what it said to standard output and to standard error."""
        with self._folder as folder:
            self._process.join(PATIENCE)
            code = self._process.exitcode
            self._process.kill()
            assert code is not None, "it has not ended"
            out, error = (Path(folder, name).read_text() for name in _SAID)
            return code, out, error

    def refused(self) -> tuple[int, str]:
        """For a server that cannot start: the exit code and what it says."""
        code, out, error = self.ended()
        assert out == ""
        return code, error


_SAID = ("out", "error")


def _run(arguments: tuple[str, ...], variables: dict[str, str], folder: str, open_files: int | None) -> None:
    from gamut import cli

    os.environ.clear()
    os.environ.update(variables)
    for number, name in enumerate(_SAID, 1):
        with Path(folder, name).open("wb") as file:
            os.dup2(file.fileno(), number)
    _before_it_starts(open_files)
    sys.exit(cli.main(list(arguments)))


def start(data: Path, *flags: str, open_files: int | None = None, **settings: object) -> Run:
    return Run("serve", "--data", str(data), *flags, open_files=open_files, **{"port": 0, **settings})


def refused_start(
    data: Path, *flags: str, open_files: int | None = None, **settings: object
) -> tuple[int, str]:
    """Start a server that cannot start: its exit code and what it says."""
    return start(data, *flags, open_files=open_files, **settings).refused()


class ServerProcess:
    """A running `gamut serve`. Stopped and started again, it is the same server on the same data."""

    def __init__(
        self,
        data: Path,
        *flags: str,
        tower: bool = False,
        tafl: bool = False,
        open_files: int | None = None,
        program: Sequence[str] | None = None,
        **settings: object,
    ) -> None:
        self._program = program or (SERVE_THROUGH_GATEWAY if sockets.at_gateways else SERVE)
        self._open_files = open_files
        self.data = data
        self._flags = flags
        self._tower = tower
        self._tafl = tafl
        self._environment = environment(**settings)
        self._process: subprocess.Popen[str] | None = None
        self._log = data.parent / f"{data.name}.log"
        self.port = 0
        self.tower_port = 0
        self.tafl_port = self.tafl_tls_port = 0
        self.line = ""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    @property
    def process(self) -> subprocess.Popen[str]:
        assert self._process is not None
        return self._process

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        tower_port = free_port() if self._tower else 0
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command(
                    self.data,
                    "--port",
                    "0",
                    "--tower-port",
                    str(tower_port),
                    *(("--tafl-port", str(free_port())) if self._tafl else ()),
                    *self._flags,
                    program=self._program,
                ),
                env=self._environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                # A group of its own, so that the processes in which its bots think can be found and ended too.
                start_new_session=True,
                preexec_fn=partial(_before_it_starts, self._open_files),
            )
        self.line = self._first_line()
        found = _LINE.fullmatch(self.line)
        if found is None:
            self.kill()
            raise AssertionError(f"the server said {self.line!r} and logged {self._log.read_text()!r}")
        self.port = int(found["main"])
        self.tower_port = int(found["tower"] or 0)
        self.tafl_port, self.tafl_tls_port = int(found["tafl"] or 0), int(found["tafl_tls"] or 0)

    def _first_line(self) -> str:
        out = self.process.stdout
        assert out is not None
        ready, _, _ = select.select([out], [], [], PATIENCE)
        return out.readline() if ready else ""

    def log(self) -> list[dict[str, Any]]:
        """What was logged so far: every line is a JSON object, or this fails."""
        return [msgspec.json.decode(line, type=dict[str, Any]) for line in self.logged.splitlines()]

    @property
    def logged(self) -> bytes:
        return self._log.read_bytes()

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def wait(self) -> int:
        return self.process.wait(PATIENCE)

    def stop(self) -> int:
        """End it as an operator does; its exit code."""
        self.signal(signal.SIGTERM)
        code = self.wait()
        self.kill()
        return code

    def kill(self) -> None:
        """End it as a power cut does, with everything it started."""
        if self._process is None:
            return
        # All at the same moment: one that outlives the server by an instant may write of that to its log.
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(PATIENCE)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None
