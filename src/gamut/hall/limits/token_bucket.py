"""Token buckets: so many tokens at once, and what was taken comes back at a steady rate.

A bucket is one number, the moment at which it is full again. A full bucket is the same as one that was never used, so
that full ones can be forgotten.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

import msgspec

from gamut.hall.ids import Millis

N = TypeVar("N", int, float)


class Rate(msgspec.Struct, frozen=True, gc=False):
    """The arithmetic of all buckets: each holds `burst` tokens, and `tokens` come back in `per`.

    Moments are times multiplied by `tokens`: then whole numbers need no rounding.
    """

    burst: int
    tokens: int
    per: int

    def taking(self, full_at: N, now: N, cost: N) -> tuple[N, N]:
        """When the bucket is full again if so many tokens are taken, and how long they are still missing.

        Both are multiplied by `tokens`; if the second is not above 0, there are enough tokens now.
        """
        now *= self.tokens
        after = (full_at if full_at > now else now) + cost * self.per
        return after, after - now - self.burst * self.per


class TokenBucket:
    """A single bucket. The caller passes the time."""

    __slots__ = ("_full_at", "_rate")

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._full_at = 0.0

    def take(self, now: float, cost: float = 1.0) -> bool:
        """Whether there were so many tokens; then they are taken."""
        full_at, missing = self._rate.taking(self._full_at, now, cost)
        if missing > 0:
            return False
        self._full_at = full_at
        return True


class TokenBuckets:
    """A bucket for each key. When more than `keys_at_most` are not full, the longest unused is dropped.

    `keys_at_most` None: only full buckets are dropped. That is right for keys that strangers cannot multiply.
    """

    def __init__(self, rate: Rate, now: Callable[[], Millis], keys_at_most: int | None) -> None:
        self._rate = rate
        self._now = now
        self._keys_at_most = keys_at_most
        self._full_at: OrderedDict[str, int] = OrderedDict()
        """The longest unused first."""
        self.forgotten = 0
        """Buckets that were not full."""

    def wait(self, key: str, cost: int) -> Millis:
        """How long until this bucket has so many tokens; 0 if it has them now."""
        _, missing = self._rate.taking(self._full_at.get(key, 0), self._now(), cost)
        return Millis(-(-missing // self._rate.tokens)) if missing > 0 else Millis(0)

    def take(self, key: str, cost: int) -> None:
        """Take so many tokens. If there are fewer, the bucket owes the rest."""
        now = self._now()
        self._full_at[key], _ = self._rate.taking(self._full_at.get(key, 0), now, cost)
        self._full_at.move_to_end(key)
        self._forget(now * self._rate.tokens)

    def give_back(self, key: str, cost: int) -> None:
        if key in self._full_at:
            self._full_at[key] -= cost * self._rate.per

    def _forget(self, now: int) -> None:
        while self._full_at:
            key, full_at = next(iter(self._full_at.items()))
            if full_at > now:
                if self._keys_at_most is None or len(self._full_at) <= self._keys_at_most:
                    return
                self.forgotten += 1
            del self._full_at[key]

    def __len__(self) -> int:
        return len(self._full_at)
