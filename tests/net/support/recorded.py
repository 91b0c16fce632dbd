"""Conversations of which every byte is kept that the server says, and servers that draw and date all things alike."""

import asyncio
import os
import random
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.net.support.closed_ports import CLOSED
from tests.net.support.process import PATIENCE, free_port
from tests.net.support.several_nodes import owner_and_gateways
from tests.net.support.through_gateway import ServerThroughGateway

from gamut.cluster import owner
from gamut.doors.tafl.offer import TaflSettings
from gamut.hall import ids
from gamut.hall.bots.processes import ProcessBots
from gamut.hall.ids import Millis
from gamut.hall.time import Timer
from gamut.ledger.people import SqlPeopleStore
from gamut.net import timekeeper
from gamut.net.node import Node
from gamut.net.port import connection
from gamut.net.server import Server
from gamut.net.settings import Settings
from gamut.net.timekeeper import LoopTime

TEXT, BINARY, CLOSE, PING = 1, 2, 8, 9
_NOON = 1_800_000_000
_MOMENT = 0.5
"""Seconds, in which everything is told that is gathered for a moment."""


class Recorded:
    """A connection on which this side speaks a protocol, and only writes down what the other side says."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.heard = b""
        self._read = 0

    async def send(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def hears(self, *parts: bytes) -> None:
        """What was not read yet contains one of these; it is read up to there."""
        while not (found := [part for part in parts if self.heard.find(part, self._read) >= 0]):
            await self._read_more()
        self._read = min(self.heard.find(part, self._read) + len(part) for part in found)

    async def has_heard(self, part: bytes) -> None:
        """The same, whether it was read already or not."""
        if part not in self.heard[: self._read]:
            await self.hears(part)

    async def _read_more(self) -> None:
        async with asyncio.timeout(PATIENCE):
            data = await self._reader.read(65_536)
        assert data, f"the end after {self.heard[self._read :]!r}"
        self.heard += data

    def between(self, before: bytes, after: bytes) -> bytes:
        """What was said last between these."""
        return self.heard.rpartition(before)[2].partition(after)[0]

    async def finish(self) -> None:
        """Say no more, and hear the rest."""
        self._writer.write_eof()
        await self.rest()

    async def rest(self) -> None:
        async with asyncio.timeout(PATIENCE):
            self.heard += await self._reader.read()
        self.close()

    def close(self) -> None:
        self._writer.close()


class Frames(Recorded):
    """A WebSocket."""

    async def frame(self, kind: int, payload: bytes = b"") -> None:
        size = len(payload)
        if size < 126:
            length = bytes([0x80 | size])
        elif size < 1 << 16:
            length = bytes([0xFE]) + size.to_bytes(2, "big")
        else:
            length = bytes([0xFF]) + size.to_bytes(8, "big")
        await self.send(bytes([0x80 | kind]) + length + bytes(4) + payload)

    async def say(self, *messages: Any) -> None:
        for message in messages:
            await self.frame(TEXT, message if isinstance(message, bytes) else msgspec.json.encode(message))

    async def bye(self) -> None:
        await self.frame(CLOSE, (1000).to_bytes(2, "big"))
        await self.rest()

    async def hung_up(self) -> None:
        """The server ends the connection, and this side agrees."""
        while all(kind != CLOSE for kind, _ in self._frames()):
            await self._read_more()
        await self.frame(CLOSE)
        self.close()

    def messages(self) -> list[dict[str, Any]]:
        """All that was said so far."""
        return [msgspec.json.decode(payload) for kind, payload in self._frames() if kind == TEXT]

    def _frames(self) -> Iterator[tuple[int, bytes]]:
        """Those that have come so far: their kinds, and what is in them."""
        at = self.heard.find(b"\r\n\r\n") + 4
        while at + 1 < len(self.heard):
            first, length = self.heard[at : at + 2]
            wide = {126: 2, 127: 8}.get(length, 0)
            head = at + 2 + wide
            at = head + (int.from_bytes(self.heard[at + 2 : head], "big") if wide else length)
            if at <= len(self.heard):
                yield first & 0xF, self.heard[head:at]


class Moments:
    """Server time, which passes only when a story says so: nothing depends on how fast the machine is."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._seconds = 0.0
        self._timers: list[_Timer] = []
        waiting = LoopTime.waiting

        def held(time: LoopTime, alarm: Any, due: Millis) -> Timer | None:
            real = waiting(time, alarm, due)
            if real is None:
                return None
            real.cancel()
            self._timers.append(timer := _Timer(due, alarm.ring))
            return timer

        patch.setattr(timekeeper, "time", lambda: _NOON)
        patch.setattr(timekeeper, "monotonic", lambda: self._seconds)
        patch.setattr(LoopTime, "waiting", held)

    def one_passes(self) -> None:
        self._seconds += _MOMENT
        now = (_NOON + self._seconds) * 1000
        due = sorted((timer for timer in self._timers if timer.due <= now), key=lambda timer: timer.due)
        self._timers = [timer for timer in self._timers if timer.due > now]
        for timer in due:
            if not timer.cancelled:
                timer.call()


@dataclass
class _Timer:
    due: Millis
    call: Callable[[], None]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


class House:
    def __init__(self, nodes: Sequence[Any], moments: Moments) -> None:
        self._nodes = nodes
        self._moments = moments
        self._stopped = False
        self.recorded: list[Recorded] = []

    async def start(self) -> None:
        await asyncio.gather(*(node.start() for node in self._nodes))

    async def frames(self, path: str, at: int = 0) -> Frames:
        """A WebSocket at this node."""
        client = Frames(*await self._connected(at, "main"))
        self.recorded.append(client)
        key = b64encode(bytes(16))
        await client.send(
            b"GET %s HTTP/1.1\r\nHost: gamut\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n" % (path.encode(), key)
        )
        await client.hears(b"\r\n\r\n")
        return client

    async def lines(self, at: int = 0) -> Recorded:
        client = Recorded(*await self._connected(at, "tafl"))
        self.recorded.append(client)
        return client

    async def _connected(self, at: int, port: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self._nodes[at].ports[port])

    def a_moment_passes(self) -> None:
        """Everybody is told what was gathered for a moment. A story waits for all other answers before it says this."""
        self._moments.one_passes()

    async def stop(self) -> None:
        if not self._stopped:
            self._stopped = True
            # Whoever has the hall is the last: gateways say that they go.
            for node in reversed(self._nodes):
                await node.stop()


Story = Callable[[House], Awaitable[None]]
Nodes = Callable[[Callable[..., Settings]], Sequence[Any]]
"""Nodes of one hall that have not started. Each is made with settings of its own; the first one has the hall."""


def alone(settings: Callable[..., Settings]) -> Sequence[Server]:
    return [Server(settings())]


def at_gateway(settings: Callable[..., Settings]) -> Sequence[ServerThroughGateway]:
    return [ServerThroughGateway(settings())]


def three_nodes(settings: Callable[..., Settings]) -> Sequence[Node]:
    return owner_and_gateways(settings, 2)


@asynccontextmanager
async def _open(data: Path, patch: pytest.MonkeyPatch, nodes: Nodes) -> AsyncIterator[House]:
    def settings(**others: Any) -> Settings:
        doors = CLOSED | {"tafl": TaflSettings(tafl_port=free_port())}
        return Settings(data=data, port=0, doors=doors, message_rate=1, message_burst=40, **others)

    house = House(nodes(settings), Moments(patch))
    try:
        await house.start()
        # All have drawn what only they need, such as the names of gateways.
        chance = Random(1)
        patch.setattr(os, "urandom", chance.randbytes)
        patch.setattr(random, "_urandom", chance.randbytes)
        patch.setattr(ids, "_pieces", [])
        yield house
    finally:
        for client in house.recorded:
            client.close()
        await house.stop()


def recorded(data: Path, story: Story, nodes: Nodes) -> list[bytes]:
    """What each connection of the story was told, where time passes as the story says and chance is always the same."""

    async def run(patch: pytest.MonkeyPatch) -> list[bytes]:
        async with _open(data, patch, nodes) as house:
            await story(house)
        return [client.heard for client in house.recorded]

    with pytest.MonkeyPatch.context() as patch:
        # No bot plays, and a server that stands by would load a process for them at once.
        patch.setattr(ProcessBots, "warm_up", lambda bots: None)
        # The owner of a new cluster waits for the gateways of the owner before it; there was none.
        patch.setattr(owner, "ATTACHES_WITHIN", 0.0)
        # How much a connection may say does not depend on how fast it says it.
        patch.setattr(connection, "monotonic", lambda: 0.0)
        patch.setattr(SqlPeopleStore, "secret", lambda store: "00" * 32)
        return asyncio.run(run(patch))


def assert_same_bytes(heard: Sequence[bytes], expected: Sequence[bytes], where: str = "") -> None:
    """On each connection; `where` is said of those that differ."""
    assert len(heard) == len(expected)
    for one, other in zip(heard, expected, strict=True):
        same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
        assert one[same:] == other[same:], f"{where} after {one[:same][-300:]!r}"
