"""The thread that commits, so that the event loop never waits for the disk."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from time import perf_counter

from gamut.hall.store.storage import Entry, Row, Storage

Job = tuple[Sequence[Row], Sequence[Entry], Callable[[], None]]


_BUSY_ROWS = 8
_BREATHER_SECONDS = 0.004
"""How long a busy store gathers events. One that is not busy commits at once: nobody waits for company."""


class ThreadedCommitter:
    """Implements `gamut.hall.store.journal.Committer` with one thread over a storage."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        storage: Storage,
        observe: Callable[[float, int], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        self._loop = loop
        self._storage = storage
        self._observe = observe
        self._failed = failed
        self._not_before = 0.0
        self._storing_since: float | None = None
        self._next: asyncio.Handle = loop.call_soon(lambda: None)
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="ledger", daemon=True)
        self._thread.start()

    def soon(self, call: Callable[[], None], *, enough: bool) -> None:
        self._next.cancel()
        wait = 0 if enough else self._not_before - self._loop.time()
        self._next = self._loop.call_later(wait, call) if wait > 0 else self._loop.call_soon(call)

    def commit(self, rows: Sequence[Row], entries: Sequence[Entry], done: Callable[[], None]) -> None:
        if len(rows) >= _BUSY_ROWS:
            self._not_before = self._loop.time() + _BREATHER_SECONDS
        self._storing_since = self._loop.time()
        self._jobs.put((rows, entries, done))

    @property
    def storing_for(self) -> float:
        """For how many seconds the batch that is being stored has been under way; 0 if there is none."""
        return 0.0 if self._storing_since is None else self._loop.time() - self._storing_since

    def close(self) -> None:
        self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            rows, entries, done = job
            began = perf_counter()
            try:
                self._storage.append(rows, entries)
            except BaseException as error:  # noqa: BLE001 - whatever it is, nothing more may be promised to anyone
                self._loop.call_soon_threadsafe(self._failed, error)
                return
            self._loop.call_soon_threadsafe(self._committed, done, perf_counter() - began, len(rows))

    def _committed(self, done: Callable[[], None], seconds: float, rows: int) -> None:
        self._storing_since = None
        done()
        self._observe(seconds, rows)
