"""How much of the hall a process has. Of those that stand by, who has fewer wings takes a free one first."""

from collections.abc import Callable

_IS_WANTED = 0.5
"""Seconds for which a wing counts as about to be taken. Its store asks several times in these."""
_OF_ANOTHER = 50
"""A wing that is another process's weighs as much as so many."""


class Burden:
    """Several wings may become free in one moment, and the store of each asks for itself. A process takes them one
    after the other, so those that it is about to take count, too."""

    def __init__(
        self,
        now: Callable[[], float],
        has: Callable[[int], bool],
        wings: int,
        promised: Callable[[int], bool | None],
    ) -> None:
        """`promised`: whether a wing that is free is this process's; None: anybody's."""
        self._now = now
        self._has = has
        self._wings = range(wings)
        self._promised = promised
        self._wanted: dict[int, float] = {}
        """Wings that are free, in the order in which they were, and when that was said last."""

    def before(self, wing: int) -> int:
        """How many wings this process has, or takes before this one, which is free."""
        now = self._now()
        self._wanted = {
            other: at for other, at in self._wanted.items() if now - at < _IS_WANTED and not self._has(other)
        }
        self._wanted[wing] = now
        promised = self._promised(wing)
        if promised:
            return 0
        of_another = _OF_ANOTHER if promised is False else 0
        return sum(map(self._has, self._wings)) + list(self._wanted).index(wing) + of_another

    def is_not_free(self, wing: int) -> None:
        """Another process has it."""
        self._wanted.pop(wing, None)
