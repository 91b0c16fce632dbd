"""A bus in simulated time: it loses, doubles and delays, and now and then somebody hears nothing for a while."""

from collections import Counter
from collections.abc import Callable
from random import Random

from tests.simulation.process import Clock, Process

from gamut.cluster.bus import Heard
from gamut.hall.ids import Millis


class SlowBus:
    """What it does comes from a chance of its own. Each process has its own end."""

    def __init__(self, seed: int, clock: Clock) -> None:
        self._chance = chance = Random(f"bus of {seed}")
        self._clock = clock
        self._loses = chance.choice((0.0, 0.0, 0.002, 0.02, 0.1))
        self._doubles = chance.choice((0.0, 0.0, 0.01, 0.1))
        self._slowest = chance.choice((1, 2, 5, 5, 30))
        """Milliseconds on the way."""
        self._keeps_order = chance.random() < 0.7
        self.is_calm = False
        """For as long as this is so, everything arrives."""
        self._ends: list[BusEnd] = []
        self.lost = self.doubled = 0

    def end_of(self, process: Process) -> "BusEnd":
        self._ends = [end for end in self._ends if end.process.alive]
        end = BusEnd(self, process)
        self._ends.append(end)
        return end

    def publish(self, sender: "BusEnd", subject: str, data: bytes) -> None:
        for end in self._ends:
            if end.process.alive and subject in end.subjects:
                for _ in range(self._copies()):
                    self._send(sender, end, subject, data)

    def _copies(self) -> int:
        luck = 1.0 if self.is_calm else self._chance.random()
        if luck < self._loses:
            self.lost += 1
            return 0
        if luck < self._loses + self._doubles:
            self.doubled += 1
            return 2
        return 1

    def _send(self, sender: "BusEnd", end: "BusEnd", subject: str, data: bytes) -> None:
        now = self._clock.now()
        due = now + self._chance.randrange(self._slowest + 1)
        if self._keeps_order:
            due = end.latest[sender] = max(due, end.latest.get(sender, 0))
        self._clock.later(Millis(due - now), lambda: end.hear(subject, data))


class BusEnd:
    """Implements `gamut.cluster.bus.Bus`."""

    def __init__(self, bus: SlowBus, process: Process) -> None:
        self._bus = bus
        self.process = process
        self.subjects: dict[str, list[Heard]] = {}
        self.latest: dict[BusEnd, int] = {}
        """When the last packet of each arrives."""
        self.lost: Counter[str] = Counter()
        self.reconnects = 0
        self.connected = True

    def publish(self, subject: str, data: bytes) -> None:
        if self.connected and self.process.alive:
            self._bus.publish(self, subject, data)

    def subscribe(self, subject: str, heard: Callable[[bytes], None]) -> None:
        self.subjects.setdefault(subject, []).append(heard)

    def unsubscribe(self, subject: str, heard: Callable[[bytes], None]) -> None:
        self.subjects[subject].remove(heard)

    def hear(self, subject: str, data: bytes) -> None:
        if self.connected:
            for heard in tuple(self.subjects[subject]):
                self.process.run(heard, data)

    async def close(self) -> None:
        self.connected = False
