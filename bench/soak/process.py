"""The server of an evening, which may be ended, frozen and starved, and started again on the same store."""

import asyncio
import os
import resource
import select
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from bench import machine
from bench.attacks.target import Target, Ways
from bench.pace import BenchFailed
from bench.servers.child import Child
from bench.servers.gamut import PROXIED, free_port, serving

_START_SECONDS = 60.0
_FLAGS = (*PROXIED, "--topple-rejoin", "600", "--bot-delay", "0.05")
_READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && echo mounted && exec "$@"'


class Server(Child):
    def __init__(
        self,
        data: Path,
        wrapper: tuple[str, ...] = ("gamut.cli",),
        more: tuple[str, ...] = (),
        *,
        keeps_ports: bool = False,
    ) -> None:
        """`keeps_ports`: they are the same at every start."""
        super().__init__()
        self._keeps_ports = keeps_ports
        self._choose_ports()
        self._data = data
        self._wrapper = wrapper
        self._more = more
        self.offset = 0
        """By how many seconds its wall clock is wrong."""

    def target(self, seconds: float, wait: Callable[[], Awaitable[None]]) -> Target:
        ways = Ways(main=self.port, tower=self.tower_port, tafl=self.tafl_port, page=self.port)
        return Target(ways, seconds, wait)

    @property
    def died(self) -> bool:
        return self._child is not None and not self.alive

    @property
    def errors(self) -> list[str]:
        return self.log.errors

    @property
    def tracebacks(self) -> list[str]:
        return self.log.tracebacks

    def _choose_ports(self) -> None:
        self.port, self.tower_port, self.tafl_port = free_port(), free_port(), free_port()

    async def begin(self) -> None:
        await asyncio.to_thread(self.start)

    def start(self) -> None:
        if not self._keeps_ports:
            self._choose_ports()
        ports = serving(self.port, self.tower_port, self.tafl_port)
        clock = ("bench.soak.clock_shifted", str(self.offset)) if self.offset else ()
        serve = (sys.executable, "-m", *clock, *self._wrapper, "serve", "--data", str(self._data))
        out = self.launch((*serve, *ports, *_FLAGS, *self._more))
        ready, _, _ = select.select([out], [], [], _START_SECONDS)
        if not ready or not out.readline():
            self.end()
            raise BenchFailed(f"the server did not start: {self.log.errors[-1:]} {self.log.tracebacks[-1:]}")

    def start_read_only(self) -> tuple[int | None, list[str]]:
        """On a folder that cannot be written; no exit code where nobody may mount anything, not even for themselves."""
        return self.start_in_vain(
            ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", _READ_ONLY, str(self._data)),
            "mounted",
        )

    def start_in_vain(
        self, around: tuple[str, ...] = (), first_word: str = ""
    ) -> tuple[int | None, list[str]]:
        """Its exit code and what it said; no exit code if what is around it does not say its first word."""
        serve = (sys.executable, "-m", *self._wrapper, "serve", "--data", str(self._data), *self._more)
        try:
            done = subprocess.run(
                (*around, *serve, *serving(free_port(), free_port(), free_port())),
                capture_output=True,
                text=True,
                timeout=_START_SECONDS,
                check=False,
            )
        except FileNotFoundError:
            return None, []
        except subprocess.TimeoutExpired:
            return 0, ["it went on as if nothing were wrong"]
        if not done.stdout.startswith(first_word):
            return None, []
        return done.returncode, done.stderr.splitlines()

    def largest_file(self, most: int) -> None:
        """From now on no file of the server may grow beyond so many bytes."""
        self.log.no_disk.set()
        _, hard = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (most, hard))

    def footprint(self) -> tuple[int, int] | None:
        """Bytes of memory and open descriptors, if it is there."""
        if self._child is None:
            return None
        try:
            return machine.resident(self.pid), len(os.listdir(f"/proc/{self.pid}/fd"))
        except OSError:
            return None
