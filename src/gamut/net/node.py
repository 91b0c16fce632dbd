"""One process of a cluster: a gateway, an owner, or both.

An owner stands by for every wing of the hall, and may have several: each is a `Server` that waits for its own turn.
A wing that is to be at another process is handed over, and stood by for again. What else ends one of them ends the
process, and with that its other wings are handed over in good order.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from secrets import token_hex

from gamut.cluster.bus import Bus, NearBus
from gamut.cluster.hearing import Hearing
from gamut.cluster.opening import open_bus
from gamut.cluster.owner import Owner
from gamut.cluster.pulse import LoopPulse
from gamut.cluster.sharing import Sharing
from gamut.doors.registry import Doors, all_doors
from gamut.games.registry import Games, all_games
from gamut.hall.faults import Fault, Faults
from gamut.hall.store.storage import LedgerError
from gamut.hall.wings import MAIN
from gamut.ledger.opening import open_store
from gamut.net.bots import Bots
from gamut.net.burden import Burden
from gamut.net.gateway import GatewayPart
from gamut.net.http.pages import built_page
from gamut.net.lines.tls import BadCertificate
from gamut.net.main_port import MainPort
from gamut.net.metrics import Metrics
from gamut.net.port.open_files import OpenFiles
from gamut.net.ports import CannotListen, OpenPort
from gamut.net.server import OpenStore, Server
from gamut.net.settings import Settings
from gamut.net.trimming import collect, trim

log = logging.getLogger("gamut.server")

OpenBus = Callable[[str, Faults], Awaitable[Bus]]

_PARTING_SECONDS = 2.5
_LOOKS_EVERY = 1.0
"""Seconds between two looks at who has how many wings."""


class Node:
    """Is started and stopped as a `Server` is that has the whole hall."""

    def __init__(
        self,
        settings: Settings,
        games: Games = all_games,
        doors: Doors = all_doors,
        *,
        open_bus: OpenBus = open_bus,
        open_store: OpenStore = open_store,
    ) -> None:
        self.settings = settings
        self._games = games
        self._doors = doors
        self._open_bus = open_bus
        self._open_store = open_store
        self.stopped = asyncio.Event()
        self._port: MainPort | None = None
        """If it is open all the time; else the server opens it when it has the hall."""
        self._gateway: GatewayPart | None = None
        """The same one, where connections are held."""
        self._bots: Bots | None = None
        self.servers: list[Server] = []
        """By wing; none at a gateway."""
        self._owning: list[asyncio.Task[None]] = []
        """How each waits for its turn, and has its wing, where nobody waits for that."""
        self._process = token_hex(8)
        self._pulse = LoopPulse(asyncio.get_running_loop())
        self._metrics = Metrics()
        self._wings = range(settings.wings)
        self._is_divided = settings.wings > 1
        self._failure: BaseException | None = None

    @property
    def failure(self) -> BaseException | None:
        """Why the node had to stop by itself, if it had to."""
        failures = (server.failure for server in self.servers)
        return self._failure or next((failure for failure in failures if failure is not None), None)

    @property
    def has_not_begun(self) -> bool:
        """It had to stop because one of its servers could not start."""
        return self._failure is not None

    @property
    def stuck(self) -> bool:
        return any(server.stuck for server in self.servers)

    @property
    def ports(self) -> dict[str, int]:
        """Those that are open, by name."""
        return self.servers[MAIN].ports if self._port is None else self._port.frontage.ports.numbers

    @property
    def ports_of_doors(self) -> list[OpenPort]:
        return [] if self._gateway is None else self._gateway.frontage.ports.of_doors

    async def start(self, waiting: Callable[[str], None] = lambda _: None) -> bool:
        """As of a server. A node whose port is open all the time has started when that is open, and becomes the owner
        when its turn comes."""
        settings = self.settings
        self._bus = await self._open_bus(settings.cluster, Faults())
        bus = self._near_bus = NearBus(self._bus)
        if settings.role != "gateway":
            self._bots = Bots(settings, self._games)
        if settings.role != "owner":
            self._port = self._gateway = GatewayPart(settings, bus, self._metrics, self._games, self._doors)
        elif self._is_divided:
            # Which wings there will be here, and when, nobody knows.
            self._port = MainPort(settings, self._metrics)
        if self._port is not None:
            await self._port.open(self._files())
        if self._bots is None:
            return True
        self._page = await asyncio.to_thread(built_page)
        sharing = self._sharing = Sharing(bus, self._pulse, self._process, settings.wings)
        self._burden = Burden(self._pulse.now, self._has, settings.wings, sharing.promised)
        self._hearing = [
            Hearing(self._bus, self._pulse, self._own_gateway(wing), wing) for wing in self._wings
        ]
        if self._port is None:
            self.servers = [self._server(MAIN, self._bots, self.stopped)]
            return await self.servers[MAIN].start(waiting)
        self.servers = [self._server(wing, self._bots) for wing in self._wings]
        self._owning = [asyncio.ensure_future(self._own(wing, self._bots, waiting)) for wing in self._wings]
        if self._is_divided:
            self._port.wings = self._how_wings_are
            self._giving = asyncio.ensure_future(self._share(sharing))
        return True

    def _files(self) -> OpenFiles:
        bots = self._bots
        if bots is None:
            return OpenFiles(0, 0)
        return OpenFiles(self.settings.bot_workers, bots.engines.count, self.settings.wings)

    def _own_gateway(self, wing: int) -> str:
        return "" if self._gateway is None else self._gateway.gateways.each[wing].id

    def _server(self, wing: int, bots: Bots, stopped: asyncio.Event | None = None) -> Server:
        settings = self.settings
        owner = Owner(
            settings.node_name,
            self._near_bus,
            self._pulse,
            settings.send_queue_bytes,
            self._own_gateway(wing),
            wing,
            settings.wings,
            self._process,
            self._sharing.successor,
        )
        owner.stand_by()
        return Server(
            settings,
            self._games,
            self._page,
            self._doors,
            owner=owner,
            hearing=self._hearing[wing],
            port=self._port,
            bots=bots,
            metrics=self._metrics,
            stopped=stopped,
            open_store=self._open_store,
            wing=wing,
            burden=partial(self._burden.before, wing),
        )

    def _has(self, wing: int) -> bool:
        return self.servers[wing].has_wing

    def _how_wings_are(self) -> dict[str, str]:
        return {str(server.wing): server.how_it_is for server in self.servers if server.has_wing}

    async def _own(self, wing: int, bots: Bots, waiting: Callable[[str], None]) -> None:
        """Have this wing whenever it is this process's turn, until the process is stopped."""
        try:
            while not self.stopped.is_set() and await self._have(self.servers[wing], waiting):
                self.servers[wing] = self._server(wing, bots)
        except Fault as error:
            if not isinstance(error, (LedgerError, BadCertificate, CannotListen)):
                log.critical("a fault cannot be contained", exc_info=error)
            self._failure = self._failure or error
        self.stopped.set()

    async def _have(self, server: Server, waiting: Callable[[str], None]) -> bool:
        """From the moment when it is this server's turn to its end. Whether another process has the wing now, and this
        one goes on."""

        def waiting_here(node: str) -> None:
            self._burden.is_not_free(server.wing)
            waiting(f"{node} in wing {server.wing}" if self._is_divided else node)

        if await server.start(waiting_here):
            log.info("this node has the hall", extra={"wing": server.wing} if self._is_divided else {})
        await server.stopped.wait()
        if not server.moves or self.stopped.is_set():
            return False
        await server.part()
        if not server.handed_over:
            return False
        await server.close()
        server.vacate()
        collect(sum(len(each.hall.live) for each in self.servers if each.opened.is_set()))
        await asyncio.to_thread(trim)
        log.info("this node has handed over a wing of the hall", extra={"wing": server.wing})
        return True

    async def _share(self, sharing: Sharing) -> None:
        while True:
            await asyncio.sleep(_LOOKS_EVERY)
            wing = sharing.surplus()
            if wing is not None and self._has(wing):
                log.info("a wing of the hall goes to a process that has fewer", extra={"wing": wing})
                sharing.given(wing)
                self.servers[wing].move()

    async def stop(self) -> None:
        """Tell those who are connected here, hand over all wings of the hall, and let go of everything."""
        gateway = self._gateway
        leaving: asyncio.Task[None] | None = None
        if gateway is not None and hasattr(gateway, "frontage"):
            gateway.part()
            # Nobody waits for the next owner until the last of these has hung up, or a disk that stands still answers.
            leaving = asyncio.ensure_future(_drained(gateway))
            await gateway.owner_knows()
        if self._owning:
            self.stopped.set()
            for server in self.servers:
                server.stopped.set()
        if hasattr(self, "_giving"):
            self._giving.cancel()
        await _together(map(self._part, self.servers))
        if self._bots is not None:
            await self._bots.close()
        await _together(server.close() for server in self.servers)
        if leaving is not None:
            await leaving
        if self._port is not None:
            await self._port.close()
        if hasattr(self, "_bus"):
            await self._bus.close()

    async def _part(self, server: Server) -> None:
        if self._owning:
            await asyncio.wait((self._owning[server.wing],))
        await server.part()


async def _together(work: Iterable[Awaitable[None]]) -> None:
    """What goes wrong in one wing keeps no other from its end."""
    for outcome in await asyncio.gather(*work, return_exceptions=True):
        if outcome is not None:
            raise outcome


async def _drained(gateway: GatewayPart) -> None:
    try:
        async with asyncio.timeout(_PARTING_SECONDS):
            await gateway.frontage.connections.drained()
    except TimeoutError:
        log.warning("some connections did not close in time")
