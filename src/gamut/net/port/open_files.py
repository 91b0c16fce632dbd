"""What the files that a process may open are used for: its own, its listeners, and the rest for connections."""

import msgspec

_RESERVED = 500
"""Kept beside the connections, or more where there are many bots and engines."""
_OWN = 64
"""The ledger, a few for each thread that reads it, the log, the event loop, and what is open for a moment."""
_OF_A_BOT, _OF_AN_ENGINE = 8, 4
"""The pipes of a process."""
_OF_A_WING = 16
"""Connections to the database, of each wing of the hall beyond the first."""
_LISTENERS, _LISTENERS_OF_A_PORT = 256, 64
"""The more listeners a port has, the more newcomers are let in at a time."""
_PORTS = 4
"""As many as there are with every door's own."""


class Places(msgspec.Struct, frozen=True):
    """How many connections there may be: at doors, and others."""

    connections: int
    visitors: int


class OpenFiles(msgspec.Struct, frozen=True):
    """How the files are shared out in a server with so many processes for bots, and so many engines."""

    bots: int
    engines: int
    wings: int = 1

    @property
    def _own(self) -> int:
        own = _OWN + _OF_A_WING * (self.wings - 1)
        return own + _OF_A_BOT * self.bots + _OF_AN_ENGINE * self.engines

    @property
    def reserved(self) -> int:
        """How many files the server keeps for itself where the limit is high enough."""
        return max(_RESERVED, self._own + _LISTENERS)

    @property
    def fewest(self) -> int:
        """The fewest files with which a server can start: three quarters of them are for its own files and
        one listener for each port."""
        return -(-(self._own + _PORTS) * 4 // 3)

    def _room(self, limit: int) -> int:
        return max(limit - self.reserved, limit // 4)

    def places(self, wanted: Places, limit: int) -> Places:
        """As many of the wanted places as fit under this limit beside the files that
        the server needs itself."""
        room = self._room(limit)
        if wanted.connections + wanted.visitors <= room:
            return wanted
        visitors = min(wanted.visitors, max(1, room // 4))
        return Places(min(wanted.connections, max(1, room - visitors)), visitors)

    def listeners(self, ports: int, limit: int) -> int:
        """How many listeners each port gets."""
        spare = limit - self._room(limit) - self._own
        return max(1, min(_LISTENERS_OF_A_PORT, spare // ports))
