"""A connection with a hand on every byte, whatever is spoken on it: what is said, waited for, and told."""

import asyncio
import socket
from collections.abc import Callable
from typing import Generic, TypeVar, cast

from bench.attacks.target import Target

SECONDS = 20.0
Heard = TypeVar("Heard")


class Refused(OSError):
    """Not let in, or hung up on."""


async def dial(
    connection: asyncio.Protocol, port: int, receive_buffer: int | None, hello: Callable[[], None]
) -> None:
    """Connect, and say the first words. On an error the socket is closed."""
    wire = socket.socket()
    if receive_buffer is not None:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    wire.setblocking(False)
    loop = asyncio.get_running_loop()
    try:
        await loop.sock_connect(wire, ("127.0.0.1", port))
        await loop.create_connection(lambda: connection, sock=wire)
        hello()
    except BaseException:
        wire.close()
        raise


class Stream(asyncio.Protocol, Generic[Heard]):
    """Reads as fast as it can, and hands what it hears to whoever waits for it."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.closed = asyncio.Event()
        self.heard_bytes = 0
        self._transport: asyncio.Transport | None = None
        self._writable = asyncio.Event()
        self._writable.set()
        self._buffer = bytearray()
        self._leaving = False
        self._waiting: list[tuple[Callable[[Heard], bool], asyncio.Future[Heard]]] = []

    @property
    def port(self) -> int:
        """Ours, from which this connection comes."""
        assert self._transport is not None
        number: int = self._transport.get_extra_info("sockname")[1]
        return number

    # Saying

    def send(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    async def flushed(self) -> None:
        """There is room for more. `Refused` if nobody is there any more."""
        await asyncio.sleep(0)
        if self.closed.is_set() or self._transport is None or self._transport.is_closing():
            raise Refused("hung up on")
        if not self._writable.is_set():
            gone = asyncio.ensure_future(self.closed.wait())
            room = asyncio.ensure_future(self._writable.wait())
            await asyncio.wait((gone, room), timeout=SECONDS, return_when=asyncio.FIRST_COMPLETED)
            gone.cancel()
            room.cancel()

    def stop_reading(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.pause_reading()

    def read_on(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    def abort(self) -> None:
        """Hang up without a word. What was said and not sent yet is lost."""
        self._leaving = True
        if self._transport is not None:
            self._transport.abort()

    # Hearing

    async def hears(self, match: Callable[[Heard], bool], seconds: float = SECONDS) -> Heard:
        """The next message of that kind. `Refused` if the connection ends before; `TimeoutError`."""
        return await self.next(match, seconds)

    def next(self, match: Callable[[Heard], bool], seconds: float = SECONDS) -> asyncio.Future[Heard]:
        """The same, listening from now on: for an answer to what is said next."""
        future: asyncio.Future[Heard] = asyncio.get_running_loop().create_future()
        future.add_done_callback(_looked_at)
        if self.closed.is_set():
            future.set_exception(Refused("hung up on"))
            return future
        self._waiting.append((match, future))
        late = asyncio.get_running_loop().call_later(self.target.at_most(seconds), _too_late, future)
        future.add_done_callback(lambda _: late.cancel())
        return future

    def hand_over(self, message: Heard) -> None:
        """To all who wait for something like it."""
        still = []
        for match, future in self._waiting:
            if future.done():
                continue
            if match(message):
                future.set_result(message)
            else:
                still.append((match, future))
        self._waiting = still

    # The transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are none of asyncio's classes, only like them.
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, error: Exception | None) -> None:
        self.closed.set()
        waiting, self._waiting = self._waiting, []
        for _, future in waiting:
            if not future.done():
                future.set_exception(Refused("hung up on"))

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()


def _too_late(future: asyncio.Future[Heard]) -> None:
    if not future.done():
        future.set_exception(TimeoutError())


def _looked_at(future: asyncio.Future[Heard]) -> None:
    """Somebody who was hung up on may wait for several things, of which they need not look at all."""
    if not future.cancelled():
        future.exception()
