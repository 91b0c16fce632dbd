"""How much of the hall a process has. Of those that stand by, who has fewer wings takes a free one first."""

from collections.abc import Callable

_IS_WANTED = 0.5
"""Seconds for which a wing counts as about to be taken. Its store asks several times in these."""
_GIVEN_FOR = 3.0
"""Seconds for which a wing that was given away is rather another process's, if there is one that takes it."""
_OF_ONE_GIVEN = 50
"""Such a wing weighs as much as so many."""


class Burden:
    """Several wings may become free in one moment, and the store of each asks for itself. A process takes them one
    after the other, so those that it is about to take count, too."""

    def __init__(self, now: Callable[[], float], has: Callable[[int], bool], wings: int) -> None:
        self._now = now
        self._has = has
        self._wings = range(wings)
        self._given: dict[int, float] = {}
        """When wings were given away."""
        self._wanted: dict[int, float] = {}
        """Wings that are free, in the order in which they were, and when that was said last."""

    def before(self, wing: int) -> int:
        """How many wings this process has, or takes before this one, which is free."""
        now = self._now()
        self._wanted = {
            other: at for other, at in self._wanted.items() if now - at < _IS_WANTED and not self._has(other)
        }
        self._wanted[wing] = now
        is_given = now - self._given.get(wing, -_GIVEN_FOR) < _GIVEN_FOR
        return sum(map(self._has, self._wings)) + list(self._wanted).index(wing) + is_given * _OF_ONE_GIVEN

    def is_given(self, wing: int) -> None:
        """It was handed over to be at another process."""
        self._given[wing] = self._now()

    def is_not_free(self, wing: int) -> None:
        """Another process has it."""
        self._wanted.pop(wing, None)
