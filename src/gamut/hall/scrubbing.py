"""Cleaning up after people who were taken out of the ledger."""

import asyncio
from collections.abc import Awaitable, Callable

from gamut.hall.ids import Millis
from gamut.hall.time import Timekeeper

EVERY = Millis(5_000)
"""Everybody's commits wait while the files are being cleaned: it is done once for all who asked in this time."""


class Scrubbing:
    def __init__(self, time: Timekeeper, scrub: Callable[[], Awaitable[None]]) -> None:
        self._time = time
        self._scrub = scrub
        self._not_before = Millis(0)
        self._next: asyncio.Future[None] | None = None

    async def done(self) -> None:
        """Return when nothing is left in the files of what was taken out before this was called."""
        if self._next is None:
            self._next = asyncio.ensure_future(self._run())
        await asyncio.shield(self._next)

    async def _run(self) -> None:
        wait = self._not_before - self._time.now()
        if wait > 0:
            due = asyncio.Event()
            self._time.later(Millis(wait), due.set)
            await due.wait()
        self._not_before = Millis(self._time.now() + EVERY)
        self._next = None  # whoever asks from now on may have taken out something more
        await self._scrub()
