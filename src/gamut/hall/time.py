"""Time as an input: the hall asks this for the time and for a call later, so that tests never wait."""

from collections.abc import Callable
from typing import Protocol

from gamut.hall.ids import Millis


class Timer(Protocol):
    def cancel(self) -> None: ...


class Timekeeper(Protocol):
    def now(self) -> Millis:
        """Server time. It never goes backwards while the server runs."""
        ...

    def later(self, delay: Millis, call: Callable[[], None]) -> Timer: ...
