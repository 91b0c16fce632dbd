"""Clients who say little, or too much, or nothing, in every phase of a connection: they keep nobody else out."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest
from tests.net.support.clients import Callers, call, calling
from tests.net.support.process import PATIENCE, ServerProcess
from tests.net.websocket.test_entrance import Visit, head, visit

END = b"\r\n\r\n"
PING, PONG = b"\x89\x80\x00\x00\x00\x00", b"\x8a\x00"


async def hits(callers: Callers, limit: str) -> float:
    return await callers.metric(f'gamut_limit_hits_total{{limit="{limit}"}}')


@pytest.fixture(scope="module", name="server")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(
        tmp_path_factory.mktemp("stubborn") / "data", trusted_proxies="127.0.0.1", handshake_seconds=0.5
    ) as running:
        yield running


@asynccontextmanager
async def idlers(server: ServerProcess, count: int, said: bytes) -> AsyncIterator[list[Visit]]:
    """So many connections that say this and no more."""
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(visit(server, said)) for _ in range(count)]


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"G",
        head(),
        b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    ],
    ids=["nothing", "one byte", "half a handshake", "kept alive", "half a body"],
)
def test_those_who_keep_the_server_waiting_keep_nobody_out(tmp_path: Path, said: bytes) -> None:
    async def story() -> None:
        async with idlers(server, 450, said), calling(server.url) as callers:
            client = await callers.web("Ann")
            await client.sure("ping")
            assert (await callers.json("/healthz"))["status"] == "ok"
            assert await hits(callers, "visitors") >= 400
        async with calling(server.url) as callers:
            assert (await callers.json("/healthz"))["status"] == "ok"

    with ServerProcess(tmp_path / "data", open_files=400, handshake_seconds=60) as server:
        asyncio.run(story())
        log = server.log()
    (fewer,) = [line for line in log if line["event"].startswith("the limit of open files")]
    assert (fewer["connections"], fewer["visitors"]) == (75, 25)
    assert len([line for line in log if line["event"] == "connections are turned away"]) == 1


def test_a_full_hall_still_serves_pages(tmp_path: Path) -> None:
    async def story(callers: Callers) -> None:
        for _ in range(3):
            await callers.tower()
        async with visit(server, head() + END) as there:
            assert (await there.answered())[0] == 429
        assert (await callers.json("/healthz"))["status"] == "ok"
        assert await hits(callers, "connections") == 1

    with ServerProcess(tmp_path / "data", connections=3) as server:
        call(server.url, story)


@pytest.mark.parametrize("said", [b"", b"GET /tower HT", head()[:-10]], ids=["nothing", "a line", "a head"])
def test_whoever_does_not_say_in_time_what_they_want_is_let_go(server: ServerProcess, said: bytes) -> None:
    async def story(callers: Callers) -> None:
        before = await hits(callers, "handshake_timeout")
        async with visit(server, said) as there:
            with suppress(ConnectionError):
                assert await there.reader.read() == b""
        assert await hits(callers, "handshake_timeout") == before + 1

    call(server.url, story)


def test_one_byte_now_and_then_does_not_buy_more_time(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        before = await hits(callers, "handshake_timeout")
        async with visit(server) as there:
            with suppress(ConnectionError):
                for byte in head() * 100:
                    there.writer.write(bytes((byte,)))
                    await there.writer.drain()
                    await asyncio.sleep(0.01)
        assert await hits(callers, "handshake_timeout") == before + 1

    call(server.url, story)


def test_a_handshake_may_come_byte_by_byte(server: ServerProcess) -> None:
    async def story() -> None:
        request = head() + END + PING
        async with visit(server, *(request[at : at + 1] for at in range(len(request)))) as there:
            assert (await there.answered())[0] == 101
            assert await there.reader.readexactly(2) == PONG

    asyncio.run(story())


@pytest.mark.parametrize(
    "request_head",
    [
        head(X_Long="x" * 16_384) + END,
        head() + b"\r\nX-Many: x" * 10_000 + END,
        head() + b"\r\nX-Endless: " + b"x" * 100_000,
        b"GET /" + b"x" * 16_384 + b" HTTP/1.1\r\nHost: x" + END,
    ],
    ids=["a long field", "many fields", "an endless field", "a long line"],
)
def test_a_head_that_is_too_long_is_refused(server: ServerProcess, request_head: bytes) -> None:
    async def story(callers: Callers) -> None:
        before = await hits(callers, "long_head")
        with suppress(ConnectionError):
            async with visit(server, request_head) as there:
                assert (await there.answered())[0] == 431
                assert await there.reader.read() == b""
        assert await hits(callers, "long_head") == before + 1

    call(server.url, story)


def test_a_head_of_exactly_16_kib_is_not_too_long(server: ServerProcess) -> None:
    async def story() -> None:
        fill = 16_384 - len(head() + b"\r\nX-Fill: ")
        request = head() + b"\r\nX-Fill: " + b"x" * fill
        assert len(request) == 16_384
        async with visit(server, request + END) as there:
            assert (await there.answered())[0] == 101
        async with visit(server, request + b"x" + END) as there:
            assert (await there.answered())[0] == 431

    asyncio.run(story())


def test_the_head_of_a_later_request_may_be_no_longer(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        before = await hits(callers, "long_head")
        async with visit(server, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n") as there:
            assert (await there.answered())[0] == 200
            with suppress(ConnectionError):
                for _ in range(100):
                    there.writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: " + b"x" * 1000)
                    there.writer.write(b"\r\nX-B: 1" * 20)
                    await there.writer.drain()
                    await asyncio.sleep(0)
                assert b"200" not in await there.reader.read()
        assert await hits(callers, "long_head") + await hits(callers, "bad_request") > before

    call(server.url, story)


@pytest.mark.parametrize(
    "behind", [head() + END, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"], ids=["a handshake", "a request"]
)
def test_what_comes_behind_a_handshake_is_a_frame_and_nothing_else(
    server: ServerProcess, behind: bytes
) -> None:
    async def story() -> None:
        async with visit(server, head() + END + behind) as there:
            assert (await there.answered())[0] == 101
            closing = await there.reader.readexactly(4)
            assert closing[0] == 0x88
            assert int.from_bytes(closing[2:], "big") == 1002

    asyncio.run(story())


def test_a_frame_behind_a_handshake_on_a_used_connection_is_heard(server: ServerProcess) -> None:
    async def story() -> None:
        page = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        async with visit(server, page) as there:
            assert (await there.answered())[0] == 200
            there.writer.write(head() + END + PING)
            assert (await there.answered())[0] == 101
            assert await there.reader.readexactly(2) == PONG
        async with visit(server, page + head() + END + PING) as there:
            assert (await there.answered())[0] == 200
            assert (await there.answered())[0] == 101
            assert await there.reader.readexactly(2) == PONG
            there.writer.write(PING)
            assert await there.reader.readexactly(2) == PONG

    asyncio.run(story())


def test_much_behind_a_handshake_on_a_used_connection_is_heard(server: ServerProcess) -> None:
    async def story() -> None:
        large = b"\x89\xfd\x00\x00\x00\x00" + b"x" * 125
        async with visit(server, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n") as there:
            assert (await there.answered())[0] == 200
            # More than the HTTP server keeps behind a request, so that it stops reading.
            text = b"\x81\xff" + (100_000).to_bytes(8, "big") + bytes(4) + b" " * 100_000
            there.writer.write(head() + END + large + text)
            assert (await there.answered())[0] == 101
            assert (await there.reader.readexactly(127))[2:] == b"x" * 125
            assert b"4096 bytes" in await there.reader.readuntil(b"}}")

    asyncio.run(story())


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET /tower",
        head() + END,
        head() + END + b"\x81\x85\x00\x00\x00\x00he",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST /api/guest HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    ],
    ids=["nothing", "half a head", "a handshake", "half a frame", "a request", "half a body"],
)
@pytest.mark.parametrize("how", ["reset", "half-close"])
def test_whoever_hangs_up_in_any_phase_is_gone(server: ServerProcess, said: bytes, how: str) -> None:
    async def story(callers: Callers) -> None:
        before = await callers.metric("gamut_visitors")
        for _ in range(20):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
            connection.sendall(said)
            if how == "reset":
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.close()
                continue
            connection.shutdown(socket.SHUT_WR)
            await asyncio.to_thread(_read_to_the_end, connection)
        async with asyncio.timeout(PATIENCE):
            while True:
                left = await callers.metric('gamut_connections{door="tower"}')
                if not left and await callers.metric("gamut_visitors") <= before:
                    break
                await asyncio.sleep(0.01)
        assert await hits(callers, "session_failed") == 0
        assert await hits(callers, "request_failed") == 0

    call(server.url, story)


def _read_to_the_end(connection: socket.socket) -> None:
    with connection, suppress(ConnectionError):
        while connection.recv(65_536):
            pass
