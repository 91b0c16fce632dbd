"""PostgreSQL is ended as in a crash, and recovers at its next start."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

from bench.soak.faults.faults import Faults
from bench.soak.process import Server
from bench.stores.database import Database


class PostgresFaults(Faults):
    def __init__(self, server: Server, chance: Random, database: Database) -> None:
        super().__init__(server, chance)
        self._database = database
        self.passing |= {
            "PostgreSQL restarted": self._restart,
            "PostgreSQL away": self.soon_back,
            "PostgreSQL away for long": self.long_away,
        }
        self.ending |= {
            "SIGTERM while PostgreSQL is away": self.terminate_away,
            "SIGKILL while PostgreSQL is away": self.kill_away,
        }

    @asynccontextmanager
    async def away(self) -> AsyncIterator[None]:
        await asyncio.to_thread(self._database.crash)
        try:
            yield
        finally:
            await asyncio.to_thread(self._database.recover)

    async def refused_start(self) -> str:
        async with self.away():
            code, said = await asyncio.to_thread(self.server.start_in_vain)
        self.refused("a start without PostgreSQL", code, said)
        return "start without PostgreSQL"

    async def _restart(self) -> None:
        async with self.away():
            pass
