"""Delay and loss on a way, where the kernel has none: as those feel them who speak TCP."""

from random import Random

_PACKET = 1448
"""Bytes."""
_RETRANSMISSION = 0.2
"""Seconds after which Linux sends again what was lost, at the least."""


class Weather:
    def __init__(self, delay: float, loss: float, chance: Random) -> None:
        """Seconds in each direction, and the part of the packets that is lost."""
        self._delay = delay
        self._loss = loss
        self._chance = chance

    def arrives(self, now: float, size: int, before: float) -> float:
        """When what is sent now does: what is lost is sent again, and what comes after it waits. `before`: when that
        arrives which was sent before it."""
        late, part = self._delay, 1 - (1 - self._loss) ** (1 + size // _PACKET)
        while self._chance.random() < part:
            late += _RETRANSMISSION
        return max(now + late, before)
