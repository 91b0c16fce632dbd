"""What nodes say to each other goes over a bus, of which nobody expects much."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Protocol

Heard = Callable[[bytes], None]


class BusError(Exception):
    """There can be no such bus. The message is one clear line."""


class Bus(Protocol):
    """Carries packets between nodes. It may lose, double and delay them: nobody believes it."""

    lost: Counter[str]
    """How many packets this end knows to be lost, by reason."""
    reconnects: int

    @property
    def connected(self) -> bool: ...

    def publish(self, subject: str, data: bytes) -> None:
        """Never waits and never raises: what cannot be sent is lost, and counted."""

    def subscribe(self, subject: str, heard: Heard) -> None:
        """Once, at the start: it outlasts every connection."""


class LocalBus:
    """Within one process: everything arrives, in order, in the next turn of the loop."""

    connected = True

    def __init__(self) -> None:
        self.lost: Counter[str] = Counter()
        self.reconnects = 0
        self._heard: defaultdict[str, list[Heard]] = defaultdict(list)

    def publish(self, subject: str, data: bytes) -> None:
        for heard in self._heard.get(subject, ()):
            asyncio.get_running_loop().call_soon(heard, data)

    def subscribe(self, subject: str, heard: Heard) -> None:
        self._heard[subject].append(heard)
