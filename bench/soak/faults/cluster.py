"""Of a cluster one node after the other is struck, and everybody plays on; in the end all of them are."""

import asyncio
import signal
from random import Random

from bench.soak.cluster import LEASE, Cluster
from bench.soak.faults.faults import STOPS_WITHIN, Fault
from bench.soak.process import Server

_FENCED = 3
_BLINK = 0.1, 0.6
_PAST_LEASE = LEASE + 1.0, LEASE + 2.0
"""Seconds that an owner is frozen: less than its lease, and more."""


class ClusterFaults:
    refused_start: None = None
    """Of one server that is tried often enough."""

    def __init__(self, cluster: Cluster, chance: Random) -> None:
        self._cluster = cluster
        self._chance = chance
        self.wrong: list[str] = []
        """How a node did not behave as it should."""
        self.passing: dict[str, Fault] = {
            "owner SIGKILL": lambda: self._struck(self._owner, signal.SIGKILL),
            "owner SIGTERM": lambda: self._struck(self._owner, signal.SIGTERM),
            "gateway SIGKILL": lambda: self._struck(cluster.gateway, signal.SIGKILL),
            "gateway SIGTERM": lambda: self._struck(cluster.gateway, signal.SIGTERM),
            "owner frozen (SIGSTOP)": self._blink,
            "owner frozen past its lease": self._freeze,
        }
        self.ending: dict[str, Fault] = {
            "SIGKILL of all": lambda: self._all(signal.SIGKILL),
            "SIGTERM of all": lambda: self._all(signal.SIGTERM),
        }

    @property
    def _owner(self) -> Server:
        return self._chance.choice(self._cluster.owners)

    async def _struck(self, node: Server, number: signal.Signals) -> None:
        """It ends, and is back a moment later."""
        self._cluster.under_repair.add(node)
        node.signal(number)
        await self._ends(node, number)
        await self._back(node)

    async def _ends(self, node: Server, number: signal.Signals) -> None:
        code = await node.ended(STOPS_WITHIN)
        if code is None or (number == signal.SIGTERM and code != 0):
            self.wrong.append(f"{number.name} of one node: exit code {code} (None: it went on)")

    async def _back(self, node: Server) -> None:
        await asyncio.sleep(self._chance.uniform(0.0, 1.5))
        await asyncio.to_thread(node.start)
        self._cluster.under_repair.discard(node)
        await self._cluster.is_whole()

    async def _blink(self) -> None:
        owner = self._owner
        owner.signal(signal.SIGSTOP)
        await asyncio.sleep(self._chance.uniform(*_BLINK))
        owner.signal(signal.SIGCONT)

    async def _freeze(self) -> None:
        """The other one takes its wings. It finds that out when it wakes, if it had any."""
        owner = self._owner
        self._cluster.under_repair.add(owner)
        owner.signal(signal.SIGSTOP)
        await asyncio.sleep(self._chance.uniform(*_PAST_LEASE))
        owner.signal(signal.SIGCONT)
        code = await owner.ended(STOPS_WITHIN)
        if code not in (_FENCED, None):
            self.wrong.append(f"frozen past its lease: exit code {code}")
        if code is not None:
            await self._back(owner)
        self._cluster.under_repair.discard(owner)
        await self._cluster.is_whole()

    async def _all(self, number: signal.Signals) -> None:
        nodes = self._chance.sample(self._cluster.nodes, len(self._cluster.nodes))
        for node in nodes:
            node.signal(number)
        for node in nodes:
            await self._ends(node, number)
