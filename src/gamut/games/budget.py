"""How much a bot may think about one action."""

from collections.abc import Callable, Sequence
from math import inf
from time import monotonic
from typing import TypeVar

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
Choice = TypeVar("Choice")


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


def best_of(
    choices: Sequence[Choice], worth: Callable[[Choice], float], budget: Budget, at_once: int
) -> tuple[Choice, float]:
    """The first of the best among as many as there is time for, and its worth; so many between looks at the clock."""
    best, most = choices[0], -inf
    looked_at, work = 0, budget.work(len(choices), at_once)
    while looked_at < len(choices) and (steps := work.next()):
        for choice in choices[looked_at : looked_at + steps]:
            found = worth(choice)
            if found > most:
                best, most = choice, found
        looked_at += steps
    return best, most
