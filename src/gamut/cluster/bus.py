"""What nodes say to each other goes over a bus, of which nobody expects much."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Protocol

Heard = Callable[[bytes], None]


_FOR_ONE = "to."


def is_for_one(subject: str) -> bool:
    """Whether a single node listens to this subject."""
    return subject.startswith(_FOR_ONE)


class BusError(Exception):
    """There can be no such bus. The message is one clear line."""


class Bus(Protocol):
    """Carries packets between nodes. It may lose, double and delay them: nobody believes it."""

    @property
    def lost(self) -> Counter[str]:
        """How many packets this end knows to be lost, by reason."""
        ...

    @property
    def reconnects(self) -> int: ...

    @property
    def connected(self) -> bool: ...

    def publish(self, subject: str, data: bytes) -> None:
        """Never waits and never raises: what cannot be sent is lost, and counted."""

    def subscribe(self, subject: str, heard: Heard) -> None:
        """Until it is unsubscribed: it outlasts every connection."""

    def unsubscribe(self, subject: str, heard: Heard) -> None:
        """Something that is on its way may still be heard."""

    async def close(self) -> None: ...


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

    def unsubscribe(self, subject: str, heard: Heard) -> None:
        left = self._heard[subject]
        left.remove(heard)
        if not left:
            del self._heard[subject]

    async def close(self) -> None:
        self._heard.clear()

    def has(self, subject: str) -> bool:
        """Whether anybody here listens to it."""
        return subject in self._heard


class NearBus:
    """What a process says to itself alone takes no way around by a server, and arrives also if there is none."""

    def __init__(self, far: Bus) -> None:
        self._far = far
        self._near = LocalBus()

    @property
    def lost(self) -> Counter[str]:
        return self._far.lost

    @property
    def reconnects(self) -> int:
        return self._far.reconnects

    @property
    def connected(self) -> bool:
        return self._far.connected

    def publish(self, subject: str, data: bytes) -> None:
        near = self._near.has(subject)
        if near:
            self._near.publish(subject, data)
        if not (near and is_for_one(subject)):
            self._far.publish(subject, data)

    def subscribe(self, subject: str, heard: Heard) -> None:
        self._near.subscribe(subject, heard)
        self._far.subscribe(subject, heard)

    def unsubscribe(self, subject: str, heard: Heard) -> None:
        self._near.unsubscribe(subject, heard)
        self._far.unsubscribe(subject, heard)

    async def close(self) -> None:
        await self._far.close()
