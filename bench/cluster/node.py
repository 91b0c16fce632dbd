"""One node as a process of its own: killed, frozen, let go on, and ended with all that it has started."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

from bench.servers.gamut import PROXIED, free_port, serving
from bench.soak.process import Log, dies_with_us

_LARGE = "1000000"
_FLAGS = (
    *PROXIED,
    *("--topple-rejoin", "600", "--log-level", "warning", "--bot-workers", "1"),
    # People come back again and again, which is what is tried here, and not how much of it is allowed.
    *(word for name in ("logins-per-name", "logins-per-address") for word in (f"--{name}", _LARGE)),
    *(word for name in ("guests-per-address", "registrations-per-address") for word in (f"--{name}", _LARGE)),
    *("--tables-per-person", "1000", "--talk-burst", _LARGE, "--stored-per-second", "0"),
)


class Node:
    """The ports are the same for all processes that come one after the other."""

    def __init__(self, data: Path, more: tuple[str, ...]) -> None:
        self._data = data
        self._more = more
        self.ports = free_port(), free_port(), free_port()
        """The main one, Tower's and Tafl's."""
        self.log = Log()
        self.starts = 0
        self._child: subprocess.Popen[bytes] | None = None
        self._followers: list[threading.Thread] = []
        self.stands_by = False
        """It waits for the end of the other one."""

    @property
    def pid(self) -> int:
        assert self._child is not None
        return self._child.pid

    @property
    def alive(self) -> bool:
        return self._child is not None and self._child.poll() is None

    def start(self) -> None:
        self.end()
        self.starts += 1
        self.log = Log()
        command = (
            sys.executable,
            "-m",
            "gamut.cli",
            "serve",
            "--data",
            str(self._data),
            *serving(*self.ports),
        )
        self._child = subprocess.Popen(
            (*command, *_FLAGS, *self._more),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # A group of its own, so that the processes in which its bots think end with it.
            start_new_session=True,
            preexec_fn=dies_with_us,
        )
        self.stands_by = False
        self._followers = [
            threading.Thread(target=follow, args=(pipe,), daemon=True)
            for follow, pipe in ((self.log.follow, self._child.stderr), (self._listen, self._child.stdout))
        ]
        for follower in self._followers:
            follower.start()

    def _listen(self, pipe: IO[bytes]) -> None:
        for line in pipe:
            self.stands_by = line.startswith(b"Gamut stands by")

    def signal(self, number: signal.Signals) -> None:
        assert self._child is not None
        if number is signal.SIGKILL:
            self.log.deaf.set()
        self._child.send_signal(number)

    async def ended(self, seconds: float) -> int | None:
        """The exit code; None if it goes on after so long."""
        assert self._child is not None
        for _ in range(int(seconds / 0.02)):
            if self._child.poll() is not None:
                break
            await asyncio.sleep(0.02)
        return self._child.returncode

    def end(self) -> None:
        if self._child is None:
            return
        if self._child.poll() is None:
            self.signal(signal.SIGKILL)
        self._child.wait()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._child.pid, signal.SIGKILL)
        for follower in self._followers:
            follower.join(5.0)
        for pipe in (self._child.stdout, self._child.stderr):
            assert pipe is not None
            pipe.close()
        self._child = None
