"""Server time: the wall clock when the server started, and a clock that cannot be set back since.

It stands still until the doors are open: while nobody can come in, nobody's clock runs and nobody is late. Over a
restart it does not go back either, whatever the wall clock says: the ledger knows how late it was.
"""

import asyncio
from collections.abc import Callable
from time import monotonic, time

from gamut.hall.ids import Millis
from gamut.hall.time import Timer


class _Held:
    """A call that is waited for only once time passes."""

    def __init__(self, delay: Millis, call: Callable[[], None]) -> None:
        self.delay = delay
        self.call = call
        self._timer: Timer | None = None
        self._cancelled = False

    def go(self, later: Callable[[Millis, Callable[[], None]], Timer]) -> None:
        if not self._cancelled:
            self._timer = later(self.delay, self.call)

    def cancel(self) -> None:
        self._cancelled = True
        if self._timer is not None:
            self._timer.cancel()


class LoopTime:
    def __init__(self, loop: asyncio.AbstractEventLoop, not_before: int = 0) -> None:
        self._loop = loop
        self._stands_at: Millis | None = Millis(max(int(time() * 1000), not_before))
        self._offset = 0.0
        self._held: list[_Held] = []

    def go(self) -> None:
        """The doors are open: time passes from now on."""
        assert self._stands_at is not None, "it passes already"
        self._offset = self._stands_at - monotonic() * 1000
        self._stands_at = None
        held, self._held = self._held, []
        for call in held:
            call.go(self.later)

    def now(self) -> Millis:
        if self._stands_at is not None:
            return self._stands_at
        return int(self._offset + monotonic() * 1000)  # type: ignore[return-value]  # Millis

    def later(self, delay: Millis, call: Callable[[], None]) -> Timer:
        if self._stands_at is None:
            return self._loop.call_later(delay / 1000, call)
        self._held.append(held := _Held(delay, call))
        return held
