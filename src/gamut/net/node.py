"""One node of a cluster: a gateway, an owner, or both in one process."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from importlib.resources.abc import Traversable

from gamut.cluster.bus import Bus, NearBus
from gamut.cluster.hearing import Hearing
from gamut.cluster.opening import open_bus
from gamut.cluster.owner import Owner
from gamut.cluster.pulse import LoopPulse
from gamut.doors.registry import Doors, all_doors
from gamut.engines.settings import all_engines
from gamut.games.registry import Games, all_games
from gamut.hall.faults import Fault, Faults
from gamut.hall.store.storage import LedgerError
from gamut.ledger.opening import open_store
from gamut.net.gateway import GatewayPart
from gamut.net.lines.tls import BadCertificate
from gamut.net.metrics import Metrics
from gamut.net.port.open_files import OpenFiles
from gamut.net.ports import CannotListen, OpenPort
from gamut.net.server import OpenStore, Server
from gamut.net.settings import Settings

log = logging.getLogger("gamut.server")

OpenBus = Callable[[str, Faults], Awaitable[Bus]]

_PARTING_SECONDS = 2.5


class Node:
    """Is started and stopped as a `Server` is."""

    def __init__(
        self,
        settings: Settings,
        games: Games = all_games,
        page: Traversable | None = None,
        doors: Doors = all_doors,
        *,
        open_bus: OpenBus = open_bus,
        open_store: OpenStore = open_store,
    ) -> None:
        self.settings = settings
        self._games = games
        self._page = page
        self._doors = doors
        self._open_bus = open_bus
        self._open_store = open_store
        self.stopped = asyncio.Event()
        self._gateway: GatewayPart | None = None
        self._server: Server | None = None
        self._failure: BaseException | None = None
        self._owning: asyncio.Task[None] | None = None

    @property
    def failure(self) -> BaseException | None:
        """Why the node had to stop by itself, if it had to."""
        return self._failure or (None if self._server is None else self._server.failure)

    @property
    def stuck(self) -> bool:
        return self._server is not None and self._server.stuck

    @property
    def ports(self) -> dict[str, int]:
        """Those that are open, by name."""
        if self._gateway is not None:
            return self._gateway.frontage.ports.numbers
        assert self._server is not None
        return self._server.ports

    @property
    def ports_of_doors(self) -> list[OpenPort]:
        return [] if self._gateway is None else self._gateway.frontage.ports.of_doors

    async def start(self, waiting: Callable[[str], None] = lambda _: None) -> bool:
        """As of a server. A node that is a gateway, too, has started when its ports are open, and becomes the owner
        when its turn comes."""
        settings = self.settings
        self._bus = await self._open_bus(settings.cluster, Faults())
        bus = NearBus(self._bus)
        metrics = Metrics()
        if settings.role != "owner":
            self._gateway = GatewayPart(settings, bus, metrics, self._games, self._doors)
            await self._gateway.open(self._files())
            if settings.role == "gateway":
                return True
        pulse = LoopPulse(asyncio.get_running_loop())
        own_gateway = "" if self._gateway is None else self._gateway.gateway.id
        owner = Owner(settings.node_name, bus, pulse, settings.send_queue_bytes, own_gateway)
        owner.stand_by()
        self._server = server = Server(
            settings,
            self._games,
            self._page,
            self._doors,
            owner=owner,
            hearing=Hearing(self._bus, pulse, own_gateway),
            gateway=self._gateway,
            metrics=metrics,
            stopped=self.stopped,
            open_store=self._open_store,
        )
        if self._gateway is None:
            return await server.start(waiting)
        self._owning = asyncio.ensure_future(self._own(server, waiting))
        return True

    def _files(self) -> OpenFiles:
        if self.settings.role == "gateway":
            return OpenFiles(0, 0)
        described = all_engines(self.settings.engines, self.settings.data)
        return OpenFiles(self.settings.bot_workers, sum(map(len, described.values())))

    async def _own(self, server: Server, waiting: Callable[[str], None]) -> None:
        try:
            if await server.start(waiting):
                log.info("this node has the hall")
        except Fault as error:
            if not isinstance(error, (LedgerError, BadCertificate, CannotListen)):
                log.critical("a fault cannot be contained", exc_info=error)
            self._failure = error
            self.stopped.set()

    async def stop(self) -> None:
        """Tell those who are connected here, hand over the hall, and let go of everything."""
        gateway = self._gateway
        leaving: asyncio.Task[None] | None = None
        if gateway is not None and hasattr(gateway, "frontage"):
            gateway.part()
            # Nobody waits for the next owner until the last of these has hung up, or a disk that stands still answers.
            leaving = asyncio.ensure_future(_drained(gateway))
            await gateway.owner_knows()
        if self._owning is not None:
            self.stopped.set()
            await asyncio.wait((self._owning,))
        if self._server is not None:
            await self._server.stop()
        if leaving is not None:
            await leaving
        if gateway is not None:
            await gateway.close()
        if hasattr(self, "_bus"):
            await self._bus.close()


async def _drained(gateway: GatewayPart) -> None:
    try:
        async with asyncio.timeout(_PARTING_SECONDS):
            await gateway.frontage.connections.drained()
    except TimeoutError:
        log.warning("some connections did not close in time")
