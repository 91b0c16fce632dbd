"""Where a process runs, or a connection begins: on this machine as it is, or in a network namespace of it."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOOPBACK = "127.0.0.1"
_OURS = Path("/proc/thread-self/ns/net")
_NETWORK = 0x40000000
_libc = ctypes.CDLL(None, use_errno=True)


class Place:
    def __init__(self, address: str = LOOPBACK, namespace: Path | None = None) -> None:
        self.address = address
        self._namespace = namespace

    @contextmanager
    def entered(self) -> Iterator[None]:
        """What this thread starts, and the sockets that it makes, are there for good; nothing else is."""
        if self._namespace is None:
            yield
            return
        ours = os.open(_OURS, os.O_RDONLY)
        try:
            theirs = os.open(self._namespace, os.O_RDONLY)
            try:
                _enter(theirs)
            finally:
                os.close(theirs)
            try:
                yield
            finally:
                _enter(ours)
        finally:
            os.close(ours)


HERE = Place()


def _enter(namespace: int) -> None:
    if _libc.setns(namespace, _NETWORK):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
