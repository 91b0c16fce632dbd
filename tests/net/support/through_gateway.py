"""A server whose sockets are at a gateway: gateway, link, owner and session, all in one process.

The product has no such server on SQLite; here it has, so that tests of servers run through a gateway, too.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from gamut.cluster.bus import LocalBus
from gamut.doors.registry import Doors, all_doors
from gamut.games.registry import Games, all_games
from gamut.hall.faults import Faults
from gamut.hall.wings import MAIN
from gamut.ledger.opening import open_store
from gamut.ledger.sqlite.store import SqliteStore
from gamut.ledger.store import Hearing, Meanwhile, Place, Store
from gamut.net.node import Node, OpenBus
from gamut.net.settings import Settings


class NumberedStore(SqliteStore):
    """As if nodes shared it."""

    node = 1


async def open_numbered_store(
    place: Place,
    stopped: asyncio.Event,
    waiting: Callable[[str], None],
    check_ready: Callable[[], None],
    meanwhile: Meanwhile | None,
    hearing: Hearing | None,
) -> Store | None:
    if place.url:
        return await open_store(place, stopped, waiting, check_ready, meanwhile, hearing)
    return await asyncio.to_thread(NumberedStore, place.folder)


async def _open_bus(url: str, faults: Faults) -> LocalBus:
    return LocalBus()


async def has_wing(node: Node, wing: int) -> None:
    """Wait until this wing of the hall is open at this node."""
    opened = asyncio.ensure_future(node.servers[wing].opened.wait())
    await asyncio.wait((opened, node._owning[wing]), return_when=asyncio.FIRST_COMPLETED)
    opened.cancel()
    if node.failure is not None:
        raise node.failure


async def attached(node: Node) -> None:
    """Wait until the owners hear the connections of this node."""
    assert node._gateway is not None
    while not node._gateway.gateways.is_open:  # noqa: ASYNC110 - it has no word for it
        await asyncio.sleep(0.001)


class ServerThroughGateway(Node):
    """Has started when the hall is open and its gateway attached; everything else that a test asks of a server is the
    server's at this node."""

    def __init__(
        self,
        settings: Settings,
        games: Games = all_games,
        *,
        doors: Doors = all_doors,
        open_bus: OpenBus = _open_bus,
    ) -> None:
        super().__init__(settings, games, doors=doors, open_bus=open_bus, open_store=open_numbered_store)

    async def start(self, waiting: Callable[[str], None] = lambda _: None) -> bool:
        await super().start(waiting)
        await has_wing(self, MAIN)
        await self.servers[MAIN]._answering
        await attached(self)
        return True

    def __getattr__(self, name: str) -> Any:
        servers = self.__dict__.get("servers")
        if not servers:
            raise AttributeError(name)
        return getattr(servers[MAIN], name)
