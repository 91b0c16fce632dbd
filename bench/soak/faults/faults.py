"""What goes wrong on every store. Some of it the server must survive, the rest ends it."""

import asyncio
import signal
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from random import Random

from bench.soak.process import Server

STOPS_WITHIN = 12.0
_AWAY_SECONDS = 8.0
"""Less than the server waits for a database that another program holds."""
_MOST_GROWTH = 64 << 20
"""Bytes. What people say in these seconds is not read; what bots find is not played."""
Fault = Callable[[], Awaitable[None]]


class Faults(ABC):
    def __init__(self, server: Server, chance: Random) -> None:
        self.server = server
        self.chance = chance
        self.wrong: list[str] = []
        """How the server did not behave as it should."""
        self.passing: dict[str, Fault] = {"frozen (SIGSTOP)": self._freeze}
        self.ending: dict[str, Fault] = {
            "SIGKILL": self.kill,
            "SIGTERM": self._terminate,
            "SIGKILL while frozen": self._kill_frozen,
        }

    @abstractmethod
    def away(self) -> AbstractAsyncContextManager[None]:
        """The store does not answer."""

    @abstractmethod
    async def refused_start(self) -> str:
        """A start that must fail: what became of it."""

    def refused(self, what: str, code: int | None, said: list[str]) -> None:
        """It has to end with one line."""
        if code != 1 or len(said) != 1 or not said[0].startswith("gamut: "):
            self.wrong.append(f"{what}: exit code {code} and {said}")

    # What passes

    async def _freeze(self) -> None:
        self.server.signal(signal.SIGSTOP)
        await asyncio.sleep(self.chance.uniform(0.5, 3.0))
        self.server.signal(signal.SIGCONT)

    async def soon_back(self) -> None:
        async with self.away():
            await asyncio.sleep(self.chance.uniform(0.5, 4.0))

    async def long_away(self) -> None:
        """Everybody plays and talks: what waits for the store stays small."""
        before = self.server.footprint()
        async with self.away():
            await asyncio.sleep(_AWAY_SECONDS)
            after = self.server.footprint()
        self._must_be_there()
        if before is not None and after is not None and after[0] - before[0] > _MOST_GROWTH:
            self.wrong.append(
                f"a store that did not answer: {(after[0] - before[0]) >> 20} MB more of memory"
            )

    # What ends it

    async def kill(self) -> None:
        self.server.signal(signal.SIGKILL)
        await self.server.ended()

    async def _terminate(self) -> None:
        self.server.signal(signal.SIGTERM)
        code = await self.server.ended(STOPS_WITHIN)
        if code != 0:
            self.wrong.append(f"SIGTERM: exit code {code} (None: it went on for {STOPS_WITHIN:.0f} s)")

    async def terminate_away(self) -> None:
        """It ends soon, whether or not the store answers in time."""
        async with self.away():
            await asyncio.sleep(self.chance.uniform(0.1, 1.0))
            self._must_be_there()
            self.server.signal(signal.SIGTERM)
            await self.server.ended(self.chance.uniform(0.5, 6.0))
        if await self.server.ended(STOPS_WITHIN) is None:
            self.wrong.append(f"SIGTERM while the store was away: it went on for {STOPS_WITHIN:.0f} s")

    async def _kill_frozen(self) -> None:
        self.server.signal(signal.SIGSTOP)
        await asyncio.sleep(self.chance.uniform(0.1, 1.0))
        await self.kill()

    async def kill_away(self) -> None:
        async with self.away():
            await asyncio.sleep(self.chance.uniform(0.1, 2.0))
            self._must_be_there()
            await self.kill()

    def _must_be_there(self) -> None:
        """It waits for its store."""
        if self.server.died:
            self.wrong.append("the store was away: the server ended by itself")
