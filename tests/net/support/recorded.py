"""Conversations of which every byte is kept that the server says, and servers that draw and date all things alike."""

import asyncio
import os
import random
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.net.support.closed_ports import CLOSED
from tests.net.support.process import PATIENCE, free_port
from tests.net.support.through_gateway import ServerThroughGateway

from gamut.doors.tafl import door as tafl_door
from gamut.doors.tafl.offer import TaflSettings
from gamut.hall import ids
from gamut.hall.ids import Millis
from gamut.ledger.people import SqlPeopleStore
from gamut.net import timekeeper
from gamut.net.port import connection
from gamut.net.server import Server
from gamut.net.settings import Settings

TEXT, BINARY, CLOSE, PING = 1, 2, 8, 9
_NOON = 1_800_000_000


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

    async def hears(self, part: bytes) -> None:
        """What was not read yet contains this; it is read up to there."""
        while (found := self.heard.find(part, self._read)) < 0:
            await self._read_more()
        self._read = found + len(part)

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
        while CLOSE not in self._kinds():
            await self._read_more()
        await self.frame(CLOSE)
        self._writer.close()

    def _kinds(self) -> Iterator[int]:
        """Of the frames so far."""
        at = self.heard.find(b"\r\n\r\n") + 4
        while at + 1 < len(self.heard):
            first, length = self.heard[at : at + 2]
            wide = {126: 2, 127: 8}.get(length, 0)
            at += 2 + wide + (int.from_bytes(self.heard[at + 2 : at + 2 + wide], "big") if wide else length)
            yield first & 0xF


class House:
    def __init__(self, server: Server) -> None:
        self._server = server
        self._stopped = False
        self.recorded: list[Recorded] = []

    async def frames(self, path: str) -> Frames:
        client = Frames(*await asyncio.open_connection("127.0.0.1", self._server.ports["main"]))
        self.recorded.append(client)
        key = b64encode(bytes(16))
        await client.send(
            b"GET %s HTTP/1.1\r\nHost: gamut\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n" % (path.encode(), key)
        )
        await client.hears(b"\r\n\r\n")
        return client

    async def lines(self) -> Recorded:
        client = Recorded(*await asyncio.open_connection("127.0.0.1", self._server.ports["tafl"]))
        self.recorded.append(client)
        return client

    async def stop(self) -> None:
        if not self._stopped:
            self._stopped = True
            await self._server.stop()


Story = Callable[[House], Awaitable[None]]


@asynccontextmanager
async def _open(data: Path, patch: pytest.MonkeyPatch, *, at_gateway: bool) -> AsyncIterator[House]:
    doors = CLOSED | {"tafl": TaflSettings(tafl_port=free_port())}
    settings = Settings(data=data, port=0, doors=doors, message_rate=1, message_burst=40)
    server: Any = ServerThroughGateway(settings) if at_gateway else Server(settings)
    await server.start()
    # Both have drawn what only they need, such as the name of the gateway.
    chance = Random(1)
    patch.setattr(os, "urandom", chance.randbytes)
    patch.setattr(random, "_urandom", chance.randbytes)
    patch.setattr(ids, "_pieces", [])
    house = House(server)
    try:
        yield house
    finally:
        await house.stop()


def recorded(data: Path, story: Story, *, at_gateway: bool) -> list[bytes]:
    """What each connection of the story was told, where time stands still and chance is always the same."""

    async def run(patch: pytest.MonkeyPatch) -> list[bytes]:
        async with _open(data, patch, at_gateway=at_gateway) as house:
            await story(house)
        return [client.heard for client in house.recorded]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timekeeper, "time", lambda: _NOON)
        for module in (timekeeper, connection):
            patch.setattr(module, "monotonic", lambda: 0.0)
        # Who came within the moment is told at once, whoever comes next.
        patch.setattr(tafl_door, "_MOMENT", Millis(0))
        patch.setattr(SqlPeopleStore, "secret", lambda store: "00" * 32)
        return asyncio.run(run(patch))
