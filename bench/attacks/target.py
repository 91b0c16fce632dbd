"""The server as its attackers know it: where it is, how long they go on, and what they were told."""

import asyncio
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from time import monotonic

import msgspec

from bench.division import divided

_NEVER = float("inf")
_LINGER = 2.0
_UPGRADE = b"Upgrade: websocket"
_HEADERS = 1000
"""Bytes of a request in which that is looked for."""


class Owner(msgspec.Struct, frozen=True):
    """A process that has wings of the hall."""

    port: int
    """HTTP."""
    pid: int
    wings: tuple[int, ...]


class Ways(msgspec.Struct, frozen=True, kw_only=True):
    """The ports of a server, or those of a gateway and of the owner behind it."""

    main: int
    """WebSockets of all doors; if there is no cluster, HTTP, too."""
    tower: int
    tafl: int
    page: int
    """HTTP: in a cluster the owner's port, otherwise the main one."""
    nats: str = ""
    """What is between gateway and owner, as `--cluster` names it; empty: there is no cluster."""
    owners: tuple[Owner, ...] = ()
    """Of a cluster: the one with the page first."""
    wings: int = 1
    """Of the hall."""


class Target:
    """Handed to every attack. All that comes before `await target.prepared()` is preparation, and not measured."""

    def __init__(
        self,
        ways: Ways,
        seconds: float,
        wait: Callable[[], Awaitable[None]],
    ) -> None:
        self.ways = ways
        self.port = ways.main
        self.tower_port = ways.tower
        self.tafl_port = ways.tafl
        self.page_port = ways.page
        self.wings = divided(ways.wings)
        self.seconds = seconds
        self.told: Counter[str] = Counter()
        """How often the server said what: closes, refusals, statuses."""
        self.notes: list[str] = []
        """What the attacker wants known of how it went."""
        self.broken: list[str] = []
        """Promises of the server that did not hold."""
        self._wait = wait
        self._until = _NEVER

    async def prepared(self) -> None:
        """The attack may begin, as soon as the others are ready for it."""
        await self._wait()
        self._until = monotonic() + self.seconds

    @property
    def going(self) -> bool:
        return monotonic() < self._until

    def at_most(self, seconds: float) -> float:
        """How long to wait for something: not much longer than the attack goes on."""
        return min(seconds, self.left + _LINGER)

    @property
    def left(self) -> float:
        return max(0.0, self._until - monotonic())

    async def ticks(self, rate: float) -> AsyncIterator[int]:
        """So many times a second, until the attack is over. What could not be done in time is left out."""
        number, due = 0, monotonic()
        while self.going:
            yield number
            number += 1
            due = max(due + 1 / rate, monotonic() - 1 / rate)
            await asyncio.sleep(max(0.0, due - monotonic()))

    async def rest(self) -> None:
        """Nothing more to do: hold on to what is there until the attack is over."""
        await asyncio.sleep(self.left)

    def port_for(self, request: bytes) -> int:
        """As a proxy in front of a cluster chooses: WebSockets go to a gateway, all else to the owner."""
        return self.port if _UPGRADE in request[:_HEADERS] else self.page_port

    def note(self, text: str) -> None:
        self.notes.append(text)

    def expect(self, holds: bool, promise: str) -> None:
        if not holds and promise not in self.broken:
            self.broken.append(promise)


def address(number: int = 0) -> str:
    """One of the attackers' addresses, each in a network of its own; the server trusts the proxy that tells it."""
    return f"10.{number >> 8 & 255}.{number & 255}.7"


def anybody() -> str:
    """A name that nobody has."""
    return f"anybody {secrets.token_hex(5)}"


async def together(work: list[Awaitable[None]]) -> None:
    """All of it at once; who fails fails alone, since a refused attacker is an ordinary sight."""
    await asyncio.gather(*(_alone(each) for each in work))


async def _alone(work: Awaitable[None]) -> None:
    try:
        await work
    except (OSError, TimeoutError):
        return
