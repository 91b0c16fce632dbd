"""Clients that speak lines over TCP: the same shell as for WebSockets, on real sockets and on both event loops."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
import uvloop
from tests.net.lines.test_proxy_protocol import IPV4, version_2
from tests.net.support.echo_door import LARGEST, EchoPort, LineClient, echo_port, trusting
from tests.net.support.process import PATIENCE

from gamut.net.port.address import networks

Run = Callable[[Coroutine[Any, Any, None]], None]

HERE = networks(["127.0.0.1"])
V1 = b"PROXY TCP4 192.0.2.7 127.0.0.1 12345 11541\r\n"
V2 = version_2(1, 0x11, IPV4)
STRICT: dict[str, Any] = {"message_rate": 1, "message_burst": 20}
"""Hardly any more come back while a test runs."""


@pytest.fixture(name="run", params=[asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def _run(request: pytest.FixtureRequest) -> Run:
    found: Run = request.param
    return found


async def until(over: asyncio.Event) -> None:
    async with asyncio.timeout(PATIENCE):
        await over.wait()


async def eventually(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not happened():  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(0.001)


async def hit(port: EchoPort, limit: str) -> None:
    """This limit is reached, sooner or later."""
    await eventually(lambda: port.hits[limit] > 0)


async def heard(port: EchoPort, lines: int) -> None:
    """The first client has been heard so often."""
    await eventually(lambda: port.door.sessions[0].heard >= lines)


@asynccontextmanager
async def passing_on(port: int, header: bytes, *, together: bool) -> AsyncIterator[int]:
    """A proxy that passes on what it does not understand; where it listens."""

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            writer.write(data)
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, to_there = await asyncio.open_connection("127.0.0.1", port)
        if together:
            to_there.write(header + await reader.read(65_536))
        else:
            to_there.write(header)
        await asyncio.gather(pump(reader, to_there), pump(there, writer))
        done.set()

    done = asyncio.Event()
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
        await until(done)
    finally:
        server.close()


# What comes


def test_lines_are_heard_and_answered_in_order(run: Run) -> None:
    async def story() -> None:
        async with echo_port() as port:
            client = await port.client()
            assert await client.line() == b"welcome 127.0.0.1"
            await client.send(b"one\n", b"two\r\n", b"\n", "drei: ä\n".encode())
            assert [await client.line() for _ in range(4)] == [
                b"> one",
                b"> two",
                b"> ",
                "> drei: ä".encode(),
            ]
            await client.close()
            await until(port.door.sessions[0].over)
            assert port.door.sessions[0].told == ["closed"]
        assert not port.hits
        assert len(port.visitors) == 0

    run(story())


def test_many_lines_in_one_packet_are_all_heard_and_others_get_their_turn(run: Run) -> None:
    async def story() -> None:
        async with echo_port() as port:
            busy, other = await port.greeted_client(), await port.greeted_client()
            await busy.send(b"".join(b"%d\n" % number for number in range(1000)))
            await other.send(b"me too\n")
            assert await other.line() == b"> me too"
            assert [await busy.line() for _ in range(1000)] == [b"> %d" % number for number in range(1000)]
            await busy.close()
            await other.close()

    run(story())


def test_a_line_may_come_byte_by_byte(run: Run) -> None:
    async def story() -> None:
        async with echo_port() as port:
            client = await port.greeted_client()
            for byte in "grüß dich\r\n".encode():
                await client.send(bytes([byte]))
                await asyncio.sleep(0)
            assert await client.line() == "> grüß dich".encode()
            await client.close()

    run(story())


def test_lines_over_64_kib_are_read_up_to_what_the_door_says(run: Run) -> None:
    async def story() -> None:
        async with echo_port() as port:
            client = await port.greeted_client()
            await client.send(b"x" * LARGEST + b"\n")
            assert await client.line() == b"> " + b"x" * LARGEST
            await client.send(b"x" * (LARGEST + 1) + b"\nnext\n")
            assert await client.line() == b"too long"
            assert await client.line() == b"> next", "the door lets it go on"
            assert port.hits == {"long_line": 1}
            await client.close()

    run(story())


def test_the_operator_may_set_a_lower_limit_than_the_door(run: Run) -> None:
    async def story() -> None:
        async with echo_port(message_bytes=4096) as port:
            client = await port.greeted_client()
            await client.send(b"x" * 4097 + b"\n", b"x" * 4096 + b"\n")
            assert await client.line() == b"too long"
            assert await client.line() == b"> " + b"x" * 4096
            await client.close()

    run(story())


def test_a_door_may_end_the_connection_over_a_line_that_is_too_long(run: Run) -> None:
    async def story() -> None:
        async with echo_port() as port:
            port.door.strict = True
            client = await port.greeted_client()
            # Far more than is read; nothing of it must destroy the answer.
            await client.send(b"x" * (3 * LARGEST) + b"\nnext\n")
            assert await client.rest() == [b"too long"]

    run(story())


def test_what_is_no_utf8_is_a_case_of_its_own_for_the_door(run: Run) -> None:
    async def story() -> None:
        async with echo_port() as port:
            client = await port.greeted_client()
            await client.send(b"caf\xe9\n", b"ok\n\xff\n")
            assert await client.line() == "no UTF-8: caf\ufffd".encode()
            assert await client.line() == b"> ok"
            assert await client.line() == "no UTF-8: \ufffd".encode()
            await client.close()

    run(story())


def test_while_something_is_waited_for_nothing_else_is_heard(run: Run) -> None:
    async def story() -> None:
        async with echo_port() as port:
            client = await port.greeted_client()
            await client.send(b"wait\nafter\n", b"later\n")
            # Somebody else is heard meanwhile, so all of that has come.
            other = await port.greeted_client()
            await other.send(b"hello\n")
            assert await other.line() == b"> hello"
            port.door.gate.set()
            assert [await client.line() for _ in range(3)] == [b"waited", b"> after", b"> later"]
            await client.close()
            await other.close()

    run(story())


# Limits


def test_who_says_too_much_is_told_so_and_then_cut_off(run: Run) -> None:
    async def story() -> None:
        async with echo_port(**STRICT) as port:
            client = await port.greeted_client()
            await client.send(b"x\n" * 1000)
            heard = await client.rest()
            assert 20 <= heard.count(b"> x") <= 30
            assert heard.count(b"slow down") == 100
            assert heard[-1] == b"enough"
            await until(port.door.sessions[0].over)
            assert port.hits == {"message_rate": 100}

    run(story())


def test_lines_that_are_too_long_count_as_well(run: Run) -> None:
    async def story() -> None:
        async with echo_port(message_bytes=4096, **STRICT) as port:
            client = await port.greeted_client()
            await client.send((b"x" * 5000 + b"\n") * 200)
            heard = await client.rest()
            assert 20 <= heard.count(b"too long") <= 30
            assert heard[-1] == b"enough"

    run(story())


def test_who_does_not_say_what_they_came_for_is_closed(run: Run) -> None:
    async def story() -> None:
        async with echo_port(lines={"greeting_seconds": 0.01}) as port:
            client = await port.greeted_client()
            assert await client.rest() == []
            assert port.hits == {"greeting_timeout": 1}

    run(story())


def test_who_has_greeted_may_be_silent_unless_the_door_says_otherwise(run: Run) -> None:
    async def story() -> None:
        async with echo_port(lines={"greeting_seconds": 0.5}) as quiet:
            client = await quiet.client()
            await client.send(b"hello\n")
            other = await quiet.client()
            await other.rest()  # the time is over
            assert [await client.line() for _ in range(2)] == [b"welcome 127.0.0.1", b"> hello"]
            await client.send(b"still here\n")
            assert await client.line() == b"> still here"
            await client.close()
        async with echo_port(lines={"idle_seconds": 0.5}) as strict:
            client = await strict.greeted_client()
            await client.send(b"hello\n")
            assert await client.rest() == [b"> hello"]
            assert strict.hits == {"idle": 1}

    run(story())


def test_a_reader_that_is_too_slow_is_let_go(run: Run) -> None:
    async def story() -> None:
        async with echo_port(send_queue_bytes=4096) as port:
            client = await port.greeted_client()
            client.writer.transport.pause_reading()  # type: ignore[attr-defined]
            await client.send(b"large 50000000\n")
            await until(port.door.sessions[0].over)
            assert port.hits == {"slow_reader": 1}
            await client.close()

    run(story())


def test_a_reader_that_keeps_up_may_be_told_any_number_of_things(run: Run) -> None:
    async def story() -> None:
        async with echo_port(send_queue_bytes=4096) as port:
            client = await port.greeted_client()
            for _ in range(50):
                await client.send(b"large 2000\n")
                assert len(await client.line()) == 2000
            assert not port.hits
            await client.close()

    run(story())


def test_the_system_asks_silent_clients_whether_they_are_there(run: Run) -> None:
    async def story() -> None:
        async with echo_port(heartbeat=7.0) as port:
            client = await port.greeted_client()
            (connection,) = port.connections._connections
            found = connection._transport.get_extra_info("socket")
            assert found.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            assert found.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            if hasattr(socket, "TCP_KEEPIDLE"):
                assert found.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 7
            await client.close()

    run(story())


def test_one_address_has_so_many_connections_and_others_come_in(run: Run) -> None:
    async def story() -> None:
        async with echo_port(proxies=HERE, per_address=2) as port:
            inside = [await port.client() for _ in range(2)]
            for client in inside:
                await client.send(V1)
                assert await client.line() == b"welcome 192.0.2.7"
            third = await port.client()
            await third.send(V1 + b"and I have a lot to say\n" * 10_000)
            assert await third.rest() == [b"refused: Too many connections."]
            other = await port.client()
            await other.send(V1.replace(b"192.0.2.7", b"192.0.2.8"))
            assert await other.line() == b"welcome 192.0.2.8"
            await inside[0].close()
            await until(port.door.sessions[0].over)
            again = await port.client()
            await again.send(V1)
            assert await again.line() == b"welcome 192.0.2.7"
            assert port.hits == {"connections_per_address": 1}
            for client in (inside[1], other, again):
                await client.close()

    run(story())


# The end


def test_a_session_that_breaks_ends_its_own_connection_only(run: Run) -> None:
    async def story() -> None:
        async with echo_port() as port:
            broken, other = await port.greeted_client(), await port.greeted_client()
            await broken.send(b"break\nmore\n")
            assert await broken.rest() == []
            await other.send(b"hello\n")
            assert await other.line() == b"> hello"
            assert port.hits == {"session_failed": 1}
            await other.close()

    run(story())


def test_the_last_words_arrive_although_the_client_talks_on(run: Run) -> None:
    async def story() -> None:
        async with echo_port() as port:
            client = await port.greeted_client()
            await client.send(b"bye\n" + b"and another thing\n" * 1000)
            assert await client.rest() == [b"bye"]

    run(story())


def test_a_client_that_has_finished_speaking_still_gets_its_answers(run: Run) -> None:
    async def story() -> None:
        async with echo_port() as port:
            client = await port.greeted_client()
            await client.send(b"x\n" * 40 + b"store\n" + b"begun and never ended")
            client.writer.write_eof()
            await heard(port, 41)
            port.settle()
            assert await client.rest() == [*[b"> x"] * 40, b"> store"]
            await until(port.door.sessions[0].over)
            assert not port.hits

    run(story())


def test_what_a_half_open_client_waits_for_comes_before_the_end(run: Run) -> None:
    async def story() -> None:
        async with echo_port() as port:
            client = await port.greeted_client()
            await client.send(b"wait\nafter\n")
            client.writer.write_eof()
            port.door.gate.set()
            assert await client.rest() == [b"waited", b"> after"]
            await until(port.door.sessions[0].over)
            assert port.door.sessions[0].told == ["closed"]

    run(story())


def test_a_client_that_is_torn_off_leaves_nothing_behind(run: Run) -> None:
    async def story() -> None:
        async with echo_port() as port:
            client = await port.greeted_client()
            await client.send(b"wait\n")
            raw = client.writer.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.writer.transport.abort()
            port.door.gate.set()
            await until(port.door.sessions[0].over)
            assert port.door.sessions[0].told == ["closed"]
            await client.close()

    run(story())


def test_when_the_server_stops_everybody_hears_the_doors_word(run: Run) -> None:
    async def story() -> None:
        async with echo_port() as port:
            client = await port.greeted_client()
            await client.send(b"store\n")
            await heard(port, 1)
            port.connections.stop()
            late = await port.client()
            assert await late.rest() == [b"refused: The server is stopping."]
            port.settle()
            assert await client.rest() == [b"> store", b"stopping"], "after what was said before"
            assert port.hits == {"stopping": 1}

    run(story())


# Through a proxy


@pytest.mark.parametrize("header", [V1, V2], ids=["v1", "v2"])
def test_a_trusted_proxy_says_who_comes(run: Run, header: bytes) -> None:
    async def story() -> None:
        async with echo_port(proxies=HERE) as port:
            together, apart = await port.client(), await port.client()
            await together.send(header + b"hello\n")
            for byte in header:
                await apart.send(bytes([byte]))
            await apart.send(b"hello\n")
            for client in (together, apart):
                assert [await client.line() for _ in range(2)] == [b"welcome 192.0.2.7", b"> hello"]
                await client.close()
        assert len(port.visitors) == 0

    run(story())


@pytest.mark.parametrize(
    "header", [b"PROXY UNKNOWN\r\n", version_2(0, 0, b"")], ids=["v1, unknown", "v2, local"]
)
def test_a_proxy_that_speaks_for_itself_is_itself(run: Run, header: bytes) -> None:
    async def story() -> None:
        async with echo_port(proxies=HERE) as port:
            client = await port.client()
            await client.send(header)
            assert await client.line() == b"welcome 127.0.0.1"
            await client.close()

    run(story())


def test_nobody_else_says_where_they_come_from(run: Run) -> None:
    async def story() -> None:
        async with echo_port(proxies=networks(["198.51.100.1"])) as port:
            client = await port.client()
            await client.send(V1)
            assert await client.line() == b"welcome 127.0.0.1"
            assert await client.line() == b"> " + V1.strip(), "to the door this is a line like any other"
            await client.close()

    run(story())


def test_a_proxy_that_begins_otherwise_is_cut_off(run: Run) -> None:
    async def story() -> None:
        async with echo_port(proxies=HERE) as port:
            client = await port.client()
            await client.send(b"hello\n")
            assert await gone(client) == b""
            await hit(port, "bad_proxy_header")
            assert port.door.sessions == []
        assert len(port.visitors) == 0

    run(story())


def test_a_proxy_that_says_nothing_is_not_waited_for(run: Run) -> None:
    async def story() -> None:
        async with echo_port(proxies=HERE, handshake_seconds=0.01) as port:
            client = await port.client()
            assert await gone(client) == b""
            assert port.hits == {"handshake_timeout": 1}
        assert len(port.visitors) == 0

    run(story())


async def gone(client: LineClient) -> bytes:
    """What the server said before it ended the connection, politely or not."""
    said = b""
    with suppress(ConnectionError):
        async with asyncio.timeout(PATIENCE):
            said = await client.reader.read()
    await client.close()
    return said


# Under TLS


def test_the_same_under_tls(run: Run) -> None:
    async def story() -> None:
        async with echo_port(tls=True) as port:
            client = await port.client(trusting())
            assert await client.line() == b"welcome 127.0.0.1"
            await client.send(b"x" * LARGEST + b"\n" + b"caf\xe9\n")
            assert await client.line() == b"> " + b"x" * LARGEST
            assert await client.line() == "no UTF-8: caf\ufffd".encode()
            await client.send(b"bye\n")
            assert await client.rest() == [b"bye"]
            await until(port.door.sessions[0].over)
        assert not port.hits
        assert len(port.visitors) == 0

    run(story())


def test_a_slow_reader_under_tls_is_let_go(run: Run) -> None:
    async def story() -> None:
        async with echo_port(tls=True, send_queue_bytes=4096) as port:
            client = await port.client(trusting())
            assert await client.line() == b"welcome 127.0.0.1"
            client.writer.transport.pause_reading()  # type: ignore[attr-defined]
            # Of what TLS has taken in at once it does not say how much still waits: the next message shows it.
            await client.send(b"large 50000000\nlarge 5000\n")
            await until(port.door.sessions[0].over)
            assert port.hits == {"slow_reader": 1}
            client.writer.transport.abort()
            await client.close()

    run(story())


def test_who_speaks_no_tls_there_is_cut_off(run: Run) -> None:
    async def story() -> None:
        async with echo_port(tls=True) as port:
            client = await port.client()
            await client.send(b"hello, is this TLS?\n")
            await gone(client)
            await hit(port, "tls_handshake")
            assert port.door.sessions == []
        assert len(port.visitors) == 0

    run(story())


def test_who_leaves_in_the_middle_of_the_handshake_leaves_nothing_behind(run: Run) -> None:
    async def story() -> None:
        async with echo_port(tls=True) as port:
            client = await port.client()
            await eventually(lambda: len(port.visitors) == 1)
            await client.close()
            await hit(port, "tls_handshake")
            assert port.door.sessions == []
            await eventually(lambda: len(port.visitors) == 0)

    run(story())


def test_who_does_not_begin_with_tls_is_not_waited_for(run: Run) -> None:
    async def story() -> None:
        async with echo_port(tls=True, handshake_seconds=0.01) as port:
            client = await port.client()
            await gone(client)
            assert port.hits == {"handshake_timeout": 1}
            assert port.door.sessions == []
            await eventually(lambda: len(port.visitors) == 0)

    run(story())


@pytest.mark.parametrize("header", [V1, V2], ids=["v1", "v2"])
@pytest.mark.parametrize("together", [True, False], ids=["together", "apart"])
def test_a_proxy_may_pass_tls_on(run: Run, header: bytes, together: bool) -> None:
    async def story() -> None:
        async with (
            echo_port(tls=True, proxies=HERE) as port,
            passing_on(port.number, header, together=together) as front,
        ):
            client = await LineClient.to(front, trusting())
            assert await client.line() == b"welcome 192.0.2.7"
            await client.send(b"hello\n")
            assert await client.line() == b"> hello"
            await client.close()
            await until(port.door.sessions[0].over)
        assert len(port.visitors) == 0

    run(story())
