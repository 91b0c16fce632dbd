"""Time as links need it: it goes on while server time stands still, and a lost clock costs nothing but patience."""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Protocol


class Timer(Protocol):
    def cancel(self) -> None: ...


class Pulse(Protocol):
    def now(self) -> float:
        """Seconds since some moment."""
        ...

    def soon(self, call: Callable[[], None]) -> None:
        """Call when everything that has arrived is dealt with."""
        ...

    def later(self, seconds: float, call: Callable[[], None]) -> Timer: ...


class LoopPulse:
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.now = monotonic

    def soon(self, call: Callable[[], None]) -> None:
        self._loop.call_soon(call)

    def later(self, seconds: float, call: Callable[[], None]) -> Timer:
        return self._loop.call_later(seconds, call)
