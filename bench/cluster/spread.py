"""How long something took, however often it was measured: in buckets of 2 %, so that it stays small."""

from collections import Counter
from collections.abc import Iterable
from math import ceil, exp, log

import msgspec

_STEP = log(1.02)
_LEAST = 1e-4
"""Seconds: what is shorter counts as this."""


class Spread(msgspec.Struct):
    buckets: Counter[int] = msgspec.field(default_factory=Counter)
    worst: float = 0.0
    """In seconds."""

    def add(self, seconds: float) -> None:
        self.buckets[round(log(max(seconds, _LEAST)) / _STEP)] += 1
        self.worst = max(self.worst, seconds)

    def add_all(self, each: Iterable[float]) -> None:
        for seconds in each:
            self.add(seconds)

    def merge(self, more: "Spread") -> None:
        self.buckets.update(more.buckets)
        self.worst = max(self.worst, more.worst)

    @property
    def number(self) -> int:
        return self.buckets.total()

    def part(self, part: float) -> float:
        """So many of them were at the most as long as this; within 1 %."""
        left = max(1, ceil(self.number * part))
        for bucket in sorted(self.buckets):
            left -= self.buckets[bucket]
            if left <= 0:
                return min(self.worst, exp(bucket * _STEP))
        return 0.0

    def __str__(self) -> str:
        if not self.buckets:
            return "-"
        return f"{self.part(0.5):<7.2f}{self.part(0.99):<7.2f}{self.worst:.2f}"
