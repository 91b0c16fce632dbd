"""The ports of this server: which doors are behind each, opened and closed."""

import asyncio
import errno
import ssl
from collections.abc import Collection, Iterable, Mapping
from http import HTTPStatus

import msgspec
from aiohttp import web

from gamut.doors.offer import Lines, Newcomer, Offer, Port, WebSockets
from gamut.hall.limits.attempts import Attempts
from gamut.hall.people.people import People
from gamut.net.api import accounts
from gamut.net.http.durable import Durable, never_before_it_is_durable
from gamut.net.http.guard import guarding, rating, storing
from gamut.net.http.headers import add_security_headers
from gamut.net.http.origin import origin_allowed
from gamut.net.lines.entrance import LineEntrance
from gamut.net.lines.tls import tls_context
from gamut.net.port.acceptor import Acceptor, listening
from gamut.net.port.address import Network, client_address
from gamut.net.port.connection import Admission
from gamut.net.port.connections import Connections
from gamut.net.port.visitors import Visitors
from gamut.net.websocket.entrance import Admit, Entrance
from gamut.net.websocket.handshake import HandshakeRefused, Upgrade

MAIN = "main"


class CannotListen(Exception):
    """A port is not to be had. The message is one clear line."""


class OpenPort(msgspec.Struct, frozen=True):
    """A port of a door's own, as the server tells of it."""

    title: str
    scheme: str
    number: int


class Ports:
    def __init__(
        self,
        connections: Connections,
        visitors: Visitors,
        requests: Attempts | None,
        people: People,
        durable: Durable,
        *,
        proxies: Collection[Network],
        origins: Collection[str],
        tls: ssl.SSLContext | None,
        listeners: int,
    ) -> None:
        self._connections = connections
        self._visitors = visitors
        self._requests = requests
        """How often one address may ask something."""
        self._people = people
        self._durable = durable
        self._proxies = proxies
        self._origins = origins
        self._tls = tls
        self._listeners = listeners
        """Of each port."""
        self._runners: list[web.AppRunner] = []
        self._acceptors: list[Acceptor] = []
        self.numbers: dict[str, int] = {}
        """By name, as they were opened."""
        self.of_doors: list[OpenPort] = []

    async def open_main(self, offers: Iterable[Offer], routes: Iterable[web.AbstractRouteDef]) -> None:
        """The port of the page, the API, and every door that has a path there."""
        admits: dict[str, Admit] = {}
        for offer in offers:
            for path in offer.paths:
                assert offer.sockets is not None, "whatever has a path speaks WebSocket"
                assert path not in admits, "a path leads to one door"
                admits[path] = self._admitting(offer.name, offer.sockets)
        await self._open_http(MAIN, self._connections.settings.port, admits, routes)

    async def open_own(self, offer: Offer) -> None:
        """The ports that this door has for itself, as far as they are wanted."""
        for port in offer.ports:
            if not port.number:
                continue
            tls = await self._certified(port) if port.tls else None
            if port.tls and tls is None:
                continue
            assert port.name not in self.numbers, "each port has a name of its own"
            if isinstance(port.speaks, WebSockets):
                assert not port.tls, "TLS for WebSockets is a proxy's work"
                admits = {"/": self._admitting(offer.name, port.speaks)}
                await self._open_http(port.name, port.number, admits, ())
                scheme = "ws"
            else:
                await self._open_lines(offer.name, port, port.speaks, tls)
                scheme = "tls" if port.tls else "tcp"
            self.of_doors.append(OpenPort(port.title, scheme, self.numbers[port.name]))

    def _admitting(self, door: str, sockets: WebSockets) -> Admit:
        def admit(request: Upgrade, peer: str | None) -> Admission:
            headers, person = request.headers, None
            if sockets.by_cookie:
                if not origin_allowed(headers.get("origin"), headers.get("host", ""), self._origins):
                    self._connections.hits["foreign_origin"] += 1
                    raise HandshakeRefused(HTTPStatus.FORBIDDEN, "This page may not come in here.")
                person = accounts.by_cookie(headers.get("cookie"), self._people)
            address = client_address(peer, headers.get("x-forwarded-for"), self._proxies)
            newcomer = Newcomer(address, request.query, person)
            return Admission(door, address, lambda wire: sockets.session(wire, newcomer), sockets.largest)

        return admit

    async def _open_http(
        self, name: str, number: int, admits: Mapping[str, Admit], routes: Iterable[web.AbstractRouteDef]
    ) -> None:
        entrance = Entrance(admits, self._connections, self._visitors)
        hits = self._connections.hits
        app = web.Application(
            middlewares=[
                rating(self._requests, self._proxies, hits),
                guarding(self._origins, hits),
                storing(lambda: self._connections.holding, hits),
            ]
        )
        app.add_routes([*(web.get(path, entrance.from_http) for path in admits), *routes])
        app.on_response_prepare.append(add_security_headers)
        never_before_it_is_durable(app, self._durable)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        self._runners.append(runner)
        assert runner.server is not None
        entrance.serve_http(runner.server)
        await self._listen(name, number, entrance)

    async def _certified(self, port: Port) -> ssl.SSLContext | None:
        """With the certificate of its own that a port may have, or that of all."""
        if not port.certificate and not port.key:
            return self._tls
        return await asyncio.to_thread(tls_context, port.certificate, port.key)

    async def _open_lines(self, door: str, port: Port, lines: Lines, tls: ssl.SSLContext | None) -> None:
        entrance = LineEntrance(
            door,
            lines,
            self._connections,
            self._visitors,
            tls=tls,
            proxies=self._proxies if self._connections.settings.proxy_protocol else (),
        )
        await self._listen(port.name, port.number, entrance)

    async def _listen(self, name: str, number: int, entrance: Entrance | LineEntrance) -> None:
        host = self._connections.settings.host
        try:
            sockets = await asyncio.to_thread(listening, host, number)
            acceptor = await Acceptor.open(sockets, entrance, self._listeners)
        except UnicodeError:
            raise CannotListen(f"Cannot listen on {host} port {number}: that is no name of a host.") from None
        except OSError as error:
            reason = "it is in use" if error.errno == errno.EADDRINUSE else (error.strerror or str(error))
            raise CannotListen(f"Cannot listen on {host} port {number}: {reason}.") from None
        self._acceptors.append(acceptor)
        self.numbers[name] = acceptor.port

    async def close(self) -> None:
        for acceptor in self._acceptors:
            acceptor.close()
        for runner in self._runners:
            await runner.cleanup()
