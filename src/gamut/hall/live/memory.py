"""Which tables are in memory.

There is never a second copy of a table, and a table is forgotten only when the ledger has all of it. So a
command always reaches the one table that everybody sees, and what is read from the ledger is up to date.
"""

from collections.abc import Awaitable, Callable
from weakref import WeakValueDictionary

from gamut.hall.ids import TableId
from gamut.hall.live.live_table import LiveTable, OnlyACopy
from gamut.hall.live.reading import Reading
from gamut.hall.store.journal import Journal


class Memory:
    def __init__(self, journal: Journal, read: Callable[[TableId], Awaitable[LiveTable | None]]) -> None:
        self._journal = journal
        self._reading = Reading(read)
        self.kept: dict[TableId, LiveTable] = {}
        """Tables that stay, although nobody may be holding them."""
        self._copies: WeakValueDictionary[TableId, LiveTable] = WeakValueDictionary()
        """All that are here, also what is only still in somebody's hands."""

    def table(self, table_id: TableId) -> LiveTable | None:
        """The table, if it is in memory."""
        return self.kept.get(table_id) or self._copies.get(table_id)

    async def read(self, table_id: TableId) -> LiveTable | None:
        """A table that is not in memory, from the ledger; None if there is no such table."""
        return await self._reading.table(table_id)

    def add(self, live: LiveTable) -> None:
        assert live.id not in self._copies
        self._copies[live.id] = live

    def keep(self, live: LiveTable) -> None:
        if live.is_copy:
            raise OnlyACopy(live.id)
        self.kept[live.id] = live
        live.kept = True

    def forget(self, live: LiveTable) -> bool:
        """Stop keeping a table, if nobody follows it and the ledger has all of it. Returns whether it did.

        A caller that still holds the table has the only copy: if it acts there, the table is kept again.
        """
        if not live.kept or live.listeners or live.written > self._journal.stored:
            return False
        del self.kept[live.id]
        live.kept = False
        return True

    def let_go(self, live: LiveTable) -> None:
        """Forget a table at which nothing is due as soon as all of it is stored, unless somebody looks at it."""
        self._journal.after(lambda: self._forget_when_stored(live))

    def _forget_when_stored(self, live: LiveTable) -> None:
        if live.written > self._journal.stored:
            self.let_go(live)  # something more has happened there meanwhile
        else:
            self.forget(live)
