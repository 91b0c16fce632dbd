"""Faults of our own: an exception where there should be none. It stays where it happened, and everybody else goes on.

Wherever one part of the house calls others in turn (the connections of a batch, the doors of a table, the tables of a
sweep), a fault in one of them must not keep the rest from being called. There, and nowhere else, everything is caught,
by the name `Fault`; whoever catches it says here what it was and where, closes or refuses that one connection, door or
table, and goes on. What cannot be contained, because it is not known any more what is stored or who was told, stops
the server as a failed commit does.
"""

import logging
from collections import Counter
from collections.abc import Callable
from typing import Any

log = logging.getLogger("gamut.faults")

Fault = Exception
"""Whatever is raised that should not be. Not a cancelled task, and not the end of the process: these go through."""


def _raise(fault: BaseException) -> None:
    raise fault


class Faults:
    def __init__(self, stop: Callable[[BaseException], None] = _raise) -> None:
        self.counts: Counter[str] = Counter()
        """How many of each kind were contained."""
        self.stop = stop
        """For what cannot be contained: the server stops, and nobody is told anything more."""

    def contained(self, kind: str, fault: Exception, **where: str) -> None:
        """Count a fault and say in one line of the log where it was."""
        self.counts[kind] += 1
        log.error("a fault was contained", exc_info=fault, extra={"kind": kind, **where})

    def guard(self, kind: str, call: Callable[..., Any], *args: Any, **where: str) -> bool:
        """Call this; whether it went well. If not, it is as if it had not been called, as far as others care."""
        try:
            call(*args)
        except Fault as fault:
            self.contained(kind, fault, **where)
            return False
        return True
