"""What happens at a table by itself, and fails, is tried again: later each time, and not for ever."""

from collections import Counter
from collections.abc import Callable

from gamut.hall.faults import Faults
from gamut.hall.ids import Millis, TableId
from gamut.hall.live.live_table import LiveTable

DELAYS = tuple(Millis(1_000 << tries) for tries in range(5))
"""After the first failure, the second, and so on. After the next one the table is out of order."""


class Patience:
    def __init__(self, faults: Faults, give_up: Callable[[LiveTable], None]) -> None:
        self._faults = faults
        self._give_up = give_up
        self._failures: Counter[tuple[TableId, str]] = Counter()
        """How often each kind of thing has failed at a table, one time after the other."""

    def delay(self, live: LiveTable, kind: str, fault: Exception) -> Millis | None:
        """After how long what has failed is to be tried again; None: not any more, the table is given up."""
        self._faults.contained(kind, fault, table=live.id)
        if live.out_of_order:
            return None
        failures = self._failures[live.id, kind]
        if failures == len(DELAYS):
            del self._failures[live.id, kind]
            self._give_up(live)
            return None
        self._failures[live.id, kind] = failures + 1
        return DELAYS[failures]

    def went_well(self, live: LiveTable, kind: str) -> None:
        if self._failures:
            self._failures.pop((live.id, kind), None)
