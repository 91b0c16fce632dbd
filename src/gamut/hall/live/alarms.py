"""One alarm for each table where something is due."""

from collections.abc import Callable

from gamut.hall.faults import Fault
from gamut.hall.ids import Millis
from gamut.hall.live.live_table import LiveTable
from gamut.hall.patience import Patience
from gamut.hall.time import Timekeeper


class Alarms:
    """A deadline that gets later does not move its alarm, so that a move costs nothing. The alarm rings early
    and is set anew."""

    def __init__(self, time: Timekeeper, ring: Callable[[LiveTable], None], patience: Patience) -> None:
        self._time = time
        self._ring = ring
        self._patience = patience

    def set(self, live: LiveTable) -> None:
        when = live.deadline
        if when is None or (live.alarm is not None and live.alarm[0] <= when):
            return
        self.cancel(live)
        delay = Millis(max(0, when - self._time.now()))
        live.alarm = (when, self._time.later(delay, lambda: self._due(live)))

    def cancel(self, live: LiveTable) -> None:
        if live.alarm is not None:
            live.alarm[1].cancel()
            live.alarm = None

    def _due(self, live: LiveTable) -> None:
        live.alarm = None
        if live.deadline is not None and live.deadline <= self._time.now():
            try:
                self._ring(live)
            except Fault as fault:
                self._again(live, fault)
                return
            self._patience.went_well(live, "alarm")
        self.set(live)

    def _again(self, live: LiveTable, fault: Exception) -> None:
        """What was due has failed. It is tried again later, and no other table waits for that."""
        self.cancel(live)
        delay = self._patience.delay(live, "alarm", fault)
        if delay is not None:
            when = Millis(self._time.now() + delay)
            live.alarm = (when, self._time.later(delay, lambda: self._due(live)))
