"""What one connection or one address may ask for. Every hit is counted by name."""

from collections import Counter
from time import monotonic

from gamut.net.address import is_loopback


class MessageRate:
    """A token bucket: so many messages a second, with a burst. A rate of 0 means no limit."""

    __slots__ = ("_burst", "_filled", "_rate", "_tokens")

    def __init__(self, rate: int, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = float(burst)
        self._filled = monotonic()

    def take(self) -> bool:
        if not self._rate:
            return True
        now = monotonic()
        self._tokens = min(self._burst, self._tokens + (now - self._filled) * self._rate)
        self._filled = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class ConnectionLimits:
    """How many WebSocket connections there are, in all and from each address."""

    def __init__(self, per_address: int, in_all: int, hits: Counter[str]) -> None:
        self._per_address = per_address
        self._in_all = in_all
        self._hits = hits
        self._from: Counter[str] = Counter()
        self._count = 0

    def enter(self, address: str) -> bool:
        if self._count >= self._in_all:
            self._hits["connections"] += 1
            return False
        if self._from[address] >= self._per_address and not is_loopback(address):
            self._hits["connections_per_address"] += 1
            return False
        self._from[address] += 1
        self._count += 1
        return True

    def leave(self, address: str) -> None:
        self._count -= 1
        self._from[address] -= 1
        if not self._from[address]:
            del self._from[address]
