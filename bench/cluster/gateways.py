"""Owners and gateways, or nodes that are both, with NATS between them and a proxy that spreads people over gateways."""

import asyncio
from pathlib import Path

from tests.support.nats import Nats

from bench.cluster.node import Node
from bench.cluster.pair import Pair
from bench.cluster.proxy import HEALTH_OF_OWNER, Proxy, Way
from bench.servers.gamut import free_port
from bench.stores.database import Database

_SILENT_CHECKS = 8
"""Who is at a gateway that has not answered so many is hung up on, and comes again by another one."""


class Gateways(Pair):
    def __init__(
        self, database: Database, data: Path, nats: Nats, *, owners: int = 2, gateways: int = 0, both: int = 0
    ) -> None:
        """So many owners and gateways; or so many nodes that are both."""
        self.nats = nats
        self._ways: dict[Node, Way] = {}
        ways = [Way([nats.port], chosen=[0], port=free_port()) for _ in range(both or owners + gateways)]
        roles = ["both"] * both or ["owner"] * owners + ["gateway"] * gateways
        flags = [
            ("--cluster", f"nats://127.0.0.1:{way.port}/bench", "--role", role)
            for way, role in zip(ways, roles, strict=True)
        ]
        owners = both or owners
        super().__init__(database, data, flags[:owners], asks=HEALTH_OF_OWNER)
        alone = [self._node(f"gateway {number}", more) for number, more in enumerate(flags[owners:])]
        self.gateways = alone or self.nodes
        self._ways = dict(zip([*self.nodes, *alone], ways, strict=True))
        self.doors = Proxy([node.ports for node in self.gateways], to_all=True, failures=_SILENT_CHECKS)

    async def _start(self) -> None:
        for way in self._ways.values():
            await way.listen()
        await self.doors.start()
        for node in self.gateways:
            if node not in self.nodes:
                node.start()
        await super()._start()

    async def close(self) -> None:
        await super().close()
        await self.doors.stop()
        for way in self._ways.values():
            await way.close()

    @property
    def is_whole(self) -> bool:
        return super().is_whole and len(self.doors.chosen) == len(self.gateways)

    @property
    def only_gateways(self) -> list[Node]:
        """Those that do not have the hall just now."""
        return [node for node in self.gateways if node is not self.active]

    def clients_at(self, node: Node) -> set[int]:
        """The ports from which the sockets at this node come."""
        if node not in self.gateways:
            return set()
        number = self.gateways.index(node)
        return {port for way in self.doors.ways for port in way.clients_at(number)}

    async def restart_nats(self, after: float) -> None:
        await asyncio.to_thread(self.nats.kill)
        await asyncio.sleep(after)
        await asyncio.to_thread(self.nats.start)

    async def cut(self, node: Node, seconds: float, *, silently: bool) -> None:
        """Between this node and NATS there is nothing for so long."""
        self.begin_cut(node, silently=silently)
        await asyncio.sleep(seconds)
        self.end_cut(node)

    def begin_cut(self, node: Node, *, silently: bool) -> None:
        way = self._ways[node]
        if silently:
            way.hold()
        else:
            way.chosen = []
            way.cut()

    def end_cut(self, node: Node) -> None:
        way = self._ways[node]
        way.chosen = [0]
        way.release()
