"""One port for pages and doors: whoever asks for a WebSocket at a door comes in here, everybody else goes to HTTP.

The HTTP server could make WebSockets of its requests as well, at several times the price for each connection and each
message.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import cast

from aiohttp import web

from gamut.net.handshake import Turned, Upgrade, accepted, asked, turned, upgrade
from gamut.net.sockets import Admission, Socket, Sockets

_GET = b"GET "
_END = b"\r\n\r\n"
_LONGEST_HEAD = 16_384

Admit = Callable[[Upgrade, str | None], Admission]
"""Looks at a request and the address it came from, and says who is let in, or raises Turned."""


class Entrance:
    """What listens on one port."""

    def __init__(self, doors: Mapping[str, Admit], sockets: Sockets) -> None:
        self.doors = {path.encode(): admit for path, admit in doors.items()}
        self._sockets = sockets
        self.patience = sockets.settings.greeting_seconds

    def serve_http(self, http: Callable[[], asyncio.Protocol]) -> None:
        """Who takes everybody who does not come to a door."""
        self.http = http

    def __call__(self) -> asyncio.Protocol:
        return _Arrival(self)

    def let_in(self, request: Upgrade, transport: asyncio.Transport) -> Socket:
        """Answer the request and let its connection speak to the door. Raises Turned with nothing said."""
        peer = transport.get_extra_info("peername")
        answer = accepted(request)
        admission = self.doors[request.path.encode("latin-1")](request, peer[0] if peer else None)
        self._sockets.check(admission)
        transport.write(answer)
        socket = self._sockets.enter(admission, transport)
        transport.set_protocol(socket)
        socket.begin()
        return socket

    async def from_http(self, request: web.Request) -> web.StreamResponse:
        """The same for a connection on which HTTP was spoken before, as clients that keep connections do."""
        wish = asked(request.path, request.url.raw_query_string, request.headers.items())
        transport = request.transport
        if request.method != "GET" or wish is None:
            raise web.HTTPUpgradeRequired(
                text="This address speaks WebSocket.\n", headers={"Upgrade": "websocket"}
            )
        try:
            if transport is not None:
                self.let_in(wish, transport)
        except Turned as refused:
            return web.Response(status=refused.status, text=f"{refused.text}\n")
        # The HTTP server is done with this connection, but must not close it. Its response finds nobody.
        handler = request.protocol
        handler.transport = None
        handler.connection_lost(None)
        return web.Response()


class _Arrival(asyncio.Protocol):
    """A connection that has not yet said what it wants."""

    __slots__ = ("_entrance", "_heard", "_timer", "_transport")

    def __init__(self, entrance: Entrance) -> None:
        self._entrance = entrance
        self._heard = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are none of asyncio's classes, only like them.
        self._transport = cast(asyncio.Transport, transport)
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._entrance.patience, transport.close)

    def connection_lost(self, error: Exception | None) -> None:
        self._timer.cancel()

    def data_received(self, data: bytes) -> None:
        heard = self._heard = self._heard + data
        if len(heard) > _LONGEST_HEAD or not self._may_be_at_a_door(heard):
            self._to_http()
        elif (end := heard.find(_END)) >= 0:
            request = upgrade(heard[:end])
            if request is None:
                self._to_http()
            else:
                self._knock(request, heard[end + len(_END) :])

    def _may_be_at_a_door(self, heard: bytes) -> bool:
        line, ended, _ = heard.partition(b"\r\n")
        if not ended:
            return line.startswith(_GET[: len(line)])
        target = line.removeprefix(_GET).partition(b" ")[0]
        return line.startswith(_GET) and target.partition(b"?")[0] in self._entrance.doors

    def _to_http(self) -> None:
        self._timer.cancel()
        handler = self._entrance.http()
        self._transport.set_protocol(handler)
        handler.connection_made(self._transport)
        handler.data_received(self._heard)

    def _knock(self, request: Upgrade, rest: bytes) -> None:
        self._timer.cancel()
        try:
            socket = self._entrance.let_in(request, self._transport)
        except Turned as refused:
            self._transport.write(turned(refused))
            self._transport.close()
            return
        if rest:
            socket.data_received(rest)
