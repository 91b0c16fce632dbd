"""The server as a process of its own, which may be ended, frozen and starved, and started again on the same data."""

import asyncio
import contextlib
import ctypes
import os
import resource
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import IO

from bench import machine
from bench.attacks.target import Target
from bench.pace import BenchFailed
from bench.servers.gamut import PROXIED, free_port, serving

_START_SECONDS = 60.0
_STOP_SECONDS = 30.0
_PARENT_DEATH_SIGNAL = 1
_FLAGS = (*PROXIED, "--topple-rejoin", "600", "--bot-delay", "0.05")
_libc = ctypes.CDLL(None)


def dies_with_us() -> None:
    if sys.platform == "linux":
        _libc.prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)


class Log:
    """What the server writes to its standard error while it lives."""

    def __init__(self) -> None:
        self.errors: list[str] = []
        self.tracebacks: list[str] = []
        self.deaf = threading.Event()
        """Helpers of a process that was killed complain, too; nobody wants to hear it."""
        self.no_disk = threading.Event()
        """Nothing can be stored: what fails of it is logged with its place, and rightly so."""

    def follow(self, pipe: IO[bytes]) -> None:
        for line in pipe:
            if self.deaf.is_set():
                continue
            text = line.decode(errors="replace").rstrip()
            if text.startswith("Traceback") or ('"trace":' in text and not self.no_disk.is_set()):
                self.tracebacks.append(text)
            elif '"level":"error"' in text or text.startswith("gamut: "):
                self.errors.append(text)
            elif self.tracebacks and not text.startswith("{"):
                self.tracebacks[-1] += f"\n{text}"


_READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && echo mounted && exec "$@"'


class Server:
    def __init__(self, data: Path, wrapper: tuple[str, ...] = ("gamut.cli",)) -> None:
        self._data = data
        self._wrapper = wrapper
        self.log = Log()
        self.starts = 0
        self.offset = 0
        """By how many seconds its wall clock is wrong."""
        self._child: subprocess.Popen[bytes] | None = None
        self._follower: threading.Thread | None = None

    @property
    def pid(self) -> int:
        assert self._child is not None
        return self._child.pid

    def target(self, seconds: float, wait: Callable[[], Awaitable[None]]) -> Target:
        return Target(self.port, self.tower_port, self.tafl_port, seconds, wait)

    @property
    def died(self) -> bool:
        return self._child is not None and self._child.poll() is not None

    def start(self) -> None:
        self.port, self.tower_port, self.tafl_port = free_port(), free_port(), free_port()
        ports = serving(self.port, self.tower_port, self.tafl_port)
        clock = ("bench.soak.clock_shifted", str(self.offset)) if self.offset else ()
        self._child = subprocess.Popen(
            (
                sys.executable,
                "-m",
                *clock,
                *self._wrapper,
                "serve",
                "--data",
                str(self._data),
                *ports,
                *_FLAGS,
            ),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # A group of its own, so that the processes in which its bots think end with it.
            start_new_session=True,
            preexec_fn=dies_with_us,
        )
        assert self._child.stdout is not None
        assert self._child.stderr is not None
        self.log.deaf.clear()
        self.log.no_disk.clear()
        self._follower = threading.Thread(target=self.log.follow, args=(self._child.stderr,), daemon=True)
        self._follower.start()
        ready, _, _ = select.select([self._child.stdout], [], [], _START_SECONDS)
        if not ready or not self._child.stdout.readline():
            self.end()
            raise BenchFailed(f"the server did not start: {self.log.errors[-1:]} {self.log.tracebacks[-1:]}")
        self.starts += 1

    def start_read_only(self) -> tuple[int | None, list[str]]:
        """Its exit code and what it said; None where nobody may mount anything, not even for themselves."""
        alone = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", _READ_ONLY, str(self._data))
        serve = (sys.executable, "-m", *self._wrapper, "serve", "--data", str(self._data))
        try:
            done = subprocess.run(
                (*alone, *serve, *serving(free_port(), free_port(), free_port())),
                capture_output=True,
                text=True,
                timeout=_START_SECONDS,
                check=False,
            )
        except FileNotFoundError:
            return None, []
        except subprocess.TimeoutExpired:
            return 0, ["it went on as if nothing were wrong"]
        if not done.stdout.startswith("mounted"):
            return None, []
        return done.returncode, done.stderr.splitlines()

    def signal(self, number: signal.Signals) -> None:
        if number is signal.SIGKILL:
            self.log.deaf.set()
        assert self._child is not None
        self._child.send_signal(number)

    def largest_file(self, most: int) -> None:
        """From now on no file of the server may grow beyond so many bytes."""
        self.log.no_disk.set()
        _, hard = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (most, hard))

    async def ended(self, seconds: float = _STOP_SECONDS) -> int | None:
        """The exit code; None if it goes on after so long."""
        assert self._child is not None
        for _ in range(int(seconds / 0.02)):
            if self._child.poll() is not None:
                break
            await asyncio.sleep(0.02)
        return self._child.returncode

    def end(self) -> None:
        """As a power cut does, with everything it has started."""
        if self._child is None:
            return
        if self._child.poll() is None:
            self.log.deaf.set()
            self._child.kill()
        self._child.wait()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._child.pid, signal.SIGKILL)
        if self._follower is not None:
            self._follower.join(5.0)
        for pipe in (self._child.stdout, self._child.stderr):
            assert pipe is not None
            pipe.close()
        self._child = None

    def footprint(self) -> tuple[int, int] | None:
        """Bytes of memory and open descriptors, if it is there."""
        if self._child is None:
            return None
        try:
            return machine.resident(self.pid), len(os.listdir(f"/proc/{self.pid}/fd"))
        except OSError:
            return None
