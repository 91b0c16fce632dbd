"""How much may be stored because of one person, or from one address: so much at once, and then at a pace.

What everybody writes is kept for good, so nobody may fill the disk alone. Moves are free: a game has an end.
"""

from collections.abc import Callable

import msgspec

from gamut.games.game import Refused
from gamut.hall.ids import Millis
from gamut.hall.limits.token_bucket import Rate, TokenBuckets
from gamut.hall.limits.waits import in_seconds

_KEYS_AT_MOST = 100_000
_SECOND = Millis(1000)


class Allowance(msgspec.Struct, frozen=True):
    at_once: int
    """Bytes."""
    per_second: int
    """Bytes; 0: no limit."""


class TooMuch(Refused):
    def __init__(self, wait: Millis) -> None:
        super().__init__(
            "too_much", f"You have changed a great deal in a short time; wait {in_seconds(wait)}."
        )


class Spent:
    """How much of an allowance each key has used. Bytes are counted after they are stored,
    so a key may be in debt."""

    def __init__(self, allowance: Allowance, now: Callable[[], Millis]) -> None:
        self._buckets = (
            TokenBuckets(Rate(allowance.at_once, allowance.per_second, _SECOND), now, _KEYS_AT_MOST)
            if allowance.per_second
            else None
        )
        self.refused = 0

    def check(self, key: str) -> None:
        """Raise TooMuch if more is used than the allowance."""
        wait = Millis(0) if self._buckets is None else self._buckets.wait(key, 0)
        if wait:
            self.refused += 1
            raise TooMuch(wait)

    def charge(self, key: str, size: int) -> None:
        if self._buckets is not None:
            self._buckets.take(key, size)

    def __len__(self) -> int:
        return 0 if self._buckets is None else len(self._buckets)
