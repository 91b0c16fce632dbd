"""The ports of a process that has no hall: whoever comes is let in, and what is answered by HTTP can change."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import ClientSession, web
from tests.net.support.echo import Echo
from tests.net.support.echo_door import LineClient
from tests.net.support.process import PATIENCE, free_port

from gamut.doors.offer import Entrances, Lines, Newcomer, Port, WebSockets
from gamut.hall.ids import Millis
from gamut.hall.store.journal import Wire
from gamut.net import ports
from gamut.net.frontage import Frontage
from gamut.net.port.open_files import OpenFiles
from gamut.net.ports import Doorway
from gamut.net.settings import Settings

COOKIE = "theme=dark; gamut_session=abc"
HOST = "127.0.0.1"


async def _nothing_to_store() -> None:
    pass


class Caller(Echo):
    def __init__(self, wire: Wire, newcomer: Newcomer) -> None:
        super().__init__(wire)
        self.newcomer = newcomer


class Gate:
    """A process with two doors, for a page and for lines."""

    def __init__(self, lines_port: int = 0) -> None:
        self.callers: list[Caller] = []
        sockets = WebSockets(largest=1000, by_cookie=True)
        lines = Lines(largest=1000, refusal=lambda reason: reason.encode() + b"\n")
        port = Port(name="lines", title="Echo", number=lines_port, speaks=lines)
        doorways = [
            Doorway("page", Entrances(paths=("/page",), sockets=sockets), self._session),
            Doorway("lines", Entrances(ports=(port,)), self._session),
        ]
        self.frontage = Frontage(
            Settings(port=0),
            Counter(),
            lambda: Millis(0),
            doorways,
            files=OpenFiles(0, 0),
            tls=None,
            recognise=lambda newcomer: newcomer,
            durable=_nothing_to_store,
            after_answers=lambda session, call: call(),
        )

    def _session(self, wire: Wire, newcomer: Newcomer) -> Caller:
        self.callers.append(caller := Caller(wire, newcomer))
        return caller

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.frontage.ports.numbers['main']}"


@asynccontextmanager
async def gate(*routes: web.RouteDef, lines_port: int = 0) -> AsyncIterator[Gate]:
    opened = Gate(lines_port)
    await opened.frontage.open(routes)
    try:
        async with asyncio.timeout(PATIENCE):
            yield opened
            await opened.frontage.connections.drained()
    finally:
        await opened.frontage.ports.close()


def saying(text: str) -> web.RouteDef:
    async def say(request: web.Request) -> web.Response:
        return web.Response(text=text)

    return web.get("/said", say)


async def kept_open(url: str, ask: str = "/said") -> tuple[LineClient, bytes]:
    """A connection on which HTTP goes on, after one answer."""
    client = await LineClient.to(int(url.rpartition(":")[2]))
    await client.send(f"GET {ask} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
    return client, await client.reader.readuntil(b"\r\n\r\n")


def test_without_people_the_cookie_goes_on_to_whoever_knows_them() -> None:
    async def story() -> None:
        async with (
            gate() as here,
            ClientSession(headers={"Cookie": COOKIE}) as http,
            http.ws_connect(f"{here.url}/page?g=1") as socket,
        ):
            await socket.send_str("hello")
            assert await socket.receive_str() == "hello"
            assert [caller.newcomer for caller in here.callers] == [Newcomer(HOST, "g=1", None, COOKIE)]

    asyncio.run(story())


def test_lines_are_spoken_without_a_hall() -> None:
    async def story() -> None:
        number = free_port()
        async with gate(lines_port=number) as here:
            client = await LineClient.to(number)
            await client.send(b"hello\n")
            assert await client.reader.readexactly(7) == b"\x81\x05hello"
            assert [caller.newcomer for caller in here.callers] == [Newcomer(HOST)]
            await client.close()

    asyncio.run(story())


def test_what_is_answered_changes_while_the_port_stays_open() -> None:
    async def story() -> None:
        async with gate(saying("wait")) as here, ClientSession() as http:
            client, _ = await kept_open(here.url)
            assert await client.reader.readexactly(4) == b"wait"
            async with http.ws_connect(f"{here.url}/page") as socket:
                await here.frontage.ports.answer([saying("come in")])
                assert await client.rest() == [], "HTTP on it was the old one"
                async with http.get(f"{here.url}/said") as response:
                    assert await response.text() == "come in"
                await socket.send_str("still here")
                assert await socket.receive_str() == "still here"

    asyncio.run(story())


def test_a_connection_that_came_to_a_door_after_a_request_stays_there_too() -> None:
    async def story() -> None:
        async with gate(saying("wait")) as here:
            client, _ = await kept_open(here.url)
            assert await client.reader.readexactly(4) == b"wait"
            await client.send(
                b"GET /page HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\nSec-WebSocket-Version: 13\r\n\r\n"
            )
            assert (await client.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
            await here.frontage.ports.answer([saying("come in")])
            await client.send(b"\x81\x82\0\0\0\0hi")
            assert await client.reader.readexactly(4) == b"\x81\x02hi"
            await client.close()

    asyncio.run(story())


def test_whoever_waits_for_an_answer_gets_it_and_newcomers_wait_for_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ports, "_ANSWER_SECONDS", PATIENCE)

    async def story() -> None:
        asked, answered = asyncio.Event(), asyncio.Event()

        async def slow(request: web.Request) -> web.Response:
            asked.set()
            await answered.wait()
            return web.Response(text="at last")

        async with gate(web.get("/slow", slow)) as here, ClientSession() as http:
            waiting: asyncio.Task[Any] = asyncio.create_task(kept_open(here.url, "/slow"))
            await asked.wait()
            changing = asyncio.create_task(here.frontage.ports.answer([saying("come in")]))
            async with http.get(f"{here.url}/said") as response:
                assert await response.text() == "come in"
            assert not changing.done()
            answered.set()
            client, head = await waiting
            assert head.startswith(b"HTTP/1.1 200 ")
            assert await client.rest() == [b"at last"]
            await changing

    asyncio.run(story())
