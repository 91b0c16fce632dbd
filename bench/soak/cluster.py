"""A cluster in the place of the server of an evening: owners of a hall of several wings, and a gateway before them."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic

from tests.support.nats import Nats

from bench.attacks.requests import exchange_at
from bench.attacks.target import Target, Ways
from bench.cluster.proxy import HEALTH_OF_OWNER
from bench.pace import BenchFailed
from bench.soak.process import Server
from bench.stores.database import Database

LEASE = 2.0
"""Seconds. Attackers and people have the same cores: an owner may stall for a while."""
_OWNERS = 2
_LOOKS_EVERY = 0.1
_ATTACHES_WITHIN = 20.0
_OK = 200


class Cluster:
    """Is started, watched and ended as a `Server` is. Who has the main wing may change as long as it is open."""

    def __init__(
        self, data: Path, wrapper: tuple[str, ...], database: Database, nats: Nats, wings: int
    ) -> None:
        shared = ("--cluster", nats.url(), "--wings", str(wings), "--metrics-open", "true")
        has_hall = (*shared, "--role", "owner", "--store", database.url, "--lease", str(LEASE))
        self.owners = [
            Server(data / f"owner {number}", wrapper, has_hall, keeps_ports=True) for number in range(_OWNERS)
        ]
        self.gateway = Server(data / "gateway", wrapper, (*shared, "--role", "gateway"), keeps_ports=True)
        self.nodes = (*self.owners, self.gateway)
        self.starts = 0
        self.offset = 0
        """Clocks are right here: each wing has a server time of its own."""
        self._target: Target | None = None
        self.under_repair: set[Server] = set()
        """Nodes that were struck and are to be back soon."""

    @property
    def errors(self) -> list[str]:
        return [line for node in self.nodes for line in node.errors]

    @property
    def tracebacks(self) -> list[str]:
        return [trace for node in self.nodes for trace in node.tracebacks]

    @property
    def died(self) -> bool:
        return any(node.died for node in self.nodes if node not in self.under_repair)

    async def begin(self) -> None:
        await asyncio.gather(*(asyncio.to_thread(node.start) for node in self.nodes))
        self.starts += 1
        await self.is_whole()

    async def is_whole(self) -> None:
        """Wait until the gateway is attached to the owners of all wings, and somebody has the main one."""
        until = monotonic() + _ATTACHES_WITHIN
        metrics = b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        while (
            b"\ngamut_gateway_attached 1.0" not in (await exchange_at(self.gateway.port, metrics, 1.0)).body
        ):
            if monotonic() > until:
                raise BenchFailed(f"the gateway is attached to nobody: {self.errors[-2:]}")
            await asyncio.sleep(_LOOKS_EVERY)
        while (port := await self._main_port()) is None:
            if monotonic() > until:
                raise BenchFailed(f"nobody has the main wing: {self.errors[-2:]}")
            await asyncio.sleep(_LOOKS_EVERY)
        self._page = port
        if self._target is not None:
            self._target.page_port = port

    async def _main_port(self) -> int | None:
        """Of the owner that has the main wing, and with it the page."""
        asks = f"GET {HEALTH_OF_OWNER} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()
        for owner in self.owners:
            if owner.alive and (await exchange_at(owner.port, asks, 1.0)).status == _OK:
                return owner.port
        return None

    def target(self, seconds: float, wait: Callable[[], Awaitable[None]]) -> Target:
        gateway = self.gateway
        ways = Ways(main=gateway.port, tower=gateway.tower_port, tafl=gateway.tafl_port, page=self._page)
        self._target = Target(ways, seconds, wait)
        return self._target

    async def ended(self, seconds: float) -> int | None:
        """The exit code of the first that ends by itself; None if all go on after so long."""
        until = monotonic() + seconds
        while monotonic() < until:
            for node in self.nodes:
                if node.died and node not in self.under_repair:
                    return await node.ended()
            await asyncio.sleep(_LOOKS_EVERY)
        return None

    def end(self) -> None:
        for node in self.nodes:
            node.end()

    def footprint(self) -> tuple[int, int] | None:
        """Of all together."""
        found = [footprint for node in self.nodes if (footprint := node.footprint()) is not None]
        return (sum(memory for memory, _ in found), sum(files for _, files in found)) if found else None
