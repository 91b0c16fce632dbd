"""One port for pages and doors: handshakes, refusals, and connections on which HTTP was spoken before."""

import asyncio
import base64
import hashlib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.net.support.clients import Callers, call
from tests.net.support.process import PATIENCE, ServerProcess

from gamut.net.websocket.handshake import HandshakeRefused, Upgrade, accepted, upgrade

KEY = base64.b64encode(bytes(range(16))).decode()
GOOD = {
    "Host": "127.0.0.1",
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Key": KEY,
    "Sec-WebSocket-Version": "13",
}


@pytest.fixture(scope="module", name="server")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(
        tmp_path_factory.mktemp("entrance") / "data", heartbeat=0.2, greeting_seconds=30
    ) as running:
        yield running


def head(path: str = "/tower", line: str | None = None, **changes: str | None) -> bytes:
    fields = {**GOOD, **{name.replace("_", "-"): value for name, value in changes.items()}}
    lines = [
        line or f"GET {path} HTTP/1.1",
        *(f"{name}: {value}" for name, value in fields.items() if value is not None),
    ]
    return "\r\n".join(lines).encode()


class Visit:
    """A connection, and what was answered to the first thing said on it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def answered(self) -> tuple[int, bytes]:
        """The status and the head of an answer, with its body read if it has one."""
        said = await self.reader.readuntil(b"\r\n\r\n")
        for line in said.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                await self.reader.readexactly(int(line.split()[1]))
        return int(said.split()[1]), said


@asynccontextmanager
async def visit(server: ServerProcess, *pieces: bytes) -> AsyncIterator[Visit]:
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        try:
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
            yield Visit(reader, writer)
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


def test_the_proof_is_that_of_the_standard(server: ServerProcess) -> None:
    async def story() -> None:
        async with visit(server, head() + b"\r\n\r\n") as there:
            status, said = await there.answered()
            proof = hashlib.sha1(KEY.encode() + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()
            assert status == 101
            assert b"Sec-WebSocket-Accept: " + base64.b64encode(proof) + b"\r\n" in said

    asyncio.run(story())


def test_a_request_may_come_in_pieces_and_with_a_frame_behind_it(server: ServerProcess) -> None:
    async def story() -> None:
        request = head("/tower?x=1", Connection="keep-alive, Upgrade") + b"\r\n\r\n"
        ping = b"\x89\x82\x00\x00\x00\x00hi"
        async with visit(server, request[:3], request[3:40], request[40:] + ping) as there:
            assert (await there.answered())[0] == 101
            assert await there.reader.readexactly(4) == b"\x8a\x02hi"

    asyncio.run(story())


@pytest.mark.parametrize(
    ("request_head", "status"),
    [
        (head(Sec_WebSocket_Version="8"), 426),
        (head(Sec_WebSocket_Version=None), 426),
        (head(Sec_WebSocket_Key=None), 400),
        (head(Sec_WebSocket_Key="short"), 400),
        (head(Sec_WebSocket_Key="AAAA"), 400),
        (head(Connection="close"), 400),
        (head(Content_Length="3"), 400),
        (head(Upgrade=None), 426),
        (head(Upgrade="h2c"), 426),
        (head("/hall", Origin="http://elsewhere.example"), 403),
        (head("/nowhere"), 200),
        (head(line="POST /tower HTTP/1.1", Content_Type="text/plain"), 405),
        (head(line="HEAD /tower HTTP/1.1"), 426),
        (head("/%74ower"), 101),
        (head("http://127.0.0.1/tower?x"), 101),
    ],
    ids=str,
)
def test_everybody_else_is_told_what_this_is(server: ServerProcess, request_head: bytes, status: int) -> None:
    async def story() -> None:
        async with visit(server, request_head + b"\r\n\r\n") as there:
            said = await there.reader.readuntil(b"\r\n\r\n")
            assert int(said.split()[1]) == status

    asyncio.run(story())


def with_line(line: bytes) -> bytes:
    """A good handshake with this line behind it."""
    return head() + b"\r\n" + line


BAD_HANDSHAKES = {
    "HTTP/1.0": head(line="GET /tower HTTP/1.0"),
    "HTTP/1.2": head(line="GET /tower HTTP/1.2"),
    "HTTP/2": head(line="GET /tower HTTP/2.0"),
    "a version in small letters": head(line="GET /tower http/1.1"),
    "no version": head(line="GET /tower"),
    "a space behind the version": head(line="GET /tower HTTP/1.1 "),
    "a tab": head(line="GET\t/tower HTTP/1.1"),
    "a method in small letters": head(line="get /tower HTTP/1.1"),
    "a target without a slash": head(line="GET tower HTTP/1.1"),
    "a fragment": head("/tower#x"),
    "a control character in the target": head("/tower?\x01"),
    "a control character in the path": head("/tower\x7f"),
    "not ASCII in the target": head("/tower?é"),
    "no host": head(Host=None),
    "an empty host": head(Host=""),
    "two hosts": with_line(b"Host: 127.0.0.1"),
    "two hosts in one": head(Host="a, b"),
    "a space in the host": head(Host="a b"),
    "a path in the host": head(Host="a/b"),
    "a user in the host": head(Host="me@a"),
    "a port that is none": head(Host="a:b"),
    "a null": with_line(b"X: a\0b"),
    "a control character": with_line(b"X: a\x01b"),
    "a deleted character": with_line(b"X: a\x7fb"),
    "a line feed": with_line(b"X: a\nY: b"),
    "a carriage return": with_line(b"X: a\rY: b"),
    "line feeds only": head().replace(b"\r\n", b"\n"),
    "a folded line": with_line(b"X: a\r\n b"),
    "a line without a colon": with_line(b"X"),
    "a space before the colon": with_line(b"X : a"),
    "a space before the name": with_line(b" X: a"),
    "no name": with_line(b": a"),
    "a name that is none": with_line(b"X(): a"),
    "two keys": with_line(b"Sec-WebSocket-Key: " + KEY.encode()),
    "two versions": with_line(b"Sec-WebSocket-Version: 13"),
    "another version": head(Sec_WebSocket_Version="14"),
    "a key with a space": head(Sec_WebSocket_Key=KEY[:8] + " " + KEY[8:]),
    "many fields": head() + b"\r\nX: y" * 200,
    "a body": with_line(b"Content-Length: 1"),
    "a body in chunks": with_line(b"Transfer-Encoding: chunked"),
}


@pytest.mark.parametrize("request_head", BAD_HANDSHAKES.values(), ids=BAD_HANDSHAKES)
def test_a_handshake_that_is_not_as_it_should_be_is_refused(
    server: ServerProcess, request_head: bytes
) -> None:
    async def story() -> None:
        async with visit(server, request_head + b"\r\n\r\n") as there:
            status, _ = await there.answered()
            assert 400 <= status < 500
        # Also when HTTP was spoken before.
        async with visit(server, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") as there:
            assert (await there.answered())[0] == 200
            there.writer.write(request_head + b"\r\n\r\n")
            status, _ = await there.answered()
            assert 400 <= status < 500

    asyncio.run(story())


@pytest.mark.parametrize("used", [False, True], ids=["at once", "on a used connection"])
@pytest.mark.parametrize(
    "wish", [head(Upgrade=None), head(Sec_WebSocket_Version="8")], ids=["no wish", "an old version"]
)
def test_who_needs_another_version_is_told_which(server: ServerProcess, used: bool, wish: bytes) -> None:
    async def story() -> None:
        page = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        async with visit(server, *([page] if used else [])) as there:
            if used:
                assert (await there.answered())[0] == 200
            there.writer.write(wish + b"\r\n\r\n")
            status, said = await there.answered()
            assert status == 426
            assert b"\r\nSec-WebSocket-Version: 13\r\n" in said
            assert b"\r\nUpgrade: websocket\r\n" in said

    asyncio.run(story())


def test_handshakes_that_are_not_as_they_should_be_are_counted(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        name = 'gamut_limit_hits_total{limit="bad_handshake"}'
        before = await callers.metric(name)
        for wish in (head(Sec_WebSocket_Key="short"), head(Host=None), head(Upgrade=None)):
            async with visit(server, wish + b"\r\n\r\n") as there:
                await there.answered()
        assert await callers.metric(name) == before + 3

    call(server.url, story)


def test_a_connection_that_spoke_http_may_become_a_websocket(server: ServerProcess) -> None:
    async def story() -> None:
        async with visit(server, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") as there:
            assert (await there.answered())[0] == 200
            there.writer.write(head(Sec_WebSocket_Version="8") + b"\r\n\r\n")
            assert (await there.answered())[0] == 426
            there.writer.write(head() + b"\r\n\r\n")
            assert (await there.answered())[0] == 101
            there.writer.write(b"\x89\x80\x00\x00\x00\x00")
            assert await there.reader.readexactly(2) == b"\x8a\x00"
            there.writer.write(b"\x88\x80\x00\x00\x00\x00")
            assert await there.reader.read() == b"\x88\x00", "closed in order, and nothing of HTTP behind it"

    asyncio.run(story())


def test_whoever_breaks_the_protocol_is_told_so_and_nobody_else_notices(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        other = await callers.tower()
        async with visit(server, head() + b"\r\n\r\n") as there:
            assert (await there.answered())[0] == 101
            there.writer.write(b"\x81\x02hi" + bytes(100_000))
            closing = await there.reader.readexactly(4)
            assert closing[:1] == b"\x88"
            assert int.from_bytes(closing[2:], "big") == 1002
        await other.join("cellar", "Ann")
        await other.until("player_joined")

    call(server.url, story)


def test_a_silent_connection_is_tested_and_one_that_does_not_answer_is_let_go(server: ServerProcess) -> None:
    async def story() -> None:
        async with visit(server, head() + b"\r\n\r\n") as there:
            assert (await there.answered())[0] == 101
            for _ in range(3):
                assert await there.reader.readexactly(2) == b"\x89\x00"
                there.writer.write(b"\x8a\x80\x00\x00\x00\x00")
            for _ in range(2):
                assert await there.reader.readexactly(2) == b"\x89\x00"
            with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
                await there.reader.readexactly(2)

    asyncio.run(story())


@given(st.binary(max_size=300))
def test_any_bytes_are_a_request_or_none(data: bytes) -> None:
    request = upgrade(data)
    assert request is None or "websocket" in request.headers["upgrade"].lower()


@given(st.binary(max_size=60), st.sampled_from(list(GOOD)))
def test_a_damaged_field_is_refused_or_harmless(value: bytes, name: str) -> None:
    fields = {**{key: text.encode() for key, text in GOOD.items()}, name: value}
    lines = [b"GET /x?y=%20 HTTP/1.1", *(key.encode() + b": " + text for key, text in fields.items())]
    request = upgrade(b"\r\n".join(lines))
    if request is None:
        return
    assert (request.path, request.query) == ("/x", "y=%20")
    assert not any(ord(ch) < 32 and ch != "\t" for text in request.headers.values() for ch in text)
    with suppress(HandshakeRefused):
        assert accepted(request).startswith(b"HTTP/1.1 101 ")


def test_fields_in_several_lines_stand_in_one() -> None:
    request = upgrade(head() + b"\r\nX-Forwarded-For: 1.2.3.4\r\nx-forwarded-for:\t5.6.7.8 ")
    assert isinstance(request, Upgrade)
    assert request.headers["x-forwarded-for"] == "1.2.3.4, 5.6.7.8"
