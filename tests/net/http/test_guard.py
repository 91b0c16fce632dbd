"""What is asked of every request over HTTP, and what no answer and no log says."""

import asyncio
import logging
import socket
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from aiohttp import ClientSession, web
from tests.hall.support.townsfolk import Clock
from tests.net.support.clients import Callers, call, calling
from tests.net.support.process import PATIENCE, ServerProcess
from tests.net.websocket.test_entrance import head, visit

from gamut.hall.ids import Millis
from gamut.hall.limits.attempts import Attempts, Limit
from gamut.net.http import speaking_http
from gamut.net.http.guard import guarding, rating
from gamut.net.http.headers import SECURITY_HEADERS, add_security_headers
from gamut.net.logs import JsonLines
from gamut.net.port.acceptor import Acceptor, listening
from gamut.net.port.address import networks
from gamut.net.port.connections import Connections
from gamut.net.port.limits import ConnectionLimits, TurnedAway
from gamut.net.port.visitors import Visitors
from gamut.net.settings import Settings
from gamut.net.websocket.entrance import Entrance

OPENER = "Cross-Origin-Opener-Policy"
SECRETS = ("s3cret-cookie", "inv1te-key", "203.0.113.77", "s3cret-body")


@pytest.fixture(scope="module", name="server")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(
        tmp_path_factory.mktemp("guarded") / "data", trusted_proxies="127.0.0.1", log_level="debug"
    ) as running:
        yield running


async def hits(callers: Callers, limit: str) -> float:
    return await callers.metric(f'gamut_limit_hits_total{{limit="{limit}"}}')


PATHS = ["/api/guest", "/api/topple/files", "/api/topple/tables", "/nowhere", "/", "/api/nowhere", "/hall"]
CHANGING = ["POST", "PUT", "PATCH", "DELETE"]


@pytest.mark.parametrize(
    "coding", ["gzip", "deflate", "br", "zstd", "GZip", "gzip, gzip", "identity, gzip", "x-gzip", "nonsense"]
)
def test_nothing_compressed_is_taken_whatever_it_is_sent_to(server: ServerProcess, coding: str) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        yield zlib.compress(b'{"name":"Ann"}')

    async def story(callers: Callers) -> None:
        before = await hits(callers, "encoded")
        headers = {"Content-Encoding": coding, "Content-Type": "application/json"}
        for path in PATHS:
            for body in (zlib.compress(b'{"name":"Ann"}'), chunks()):
                async with callers.http.post(path, data=body, headers=headers) as response:
                    assert response.status == 415, path
                    assert (await response.json())["error"]["code"] == "encoded"
        async with callers.http.get("/healthz", data=b"x", headers=headers) as response:
            assert response.status == 415
        assert await hits(callers, "encoded") == before + 2 * len(PATHS) + 1

    call(server.url, story)


def test_a_body_that_says_that_it_is_not_compressed_is_taken(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        headers = {"Content-Encoding": "identity"}
        async with callers.http.post(
            "/api/guest", json={"name": "Ann", "numbered": True}, headers=headers
        ) as response:
            assert response.status == 201

    call(server.url, story)


def test_a_body_is_refused_before_it_is_sent(server: ServerProcess) -> None:
    async def refused(path: bytes, field: bytes, status: int) -> None:
        line = b"POST " + path + b" HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        async with visit(server, line + field + b"\r\n") as there:
            assert (await there.answered())[0] == status
            assert await there.reader.read() == b"", "and the connection is closed"

    async def story() -> None:
        # All at once: the server listens for a while to what is still on its way before it closes.
        async with asyncio.TaskGroup() as visits:
            for path in (b"/api/guest", b"/nowhere", b"/healthz"):
                for field, status in (
                    (b"Content-Length: 1000000\r\n", 413),
                    (b"Content-Length: 10\r\nContent-Encoding: gzip\r\n", 415),
                    (b"Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n", 415),
                ):
                    visits.create_task(refused(path, field, status))

    asyncio.run(story())


def test_what_nobody_reads_is_not_swallowed_for_long(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        before = await hits(callers, "unread_body")
        chunk = b"%x\r\n" % 65_536 + bytes(65_536) + b"\r\n"
        request = b"GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        sent = 0
        with suppress(ConnectionError):
            async with visit(server, request) as there:
                while sent < 1000:
                    there.writer.write(chunk)
                    await there.writer.drain()
                    sent += 1
        assert sent < 1000
        assert await hits(callers, "unread_body") == before + 1
        # A little is, so that a client that sent it gets its answer and goes on.
        small = b"GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
        async with visit(server, small) as there:
            assert (await there.answered())[0] == 200
            there.writer.write(small)
            assert (await there.answered())[0] == 200

    call(server.url, story)


@pytest.mark.parametrize("method", CHANGING)
def test_a_foreign_page_changes_nothing_anywhere(server: ServerProcess, method: str) -> None:
    async def story(callers: Callers) -> None:
        async with callers.http.post("/api/guest", json={"name": "Ann", "numbered": True}) as response:
            assert response.status == 201
        before = await hits(callers, "foreign_origin")
        for path in PATHS:
            for origin in ("https://evil.example", "null", f"{server.url}.evil.example"):
                headers = {"Origin": origin, "Content-Type": "application/octet-stream"}
                async with callers.http.request(method, path, data=b"x", headers=headers) as response:
                    assert response.status == 403, path
                    assert (await response.json())["error"]["code"] == "foreign_origin"
        assert await hits(callers, "foreign_origin") == before + 3 * len(PATHS)
        headers = {"Origin": server.url, "Content-Type": "application/octet-stream"}
        async with callers.http.post("/api/topple/files", data=b"x", headers=headers) as response:
            assert (await response.json())["error"]["code"] != "foreign_origin"

    call(server.url, story)


@pytest.mark.parametrize("method", CHANGING)
@pytest.mark.parametrize("path", PATHS)
def test_what_changes_something_says_what_it_sends(server: ServerProcess, method: str, path: str) -> None:
    async def story(callers: Callers) -> None:
        async with callers.http.post("/api/guest", json={"name": "Ann", "numbered": True}) as response:
            assert response.status == 201
        for headers in (
            {},
            {"Content-Type": ""},
            {"Content-Type": "octet-stream"},
            {"Content-Type": "a b/c"},
        ):
            async with callers.http.request(
                method, path, data=b"x", headers=headers, skip_auto_headers=["Content-Type"]
            ) as response:
                assert response.status == 415
                assert (await response.json())["error"]["code"] == "no_content_type"

    call(server.url, story)


# What nobody is told

MALFORMED = {
    "a bad line": b"GET /t/1?key=inv1te-key nonsense\r\nHost: x\r\n\r\n",
    "a bad method": b"G\x01T /t/1?key=inv1te-key HTTP/1.1\r\n\r\n",
    "a bad field": b"GET /t/1?key=inv1te-key HTTP/1.1\r\nHost: x\r\nCookie: gamut_session=s3cret-cookie\0\r\n\r\n",
    "a space before a colon": b"GET / HTTP/1.1\r\nHost: x\r\nCookie : gamut_session=s3cret-cookie\r\n\r\n",
    "two lengths": b"GET /inv1te-key HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "a bad chunk": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: a/b\r\nTransfer-Encoding: chunked\r\n\r\ns3cret-body",
    "no host": b"GET /inv1te-key HTTP/1.1\r\nX-Forwarded-For: 203.0.113.77\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03s3cret-body\r\n\r\n",
    "a long field": b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"inv1te-key" * 1000 + b"\r\n\r\n",
    "many fields": b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: inv1te-key\r\n" * 500 + b"\r\n",
    "a bad target": b"GET http://[inv1te-key HTTP/1.1\r\nHost: x\r\n\r\n",
    "a later request": b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /inv1te-key HTTP/1.1\r\ns3cret-cookie\r\n\r\n",
}


@pytest.mark.parametrize("said", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_request_is_counted_and_nothing_of_it_is_repeated(
    server: ServerProcess, said: bytes
) -> None:
    async def story(callers: Callers) -> None:
        before = await hits(callers, "bad_request")
        async with visit(server, said) as there:
            answers = await there.reader.read()
        last = answers[answers.rindex(b"HTTP/1.") :]
        assert last.split()[1] == b"400"
        for name, value in SECURITY_HEADERS.items():
            assert f"\r\n{name}: {value}\r\n".encode() in last
        for word in (*SECRETS, "aiohttp", "Python", "llhttp"):
            assert word.encode() not in answers
        assert await hits(callers, "bad_request") == before + 1

    call(server.url, story)
    for word in (*SECRETS, "127.0.0.1"):
        assert word.encode() not in server.logged


@pytest.mark.parametrize(
    ("host", "more", "sent"),
    [
        ("localhost:8080", "", True),
        ("127.0.0.1", "", True),
        ("[::1]:8080", "", True),
        ("club.example", "X-Forwarded-Proto: https\r\n", True),
        ("club.example", "", False),
        ("192.168.0.7:8080", "", False),
    ],
)
def test_a_page_that_no_browser_takes_for_secure_is_not_told_what_only_such_pages_may_be(
    server: ServerProcess, host: str, more: str, sent: bool
) -> None:
    """A browser ignores it then, and writes an error into its console on every visit."""

    async def story() -> None:
        said = f"GET / HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n"
        async with visit(server, said.encode()) as there:
            answer = await there.reader.readuntil(b"\r\n\r\n")
        assert (f"\r\n{OPENER}: same-origin\r\n".encode() in answer) == sent

    asyncio.run(story())


def test_no_answer_names_the_server_and_its_version(server: ServerProcess) -> None:
    async def story() -> None:
        for said in (
            b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
            b"GET /api/me HTTP/1.0\r\n\r\n",
            b"POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            b"GET /hall HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
            b"OPTIONS / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\nConnection: close\r\n\r\n",
            b"nonsense\r\n\r\n",
            head(Sec_WebSocket_Key="short") + b"\r\n\r\n",
            head(X="x" * 20_000) + b"\r\n\r\n",
        ):
            async with visit(server, said) as there:
                answer = await there.reader.readuntil(b"\r\n\r\n")
                servers = [line for line in answer.split(b"\r\n") if line.lower().startswith(b"server:")]
                assert servers in ([], [b"Server: gamut"])
                for name in SECURITY_HEADERS.keys() - {OPENER}:
                    assert f"\r\n{name}: ".encode() in answer

    asyncio.run(story())


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def serving(
    handler: Handler, hits: Counter[str], attempts: Attempts | None = None, *, guard: bool = True
) -> AsyncIterator[ClientSession]:
    """A server in this process with one handler for everything."""
    turned_away = TurnedAway(hits)
    sockets = Connections(Settings(), hits, ConnectionLimits(9, 9, turned_away))
    proxies = networks(["127.0.0.1"])
    app = web.Application(middlewares=[rating(attempts, proxies, hits), guarding((), hits)] if guard else ())
    app.add_routes([web.route("*", "/{path:.*}", handler)])
    app.on_response_prepare.append(add_security_headers)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    assert runner.server is not None
    entrance = Entrance({}, sockets, Visitors(99, 99, proxies, turned_away))
    entrance.serve_http(runner.server)
    acceptor = await Acceptor.open(listening("127.0.0.1", 0), entrance)
    try:
        async with ClientSession(f"http://127.0.0.1:{acceptor.port}") as http:
            yield http
    finally:
        acceptor.close()
        await runner.cleanup()


def test_a_compressed_body_is_not_even_unpacked() -> None:
    async def raw(request: web.Request) -> web.Response:
        return web.Response(body=await request.read())

    async def story() -> None:
        packed = zlib.compress(bytes(100_000))
        async with serving(raw, Counter(), guard=False) as http:
            for coding in ("gzip", "deflate"):
                headers = {"Content-Encoding": coding}
                async with http.post("/", data=packed, headers=headers) as response:
                    assert await response.read() == packed

    asyncio.run(story())


def test_a_request_that_fails_is_logged_with_its_place_and_nothing_of_what_was_sent(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def failing(request: web.Request) -> web.Response:
        try:
            raise KeyError(request.headers["Cookie"])
        except KeyError as error:
            raise ValueError(f"no such key: {request.query['key']}") from error

    async def story() -> None:
        hits: Counter[str] = Counter()
        async with serving(failing, hits) as http:
            headers = {"Cookie": SECRETS[0], "X-Forwarded-For": SECRETS[2], "Accept": "text/html"}
            async with http.get("/t/1", params={"key": SECRETS[1]}, headers=headers) as response:
                assert response.status == 500
                text = await response.text()
                assert response.headers["Server"] == "gamut"
                assert "X-Frame-Options" in response.headers
        assert text == "500 Internal Server Error\n"
        assert hits == {"request_failed": 1}

    caplog.set_level(logging.DEBUG)
    asyncio.run(story())
    lines = [JsonLines().format(record) for record in caplog.records]
    (failed,) = [line for line in lines if '"a request failed"' in line]
    assert "KeyError" in failed
    assert "ValueError" in failed
    assert "in failing" in failed
    for word in (*SECRETS, "127.0.0.1"):
        assert not any(word in line for line in lines)


def test_a_network_error_in_the_log_says_what_it_was(caplog: pytest.LogCaptureFixture) -> None:
    place = "/a/secret" + "/place"
    try:
        raise PermissionError(13, "Permission denied", place)
    except PermissionError:
        logging.getLogger("gamut.test").exception("it failed")
    line = JsonLines().format(caplog.records[-1])
    assert "PermissionError: Permission denied" in line
    assert place not in line


def test_whoever_never_reads_an_answer_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speaking_http, "_READ_SECONDS", 0.05)

    async def large(request: web.Request) -> web.Response:
        return web.Response(body=bytes(1 << 24))

    async def story() -> None:
        hits: Counter[str] = Counter()
        async with serving(large, hits) as http:
            url = http._base_url
            assert url is not None
            assert url.port is not None
            with socket.socket() as narrow:
                narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                narrow.setblocking(False)
                loop = asyncio.get_running_loop()
                await loop.sock_connect(narrow, ("127.0.0.1", url.port))
                await loop.sock_sendall(narrow, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                async with asyncio.timeout(PATIENCE):
                    while True:
                        if hits:
                            break
                        await asyncio.sleep(0.01)
            assert hits == {"slow_reader": 1}
            monkeypatch.undo()
            async with http.get("/") as response:
                assert len(await response.read()) == 1 << 24

    asyncio.run(story())


# How often


def test_one_address_asks_so_much_in_a_second() -> None:
    async def fine(request: web.Request) -> web.Response:
        return web.Response()

    async def story() -> None:
        hits: Counter[str] = Counter()
        clock = Clock()
        attempts = Attempts(Limit(5, Millis(5000)), clock)
        async with serving(fine, hits, attempts) as http:

            async def ask(address: str | None, path: str = "/") -> int:
                headers = {} if address is None else {"X-Forwarded-For": address}
                async with http.get(path, headers=headers) as response:
                    if response.status == 429:
                        assert response.headers["Retry-After"] == "1"
                        assert (await response.json())["error"]["code"] == "too_many_tries"
                    return response.status

            assert [await ask("2001:db8::1") for _ in range(6)] == [200] * 5 + [429]
            assert await ask("2001:db8::2") == 429, "of one network"
            assert await ask("2001:db8:0:1::1") == 200
            assert await ask("198.51.100.1, 2001:db8::1", "/nowhere") == 429, "the left one is made up"
            assert [await ask(None) for _ in range(20)] == [200] * 20, "this machine"
            clock.forward(1000)
            assert [await ask("2001:db8::1") for _ in range(2)] == [200, 429]
            assert hits == {"http_rate": 4}

    asyncio.run(story())


# Metrics


def test_metrics_are_for_whoever_has_the_token(tmp_path: Path) -> None:
    token = "a-token-of-these-tests"

    async def status(callers: Callers, **headers: str) -> int:
        async with callers.http.get("/metrics", headers=headers) as response:
            return response.status

    async def story() -> None:
        async with calling(closed.url) as callers:
            assert await status(callers) == 403, "not even from this machine, where a proxy may be"
            assert await status(callers, Authorization="Bearer ") == 403
        async with calling(server.url) as callers:
            assert await status(callers) == 403
            assert await status(callers, Authorization=token) == 403
            assert await status(callers, Authorization=f"Bearer {token}x") == 403
            assert await status(callers, Authorization="Bearer é") == 403
            assert await status(callers, Authorization=f"Bearer {token}") == 200
            headers = {"Authorization": f"Bearer {token}"}
            async with callers.http.get("/metrics", headers=headers) as response:
                assert 'limit="metrics_token"} 4.0' in await response.text()

    with (
        ServerProcess(tmp_path / "closed", metrics_open=False) as closed,
        ServerProcess(tmp_path / "data", metrics_open=False, metrics_token=token) as server,
    ):
        asyncio.run(story())
        assert token.encode() not in server.logged
