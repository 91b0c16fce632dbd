"""Connections are let in many at a time."""

import asyncio
import socket
from typing import cast

import pytest
from tests.hall.bots.test_bots import no_more_files

from gamut.net.port.acceptor import Acceptor, listening


class Greeter(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast(asyncio.Transport, transport).write(b"hello")
        transport.close()


def test_everybody_who_knocks_at_once_is_let_in() -> None:
    async def scene() -> None:
        acceptor = await Acceptor.open(listening("127.0.0.1", 0), Greeter, 64)

        async def knock() -> bytes:
            reader, writer = await asyncio.open_connection("127.0.0.1", acceptor.port)
            said = await reader.read()
            writer.close()
            await writer.wait_closed()
            return said

        assert await asyncio.gather(*(knock() for _ in range(200))) == [b"hello"] * 200
        port = acceptor.port
        acceptor.close()
        with pytest.raises(OSError):
            await asyncio.open_connection("127.0.0.1", port)

    asyncio.run(scene())


def test_what_is_sent_leaves_at_once_whichever_loop_lets_them_in() -> None:
    (first,) = listening("127.0.0.1", 0)
    with first, socket.create_connection(first.getsockname()), first.accept()[0] as accepted:
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_port_that_is_taken_is_not_to_be_had_twice() -> None:
    (first,) = listening("127.0.0.1", 0)
    with first, pytest.raises(OSError):
        listening("127.0.0.1", first.getsockname()[1])


def test_a_host_with_several_addresses_listens_on_all_of_them_at_one_port() -> None:
    sockets = listening("localhost", 0)
    assert len({opened.getsockname()[1] for opened in sockets}) == 1
    for opened in sockets:
        opened.close()


def test_a_port_for_which_there_are_not_enough_files_leaves_none_open() -> None:
    async def scene() -> None:
        sockets = listening("127.0.0.1", 0)
        port = sockets[0].getsockname()[1]
        with no_more_files(but=10), pytest.raises(OSError):
            await Acceptor.open(sockets, Greeter, 64)
        with pytest.raises(OSError):
            await asyncio.open_connection("127.0.0.1", port)

    asyncio.run(scene())
