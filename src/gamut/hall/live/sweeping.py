"""Now and then: tables that nobody looks at are forgotten, and those that everybody has left are ended."""

import asyncio
from typing import TYPE_CHECKING

from gamut.hall.faults import Fault
from gamut.hall.ids import Millis, TableId
from gamut.hall.live.live_table import LiveTable

if TYPE_CHECKING:
    from gamut.hall.hall import Hall


class Sweeping:
    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        self._ending: asyncio.Future[None] | None = None

    def later(self) -> None:
        self._hall.time.later(self._hall.settings.idle_after, self._sweep)

    def _sweep(self) -> None:
        self.later()
        hall = self._hall
        now = hall.time.now()
        for live in list(hall.live.values()):
            if now - live.touched >= hall.settings.idle_after:
                hall.faults.guard("sweep", self._let_idle_go, live, now, table=live.id)
        horizon = now - hall.settings.timeouts.abandoned_after
        overdue = [table for table, changed in hall.register.unfinished.items() if changed < horizon]
        overdue = [table for table in overdue if table not in hall.live]
        if overdue and (self._ending is None or self._ending.done()):
            self._ending = asyncio.ensure_future(self._end(overdue))

    def _let_idle_go(self, live: LiveTable, now: Millis) -> None:
        soon = now + 2 * self._hall.settings.idle_after
        if not live.stays_loaded and (live.deadline is None or live.deadline > soon):
            self._hall.forget(live)

    async def _end(self, overdue: list[TableId]) -> None:
        """Read tables that nobody came back to. Once they are in memory, their deadline closes them."""
        for table_id in overdue:
            try:
                await self._hall.readable(table_id)
            except Fault as fault:
                self._hall.faults.contained("sweep", fault, table=table_id)
