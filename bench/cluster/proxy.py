"""A small TCP proxy: it sends newcomers to whichever node is open, as one with health checks does, and can cut, delay
or swallow what goes through it."""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import cast

_CHECK_EVERY = 0.05
_ANSWERS_WITHIN = 0.25
_FAILURES = 3
"""So many checks without an answer and a node counts as closed; one that refuses connections does at once."""
_HEALTH = b"GET /healthz HTTP/1.1\r\nHost: proxy\r\nConnection: close\r\n\r\n"


class _End(asyncio.Protocol):
    """One end of a connection that goes through: what comes here goes out at the other end."""

    def __init__(self, way: "Way") -> None:
        self._way = way
        self.other: _End | None = None
        self.early: list[bytes] = []
        """What came before there was another end."""
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are none of asyncio's classes, only like them.
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        if self.other is None:
            self.early.append(data)
        elif self._way.swallows or self.other.transport is None:
            return
        elif self._way.delay:
            asyncio.get_running_loop().call_later(self._way.delay, self.other.transport.write, data)
        else:
            self.other.transport.write(data)

    def pause_writing(self) -> None:
        if self.other is not None and self.other.transport is not None:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other is not None and self.other.transport is not None:
            self.other.transport.resume_reading()

    def connection_lost(self, error: Exception | None) -> None:
        self._way.ended(self)
        if self.other is not None and self.other.transport is not None and not self._way.swallows:
            # What came before the end still goes through.
            self.other.transport.close()


class _Accepted(_End):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._way.accepted(self)


class Way:
    """One port of ours, and those it leads to: one of each node."""

    def __init__(self, ports: Sequence[int]) -> None:
        self.ports = list(ports)
        self.port = 0
        self.chosen: int | None = 0
        """To which of them newcomers are sent; None: they are hung up on."""
        self.swallows = False
        """A network that has gone: nothing comes through, and nobody is told."""
        self.delay = 0.0
        self._ends: dict[_End, int] = {}
        self._dialling: set[asyncio.Task[None]] = set()

    async def listen(self) -> None:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Accepted(self), "127.0.0.1", self.port, backlog=2000)
        self.port = self._server.sockets[0].getsockname()[1]

    def cut(self, number: int | None = None) -> None:
        """Hang up on everybody who was sent to this one; None: on everybody."""
        for end, chosen in list(self._ends.items()):
            if number in (None, chosen) and end.transport is not None:
                end.transport.abort()

    async def close(self) -> None:
        self._server.close()
        for task in self._dialling:
            task.cancel()
        await asyncio.gather(*self._dialling, return_exceptions=True)
        self.cut()

    def accepted(self, end: _End) -> None:
        task = asyncio.get_running_loop().create_task(self._dial(end, self.chosen))
        self._dialling.add(task)
        task.add_done_callback(self._dialling.discard)

    def ended(self, end: _End) -> None:
        self._ends.pop(end, None)

    async def _dial(self, end: _End, number: int | None) -> None:
        assert end.transport is not None
        far = _End(self)
        try:
            if number is None:
                raise ConnectionRefusedError
            await asyncio.get_running_loop().create_connection(lambda: far, "127.0.0.1", self.ports[number])
        except OSError:
            end.transport.abort()
            return
        end.other, far.other = far, end
        self._ends[end] = self._ends[far] = number
        assert far.transport is not None
        if end.transport.is_closing():
            far.transport.abort()
        for data in end.early:
            end.data_received(data)


class Proxy:
    """A way for each door, to two nodes. Who is at a closed node is hung up on as soon as another one is open."""

    def __init__(self, nodes: Sequence[Sequence[int]]) -> None:
        """The ports of each node, in the same order; the first one answers `/healthz`."""
        self.ways = [Way(ports) for ports in zip(*nodes, strict=True)]
        self._checked = [ports[0] for ports in nodes]
        self._failures = [_FAILURES] * len(nodes)
        self.open: int | None = None
        """The node to which newcomers are sent."""

    async def start(self) -> None:
        for way in self.ways:
            way.chosen = None
            await way.listen()
        self._checking = [asyncio.ensure_future(self._check(number)) for number in range(len(self._checked))]

    async def stop(self) -> None:
        for task in self._checking:
            task.cancel()
        await asyncio.gather(*self._checking, return_exceptions=True)
        for way in self.ways:
            await way.close()

    async def _check(self, number: int) -> None:
        while True:
            try:
                async with asyncio.timeout(_ANSWERS_WITHIN):
                    well = await _is_well(self._checked[number])
                self._failures[number] = 0 if well else _FAILURES
            except TimeoutError:
                self._failures[number] += 1
            except OSError:
                self._failures[number] = _FAILURES
            self._choose()
            await asyncio.sleep(_CHECK_EVERY)

    def _choose(self) -> None:
        well = [number for number, failures in enumerate(self._failures) if failures < _FAILURES]
        if self.open in well:
            return
        self.open = well[0] if well else None
        for way in self.ways:
            way.chosen = self.open
            for number in range(len(self._checked)):
                if self.open not in (None, number):
                    way.cut(number)


async def _is_well(port: int) -> bool:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(_HEALTH)
        return b" 200 " in await reader.readline()
    finally:
        with contextlib.suppress(OSError):
            writer.close()
