"""Time and a bus that do what a test tells them, and nothing else."""

import heapq
from collections import Counter, deque
from collections.abc import Callable
from itertools import count


class HandTimer:
    def __init__(self, call: Callable[[], None]) -> None:
        self.call: Callable[[], None] | None = call

    def cancel(self) -> None:
        self.call = None


class HandPulse:
    """A `Pulse` whose time passes only in `advance`."""

    def __init__(self) -> None:
        self._now = 1_000.0
        self._number = count()
        self._timers: list[tuple[float, int, HandTimer]] = []
        self._soon: deque[Callable[[], None]] = deque()

    def now(self) -> float:
        return self._now

    def soon(self, call: Callable[[], None]) -> None:
        self._soon.append(call)

    def later(self, seconds: float, call: Callable[[], None]) -> HandTimer:
        timer = HandTimer(call)
        heapq.heappush(self._timers, (self._now + seconds, next(self._number), timer))
        return timer

    def turn(self) -> bool:
        """Do what was to be done soon; whether there was anything."""
        calls, self._soon = self._soon, deque()
        for call in calls:
            call()
        return bool(calls)

    def next_due(self, until: float) -> bool:
        """Let time pass up to the next timer, and let it ring; False if there is none until then."""
        while self._timers and self._timers[0][0] <= until:
            when, _, timer = heapq.heappop(self._timers)
            call, timer.call = timer.call, None
            if call is not None:
                self._now = max(self._now, when)
                call()
                return True
        self._now = max(self._now, until)
        return False


class HandBus:
    """One of all nodes. Each has its own end, which can be cut off."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[HandBusEnd, bytes, Callable[[bytes], None]]] = deque()
        self.ends: list[HandBusEnd] = []

    def end(self) -> "HandBusEnd":
        end = HandBusEnd(self)
        self.ends.append(end)
        return end

    def publish(self, subject: str, data: bytes) -> None:
        for end in self.ends:
            for known, heard in end.subscriptions:
                if known == subject and end.connected:
                    self._waiting.append((end, data, heard))

    def deliver(self) -> bool:
        """Whatever is on its way arrives; whether there was anything."""
        waiting, self._waiting = self._waiting, deque()
        for end, data, heard in waiting:
            if end.connected:
                heard(data)
        return bool(waiting)


class HandBusEnd:
    """Implements `gamut.cluster.bus.Bus`."""

    def __init__(self, bus: HandBus) -> None:
        self._bus = bus
        self.subscriptions: list[tuple[str, Callable[[bytes], None]]] = []
        self.lost: Counter[str] = Counter()
        self.reconnects = 0
        self.connected = True

    def publish(self, subject: str, data: bytes) -> None:
        if self.connected:
            self._bus.publish(subject, data)

    def subscribe(self, subject: str, heard: Callable[[bytes], None]) -> None:
        self.subscriptions.append((subject, heard))

    def unsubscribe(self, subject: str, heard: Callable[[bytes], None]) -> None:
        self.subscriptions.remove((subject, heard))

    async def close(self) -> None:
        self.connected = False
