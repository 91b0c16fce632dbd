"""The sign of life of the active node: a lease that it renews, and a lock that it has as long as its process lives."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from time import monotonic
from typing import Any

import psycopg

from gamut.hall.ids import Millis
from gamut.hall.store.storage import Fenced, LedgerError, StoreWentBack
from gamut.ledger.postgres.connecting import Source, is_away, line_of
from gamut.ledger.postgres.locks import NODE
from gamut.ledger.postgres.node import IS_MOVING, IS_UNHEARD, is_heard
from gamut.ledger.store import Watcher

log = logging.getLogger("gamut.ledger")

_RENEWALS = 4
"""In the time of one lease."""
_PATIENCE = 0.8
"""Of a lease: in so long a renewal must be answered, or the store is away."""
_PAUSE = 0.1

_RENEW = f"""
UPDATE leases SET until = clock_timestamp() + %s, at = %s FROM nodes
WHERE leases.node = %s AND nodes.id = leases.node AND nodes.ended IS NULL
RETURNING nodes.draining, {IS_MOVING}, {IS_UNHEARD}
"""


def _nothing() -> None:
    """What a node is mostly asked to do."""


class Lease:
    """Renewed on the event loop: a loop that is stuck loses it."""

    def __init__(
        self,
        source: Source,
        node: int,
        seconds: float,
        check: Callable[[], Awaitable[None]],
        now: Callable[[], Millis],
    ) -> None:
        self._source = source
        self._node = node
        self._length = timedelta(seconds=seconds)
        self._every = seconds / _RENEWALS
        self._patience = seconds * _PATIENCE
        self._check = check
        """Raises Fenced or StoreWentBack; asked when the store has been away."""
        self._now = now
        self._connection: psycopg.AsyncConnection[Any] | None = None
        self._locked = False
        self._renewed = monotonic()
        self.is_away = False
        self.times_away = 0

    @property
    def age(self) -> float:
        """Seconds since it was renewed."""
        return monotonic() - self._renewed

    async def keep(self, watcher: Watcher) -> None:
        """Renew it until this is cancelled, or the node was ended."""
        asked = _nothing
        checking: asyncio.Future[None] | None = None
        try:
            while True:
                try:
                    before, asked = asked, await self._renewed_at_last(watcher)
                    self._renewed = monotonic()
                    if asked is not before:
                        asked()
                    if self.is_away:
                        # The lease is renewed meanwhile: what is asked may have to wait for the store's own standby.
                        checking = checking or asyncio.ensure_future(self._check())
                        await asyncio.wait((checking,), timeout=self._every)
                        if checking.done():
                            checked, checking = checking, None
                            checked.result()
                            self.is_away = False
                            watcher.back()
                    else:
                        await asyncio.sleep(self._every)
                except LedgerError as error:
                    watcher.failed(await self._reason(error))
                    return
                except (psycopg.Error, OSError) as error:
                    await self._disconnect()
                    if isinstance(error, psycopg.Error) and not is_away(error):
                        # Waiting would not help: its tables are gone, or not for us any more.
                        watcher.failed(LedgerError(f"The store {self._source.shown} fails: {line_of(error)}"))
                        return
                    self._went_away(watcher, str(error).strip())
                    await asyncio.sleep(_PAUSE)
        finally:
            if checking is not None:
                checking.cancel()
            await self._disconnect()

    async def _renewed_at_last(self, watcher: Watcher) -> Callable[[], None]:
        """What the node is asked to do. A renewal without an answer is waited for until the connection is given
        up, since psycopg waits for it in any case, but the store is away meanwhile."""
        renewing = asyncio.ensure_future(self._renew(watcher))
        try:
            done, _ = await asyncio.wait((renewing,), timeout=self._patience)
            if not done:
                self._went_away(watcher, "no answer")
            return await renewing
        finally:
            renewing.cancel()

    async def _reason(self, error: LedgerError) -> LedgerError:
        """A node may have been ended in a store that has lost some of what it stored: that is worse, and is said."""
        if isinstance(error, Fenced):
            asking = asyncio.ensure_future(self._check())
            await asyncio.wait((asking,), timeout=self._patience)
            if asking.done() and isinstance(found := asking.exception(), StoreWentBack):
                return found
            asking.cancel()
        return error

    def _went_away(self, watcher: Watcher, error: str) -> None:
        if not self.is_away:
            self.is_away = True
            self.times_away += 1
            log.warning("the store does not answer", extra={"error": error})
            watcher.away()

    async def _renew(self, watcher: Watcher) -> Callable[[], None]:
        """What the node is asked to do: of the watcher's, or nothing."""
        if self._connection is None:
            self._locked = False
            self._connection = await self._source.connect_soon()
            # A lease that a crash of the store takes back is renewed before anybody misses it.
            await self._connection.execute("SET synchronous_commit = off")
        if not self._locked:
            # Not free only while the store has not noticed the end of our own connection before this one.
            cursor = await self._connection.execute("SELECT pg_try_advisory_lock(%s, %s)", (NODE, self._node))
            row = await cursor.fetchone()
            self._locked = row == (True,)
        cursor = await self._connection.execute(_RENEW, (self._length, self._now(), self._node))
        row = await cursor.fetchone()
        if row is None:
            raise Fenced(self._node)
        draining, is_moving, is_unheard = row
        if draining:
            return watcher.drain
        if is_moving:
            return watcher.move
        if is_unheard:
            if watcher.is_cut_off():
                return watcher.drain
            log.warning("another node says that gateways do not hear this one, and some do")
            await is_heard(self._connection, self._node)
        return _nothing

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
