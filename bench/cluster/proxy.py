"""A small TCP proxy: it sends newcomers to whichever node is open, or to all of them in turn, as one with health checks
does, and can cut or hold up what goes through it."""

import asyncio
import contextlib
import socket
from collections import deque
from collections.abc import Sequence
from typing import cast

from bench.cluster.weather import Weather
from bench.place import HERE, LOOPBACK, Place

_CHECK_EVERY = 0.05
_ANSWERS_WITHIN = 0.25
_FAILURES = 3
"""So many checks without an answer and a node counts as closed; one that refuses connections does at once."""
_DIALS_WITHIN = 2.0
"""Seconds."""
_BACKLOG = 2000
HEALTH = "/healthz"
HEALTH_OF_OWNER = "/healthz/owner"
"""What only the node answers well that has the hall."""


class _End(asyncio.Protocol):
    """One end of a connection that goes through: what comes here goes out at the other end."""

    def __init__(self, way: "Way") -> None:
        self._way = way
        self.other: _End | None = None
        self.early: list[bytes] = []
        """What came before there was another end, or while the way is held up."""
        self.transport: asyncio.Transport | None = None
        self._has_ended = False
        self._on_its_way: deque[bytes] = deque()
        """What arrives later; empty: the end of it."""
        self._arrives = 0.0
        """When the last of that does."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports are none of asyncio's classes, only like them.
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        if self._way.weather is None:
            self._pass(data)
        else:
            self._send(self._way.weather, data)

    def _send(self, weather: Weather, data: bytes) -> None:
        loop = asyncio.get_running_loop()
        self._arrives = weather.arrives(loop.time(), len(data), self._arrives)
        self._on_its_way.append(data)
        # In their order, whichever timer is first.
        loop.call_at(self._arrives, lambda: self._arrived(self._on_its_way.popleft()))

    def _arrived(self, data: bytes) -> None:
        if data:
            self._pass(data)
        else:
            self._end()

    def _pass(self, data: bytes) -> None:
        if self.other is None or self._way.is_held:
            self.early.append(data)
        elif self.other.transport is not None and not self.other.transport.is_closing():
            self.other.transport.write(data)

    def go_on(self) -> None:
        """What came early goes through now."""
        early, self.early = self.early, []
        for data in early:
            self._pass(data)
        if self._has_ended:
            self._end_other()

    def pause_writing(self) -> None:
        if self.other is not None and self.other.transport is not None:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other is not None and self.other.transport is not None:
            self.other.transport.resume_reading()

    def connection_lost(self, error: Exception | None) -> None:
        if self._way.weather is None:
            self._end()
        else:
            self._send(self._way.weather, b"")

    def _end(self) -> None:
        self._has_ended = True
        if not self._way.is_held:
            self._end_other()

    def _end_other(self) -> None:
        self._way.ended(self)
        if self.other is not None and self.other.transport is not None:
            # What came before the end still goes through.
            self.other.transport.close()


class _Accepted(_End):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._way.accepted(self)


class Way:
    """One port of ours, and those it leads to: one of each node."""

    def __init__(
        self,
        targets: Sequence[tuple[str, int]],
        chosen: Sequence[int] = (),
        port: int = 0,
        *,
        place: Place = HERE,
        weather: Weather | None = None,
    ) -> None:
        """`port`: ours; 0: whichever is free. `place`: where it listens, and from where it goes on."""
        self.targets = list(targets)
        self.port = port
        self.chosen = list(chosen)
        """To which of them newcomers are sent, in turn; none: they are hung up on."""
        self.weather = weather
        self._place = place
        self.is_held = False
        """A network that has gone: nothing comes through, and nobody is told. What was sent arrives when it is back."""
        self._turn = 0
        self._ends: dict[_End, int] = {}
        self._dialling: set[asyncio.Task[None]] = set()
        self._waiting: list[_End] = []
        """Those who came while the way was held up."""

    async def listen(self) -> None:
        loop = asyncio.get_running_loop()
        with self._place.entered():
            ours = socket.create_server((LOOPBACK, self.port))
        self._server = await loop.create_server(lambda: _Accepted(self), sock=ours, backlog=_BACKLOG)
        self.port = self._server.sockets[0].getsockname()[1]

    def cut(self, number: int | None = None) -> None:
        """Hang up on everybody who was sent to this one; None: on everybody."""
        for end, chosen in list(self._ends.items()):
            if number in (None, chosen) and end.transport is not None:
                end.transport.abort()

    def clients_at(self, number: int) -> set[int]:
        """The ports from which those come who were sent to this one."""
        return {
            end.transport.get_extra_info("peername")[1]
            for end, chosen in self._ends.items()
            if chosen == number and isinstance(end, _Accepted) and end.transport is not None
        }

    def hold(self) -> None:
        self.is_held = True

    def release(self) -> None:
        self.is_held = False
        for end in list(self._ends):
            end.go_on()
        waiting, self._waiting = self._waiting, []
        for end in waiting:
            self.accepted(end)

    async def close(self) -> None:
        self._server.close()
        for task in self._dialling:
            task.cancel()
        await asyncio.gather(*self._dialling, return_exceptions=True)
        self.is_held = False
        self.cut()
        for end in self._waiting:
            if end.transport is not None:
                end.transport.abort()

    def accepted(self, end: _End) -> None:
        if self.is_held:
            self._waiting.append(end)
            return
        number = self.chosen[self._turn % len(self.chosen)] if self.chosen else None
        self._turn += 1
        task = asyncio.get_running_loop().create_task(self._dial(end, number))
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
            await self._connect(far, self.targets[number])
        except OSError:
            end.transport.abort()
            return
        end.other, far.other = far, end
        self._ends[end] = self._ends[far] = number
        assert far.transport is not None
        if end.transport.is_closing():
            far.transport.abort()
        for each in (end, far):
            each.go_on()

    async def _connect(self, far: _End, target: tuple[str, int]) -> None:
        loop = asyncio.get_running_loop()
        with self._place.entered():
            wire = socket.socket()
        try:
            wire.setblocking(False)
            wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            async with asyncio.timeout(_DIALS_WITHIN):
                await loop.sock_connect(wire, target)
            await loop.create_connection(lambda: far, sock=wire)
        except BaseException:
            wire.close()
            raise


class Proxy:
    """A way for each door, to the nodes that are well: to one of them until it is not, or to each in turn."""

    def __init__(
        self,
        nodes: Sequence[Sequence[tuple[str, int]]],
        *,
        asks: str = HEALTH,
        to_all: bool = False,
        failures: int = _FAILURES,
        weather: Weather | None = None,
    ) -> None:
        """The addresses of each node, in the same order; the first one is asked how it is. `failures`: so many checks
        without an answer and a node counts as closed; one that refuses connections does at once."""
        self.ways = [Way(targets, weather=weather) for targets in zip(*nodes, strict=True)]
        self._checked = [targets[0] for targets in nodes]
        self._asks = asks
        self._to_all = to_all
        self._most = failures
        self._failures = [failures] * len(nodes)
        self._silent = [False] * len(nodes)
        """A node that does not even say that it is not well."""
        self.chosen: list[int] = []
        """The nodes to which newcomers are sent."""

    @property
    def open(self) -> int | None:
        return self.chosen[0] if self.chosen else None

    async def start(self) -> None:
        for way in self.ways:
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
            silent = False
            try:
                async with asyncio.timeout(_ANSWERS_WITHIN):
                    well = await _is_well(self._checked[number], self._asks)
                self._failures[number] = 0 if well else self._most
            except TimeoutError:
                self._failures[number] += 1
                silent = self._failures[number] >= self._most
            except OSError:
                self._failures[number] = self._most
            self._silent[number] = silent
            self._choose()
            await asyncio.sleep(_CHECK_EVERY)

    def _choose(self) -> None:
        well = [number for number, failures in enumerate(self._failures) if failures < self._most]
        if self._to_all:
            self.chosen = well
        elif self.open not in well:
            self.chosen = well[:1]
        else:
            return
        for way in self.ways:
            way.chosen = self.chosen
        for number, silent in enumerate(self._silent):
            # Where sockets are at all nodes, one that has no hall any more may well hold some.
            if number not in self.chosen and (silent if self._to_all else bool(self.chosen)):
                for way in self.ways:
                    way.cut(number)


async def _is_well(target: tuple[str, int], asks: str) -> bool:
    reader, writer = await asyncio.open_connection(*target)
    try:
        writer.write(f"GET {asks} HTTP/1.1\r\nHost: proxy\r\nConnection: close\r\n\r\n".encode())
        return b" 200 " in await reader.readline()
    finally:
        with contextlib.suppress(OSError):
            writer.close()
