"""Partitions: a node is cut off from everything, from NATS alone, or from PostgreSQL alone, and comes back."""

import asyncio
from collections.abc import Callable
from random import Random
from time import monotonic

from bench.cluster.crowd import Crowd
from bench.cluster.faults import GatewayFaults, Kind, Strike
from bench.cluster.gateways import Gateways
from bench.cluster.netns.namespaces import Namespaces
from bench.cluster.node import Node
from bench.stores.database import Database

_AWAY = (0.1, 4.0)
"""Seconds: a node that has the hall has lost it after one, or not yet."""
_FROM_NATS = (0.1, 3.0)
"""Gateways hang up on everybody after ten."""


class NamespaceFaults(GatewayFaults):
    def __init__(
        self,
        database: Database,
        pair: Gateways,
        crowd: Crowd,
        chance: Random,
        namespaces: Namespaces,
    ) -> None:
        super().__init__(database, pair, crowd, chance)
        self._namespaces = namespaces
        self._partitions = 0
        self._number = 0
        """Of the node that was active before the last partition, in the store."""

    @property
    def kinds(self) -> dict[str, Kind]:
        kinds = super().kinds
        # There is a better way to do that here.
        del kinds["cuts"]
        return {
            **kinds,
            "isolations": Kind(
                "isolation", self._isolate, stops_all=False, may_end=True, after=self._finds_out
            ),
            # A node that has the hall may be asked to hand over because of it.
            "nats_partitions": Kind("no NATS", self._part_from_nats, code=0, stops_all=False),
            "postgres_partitions": Kind(
                "no PostgreSQL",
                self._part_from_postgres,
                stops_all=False,
                may_end=True,
                after=self._finds_out,
            ),
        }

    def _some_node(self) -> Node:
        """Who has the hall and somebody else, in turns."""
        self._partitions += 1
        if self._partitions % 2:
            return self._some_owner()
        return self._chance.choice(self._gateways.only_gateways)

    async def _isolate(self) -> Strike:
        return self._away(self._namespaces.isolate, self._namespaces.rejoin, _AWAY)

    async def _part_from_nats(self) -> Strike:
        return self._parted("nats", _FROM_NATS)

    async def _part_from_postgres(self) -> Strike:
        return self._parted("postgres", _AWAY)

    def _parted(self, other: str, between: tuple[float, float]) -> Strike:
        return self._away(
            lambda number: self._namespaces.part(number, other),
            lambda number: self._namespaces.join(number, other),
            between,
        )

    def _away(
        self, part: Callable[[int], None], join: Callable[[int], None], between: tuple[float, float]
    ) -> Strike:
        node = self._some_node()
        number, seconds = self._pair.nodes.index(node), self._chance.uniform(*between)

        async def for_a_while() -> None:
            await asyncio.to_thread(part, number)
            try:
                await asyncio.sleep(seconds)
            finally:
                await asyncio.to_thread(join, number)

        return Strike(monotonic(), self._meanwhile(for_a_while()), node)
