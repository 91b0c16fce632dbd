"""Until everybody of a crowd is where the load begins."""

import asyncio

from bench.clients.connection import Tally
from bench.pace import BenchFailed

_SECONDS = 180.0


class Gathering:
    """So many are awaited; `one` more has come."""

    def __init__(self, tally: Tally, count: int, what: str) -> None:
        self._tally = tally
        self._count = count
        self._what = what
        self._here = 0
        self._complete = asyncio.Event()

    def one(self) -> None:
        self._here += 1
        if self._here == self._count:
            self._complete.set()

    async def complete(self) -> None:
        await reached(self._complete, self._tally, _SECONDS)
        if not self._complete.is_set():
            why = self._tally.failures[:3] or "nothing went wrong, it is only slow"
            raise BenchFailed(f"{self._here} of {self._count} {self._what}: {why}")


async def reached(event: asyncio.Event, tally: Tally, seconds: float) -> None:
    """Wait for the event; a failure or the end of patience ends the wait as well."""
    waits = [asyncio.ensure_future(event.wait()), asyncio.ensure_future(tally.failed.wait())]
    await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()
