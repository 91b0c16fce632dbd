"""A store that does not keep up: until it does, nobody is heard, bots wait, and time stands still.

What happens meanwhile could not be stored, and nobody could be told of it. So it does not happen: what waits to be
stored stays small, and nobody's clock runs for a move that they have not seen, or that we have not read.
"""

import logging
from collections.abc import Callable

from gamut.hall.faults import Faults
from gamut.hall.ids import Millis
from gamut.hall.time import Timekeeper

log = logging.getLogger("gamut.hall")

LONG = Millis(500)
"""A commit that takes longer than this, or twice as long, holds everything up."""
MOST_ROWS = 20_000
MOST_BYTES = 16 << 20
"""What may wait for the commit before it."""


class Congestion:
    def __init__(self, time: Timekeeper, faults: Faults | None = None) -> None:
        self._time = time
        self._faults = Faults() if faults is None else faults
        self._storing = False
        self._looked_at = 0
        """The number of the commit that was under way when it was last looked."""
        self._number = 0
        self._armed = False
        self._waiting: list[Callable[[], None]] = []
        self._away = False
        self.on = False
        self.times = 0
        """How often it began."""
        self.on_begin: list[Callable[[], None]] = []
        self.on_end: list[Callable[[], None]] = []

    def when_over(self, call: Callable[[], None]) -> None:
        """Call now, or when the store keeps up again."""
        if self.on:
            self._waiting.append(call)
        else:
            call()

    def storing(self) -> None:
        """A commit begins. A look now and then finds one that takes long; no commit pays for a timer of its own."""
        self._storing = True
        self._number += 1
        if not self._armed:
            self._arm()

    def _arm(self) -> None:
        self._armed = True
        self._looked_at = self._number
        self._time.later(LONG, self._look)

    def _look(self) -> None:
        self._armed = False
        if not self._storing:
            return
        if self._number == self._looked_at:
            self.begin()
        else:
            self._arm()

    def stored(self) -> None:
        """The commit is back."""
        self._storing = False
        if self.on and not self._away:
            self._end()

    def store_is_away(self) -> None:
        """Also when nothing waits to be stored: what happened now could not be."""
        self._away = True
        self.begin()

    def store_is_back(self) -> None:
        self._away = False
        if self.on and not self._storing:
            self._end()

    def begin(self) -> None:
        """Something takes too long, or too much waits for it."""
        if self.on:
            return
        self.on = True
        self.times += 1
        log.warning("the store does not keep up: nobody is heard until it does")
        for call in self.on_begin:
            self._faults.guard("congestion", call)

    def _end(self) -> None:
        self.on = False
        log.warning("the store keeps up again")
        for call in self.on_end:
            self._faults.guard("congestion", call)
        waiting, self._waiting = self._waiting, []
        while waiting:
            # One of them may be too much again: the others wait on.
            self._faults.guard("congestion", self.when_over, waiting.pop(0))
