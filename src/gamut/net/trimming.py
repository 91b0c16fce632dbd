"""Giving memory back to the system after a crowd has left."""

import ctypes
import gc
from collections.abc import Callable

_MANY = 1_000


class Trimming:
    """Due when at most half of the tables are left that there once were.
    Before that, free memory is needed again."""

    def __init__(self, tables: Callable[[], int], rest: Callable[[], None]) -> None:
        self._tables = tables
        self._rest = rest
        self._most = 0

    def due(self) -> bool:
        now = self._tables()
        self._most = max(self._most, now)
        if self._most < _MANY or now > self._most // 2:
            return False
        self._most = now
        return True

    def trim(self) -> None:
        """May take a moment: not for the event loop's own thread."""
        self._rest()
        trim()


def trim() -> None:
    """The same."""
    give_back = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's; elsewhere there is none
    if give_back is not None:
        give_back(0)


def collect(tables: int) -> None:
    """Look for garbage, also in what is else looked at no more: a hall that was handed over goes round in circles.
    `tables`: that are still here. Where they are many all of them would wait for it, so it is left to chance."""
    if tables < _MANY:
        gc.unfreeze()
        gc.collect()
