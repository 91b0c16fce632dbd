"""A connection that is not at a door yet: it counts as a visitor, and has only so long to say what it wants."""

import asyncio
from typing import cast

from gamut.net.port.connections import Connections
from gamut.net.port.visitors import Visit, Visitors


class Arrival(asyncio.Protocol):
    __slots__ = ("_connections", "_heard", "_timer", "_transport", "_visit", "_visitors")

    def __init__(self, connections: Connections, visitors: Visitors) -> None:
        self._connections = connections
        self._visitors = visitors
        self._heard = bytearray()
        self._visit: Visit | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are none of asyncio's classes, only like them.
        self._transport = cast(asyncio.Transport, transport)
        self._visit = self._visitors.come(self._transport)
        if self._visit is None:
            self._find_no_place()
            return
        self._timer = self._connections.loop.call_later(
            self._connections.settings.handshake_seconds, self._too_slow
        )
        self._came()

    def _find_no_place(self) -> None:
        """There are too many visitors: say so, and end the connection."""
        raise NotImplementedError

    def _came(self) -> None:
        """What can be done before anything is heard."""

    def _too_slow(self) -> None:
        self._connections.hits["handshake_timeout"] += 1
        self._transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        self._done()

    def _done(self) -> None:
        """Somebody is a visitor no more: they have come in, or are gone."""
        if self._visit is not None:
            self._timer.cancel()
            self._visitors.leave(self._visit)
            self._visit = None
