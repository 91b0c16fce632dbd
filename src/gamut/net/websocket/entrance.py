"""One port for pages and doors: whoever asks for a WebSocket at a door comes in here, everybody else goes to HTTP.

The HTTP server could make WebSockets of its requests as well, at several times the price for each connection and each
message.
"""

import asyncio
from collections.abc import Callable, Mapping
from http import HTTPStatus

from aiohttp import HttpVersion11, web

from gamut.net.http.speaking_http import LONGEST_HEAD, HttpConnection
from gamut.net.port.arrival import Arrival
from gamut.net.port.connection import Admission
from gamut.net.port.connections import Connections
from gamut.net.port.visitors import Visit, Visitors
from gamut.net.websocket.connection import WebSocket
from gamut.net.websocket.handshake import (
    HandshakeRefused,
    NoWebSocket,
    Upgrade,
    accepted,
    asked,
    refusal,
    upgrade,
)

_END = b"\r\n\r\n"
_FULL = refusal(HandshakeRefused(HTTPStatus.SERVICE_UNAVAILABLE, "There are too many connections.", wait=5))
_LONG = refusal(
    HandshakeRefused(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "The head of the request is too long.")
)

Admit = Callable[[Upgrade, str | None], Admission]
"""Looks at a request and the address it came from, and says who is let in, or raises HandshakeRefused."""


class Entrance:
    """What listens on one port."""

    def __init__(self, doors: Mapping[str, Admit], connections: Connections, visitors: Visitors) -> None:
        self.doors = doors
        self.visitors = visitors
        self.hits = connections.hits
        self._connections = connections

    def serve_http(self, server: web.Server) -> None:
        """The HTTP server for all connections that do not come to a door, from now on."""
        self._http = server

    def __call__(self) -> asyncio.Protocol:
        return _Arrival(self, self._connections)

    def http(self, visit: Visit) -> asyncio.Protocol:
        return HttpConnection(self._http, self.visitors, visit, self.hits)

    def let_in(self, request: Upgrade, transport: asyncio.Transport) -> WebSocket:
        """Answer the request and let its connection speak to the door. Raises HandshakeRefused with nothing said."""
        peer = transport.get_extra_info("peername")
        answer = accepted(request)
        admission = self.doors[request.path](request, peer[0] if peer else None)
        self._connections.check(admission)
        transport.write(answer)
        socket = WebSocket(self._connections, admission, transport)
        transport.set_protocol(socket)
        socket.begin()
        return socket

    def count(self, refused: HandshakeRefused) -> None:
        """What is wrong with the handshake itself; whoever had another reason to refuse it has counted that."""
        if refused.status in (HTTPStatus.BAD_REQUEST, HTTPStatus.UPGRADE_REQUIRED):
            self.hits["bad_handshake"] += 1

    async def from_http(self, request: web.Request) -> web.StreamResponse:
        """The same for a connection on which HTTP was spoken before, as clients that keep connections do."""
        handler, transport = request.protocol, request.transport
        assert isinstance(handler, HttpConnection)
        wish = asked(request.path, request.rel_url.raw_query_string, request.raw_headers)
        right = request.method == "GET" and request.version == HttpVersion11 and "#" not in request.raw_path
        try:
            if wish is None or not right:
                raise NoWebSocket
            if transport is not None:
                # It may have been stopped behind the handshake.
                transport.resume_reading()
                socket = self.let_in(wish, transport)
                rest = handler.hand_over()
                if rest:
                    socket.data_received(rest)
        except HandshakeRefused as refused:
            self.count(refused)
            return web.Response(status=refused.status, text=f"{refused.text}\n", headers=refused.headers)
        return web.Response()


class _Arrival(Arrival):
    """Somebody who has not yet said whether they come to a door or to HTTP."""

    __slots__ = ("_entrance",)

    def __init__(self, entrance: Entrance, connections: Connections) -> None:
        super().__init__(connections, entrance.visitors)
        self._entrance = entrance

    def _find_no_place(self) -> None:
        self._transport.write(_FULL)
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        if self._visit is None:
            return
        heard = self._heard
        at = max(0, len(heard) - len(_END) + 1)
        heard += data
        end = heard.find(_END, at)
        if end > LONGEST_HEAD or (end < 0 and len(heard) > LONGEST_HEAD):
            self._entrance.hits["long_head"] += 1
            self._refuse(_LONG)
        elif end >= 0:
            request = upgrade(bytes(heard[:end]))
            if request is None or request.path not in self._entrance.doors:
                self._to_http(self._visit)
            else:
                self._hand_over(request, bytes(heard[end + len(_END) :]))
        elif not heard[:1].isalpha():
            self._to_http(self._visit)  # it answers that this is no request

    def _to_http(self, visit: Visit) -> None:
        self._timer.cancel()
        handler = self._entrance.http(visit)
        self._transport.set_protocol(handler)
        handler.connection_made(self._transport)
        handler.data_received(bytes(self._heard))

    def _hand_over(self, request: Upgrade, rest: bytes) -> None:
        try:
            socket = self._entrance.let_in(request, self._transport)
        except HandshakeRefused as refused:
            self._entrance.count(refused)
            self._refuse(refusal(refused))
            return
        self._done()
        if rest:
            socket.data_received(rest)

    def _refuse(self, answer: bytes) -> None:
        self._done()
        self._transport.write(answer)
        self._transport.close()
