"""Server time: the wall clock when the server started, and a clock that cannot be set back since.

It stands still until the doors are open, and while the disk does not keep up (`hall/limits/congestion.py`):
while nobody can come in or be heard, nobody's clock runs and nobody is late. Over a restart it does not go
back either, whatever the wall clock says: the ledger knows how late it was.
"""

import asyncio
from collections.abc import Callable
from time import monotonic, time

from gamut.hall.ids import Millis
from gamut.hall.time import Timer


class _Alarm:
    """A call at a moment of server time, however long that takes."""

    __slots__ = ("_call", "_due", "_stood", "_time", "_timer")

    def __init__(self, time: "LoopTime", due: Millis, call: Callable[[], None]) -> None:
        self._time = time
        self._due = due
        self._call = call
        self._timer: Timer | None = None
        self.wait()

    def wait(self) -> None:
        self._stood = self._time.stood
        self._timer = self._time.waiting(self, self._due)

    def ring(self) -> None:
        """Its time has come, unless time has stood still meanwhile."""
        self._time.forget(self)
        if self._time.stood != self._stood:
            self.wait()
        else:
            self._call()

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._time.forget(self)


class LoopTime:
    def __init__(self, loop: asyncio.AbstractEventLoop, not_before: int = 0, ahead: int = 0) -> None:
        """`ahead`: by how many milliseconds the wall clock that counts is ahead of this machine's."""
        self._loop = loop
        self._stands_at: Millis | None = Millis(max(int(time() * 1000) + ahead, not_before))
        self._offset = 0.0
        self.stood = 0
        """How often time has come to stand."""
        self._held: dict[_Alarm, None] = {}
        """Alarms that were set while time stands: their timers begin when it goes on."""
        self._running: dict[_Alarm, None] = {}

    def go(self) -> None:
        """Time passes from now on: the doors are open, or the disk keeps up again."""
        if self._stands_at is None:
            return
        self._offset = self._stands_at - monotonic() * 1000
        self._stands_at = None
        held, self._held = self._held, {}
        for alarm in held:
            alarm.wait()

    def stand(self) -> None:
        """Time does not pass until `go`."""
        if self._stands_at is None:
            self._stands_at = self.now()
            self.stood += 1

    def now(self) -> Millis:
        if self._stands_at is not None:
            return self._stands_at
        return int(self._offset + monotonic() * 1000)  # type: ignore[return-value]  # Millis

    def later(self, delay: Millis, call: Callable[[], None]) -> Timer:
        return _Alarm(self, Millis(self.now() + delay), call)

    def waiting(self, alarm: _Alarm, due: Millis) -> Timer | None:
        """Have this alarm ring when it is due; None while time stands."""
        if self._stands_at is None:
            self._running[alarm] = None
            return self._loop.call_later(max(0, due - self.now()) / 1000, alarm.ring)
        self._held[alarm] = None
        return None

    def forget(self, alarm: _Alarm) -> None:
        self._held.pop(alarm, None)
        self._running.pop(alarm, None)

    def end(self) -> None:
        """Nothing is due any more. An alarm may be days away, and would keep all that it is about in memory until then,
        where the process goes on."""
        self.stand()
        for alarm in tuple(self._running):
            alarm.cancel()
