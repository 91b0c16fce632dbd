"""A server as a process of its own: it is frozen, killed, waited for, and ended with all that it has started."""

import asyncio
import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import IO

_PARENT_DEATH_SIGNAL = 1
_STEP = 0.02
_STOP_SECONDS = 30.0
_LAST_WORDS_SECONDS = 5.0
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


class Child:
    """One process after the other, each started by its kind with `launch`."""

    def __init__(self) -> None:
        self.log = Log()
        self.starts = 0
        self._child: subprocess.Popen[bytes] | None = None
        self._followers: list[threading.Thread] = []

    def launch(self, command: Sequence[str], listen: Callable[[IO[bytes]], None] | None = None) -> IO[bytes]:
        """Its standard output, which is read by `listen`, if there is one."""
        self._child = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # A group of its own, so that the processes in which its bots think end with it.
            start_new_session=True,
            preexec_fn=dies_with_us,
        )
        self.starts += 1
        out, errors = self._child.stdout, self._child.stderr
        assert out is not None
        assert errors is not None
        self.log.deaf.clear()
        self.log.no_disk.clear()
        reading = [(self.log.follow, errors)] + ([] if listen is None else [(listen, out)])
        self._followers = [
            threading.Thread(target=follow, args=(pipe,), daemon=True) for follow, pipe in reading
        ]
        for follower in self._followers:
            follower.start()
        return out

    @property
    def pid(self) -> int:
        assert self._child is not None
        return self._child.pid

    @property
    def alive(self) -> bool:
        return self._child is not None and self._child.poll() is None

    def signal(self, number: signal.Signals) -> None:
        assert self._child is not None
        if number is signal.SIGKILL:
            self.log.deaf.set()
        self._child.send_signal(number)

    async def ended(self, seconds: float = _STOP_SECONDS) -> int | None:
        """The exit code; None if it goes on after so long."""
        assert self._child is not None
        for _ in range(int(seconds / _STEP)):
            if self._child.poll() is not None:
                break
            await asyncio.sleep(_STEP)
        return self._child.returncode

    def end(self) -> None:
        """As a power cut does, with everything it has started."""
        if self._child is None:
            return
        if self.alive:
            self.signal(signal.SIGKILL)
        self._child.wait()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._child.pid, signal.SIGKILL)
        for follower in self._followers:
            follower.join(_LAST_WORDS_SECONDS)
        for pipe in (self._child.stdout, self._child.stderr):
            assert pipe is not None
            pipe.close()
        self._child = None
