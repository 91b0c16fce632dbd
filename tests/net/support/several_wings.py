"""A process with several wings of the hall. PostgreSQL is not needed to look at the process: here each wing has a store
on SQLite of its own."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.net.support.closed_ports import CLOSED
from tests.net.support.several_nodes import bus_of_all
from tests.net.support.through_gateway import has_wing

from gamut.cluster.bus import LocalBus
from gamut.hall.faults import Faults
from gamut.hall.ids import Millis
from gamut.ledger.sqlite.store import SqliteStore
from gamut.ledger.store import Hearing, Meanwhile, Place, Store, Watcher
from gamut.net.node import Node, OpenBus
from gamut.net.settings import Settings


class WingStore(SqliteStore):
    def __init__(self, place: Place, times: int = 0) -> None:
        """`times`: how often this wing has been at this process before."""
        super().__init__(place.folder / f"wing-{place.wing}")
        self.node = 11 + place.wing + 100 * times
        self.handed_over = False
        self.is_away = False

    def health(self) -> dict[str, Any]:
        return {"away": True} if self.is_away else super().health()

    def watch(self, now: Callable[[], Millis], watcher: Watcher) -> None:
        self.watcher = watcher

    async def stop(self, at: Millis) -> None:
        self.handed_over = True
        await super().stop(at)


class Wings:
    """One process, whose turn has come in some wings."""

    def __init__(self, data: Path, turns: Collection[int], **settings: Any) -> None:
        asked = Settings(
            data=data, port=0, doors=CLOSED, metrics_open=True, cluster="here", node_name="alpha", **settings
        )
        self.places: list[Place] = []
        self.stores: dict[int, WingStore] = {}
        self.waits_for: list[str] = []
        self.turns = set(turns)
        self.node = Node(asked, open_bus=_open_bus, open_store=self._open_store)

    async def _open_store(
        self,
        place: Place,
        stopped: asyncio.Event,
        waiting: Callable[[str], None],
        check_ready: Callable[[], None],
        meanwhile: Meanwhile | None,
        hearing: Hearing | None,
    ) -> Store | None:
        self.places.append(place)
        if place.wing not in self.turns:
            waiting("beta")
            await stopped.wait()
            return None
        times = sum(before.wing == place.wing for before in self.places[:-1])
        self.stores[place.wing] = store = await asyncio.to_thread(WingStore, place, times)
        return store

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.node.ports['main']}"

    async def has_its_turns(self) -> None:
        """All these wings are open, and attached to."""
        for wing in self.turns:
            await has_wing(self.node, wing)
        if 0 in self.turns:
            await self.node.servers[0]._answering
        gateway = self.node._gateway
        if gateway is not None:
            while not all(gateway.gateways.each[wing].is_open for wing in self.turns):  # noqa: ASYNC110
                await asyncio.sleep(0.001)


async def _open_bus(url: str, faults: Faults) -> LocalBus:
    return LocalBus()


@asynccontextmanager
async def wings(
    data: Path, turns: Collection[int], *, count: int = 2, **settings: Any
) -> AsyncIterator[Wings]:
    process = Wings(data, turns, wings=count, **settings)
    try:
        await process.node.start(process.waits_for.append)
        await process.has_its_turns()
        yield process
    finally:
        await process.node.stop()


class NodeOfWings(Node):
    """One of several processes, whose turn has come in one wing."""

    def __init__(self, settings: Settings, wing: int, open_bus: OpenBus) -> None:
        super().__init__(settings, open_bus=open_bus, open_store=self._open_store_of_wing)
        self._wing = wing

    def has(self, wing: int) -> bool:
        return wing == self._wing

    async def _open_store_of_wing(
        self,
        place: Place,
        stopped: asyncio.Event,
        waiting: Callable[[str], None],
        check_ready: Callable[[], None],
        meanwhile: Meanwhile | None,
        hearing: Hearing | None,
    ) -> Store | None:
        if place.wing != self._wing:
            await stopped.wait()
            return None
        return await asyncio.to_thread(WingStore, place)

    async def start(self, waiting: Callable[[str], None] = lambda _: None) -> bool:
        """It has when this node's wing is open and all others are heard."""
        await super().start(waiting)
        await has_wing(self, self._wing)
        assert self._gateway is not None
        while not self._gateway.gateways.is_open:  # noqa: ASYNC110 - it has no word for it
            await asyncio.sleep(0.001)
        return True


def nodes_of_wings(settings: Callable[..., Settings], nodes: Sequence[int]) -> list[NodeOfWings]:
    """`nodes`: at which node each wing is; each has one."""
    open_bus = bus_of_all()
    made = {
        node: NodeOfWings(
            settings(cluster="here", node_name=f"node {node}", wings=len(nodes)), wing, open_bus
        )
        for wing, node in enumerate(nodes)
    }
    return [made[node] for node in sorted(made)]
