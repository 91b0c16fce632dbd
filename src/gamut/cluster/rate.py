"""How often something happens."""

from collections import deque


class Rate:
    """From a count that is read again and again."""

    def __init__(self, reads: int = 20) -> None:
        """Over so many reads it is worked out: over five seconds, where they are as far apart as signs of life."""
        self._read: deque[tuple[float, int]] = deque(maxlen=reads)

    def of(self, count: int, now: float) -> float:
        """A second; 0 at first."""
        self._read.append((now, count))
        since, before = self._read[0]
        return (count - before) / (now - since) if now > since else 0.0
