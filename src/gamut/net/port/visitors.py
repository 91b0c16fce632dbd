"""Connections that are at no door: whoever has not yet said what they want, and whoever speaks HTTP.

They count from the moment they are let in. When there are too many, the one that has kept us waiting longest is
dropped; a visitor that only waits for our answer is not.
"""

import asyncio
from collections.abc import Collection

from gamut.net.port.address import UNKNOWN, Network, counted_as, is_loopback, is_trusted
from gamut.net.port.limits import TurnedAway


class Visit:
    """One such connection."""

    __slots__ = ("crowd", "here", "proxied", "transport")

    def __init__(self, transport: asyncio.Transport, *, proxied: bool) -> None:
        self.transport = transport
        self.proxied = proxied
        """It belongs to one of our proxies: each request may be somebody else's."""
        self.crowd: _Crowd | None = None
        """Whoever has the same address, while it counts."""
        self.here = True


class _Crowd:
    __slots__ = ("awaited", "inside", "key")

    def __init__(self, key: str = "") -> None:
        self.key = key
        self.inside = 0
        self.awaited: dict[Visit, None] = {}
        """Those whom we wait for, the longest first."""


class Visitors:
    def __init__(
        self,
        in_all: int,
        per_address: int,
        trusted_proxies: Collection[Network],
        turned_away: TurnedAway,
    ) -> None:
        self._in_all = in_all
        self._per_address = per_address
        self._trusted_proxies = trusted_proxies
        self._turned_away = turned_away
        self._everybody = _Crowd()
        self._from: dict[str, _Crowd] = {}

    def __len__(self) -> int:
        return self._everybody.inside

    def come(self, transport: asyncio.Transport) -> Visit | None:
        """A new connection, of which we wait to hear something. None if there is no place for it."""
        peer = transport.get_extra_info("peername")
        address = peer[0] if peer else UNKNOWN
        visit = Visit(transport, proxied=is_trusted(address, self._trusted_proxies))
        if not self._has_room(self._everybody, self._in_all, "visitors"):
            return None
        if not visit.proxied and not self._join(visit, address):
            return None
        self._everybody.inside += 1
        self._everybody.awaited[visit] = None
        return visit

    def asks(self, visit: Visit, address: str) -> bool:
        """A request of the client at this address has begun to come; whether there is a place for it."""
        return not visit.proxied or visit.crowd is not None or self._join(visit, address)

    def answering(self, visit: Visit) -> None:
        """All of a request is here: it is our turn."""
        self._everybody.awaited.pop(visit, None)
        if visit.crowd is not None:
            visit.crowd.awaited.pop(visit, None)

    def awaiting(self, visit: Visit) -> None:
        """It is their turn: to ask the next thing, or to take in the answer."""
        self.answering(visit)
        if visit.here:
            self._everybody.awaited[visit] = None
            if visit.crowd is not None:
                visit.crowd.awaited[visit] = None

    def answered(self, visit: Visit) -> None:
        """The answer is out. A proxy's connection belongs to no address until its next request."""
        if visit.proxied:
            self._part(visit)
        self.awaiting(visit)

    def leave(self, visit: Visit) -> None:
        """It is gone, or has come to a door."""
        if visit.here:
            visit.here = False
            self._part(visit)
            self._everybody.awaited.pop(visit, None)
            self._everybody.inside -= 1

    def _join(self, visit: Visit, address: str) -> bool:
        if is_loopback(address):
            return True
        key = counted_as(address)
        crowd = self._from.get(key)
        if crowd is None:
            crowd = _Crowd(key)
        elif not self._has_room(crowd, self._per_address, "visitors_per_address"):
            return False
        self._from[key] = crowd  # once more, as dropping its last visit may have removed it
        crowd.inside += 1
        crowd.awaited[visit] = None
        visit.crowd = crowd
        return True

    def _part(self, visit: Visit) -> None:
        crowd, visit.crowd = visit.crowd, None
        if crowd is not None:
            crowd.awaited.pop(visit, None)
            crowd.inside -= 1
            if not crowd.inside:
                del self._from[crowd.key]

    def _has_room(self, crowd: _Crowd, most: int, limit: str) -> bool:
        if crowd.inside < most:
            return True
        self._turned_away.count(limit)
        dropped = next(iter(crowd.awaited), None)
        if dropped is None:
            return False
        self.leave(dropped)
        dropped.transport.abort()
        return True
