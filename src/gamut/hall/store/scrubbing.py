"""Cleaning up after people who were taken out of the ledger."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from gamut.hall.ids import Millis
from gamut.hall.store.storage import LedgerError
from gamut.hall.time import Timekeeper

log = logging.getLogger("gamut.hall")

EVERY = Millis(5_000)
"""Everybody's commits wait while the files are being cleaned: it is done once for all who asked in this time."""
AGAIN = Millis(1_000)
"""When it is tried once more, after somebody else was reading the files."""
PATIENCE = Millis(10_000)
"""The longest that somebody who asked for it waits."""


class Scrubbing:
    """Tries until it succeeds. After a crash the server begins it anew at its start."""

    def __init__(self, time: Timekeeper, scrub: Callable[[], Awaitable[bool]]) -> None:
        self._time = time
        self._scrub = scrub
        """Whether the files could be cleaned; not while another program reads them."""
        self._not_before = Millis(0)
        self._next: asyncio.Future[None] | None = None
        self._tasks: set[asyncio.Future[None]] = set()
        self._waiting: set[asyncio.Event] = set()
        self._ended = False

    def end(self) -> None:
        """The server stops: nobody is left waiting for an answer."""
        self._ended = True
        for decided in self._waiting:
            decided.set()

    def begin(self) -> None:
        """Clean the files as soon as possible; nobody waits for it, nor does the next who asks wait because of it."""
        self._asked(Millis(0))

    async def done(self) -> bool:
        """Whether nothing is left in the files of what was taken out before this; if not, it is tried again later."""
        task, decided = self._asked(), asyncio.Event()

        def decide(_: object = None) -> None:
            decided.set()

        task.add_done_callback(decide)
        patience = self._time.later(PATIENCE, decide)
        self._waiting.add(decided)
        if not self._ended:
            await decided.wait()
        self._waiting.discard(decided)
        patience.cancel()
        task.remove_done_callback(decide)
        return task.done()

    def _asked(self, every: Millis = EVERY) -> "asyncio.Future[None]":
        if self._next is None:
            self._next = asyncio.ensure_future(self._run(every))
            self._tasks.add(self._next)
            self._next.add_done_callback(self._tasks.discard)
        return self._next

    async def _run(self, every: Millis) -> None:
        this = self._next
        await self._pause(self._not_before - self._time.now())
        while True:
            self._not_before = Millis(self._time.now() + every)
            self._next = None  # a request from now on may be about something that this run does not find
            if await self._succeeded():
                return
            if self._next is not None:
                await asyncio.shield(self._next)  # the run of a later request does our work, too
                return
            self._next = this
            await self._pause(AGAIN)

    async def _succeeded(self) -> bool:
        try:
            return await self._scrub()
        except LedgerError as error:
            log.error("the files could not be cleaned", extra={"error": str(error)})
            return False

    async def _pause(self, wait: int) -> None:
        if wait > 0:
            due = asyncio.Event()
            self._time.later(Millis(wait), due.set)
            await due.wait()
