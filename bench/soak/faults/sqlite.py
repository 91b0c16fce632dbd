"""Another program holds the database, and the disk takes nothing more."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from bench.soak.faults.faults import STOPS_WITHIN, Faults
from bench.soak.process import Server

_DATABASE = "gamut.db"


class SqliteFaults(Faults):
    def __init__(self, server: Server, chance: Random, data: Path) -> None:
        super().__init__(server, chance)
        self._data = data
        self.passing |= {"locked database": self.soon_back, "disk stands still": self.long_away}
        self.ending |= {
            "SIGTERM while locked": self.terminate_away,
            "SIGKILL while locked": self.kill_away,
            "full disk": self._fill,
            "no byte more": self._forbid,
        }

    @asynccontextmanager
    async def away(self) -> AsyncIterator[None]:
        other = sqlite3.connect(self._data / _DATABASE, timeout=20.0, isolation_level=None)
        try:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")
        finally:
            other.close()

    async def refused_start(self) -> str:
        """On a disk that cannot be written, in a mount namespace of its own."""
        code, said = await asyncio.to_thread(self.server.start_read_only)
        if code is None:
            return "read-only disk (not to be had here)"
        self.refused("a read-only disk", code, said)
        return "read-only disk"

    async def _fill(self) -> None:
        """There is room for a little more, and then for nothing: as on a full disk, in the middle of something."""
        log = self._data / f"{_DATABASE}-wal"
        await self._starve(log.stat().st_size + self.chance.randrange(1 << 16) if log.exists() else 0)

    async def _forbid(self) -> None:
        await self._starve(0)

    async def _starve(self, most: int) -> None:
        self.server.largest_file(most)
        code = await self.server.ended(STOPS_WITHIN)
        if code is None:
            # The log was begun anew below the limit, or nothing was to be stored.
            await self.kill()
        elif code != 1:
            self.wrong.append(f"a disk that takes nothing: exit code {code}")
