"""Letting connections in, many at a time.

The event loop by itself accepts one connection each time round, and under load a round is long: a club that comes back
after a restart would queue for seconds.
"""

import asyncio
import errno
import logging
import socket
from collections.abc import Callable

log = logging.getLogger("gamut.server")

_AT_ONCE = 64
_PAUSE_SECONDS = 0.5
_OUT_OF_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


def listening(host: str, port: int, backlog: int) -> list[socket.socket]:
    """A socket for each address of the host, all on the same port."""
    sockets: list[socket.socket] = []
    wanted = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    try:
        for family, _, _, _, address in dict.fromkeys(wanted):
            bound = (address[0], sockets[0].getsockname()[1] if sockets else port)
            sockets.append(socket.create_server(bound, family=family, backlog=backlog))
    except OSError:
        for opened in sockets:
            opened.close()
        raise
    for opened in sockets:
        opened.setblocking(False)
    return sockets


class Acceptor:
    def __init__(self, sockets: list[socket.socket], protocol: Callable[[], asyncio.BaseProtocol]) -> None:
        self._loop = asyncio.get_running_loop()
        self._sockets = sockets
        self._protocol = protocol
        self._arriving: set[asyncio.Task[object]] = set()
        for opened in sockets:
            self._loop.add_reader(opened, self._accept, opened)

    @property
    def port(self) -> int:
        port: int = self._sockets[0].getsockname()[1]
        return port

    def _accept(self, opened: socket.socket) -> None:
        for _ in range(_AT_ONCE):
            try:
                connection, _ = opened.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno not in _OUT_OF_FILES:
                    raise
                # Whoever knocks stays in the queue until somebody has left.
                log.error("cannot accept connections for now", extra={"error": error.strerror})
                self._loop.remove_reader(opened)
                self._loop.call_later(_PAUSE_SECONDS, self._resume, opened)
                return
            connection.setblocking(False)
            task = self._loop.create_task(self._serve(connection))
            self._arriving.add(task)
            task.add_done_callback(self._arriving.discard)

    def _resume(self, opened: socket.socket) -> None:
        if opened.fileno() != -1:
            self._loop.add_reader(opened, self._accept, opened)

    async def _serve(self, connection: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._protocol, connection)
        except OSError:
            connection.close()  # gone before it was let in

    def close(self) -> None:
        for opened in self._sockets:
            self._loop.remove_reader(opened)
            opened.close()
