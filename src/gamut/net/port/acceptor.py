"""Letting connections in, many at a time.

The event loop takes one connection from each listener each time round, and under load a round is long: a club that
comes back after a restart would queue for seconds. So it has many listeners, all of them on the same queue.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Self

_BACKLOG = 2048


def listening(host: str, port: int) -> list[socket.socket]:
    """A socket for each address of the host, all on the same port."""
    sockets: list[socket.socket] = []
    wanted = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    try:
        for family, _, _, _, address in dict.fromkeys(wanted):
            bound = (address[0], sockets[0].getsockname()[1] if sockets else port)
            sockets.append(socket.create_server(bound, family=family, backlog=_BACKLOG))
            # Connections inherit it: what is sent leaves at once. Not every event loop sets it for what it accepts.
            sockets[-1].setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError:
        for opened in sockets:
            opened.close()
        raise
    return sockets


class Acceptor:
    def __init__(self, port: int) -> None:
        self.port = port
        self._servers: list[asyncio.Server] = []

    @classmethod
    async def open(
        cls, sockets: list[socket.socket], protocol: Callable[[], asyncio.BaseProtocol], listeners: int = 1
    ) -> Self:
        """Let in whoever comes to these sockets, which are the acceptor's from now on, with so many listeners in all.

        OSError if there is no room for them; then nothing is left open.
        """
        loop = asyncio.get_running_loop()
        acceptor = cls(sockets[0].getsockname()[1])
        of_each = max(1, listeners // len(sockets))
        waiting = list(sockets)
        try:
            for opened in sockets:
                waiting.extend(opened.dup() for _ in range(of_each - 1))
            while waiting:
                server = await loop.create_server(protocol, sock=waiting[-1], backlog=_BACKLOG)
                waiting.pop()
                acceptor._servers.append(server)
        except OSError:
            acceptor.close()
            for opened in waiting:
                opened.close()
            raise
        return acceptor

    def close(self) -> None:
        for server in self._servers:
            server.close()
