"""A port for clients that speak lines: who comes, perhaps through a proxy and under TLS, and who may come in."""

import asyncio
import ssl
from collections.abc import Collection
from dataclasses import KW_ONLY, dataclass
from typing import cast

from gamut.doors.offer import Lines, Newcomer, SessionOn
from gamut.net.lines.connection import LineConnection, finish_writing, keep_asking
from gamut.net.lines.proxy_protocol import BadHeader, proxy_header
from gamut.net.port.address import Network, client_address, is_trusted
from gamut.net.port.arrival import Arrival
from gamut.net.port.connection import CLOSE_SECONDS, Admission
from gamut.net.port.connections import Connections
from gamut.net.port.visitors import Visitors
from gamut.net.websocket.handshake import HandshakeRefused

_FULL = "There are too many connections."


@dataclass(frozen=True, eq=False, repr=False)
class LineEntrance:
    """What listens on one port."""

    door: str
    session: SessionOn
    lines: Lines
    connections: Connections
    visitors: Visitors
    _: KW_ONLY
    tls: ssl.SSLContext | None = None
    proxies: Collection[Network] = ()
    """Those who say with the PROXY protocol whom they speak for; everybody else speaks for themselves."""

    def __call__(self) -> asyncio.Protocol:
        return _Arrival(self)

    def let_in(self, address: str, transport: asyncio.Transport) -> LineConnection:
        """Raises HandshakeRefused."""
        newcomer, session, lines = Newcomer(address), self.session, self.lines
        admission = Admission(
            self.door,
            address,
            lambda wire: session(wire, newcomer),
            lines.largest,
            lines.greeting_seconds,
            lines.message_burst,
        )
        self.connections.check(admission)
        if lines.keep_alive:
            keep_asking(transport, self.connections.settings.heartbeat)
        return LineConnection(self.connections, admission, transport, lines.idle_seconds)


class _Arrival(Arrival):
    """Somebody for whom a proxy may have to speak first, or TLS has to be begun."""

    __slots__ = (
        "_address",
        "_awaits_header",
        "_entrance",
        "_given_up",
        "_refused",
        "_securing",
    )

    def __init__(self, entrance: LineEntrance) -> None:
        super().__init__(entrance.connections, entrance.visitors)
        self._entrance = entrance
        self._awaits_header = False
        self._given_up = False
        """We were the ones who would not wait."""
        self._refused = False
        self._securing: asyncio.Future[None] | None = None

    def _find_no_place(self) -> None:
        self._refuse(_FULL)

    def _came(self) -> None:
        peer = self._transport.get_extra_info("peername")
        self._address = client_address(peer[0] if peer else None, None, ())
        self._awaits_header = is_trusted(self._address, self._entrance.proxies)
        if not self._awaits_header:
            self._come_in()

    def _too_slow(self) -> None:
        self._given_up = True
        super()._too_slow()

    def data_received(self, data: bytes) -> None:
        if self._visit is None or self._refused:
            return
        self._heard += data
        if not self._awaits_header:
            return  # the first words under TLS, which came before we knew that it stands
        try:
            header = proxy_header(bytes(self._heard))
        except BadHeader:
            self._entrance.connections.hits["bad_proxy_header"] += 1
            self._transport.abort()
            return
        if header is None:
            return
        self._awaits_header = False
        del self._heard[: header.size]
        if header.address is not None:
            self._address = client_address(header.address, None, ())
        if self._entrance.visitors.asks(self._visit, self._address):
            self._come_in()
        else:
            self._refuse(_FULL)

    def _come_in(self) -> None:
        tls = self._entrance.tls
        if tls is None:
            self._enter()
        else:
            self._securing = asyncio.ensure_future(self._secure(tls))

    async def _secure(self, tls: ssl.SSLContext) -> None:
        """Go on under TLS. It is begun here and not by the listener, so that whoever is slow about it counts."""
        plain, connections = self._transport, self._entrance.connections
        # Our own timer ends slow handshakes. This time-out is longer, as without one
        # TLS would use its default.
        seconds = 2 * connections.settings.handshake_seconds
        beginning = asyncio.ensure_future(
            connections.loop.start_tls(plain, self, tls, server_side=True, ssl_handshake_timeout=seconds)
        )
        # `start_tls` takes the connection over in the next turn of the loop, and is ready for bytes one turn
        # later. Nothing is read before that.
        await asyncio.sleep(0)
        first, self._heard = bytes(self._heard), bytearray()
        await asyncio.sleep(0)
        if first:
            _feed(plain, first)
        try:
            secured = await beginning
        except OSError:
            secured = None
        if secured is None or secured.is_closing() or self._visit is None:
            if not self._given_up:
                connections.hits["tls_handshake"] += 1
            self._done()
            plain.abort()
            return
        self._transport = secured
        self._enter()

    def _enter(self) -> None:
        try:
            connection = self._entrance.let_in(self._address, self._transport)
        except HandshakeRefused as refused:
            self._refuse(refused.text)
            return
        self._done()
        self._transport.set_protocol(connection)
        connection.begin()
        if self._heard:
            connection.data_received(bytes(self._heard))

    def _refuse(self, reason: str) -> None:
        """Say why, and end the connection. Before TLS stands nothing can be said."""
        transport, entrance = self._transport, self._entrance
        if entrance.tls is None or transport.get_extra_info("ssl_object") is not None:
            transport.write(entrance.lines.refusal(reason))
        if self._visit is None:
            transport.close()
            return
        # Somebody who is refused counts as a visitor until the connection has ended.
        self._refused = True
        finish_writing(transport)
        self._timer.cancel()
        self._timer = entrance.connections.loop.call_later(CLOSE_SECONDS, transport.abort)


def _feed(transport: asyncio.Transport, data: bytes) -> None:
    """Hand to TLS what came before it was there, together with the header of a proxy perhaps."""
    protocol = cast(asyncio.BufferedProtocol, transport.get_protocol())
    while data:
        room = memoryview(protocol.get_buffer(len(data)))
        size = min(len(room), len(data))
        room[:size] = data[:size]
        protocol.buffer_updated(size)
        data = data[size:]
