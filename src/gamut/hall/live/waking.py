"""Waking the tables of a hall that goes on where another one ended.

First they are read, and sleep: nothing happens there. Then one after the other is woken, and first those of which
somebody is waiting. Who was connected to the hall before goes on at a table before it is woken: so it knows who was
cut off.
"""

import asyncio
import logging
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, Protocol

from gamut.games.game import Refused
from gamut.hall.ids import TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.store.storage import LedgerError

if TYPE_CHECKING:
    from gamut.hall.hall import Hall

log = logging.getLogger("gamut.hall")

_AT_ONCE = 50
"""Tables that are read together, and woken before others get their turn."""
_NEEDED_AT_ONCE = 10
"""Where somebody waits for them."""
_PAUSE = 0.1
"""Seconds between two tries to read from a store that is away."""


class Returning(Protocol):
    """People who were connected to the hall before this one."""

    def beside(self, tables: Collection[TableId]) -> Iterable[TableId]:
        """What else those follow who are at these tables: it has to be read as well before they can go on."""

    def take_up(self, tables: Collection[TableId]) -> None:
        """They go on at these tables, which are woken next."""

    def woken(self) -> None:
        """Some tables have been woken."""


class Nobody:
    """Nobody is connected to a hall that has just been started."""

    def beside(self, tables: Collection[TableId]) -> Iterable[TableId]:
        return ()

    def take_up(self, tables: Collection[TableId]) -> None:
        """There is nobody."""

    def woken(self) -> None:
        """There is nobody."""


class Waking:
    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        self._unread: dict[TableId, None] = {}
        """Tables that are to be woken and have not been read."""
        self._asleep: dict[TableId, LiveTable] = {}
        """Those that have been read."""
        self._needed: dict[TableId, None] = {}
        """Of both, those of which somebody is waiting, the first one first."""
        self._waiters: dict[TableId, list[asyncio.Future[None]]] = {}
        self.has_begun = False
        """People can come."""
        self._going_on = False

    def want(self, tables: Iterable[TableId]) -> None:
        """These are to be woken."""
        for table in tables:
            if table not in self._asleep and self._hall.in_memory(table) is None:
                self._unread[table] = None

    def need(self, tables: Iterable[TableId]) -> None:
        """Somebody is waiting for these: they come first."""
        self._needed.update((table, None) for table in tables if self.is_to_come(table))

    def is_to_come(self, table: TableId) -> bool:
        """Whether this table will be woken in its turn."""
        return table in self._asleep or table in self._unread

    def sleeps(self, live: LiveTable) -> bool:
        """Whether this table, which was just read, is woken later. Before the first one is, all are."""
        if self.has_begun and live.id not in self._unread:
            return False
        self._unread.pop(live.id, None)
        self._asleep[live.id] = live
        live.asleep = True
        return True

    async def read(self) -> None:
        """All that are to be woken."""
        while some := list(islice(self._unread, _AT_ONCE)):
            await self._read(some)
            for table in some:
                self._unread.pop(table, None)  # it cannot be read

    async def woken(self, table: TableId) -> None:
        """Wait for a table that is to come."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.setdefault(table, []).append(waiter)
        self.need((table,))
        await waiter

    async def wake_all(self, returning: Returning) -> None:
        """One after the other, those first that are needed. Each table is woken at once that is read from now on."""
        if self._going_on:
            return  # those who came meanwhile are seen to as well
        self._going_on = True
        try:
            while some := list(self._next()):
                wanted = dict.fromkeys(chain(some, returning.beside(some)))
                held = await self._read_at_last(list(wanted))
                returning.take_up(some)
                self._wake(some)
                del held
                returning.woken()
                await asyncio.sleep(0)
        finally:
            self._going_on = False

    def _next(self) -> Iterator[TableId]:
        if self._needed:
            return islice(self._needed, _NEEDED_AT_ONCE)
        return islice(chain(self._asleep, self._unread), _AT_ONCE)

    async def _read_at_last(self, tables: Sequence[TableId]) -> list[LiveTable]:
        while True:
            try:
                return await self._read(tables)
            except LedgerError as error:
                log.warning("nobody can be taken up just now", extra={"error": str(error)})
                await asyncio.sleep(_PAUSE)

    async def _read(self, tables: Sequence[TableId]) -> list[LiveTable]:
        # Also those that somebody follows and that would be woken by nobody else.
        self.want(tables)
        return await self._hall.read_ahead(tables)

    def _wake(self, tables: Iterable[TableId]) -> None:
        for table in tables:
            self._needed.pop(table, None)
            self._unread.pop(table, None)  # its game is over, or it cannot be read
            live = self._asleep.pop(table, None)
            if live is not None:
                live.asleep = False
                with suppress(Refused):
                    self._hall.wake_table(live)
            for waiter in self._waiters.pop(table, ()):
                if not waiter.done():
                    waiter.set_result(None)
