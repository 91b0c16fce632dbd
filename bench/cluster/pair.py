"""Two nodes on one database and the proxy in front of them: one is open, the other stands by."""

import asyncio
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Self

from bench.attacks.target import Target, Ways
from bench.cluster.network import Network
from bench.cluster.node import Node
from bench.cluster.proxy import HEALTH, Proxy, Way
from bench.cluster.wings import InWing, Lookout, owners
from bench.division import divided
from bench.pace import BenchFailed
from bench.place import LOOPBACK
from bench.servers.gamut import free_port
from bench.stores.database import Database

_START_SECONDS = 60.0
_STEP = 0.01


class Pair:
    def __init__(
        self,
        database: Database,
        data: Path,
        flags: Sequence[Sequence[str]] = (("--standby",), ("--standby",)),
        asks: str = HEALTH,
        network: Network | None = None,
        wings: int = 1,
    ) -> None:
        """`flags` of each node that may have the hall, of so many wings; whether it has it, or the main one of these,
        it says to whoever `asks` there."""
        self._database = database
        self.wings = divided(wings)
        self.lookout = Lookout(database)
        """Of a hall of several wings; of one, it is asked who has it."""
        self._data = data
        self.network = Network() if network is None else network
        self._ways_to_store: list[Way] = []
        self.nodes = [
            self._node(number, f"node {number}", ("--store", self._store(number), *more))
            for number, more in enumerate(flags)
        ]
        self.proxy = Proxy([node.addresses for node in self.nodes], asks=asks)
        self.doors = self.proxy
        """The way of those who come to doors."""
        self.gateways: list[Node] = []
        """Nodes with sockets; where there are none, who has the hall has them."""

    def _node(self, number: int, name: str, more: Sequence[str]) -> Node:
        more = *more, *self.network.flags(number)
        return Node(self._data / name, name, more, self.network.node(number))

    def _store(self, number: int) -> str:
        """The URL of the database, or of ways to it from where the node is."""
        database, network = self._database, self.network
        if network.weather is None:
            return database.url
        ways = [
            Way([target], [0], free_port(), place=network.node(number), weather=network.weather)
            for target in database.targets
        ]
        self._ways_to_store += ways
        return database.url_at([(LOOPBACK, way.port) for way in ways])

    @property
    def everybody(self) -> list[Node]:
        return [*self.nodes, *(gateway for gateway in self.gateways if gateway not in self.nodes)]

    async def __aenter__(self) -> Self:
        try:
            await self._start()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _start(self) -> None:
        await self.proxy.start()
        for way in self._ways_to_store:
            await way.listen()
        for node in self.nodes:
            node.start()
            if not self.is_divided:
                await self.until(lambda: self.proxy.open is not None, "no node has the hall")
        if self.is_divided:
            await self.lookout.start()
        await self.until(lambda: self.is_whole, "a node does not stand by, or is not open")

    async def close(self) -> None:
        await self.lookout.stop()
        await self.proxy.stop()
        for node in self.everybody:
            await asyncio.to_thread(node.end)
        for way in self._ways_to_store:
            await way.close()

    def target(self) -> Target:
        main, tower, tafl = (way.port for way in self.doors.ways)
        return Target(Ways(main=main, tower=tower, tafl=tafl, page=main), float("inf"), _at_once)

    @property
    def active(self) -> Node:
        assert self.proxy.open is not None
        return self.nodes[self.proxy.open]

    @property
    def is_divided(self) -> bool:
        return self.wings.count > 1

    def has_wing(self, node: Node) -> bool:
        if self.is_divided:
            return any(node.name == each.name for each in self.lookout.owners.values())
        return self.proxy.open is not None and node is self.active

    @property
    def owners(self) -> list[Node]:
        """The nodes that have a wing of the hall; where it has but one, the one that is active, if there is one now."""
        return [node for node in self.nodes if self.has_wing(node)]

    @property
    def is_whole(self) -> bool:
        """Each wing has a node, and all nodes that have none stand by."""
        if self.proxy.open is None:
            return False
        if self.is_divided:
            served = [wing for wing, node in self.lookout.owners.items() if node.lives]
            ready = (node.alive and (node.stands_by or self.has_wing(node)) for node in self.nodes)
            return len(served) == self.wings.count and all(ready)
        return all(node.stands_by for node in self.nodes if node is not self.active)

    @property
    def is_shared(self) -> bool:
        """No node has two wings more than another."""
        has = Counter(owner.name for owner in self.lookout.owners.values())
        each = [has[node.name] for node in self.nodes]
        return self.is_whole and max(each) - min(each) < 2

    @property
    def how_it_is(self) -> str:
        """For whoever asks why something is not as it should be."""
        owners = {wing: each.name for wing, each in sorted(self.lookout.owners.items())}
        nodes = [
            f"{node.name} {'stands by' if node.stands_by else 'is open' if node.is_open else 'starts'}"
            for node in self.everybody
            if node.alive
        ]
        return f"wings {owners}, nodes {nodes}, at the doors {self.doors.chosen}"

    def clients_at(self, node: Node) -> set[int]:
        """The ports from which the sockets come that may outlive others, and not this node."""
        return set()

    def numbered(self) -> dict[int, InWing]:
        """Who has each wing, by the store."""
        with self._database.connect() as connection:
            return owners(connection)

    async def until(self, so: Callable[[], bool], otherwise: str, seconds: float = _START_SECONDS) -> None:
        late = monotonic() + seconds
        while not so():
            if monotonic() > late:
                said = [line for node in self.everybody for line in (*node.log.errors, *node.log.tracebacks)]
                raise BenchFailed(f"{otherwise}: {self.how_it_is}; {said[-3:]}")
            await asyncio.sleep(_STEP)

    async def drain(self, *asked: str) -> tuple[int, str]:
        """`gamut drain`, perhaps of the node of this name or of one wing: its exit code and what it said."""
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "gamut.cli", "drain", *asked, "--store", self._database.url),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        said, _ = await child.communicate()
        assert child.returncode is not None
        return child.returncode, said.decode(errors="replace").strip()


async def _at_once() -> None:
    """Nobody here needs a word to begin."""
