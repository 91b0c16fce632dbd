"""One alarm for each table where something is due."""

from collections.abc import Callable

from gamut.hall.ids import Millis
from gamut.hall.live import LiveTable
from gamut.hall.time import Timekeeper


class Alarms:
    """An alarm is not moved when a deadline gets later: a move costs nothing, and an early alarm is set anew."""

    def __init__(self, time: Timekeeper, ring: Callable[[LiveTable], None]) -> None:
        self._time = time
        self._ring = ring

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
            self._ring(live)
        self.set(live)
