"""Clocks are told while somebody thinks: when main time or a period runs out, and every few seconds."""

from collections.abc import Callable

import msgspec

from gamut.hall.ids import Millis, TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import clock as clocks
from gamut.hall.time import Timekeeper, Timer

EVERY = Millis(5_000)


class _Next(msgspec.Struct):
    """When the clocks of a table were told last, and when they are looked at next."""

    told: Millis
    at: Millis
    timer: Timer


class ClockUpdates:
    def __init__(
        self,
        time: Timekeeper,
        table: Callable[[TableId], LiveTable | None],
        tell: Callable[[LiveTable], bool],
    ) -> None:
        self._time = time
        self._table = table
        self._tell = tell
        """Says how the clocks stand to all who are there; False if nobody is."""
        self._next: dict[TableId, _Next] = {}

    def told(self, live: LiveTable, now: Millis) -> None:
        """Everybody at this table has just been told how its clocks stand, or somebody has just come."""
        clock = live.table.clock
        if not clock.running:
            return
        known = self._next.get(live.id)
        if known is None:
            self._next[live.id] = self._set(live.id, now, self._due(live, now, now))
            return
        known.told = now
        # A timer that would be due later is not moved. It rings within seconds, and finds out then.
        if clocks.changes_within(clock, now, EVERY) and (due := self._due(live, now, now)) < known.at:
            known.timer.cancel()
            self._next[live.id] = self._set(live.id, now, due)

    def begin(self, live: LiveTable) -> None:
        """Somebody is here who was told the clocks elsewhere."""
        if live.id not in self._next:
            self.told(live, self._time.now())

    def _due(self, live: LiveTable, told: Millis, now: Millis) -> Millis:
        change = clocks.next_change(clocks.charge(live.table.clock, now))
        regular = Millis(told + EVERY)
        return regular if change is None else min(regular, change)

    def _set(self, table: TableId, told: Millis, at: Millis) -> _Next:
        wait = Millis(max(1, at - self._time.now()))
        return _Next(told, at, self._time.later(wait, lambda: self._look(table)))

    def _look(self, table: TableId) -> None:
        known, live = self._next.pop(table), self._table(table)
        if live is None or not live.table.clock.running:
            return
        now = self._time.now()
        # Since the timer was set the clocks may have been told with a move: then it is not due yet.
        change = clocks.next_change(live.table.clock)
        due = min(known.told + EVERY, known.told + EVERY if change is None else change)
        if due <= now:
            if not self._tell(live):
                return
            known.told = now
        self._next[table] = self._set(table, known.told, self._due(live, known.told, now))
