"""Processes of which some end while others go on, all of them in one, on the time of the world."""

import asyncio
from collections.abc import Callable
from typing import Any

from tests.hall.support.inmemory import NOON, ManualTime, ManualTimer
from tests.simulation.loop import WHOSE

from gamut.hall.ids import Millis


class Clock(ManualTime):
    """The time of the world, which goes on while there is no server."""

    def __init__(self) -> None:
        super().__init__(NOON)

    @property
    def next_due(self) -> Millis | None:
        return self._timers[0][0] if self._timers else None


class Process:
    """Nothing happens in it any more when it is gone."""

    def __init__(self, clock: Clock, loop: asyncio.AbstractEventLoop) -> None:
        self.alive = True
        self.clock = clock
        self._loop = loop

    # Implements `gamut.cluster.pulse.Pulse`

    def now(self) -> float:
        return self.clock.now() / 1_000

    def soon(self, call: Callable[[], None]) -> None:
        self._loop.call_soon(self.run, call)

    def later(self, seconds: float, call: Callable[[], None]) -> ManualTimer:
        return self.clock.later(Millis(round(seconds * 1_000)), lambda: self.run(call))

    def run(self, call: Callable[..., Any], *args: Any) -> None:
        if self.alive:
            token = WHOSE.set(self)
            try:
                call(*args)
            finally:
                WHOSE.reset(token)
