"""How much a bot may think about one action."""

from time import monotonic

import msgspec


class Budget(msgspec.Struct, frozen=True, gc=False):
    """Limits of time and steps. None: no limit but that of the bot's level."""

    millis: int | None = None
    """Of real time: the bot's clock runs."""
    nodes: int | None = None
    """Of the bot's own steps, in the place of what the level takes: equal chance then gives equal games anywhere."""

    def work(self, usual: int, at_once: int) -> "Work":
        """For a search that usually takes so many steps, and asks after so many whether there is time for more."""
        return Work(self, usual, at_once)


UNLIMITED = Budget()


class Work:
    """The steps of a search that are still to be taken."""

    __slots__ = ("_at_once", "_deadline", "_left")

    def __init__(self, budget: Budget, usual: int, at_once: int) -> None:
        self._left = usual if budget.nodes is None else budget.nodes
        # Without a clock nothing is asked of the time, and nothing depends on the machine.
        self._deadline = None if budget.millis is None else monotonic() + budget.millis / 1000
        self._at_once = self._left if budget.millis is None else at_once

    def next(self) -> int:
        """So many steps now; 0: that was all."""
        if self._deadline is not None and monotonic() >= self._deadline:
            return 0
        steps = min(self._left, self._at_once)
        self._left -= steps
        return steps
