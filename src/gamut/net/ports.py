"""The ports of this server: which doors are behind each, opened and closed."""

import asyncio
import errno
import ssl
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus

import msgspec
from aiohttp import web

from gamut.doors.offer import Entrances, Newcomer, Port, Recognise, SessionOn, WebSockets
from gamut.hall.limits.attempts import Attempts
from gamut.net.http.durable import Durable, never_before_it_is_durable
from gamut.net.http.guard import guarding, rating, storing
from gamut.net.http.headers import add_security_headers
from gamut.net.http.missing import refusing_what_is_not_there
from gamut.net.http.origin import origin_allowed
from gamut.net.lines.entrance import LineEntrance
from gamut.net.lines.tls import tls_context
from gamut.net.port.acceptor import Acceptor, listening
from gamut.net.port.address import Network, client_address
from gamut.net.port.connection import Admission
from gamut.net.port.connections import Connections
from gamut.net.port.visitors import Visitors
from gamut.net.settings import Settings
from gamut.net.websocket.entrance import Admit, Entrance
from gamut.net.websocket.handshake import HandshakeRefused, Upgrade

MAIN = "main"
_ANSWER_SECONDS = 1.0
"""How long the answers to requests that are under way are waited for when HTTP ends."""


class CannotListen(Exception):
    """A port is not to be had. The message is one clear line."""


@contextmanager
def _explained(host: str, number: int) -> Iterator[None]:
    try:
        yield
    except UnicodeError:
        raise CannotListen(f"Cannot listen on {host} port {number}: that is no name of a host.") from None
    except OSError as error:
        reason = "it is in use" if error.errno == errno.EADDRINUSE else (error.strerror or str(error))
        raise CannotListen(f"Cannot listen on {host} port {number}: {reason}.") from None


def check_ports(settings: Settings) -> None:
    """Raises CannotListen if one of the ports could not be opened now."""
    for number in settings.ports:
        with _explained(settings.host, number):
            for here in listening(settings.host, number):
                here.close()


class Doorway(msgspec.Struct, frozen=True):
    """A door as its ports see it: where it is, and what speaks with whoever comes there."""

    door: str
    """By name."""
    entrances: Entrances
    session: SessionOn


class OpenPort(msgspec.Struct, frozen=True):
    """A port of a door's own, as the server tells of it."""

    title: str
    scheme: str
    number: int


@dataclass(kw_only=True, eq=False, repr=False)
class Ports:
    connections: Connections
    visitors: Visitors
    requests: Attempts | None
    """How often one address may ask something."""
    recognise: Recognise
    """For doors that ask for the cookie. A process that knows no people leaves it for one that does."""
    durable: Durable
    proxies: Collection[Network]
    origins: Collection[str]
    tls: ssl.SSLContext | None
    listeners: int
    """Of each port."""

    def __post_init__(self) -> None:
        self._runners: dict[str, web.AppRunner] = {}
        """Of the HTTP behind each port that has any."""
        self._acceptors: list[Acceptor] = []
        self.numbers: dict[str, int] = {}
        """By name, as they were opened."""
        self.of_doors: list[OpenPort] = []

    async def open_main(self, doorways: Iterable[Doorway], routes: Iterable[web.AbstractRouteDef]) -> None:
        """The port of the page, the API, and every door that has a path there."""
        admits: dict[str, Admit] = {}
        for doorway in doorways:
            for path in doorway.entrances.paths:
                sockets = doorway.entrances.sockets
                assert sockets is not None, "whatever has a path speaks WebSocket"
                assert path not in admits, "a path leads to one door"
                admits[path] = self._admitting(doorway, sockets)
        self._main = Entrance(admits, self.connections, self.visitors)
        await self._open_http(MAIN, self.connections.settings.port, self._main, routes)

    async def answer(self, routes: Iterable[web.AbstractRouteDef]) -> None:
        """Answer other requests by HTTP at the main port, while it stays open.

        Whoever comes from now on finds these. Connections on which HTTP was spoken before end, with the answer that
        they wait for if it comes soon; those at doors go on. Returns when all of that is over.
        """
        await self._serve_http(MAIN, self._main, routes)

    async def open_own(self, doorway: Doorway) -> None:
        """The ports that this door has for itself, as far as they are wanted."""
        for port in doorway.entrances.ports:
            if not port.number:
                continue
            tls = await self._certified(port) if port.tls else None
            if port.tls and tls is None:
                continue
            assert port.name not in self.numbers, "each port has a name of its own"
            if isinstance(port.speaks, WebSockets):
                assert not port.tls, "TLS for WebSockets is a proxy's work"
                admits = {"/": self._admitting(doorway, port.speaks)}
                await self._open_http(
                    port.name, port.number, Entrance(admits, self.connections, self.visitors), ()
                )
                scheme = "ws"
            else:
                proxies = self.proxies if self.connections.settings.proxy_protocol else ()
                entrance = LineEntrance(
                    doorway.door,
                    doorway.session,
                    port.speaks,
                    self.connections,
                    self.visitors,
                    tls=tls,
                    proxies=proxies,
                )
                await self._listen(port.name, port.number, entrance)
                scheme = "tls" if port.tls else "tcp"
            self.of_doors.append(OpenPort(port.title, scheme, self.numbers[port.name]))

    def _admitting(self, doorway: Doorway, sockets: WebSockets) -> Admit:
        session = doorway.session

        def admit(request: Upgrade, peer: str | None) -> Admission:
            headers, cookie = request.headers, ""
            if sockets.by_cookie:
                if not origin_allowed(headers.get("origin"), headers.get("host", ""), self.origins):
                    self.connections.hits["foreign_origin"] += 1
                    raise HandshakeRefused(HTTPStatus.FORBIDDEN, "This page may not come in here.")
                cookie = headers.get("cookie", "")
            address = client_address(peer, headers.get("x-forwarded-for"), self.proxies)
            newcomer = Newcomer(address, request.query, cookie=cookie)
            if cookie:
                newcomer = self.recognise(newcomer)
            return Admission(doorway.door, address, lambda wire: session(wire, newcomer), sockets.largest)

        return admit

    async def _open_http(
        self, name: str, number: int, entrance: Entrance, routes: Iterable[web.AbstractRouteDef]
    ) -> None:
        await self._serve_http(name, entrance, routes)
        await self._listen(name, number, entrance)

    async def _serve_http(
        self, name: str, entrance: Entrance, routes: Iterable[web.AbstractRouteDef]
    ) -> None:
        hits = self.connections.hits
        app = web.Application(
            middlewares=[
                rating(self.requests, self.proxies, hits),
                guarding(self.origins, hits),
                storing(lambda: self.connections.holding, hits),
                refusing_what_is_not_there,
            ]
        )
        app.add_routes([*(web.get(path, entrance.from_http) for path in entrance.doors), *routes])
        app.on_response_prepare.append(add_security_headers)
        never_before_it_is_durable(app, self.durable)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=_ANSWER_SECONDS)
        await runner.setup()
        before = self._runners.get(name)
        self._runners[name] = runner
        assert runner.server is not None
        entrance.serve_http(runner.server)
        if before is not None:
            await before.cleanup()

    async def _certified(self, port: Port) -> ssl.SSLContext | None:
        """With the certificate of its own that a port may have, or that of all."""
        if not port.certificate and not port.key:
            return self.tls
        return await asyncio.to_thread(tls_context, port.certificate, port.key)

    async def _listen(self, name: str, number: int, entrance: Entrance | LineEntrance) -> None:
        host = self.connections.settings.host
        with _explained(host, number):
            sockets = await asyncio.to_thread(listening, host, number)
            acceptor = await Acceptor.open(sockets, entrance, self.listeners)
        self._acceptors.append(acceptor)
        self.numbers[name] = acceptor.port

    def let_nobody_in(self) -> None:
        """Whoever tries is refused as if nothing listened, and may be let in elsewhere. Those who are here stay."""
        for acceptor in self._acceptors:
            acceptor.close()

    async def close(self) -> None:
        self.let_nobody_in()
        for runner in self._runners.values():
            await runner.cleanup()
