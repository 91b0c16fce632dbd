"""What one connection or one address may ask for. Every hit is counted by name."""

import logging
from collections import Counter
from time import monotonic

from gamut.net.port.address import counted_as, is_loopback

log = logging.getLogger("gamut.server")

_QUIET_SECONDS = 60.0


class TurnedAway:
    """Counts who is turned away, and says so in the log, but not for each of them."""

    def __init__(self, hits: Counter[str]) -> None:
        self._hits = hits
        self._unsaid: Counter[str] = Counter()
        self._quiet_until = 0.0

    def count(self, limit: str) -> None:
        self._hits[limit] += 1
        self._unsaid[limit] += 1
        now = monotonic()
        if now >= self._quiet_until:
            self._quiet_until = now + _QUIET_SECONDS
            log.warning("connections are turned away", extra={"limits": dict(self._unsaid)})
            self._unsaid.clear()


class ConnectionLimits:
    """How many connections at doors there are, in all and from each address."""

    def __init__(self, per_address: int, in_all: int, turned_away: TurnedAway) -> None:
        self._per_address = per_address
        self._in_all = in_all
        self._turned_away = turned_away
        self._from: Counter[str] = Counter()
        self._count = 0

    def enter(self, address: str) -> bool:
        if self._count >= self._in_all:
            self._turned_away.count("connections")
            return False
        key = counted_as(address)
        if self._from[key] >= self._per_address and not is_loopback(address):
            self._turned_away.count("connections_per_address")
            return False
        self._from[key] += 1
        self._count += 1
        return True

    def leave(self, address: str) -> None:
        key = counted_as(address)
        self._count -= 1
        self._from[key] -= 1
        if not self._from[key]:
            del self._from[key]
