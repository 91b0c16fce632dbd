"""Two ends of a link on simulated time, and between them whatever loses, doubles, delays and holds back packets."""

import heapq
from collections.abc import Callable
from functools import partial
from itertools import count
from random import Random

from gamut.cluster.link import Limits, Link

LIMITS = Limits(packet=1_000, ack_bytes=4_000, ack_packets=8)
"""Small packets, so that messages of some thousand bytes travel in several."""

Make = Callable[[int, float, Limits], Link]

_NUMBER = 7
_TICK = (0.05, 0.1)
_QUICK = 0.002
_DAY, _PEACE = 5.0, 2.0
"""For so long all kinds of trouble, and then none."""


class WrongLink(AssertionError):
    """A promise of the link is broken."""


class Weather:
    def __init__(self, chance: Random, *, ordered: bool) -> None:
        self.ordered = ordered
        self.loss = chance.choice([0.0, 0.01, 0.1, 0.3])
        self.doubling = chance.choice([0.0, 0.05, 0.3])
        self.delay = chance.choice([_QUICK, 0.02, 0.3])
        self.pause = chance.choice([0.01, 0.1, 3.0])
        """Between two messages of one end, on average."""
        self.cuts = chance.choice([0.0, 0.2])
        self.freezes = chance.choice([0.0, 0.2])
        """How many begin in a second, on average."""
        self.longest_freeze = chance.choice([1.0, 1.0, 5.0])

    @property
    def is_fair(self) -> bool:
        """Too fair for anybody to hear nothing for long."""
        return self.loss <= 0.1 and not self.cuts and not self.freezes


class End:
    def __init__(self, name: str, link: Link) -> None:
        self.name = name
        self.link = link
        self.said: list[bytes] = []
        self.handed: list[bytes] = []
        self.waiting: list[bytes] = []
        """Packets that arrived while this end was frozen."""
        self.frozen_until = 0.0
        self.cut_until = 0.0
        """Until then nothing that it sends arrives."""
        self.latest = 0.0
        """When the last of the packets that are under way from it arrives."""
        self.arrived = 0.0
        """When something last arrived here, heard or not."""
        self.other: End


class LinkWorld:
    def __init__(self, seed: int, *, ordered: bool, make: Make = Link) -> None:
        self.chance = Random(seed)
        self.now = self.chance.uniform(0, 1_000_000)
        self.peace = self.now + _DAY
        self.weather = Weather(self.chance, ordered=ordered)
        self._happening: list[tuple[float, int, Callable[[], None]]] = []
        self._counted = count()
        left = End("left", make(_NUMBER, self.now, LIMITS))
        right = End("right", make(_NUMBER, self.now, LIMITS))
        left.other, right.other = right, left
        self.ends = (left, right)
        for end in self.ends:
            end.arrived = self.now
            self._later(self.chance.uniform(*_TICK), partial(self._tick, end))
            self._later(0, partial(self._talk, end))
            self._later(0, partial(self._trouble, end))

    @property
    def broken(self) -> bool:
        return any(end.link.broken for end in self.ends)

    def run(self) -> None:
        """Raises WrongLink as soon as a promise is broken."""
        end = self.peace + _PEACE
        while self._happening[0][0] <= end and not all(end.link.broken for end in self.ends):
            self.now, _, call = heapq.heappop(self._happening)
            call()
        if not self.broken:
            self._check_all_arrived()
        elif self.weather.is_fair:
            raise WrongLink("A link is broken in fair weather.")

    def _check_all_arrived(self) -> None:
        for end in self.ends:
            if end.handed != end.other.said:
                raise WrongLink(f"{end.name} has {len(end.handed)} of {len(end.other.said)} messages.")
            if end.link.unacknowledged:
                raise WrongLink(f"{end.name} keeps {end.link.unacknowledged} bytes.")

    def _later(self, delay: float, call: Callable[[], None]) -> None:
        heapq.heappush(self._happening, (self.now + delay, next(self._counted), call))

    @property
    def _peaceful(self) -> bool:
        return self.now >= self.peace

    def _talk(self, end: End) -> None:
        if self._peaceful:
            return
        if self.now >= end.frozen_until and not end.link.broken:
            for _ in range(self.chance.choice([1, 1, 1, 4])):
                size = self.chance.choice([0, 10, 200, 999, 1_000, 1_001, 3_500])
                message = b"%d " % len(end.said) + bytes(size)
                end.said.append(message)
                end.link.say(message)
            self._turn(end)
        self._later(self.chance.expovariate(1 / self.weather.pause), partial(self._talk, end))

    def _trouble(self, end: End) -> None:
        """Now and then the way from an end is cut, or the end itself stands still."""
        if self._peaceful:
            return
        if self.chance.random() < self.weather.cuts / 2:
            end.cut_until = min(self.peace, self.now + self.chance.uniform(0.1, 1.5))
        if self.chance.random() < self.weather.freezes / 2:
            end.frozen_until = min(
                self.peace, self.now + self.chance.uniform(0.1, self.weather.longest_freeze)
            )
        self._later(0.5, partial(self._trouble, end))

    def _tick(self, end: End) -> None:
        if self.now < end.frozen_until:
            self._later(end.frozen_until - self.now, partial(self._tick, end))
            return
        was_broken = end.link.broken
        # Whoever was frozen may be told the time before the packets that have waited.
        end.link.tick(self.now)
        if end.link.broken and not was_broken and self.now - end.arrived < LIMITS.silence - 1e-6:
            raise WrongLink(f"{end.name} does not hear the other end, which is not silent.")
        self._turn(end)
        waiting, end.waiting = end.waiting, []
        for packet in waiting:
            self._hear(end, packet)
        self._later(self.chance.uniform(*_TICK), partial(self._tick, end))

    def _arrive(self, end: End, packet: bytes) -> None:
        end.arrived = self.now
        if self.now < end.frozen_until or end.waiting:
            end.waiting.append(packet)
        else:
            self._hear(end, packet)

    def _hear(self, end: End, packet: bytes) -> None:
        messages = end.link.heard(packet, self.now)
        begun = len(end.handed)
        end.handed += messages
        if messages != end.other.said[begun : begun + len(messages)]:
            raise WrongLink(f"{end.name} hears something else than was said, from message {begun} on.")
        self._turn(end)

    def _turn(self, end: End) -> None:
        if end.link.broken not in (None, "silence"):
            raise WrongLink(f"{end.name} is broken by {end.link.broken}.")
        for packet in end.link.packets():
            self._send(end, packet)

    def _send(self, end: End, packet: bytes) -> None:
        weather, chance = self.weather, self.chance
        for _ in range(2 if not self._peaceful and chance.random() < weather.doubling else 1):
            if not self._peaceful and (self.now < end.cut_until or chance.random() < weather.loss):
                continue
            arrival = self.now + (_QUICK if self._peaceful else chance.uniform(_QUICK / 2, weather.delay))
            if weather.ordered:
                end.latest = arrival = max(end.latest, arrival)
            self._later(arrival - self.now, partial(self._arrive, end.other, packet))
