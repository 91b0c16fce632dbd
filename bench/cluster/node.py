"""One node, which is killed, frozen and let go on."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from bench.place import HERE, Place
from bench.servers.child import Child, Log
from bench.servers.gamut import PROXIED, free_port, serving

_LARGE = "1000000"
_FLAGS = (
    *PROXIED,
    *("--topple-rejoin", "600", "--log-level", "warning", "--bot-workers", "1"),
    # People come back again and again, which is what is tried here, and not how much of it is allowed.
    *(word for name in ("logins-per-name", "logins-per-address") for word in (f"--{name}", _LARGE)),
    *(word for name in ("guests-per-address", "registrations-per-address") for word in (f"--{name}", _LARGE)),
    *("--tables-per-person", "1000", "--talk-burst", _LARGE, "--stored-per-second", "0"),
)


class Node(Child):
    """The ports are the same for all processes that come one after the other."""

    def __init__(self, data: Path, name: str, more: Sequence[str], place: Place = HERE) -> None:
        super().__init__()
        self.place = place
        self._data = data
        self.name = name
        self._more = ("--node-name", name, *more)
        self.ports = free_port(), free_port(), free_port()
        """The main one, Tower's and Tafl's."""
        self.stands_by = False
        """It waits for the end of another one."""
        self.is_open = False
        """Its ports are."""

    def start(self) -> None:
        self.end()
        self.log = Log()
        self.stands_by = self.is_open = False
        command = (sys.executable, "-m", "gamut.cli", "serve", "--data", str(self._data))
        with self.place.entered():
            self.launch((*command, *serving(*self.ports), *_FLAGS, *self._more), self._listen)

    @property
    def addresses(self) -> list[tuple[str, int]]:
        return [(self.place.address, port) for port in self.ports]

    def _listen(self, pipe: IO[bytes]) -> None:
        for line in pipe:
            # One that also is a gateway has open ports while it stands by.
            if line.startswith(b"Gamut stands by"):
                self.stands_by = True
            elif line.startswith(b"Gamut is open"):
                self.is_open = True
