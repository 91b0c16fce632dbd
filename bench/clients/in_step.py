"""Tables that move in step: all say what they have to say at the same moment, in the same order in each run."""

import asyncio
from time import perf_counter

from bench.clients.connection import Connection
from bench.load import Load
from bench.pace import BenchFailed
from bench.servers.counters import stopped

_ROUND_SECONDS = 120.0
_QUIET_SECONDS = 0.3
"""When nobody has had anything to say for so long, all are waiting."""
_TICK = 0.002


class InStep:
    """So many tables that have just been made. The server is stopped while they speak, so it hears them at once."""

    def __init__(self, load: Load, tables: int, pid: int) -> None:
        self._load = load
        self._tally = load.tally
        self._tables = tables
        self._pid = pid
        self._held: list[tuple[Connection, bytes]] = []
        self._tally.held = self._held

    async def open(self) -> None:
        opening = asyncio.ensure_future(self._load.open())
        while not opening.done():
            said = -1
            while said < len(self._held):
                said = len(self._held)
                await asyncio.wait([opening], timeout=_QUIET_SECONDS)
            self._release()
        await opening

    async def start(self) -> None:
        self._load.start()
        await self._ready()

    async def round(self) -> None:
        """Let each table say one thing, and wait until it has the next."""
        self._release()
        await self._ready()

    def _release(self) -> None:
        said = sorted(self._held, key=lambda each: each[0].number)
        self._held.clear()
        with stopped(self._pid):
            for connection, data in said:
                connection.send_now(data)

    async def _ready(self) -> None:
        latest = perf_counter() + _ROUND_SECONDS
        while len(self._held) < self._tables:
            if self._tally.failures or perf_counter() > latest:
                raise BenchFailed(
                    f"{len(self._held)} of {self._tables} tables go on: {self._tally.failures[:3]}"
                )
            await asyncio.sleep(_TICK)
