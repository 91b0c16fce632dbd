"""Owners and gateways, or nodes that are both, with NATS between them and a proxy that spreads people over gateways."""

import asyncio
from pathlib import Path

from tests.support.nats import Nats

from bench.cluster.network import Network
from bench.cluster.node import Node
from bench.cluster.pair import Pair
from bench.cluster.proxy import HEALTH_OF_OWNER, Proxy, Way
from bench.place import LOOPBACK
from bench.servers.gamut import free_port
from bench.stores.database import Database

_SILENT_CHECKS = 8
"""Who is at a gateway that has not answered so many is hung up on, and comes again by another one."""


class Gateways(Pair):
    def __init__(
        self,
        database: Database,
        data: Path,
        nats: Nats,
        *,
        owners: int = 2,
        gateways: int = 0,
        both: int = 0,
        wings: int = 1,
        cuts: bool = True,
        network: Network | None = None,
    ) -> None:
        """So many owners and gateways, or so many nodes that are both; of a hall of so many wings.

        `cuts`: their ways to NATS can be cut. Else they are short: a proxy in this process stands still whenever the
        players keep it waiting.
        """
        network = Network() if network is None else network
        self._cuts = cuts and network.has_proxies
        self.nats = nats
        self._nats_at = network.nats
        self._ways: dict[int, Way] = {}
        """From the node of this number to NATS."""
        roles = ["both"] * both or ["owner"] * owners + ["gateway"] * gateways
        divided = ("--wings", str(wings)) if wings > 1 else ()
        flags = [
            ("--cluster", f"nats://{self._way_to_nats(number, network)}/bench", "--role", role, *divided)
            for number, role in enumerate(roles)
        ]
        owners = both or owners
        super().__init__(database, data, flags[:owners], HEALTH_OF_OWNER, network, wings)
        alone = [
            self._node(owners + number, f"gateway {number}", more)
            for number, more in enumerate(flags[owners:])
        ]
        self.gateways = alone or self.nodes
        self.doors = Proxy(
            [node.addresses for node in self.gateways],
            to_all=True,
            failures=_SILENT_CHECKS,
            weather=network.weather,
        )

    def _way_to_nats(self, number: int, network: Network) -> str:
        target = network.nats.address, self.nats.port
        if self._cuts:
            self._ways[number] = way = Way(
                [target], [0], free_port(), place=network.node(number), weather=network.weather
            )
            target = LOOPBACK, way.port
        return f"{target[0]}:{target[1]}"

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
        """Those that do not have the hall just now. If all have a part of it: those that do not have the main wing."""
        others = [node for node in self.gateways if node is not self.active]
        return [node for node in others if not self.has_wing(node)] or others

    def clients_at(self, node: Node) -> set[int]:
        """The ports from which the sockets at this node come."""
        if node not in self.gateways:
            return set()
        number = self.gateways.index(node)
        return {port for way in self.doors.ways for port in way.clients_at(number)}

    async def restart_nats(self, after: float) -> None:
        await asyncio.to_thread(self.nats.kill)
        await asyncio.sleep(after)
        await asyncio.to_thread(self._start_nats)

    def _start_nats(self) -> None:
        with self._nats_at.entered():
            self.nats.start()

    async def cut(self, node: Node, seconds: float, *, silently: bool) -> None:
        """Between this node and NATS there is nothing for so long."""
        self.begin_cut(node, silently=silently)
        await asyncio.sleep(seconds)
        self.end_cut(node)

    def _way_of(self, node: Node) -> Way:
        return self._ways[self.everybody.index(node)]

    def begin_cut(self, node: Node, *, silently: bool) -> None:
        way = self._way_of(node)
        if silently:
            way.hold()
        else:
            way.chosen = []
            way.cut()

    def end_cut(self, node: Node) -> None:
        way = self._way_of(node)
        way.chosen = [0]
        way.release()
