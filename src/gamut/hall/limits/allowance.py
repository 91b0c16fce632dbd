"""How much may be stored because of one person, or from one address: so much at once, and then at a pace.

What everybody writes is kept for good, so nobody may fill the disk alone. Moves are free: a game has an end.
"""

from collections import OrderedDict
from collections.abc import Callable

import msgspec

from gamut.games.game import Refused
from gamut.hall.ids import Millis

_KEYS_AT_MOST = 100_000


class Allowance(msgspec.Struct, frozen=True):
    at_once: int
    """Bytes."""
    per_second: int
    """Bytes; 0: no limit."""


class TooMuch(Refused):
    def __init__(self, wait: int) -> None:
        seconds = max(1, -(-wait // 1000))
        super().__init__(
            "too_much", f"You have changed a great deal in a short time; wait {seconds} seconds."
        )


class Spent:
    """What each has used of one allowance. A debt is one number: the moment at which it will be paid off."""

    def __init__(self, allowance: Allowance, now: Callable[[], Millis]) -> None:
        self._at_once = allowance.at_once
        self._per_second = allowance.per_second
        self._now = now
        self._paid_at: OrderedDict[str, int] = OrderedDict()
        self.refused = 0

    def check(self, key: str) -> None:
        """Raise TooMuch if it is used up."""
        paid_at = self._paid_at.get(key)
        if paid_at is None:
            return
        wait = paid_at - self._now() - self._at_once * 1000 // self._per_second
        if wait > 0:
            self.refused += 1
            raise TooMuch(wait)

    def charge(self, key: str, size: int) -> None:
        if not self._per_second:
            return
        now = self._now()
        self._paid_at[key] = max(self._paid_at.get(key, now), now) + size * 1000 // self._per_second
        self._paid_at.move_to_end(key)
        # Whoever has paid is as one who never owed anything; of too many, those go who have been quiet longest.
        while self._paid_at:
            oldest, paid_at = next(iter(self._paid_at.items()))
            if paid_at > now and len(self._paid_at) <= _KEYS_AT_MOST:
                return
            del self._paid_at[oldest]

    def __len__(self) -> int:
        return len(self._paid_at)
