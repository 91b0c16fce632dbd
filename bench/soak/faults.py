"""What goes wrong with a server from outside. Some of it the server must survive, the rest ends it."""

import asyncio
import contextlib
import signal
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random

from bench.soak.process import Server
from bench.soak.still_disk import stand_still

_STOPS_WITHIN = 12.0
_DATABASE = "gamut.db"


class Faults:
    def __init__(self, server: Server, data: Path, chance: Random) -> None:
        self._server = server
        self._data = data
        self._chance = chance
        self.wrong: list[str] = []
        """How the server did not behave as it should."""
        self.passing: dict[str, Callable[[], Awaitable[None]]] = {
            "frozen (SIGSTOP)": self._freeze,
            "locked database": self._lock,
            "disk stands still": self._stand_still,
        }
        self.ending: dict[str, Callable[[], Awaitable[None]]] = {
            "SIGKILL": self._kill,
            "SIGTERM": self._terminate,
            "SIGTERM while locked": self._terminate_locked,
            "SIGKILL while frozen": self._kill_frozen,
            "SIGKILL while locked": self._kill_locked,
            "full disk": self._fill,
            "no byte more": self._forbid,
        }

    async def read_only(self) -> str:
        """A start on a disk that cannot be written, in a mount namespace of its own: what became of it."""
        code, said = await asyncio.to_thread(self._server.start_read_only)
        if code is None:
            return "read-only disk (not to be had here)"
        if code != 1 or len(said) != 1 or not said[0].startswith("gamut: "):
            self.wrong.append(f"a read-only disk: exit code {code} and {said}")
        return "read-only disk"

    # What passes

    async def _freeze(self) -> None:
        self._server.signal(signal.SIGSTOP)
        await asyncio.sleep(self._chance.uniform(0.5, 3.0))
        self._server.signal(signal.SIGCONT)

    async def _lock(self) -> None:
        with self._locked():
            await asyncio.sleep(self._chance.uniform(0.5, 4.0))

    async def _stand_still(self) -> None:
        fault = await stand_still(self._server, self._locked())
        if fault is not None:
            self.wrong.append(fault)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        other = sqlite3.connect(self._data / _DATABASE, timeout=20.0, isolation_level=None)
        try:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")
        finally:
            other.close()

    # What ends it

    async def _kill(self) -> None:
        self._server.signal(signal.SIGKILL)
        await self._server.ended()

    async def _terminate(self) -> None:
        self._server.signal(signal.SIGTERM)
        code = await self._server.ended(_STOPS_WITHIN)
        if code != 0:
            self.wrong.append(f"SIGTERM: exit code {code} (None: it went on for {_STOPS_WITHIN:.0f} s)")

    async def _terminate_locked(self) -> None:
        """It ends soon, whether or not the disk answers in time."""
        with self._locked():
            await asyncio.sleep(self._chance.uniform(0.1, 1.0))
            self._server.signal(signal.SIGTERM)
            await self._server.ended(self._chance.uniform(0.5, 6.0))
        if await self._server.ended(_STOPS_WITHIN) is None:
            self.wrong.append(f"SIGTERM with a locked database: it went on for {_STOPS_WITHIN:.0f} s")

    async def _kill_frozen(self) -> None:
        self._server.signal(signal.SIGSTOP)
        await asyncio.sleep(self._chance.uniform(0.1, 1.0))
        await self._kill()

    async def _kill_locked(self) -> None:
        with self._locked():
            await asyncio.sleep(self._chance.uniform(0.1, 2.0))
            await self._kill()

    async def _fill(self) -> None:
        """There is room for a little more, and then for nothing: as on a full disk, in the middle of something."""
        log = self._data / f"{_DATABASE}-wal"
        await self._starve(log.stat().st_size + self._chance.randrange(1 << 16) if log.exists() else 0)

    async def _forbid(self) -> None:
        await self._starve(0)

    async def _starve(self, most: int) -> None:
        self._server.largest_file(most)
        code = await self._server.ended(_STOPS_WITHIN)
        if code is None:
            # The log was begun anew below the limit, or nothing was to be stored.
            await self._kill()
        elif code != 1:
            self.wrong.append(f"a disk that takes nothing: exit code {code}")
