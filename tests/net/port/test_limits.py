"""What one connection, one address and one person may ask for; every limit that is reached is counted."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import WSServerHandshakeError
from tests.net.support.clients import Callers, Client, Hung, Message, call, calling
from tests.net.support.process import PATIENCE, ServerProcess
from tests.net.websocket.test_entrance import head, visit

BURST = 20


@pytest.fixture(scope="module", name="server")
def _server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """As strict as a server can sensibly be; loopback is somebody else by X-Forwarded-For."""
    with ServerProcess(
        tmp_path_factory.mktemp("strict") / "data",
        trusted_proxies="127.0.0.1",
        connections=30,
        connections_per_address=3,
        message_bytes=100_000,
        message_rate=10,
        message_burst=BURST,
        greeting_seconds=0.3,
        tables_per_person=2,
    ) as running:
        yield running


async def hits(callers: Callers, limit: str) -> float:
    return await callers.metric(f'gamut_limit_hits_total{{limit="{limit}"}}')


async def refusals(callers: Callers, reason: str) -> float:
    return await callers.metric(f'gamut_refusals_total{{reason="{reason}"}}')


async def all_gone(callers: Callers) -> None:
    """Those who hung up are gone for the server too."""
    async with asyncio.timeout(PATIENCE):
        while True:
            async with callers.http.get("/metrics") as response:
                lines = (await response.text()).splitlines()
            if not any(line.startswith("gamut_connections{") and not line.endswith(" 0.0") for line in lines):
                return
            await asyncio.sleep(0.01)


def test_a_message_may_have_so_many_bytes(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        tower = await callers.tower()
        await tower.socket.send_str(" " * 4097)
        assert (await tower.receive())["data"]["type"] == 5
        assert await tower.hung_up() == 1009
        web = await callers.web("Ann")
        await web.socket.send_str(" " * 65_537)
        assert (await web.receive())["code"] == "too_big"
        assert await web.hung_up() == 1009
        # More than is read at all: the answer is the same.
        before = await hits(callers, "bad_frame")
        for client in (await callers.tower(), await callers.web("Bea")):
            await client.socket.send_str(" " * 100_001)
            assert (await client.receive())["type"] == "error"
            assert await client.hung_up() == 1009
        assert await hits(callers, "bad_frame") == before + 2
        assert await refusals(callers, "too_big") == 2
        assert await refusals(callers, "tower_parse_error") >= 1
        await all_gone(callers)

    call(server.url, story)


def test_binary_messages_are_not_spoken_here(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        for client in (await callers.tower(), await callers.web("Cal")):
            await client.socket.send_bytes(b"{}")
            assert await client.hung_up() == 1003
        await all_gone(callers)

    call(server.url, story)


def test_text_that_is_not_utf8_ends_the_connection(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        before = await hits(callers, "bad_frame")
        for client in (await callers.tower(), await callers.web("Dan")):
            await client.socket._writer.send_frame(b'{"type":"\xff"}', 1)
            assert await client.hung_up() == 1007
        assert await hits(callers, "bad_frame") == before + 2
        await callers.leave()
        await all_gone(callers)

    call(server.url, story)


def test_who_talks_too_fast_is_told_and_then_let_go(server: ServerProcess) -> None:
    async def flooded(client: Client, message: Message) -> tuple[list[Message], int | None]:
        """One after the other, as fast as the answers come, until nothing comes any more."""
        heard: list[Message] = []
        try:
            while True:
                await client.send(message)
                heard.append(await client.receive())
        except (Hung, ConnectionError):
            return heard, await client.hung_up()

    async def story(callers: Callers) -> None:
        before = await hits(callers, "message_rate")
        web = await callers.web("Eli")
        heard, code = await flooded(web, {"type": "ping"})
        answered = [message for message in heard if message["type"] == "pong"]
        refused = [message for message in heard if message.get("code") == "too_fast"]
        assert len(answered) >= BURST - 1
        assert len(refused) == 100
        assert code == 1008
        tower = await callers.tower()
        await tower.join("attic", "Eli")
        await tower.until("player_joined")
        heard, code = await flooded(tower, {"type": "place_mark", "data": {}})
        errors = [message["data"]["type"] for message in heard if message["type"] == "error"]
        assert errors.count(6) == 100, "those that were not looked at"
        assert code == 1008
        assert await hits(callers, "message_rate") == before + 200
        await all_gone(callers)
        assert await callers.json("/api/tables") == [], "the room went with its player"

    call(server.url, story)


@pytest.mark.parametrize(
    "flood",
    [
        b"\x89\x80\0\0\0\0" * 5000,
        b"\x8a\x80\0\0\0\0" * 5000,
        b"\x81\x80\0\0\0\0" * 5000,
        b"\x01\x80\0\0\0\0" + b"\x00\x80\0\0\0\0" * 5000,
    ],
    ids=["pings", "pongs", "empty messages", "empty continuations"],
)
def test_a_flood_of_frames_that_say_nothing_ends_the_connection(server: ServerProcess, flood: bytes) -> None:
    async def story(callers: Callers) -> None:
        other = await callers.tower()
        await other.join("cellar", "Gil")
        before = await hits(callers, "frame_rate") + await hits(callers, "message_rate")
        async with visit(server, head() + b"\r\n\r\n") as there:
            assert (await there.answered())[0] == 101
            there.writer.write(flood)
            await there.reader.readuntil(b"\x03\xf0too many messages")  # 1008
        after = await hits(callers, "frame_rate") + await hits(callers, "message_rate")
        assert after == before + 100
        await other.send({"type": "place_mark", "data": {}})
        await other.until("error")
        await callers.leave()
        await all_gone(callers)

    call(server.url, story)


def test_a_short_burst_is_fine(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        web = await callers.web("Fay")
        for number in range(BURST - 1):
            await web.send({"type": "ping", "id": number})
        for number in range(BURST - 1):
            assert (await web.receive())["id"] == number
        await callers.leave()
        await all_gone(callers)

    call(server.url, story)


def test_one_address_has_so_many_connections(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        before = await hits(callers, "connections_per_address")
        away = {"X-Forwarded-For": "203.0.113.1"}
        three = [await callers.tower(headers=away) for _ in range(3)]
        for path in ("/tower", "/hall"):
            with pytest.raises(WSServerHandshakeError) as refused:
                await callers.http.ws_connect(path, headers=away)
            assert refused.value.status == 429
        await callers.tower(headers={"X-Forwarded-For": "203.0.113.2"})
        # Whatever stands left of the last hop, the client may have made up.
        with pytest.raises(WSServerHandshakeError):
            await callers.tower(headers={"X-Forwarded-For": "198.51.100.7, 203.0.113.1"})
        for _ in range(5):
            await callers.tower()
        # A whole network of 64 bits is one household.
        for number in range(3):
            await callers.tower(headers={"X-Forwarded-For": f"2001:db8::{number}"})
        with pytest.raises(WSServerHandshakeError):
            await callers.tower(headers={"X-Forwarded-For": "2001:db8::4"})
        await callers.tower(headers={"X-Forwarded-For": "2001:db8:0:1::1"})
        assert await hits(callers, "connections_per_address") == before + 4
        await three[0].close()
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    await callers.tower(headers=away)
                    break
                except WSServerHandshakeError:
                    await asyncio.sleep(0.01)
        await callers.leave()
        await all_gone(callers)

    call(server.url, story)


def test_there_are_so_many_connections_in_all(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        before = await hits(callers, "connections")
        for _ in range(30):
            await callers.tower()
        with pytest.raises(WSServerHandshakeError) as refused:
            await callers.web()
        assert refused.value.status == 429
        assert await hits(callers, "connections") == before + 1
        assert (await callers.json("/healthz"))["status"] == "ok", "pages are still served"
        await callers.leave()
        await all_gone(callers)

    call(server.url, story)


def test_who_says_nothing_is_let_go(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        before = await hits(callers, "greeting_timeout")
        greeted, joined = await callers.web("Gus"), await callers.tower()
        await joined.join("attic", "Gus")
        silent, vague = await callers.tower(), await callers.web()
        await vague.send({"type": "ping"})
        assert await silent.hung_up() == 1008
        assert await vague.hung_up() == 1008
        await greeted.sure("ping")
        await joined.send({"type": "place_mark", "data": {}})
        await joined.until("error")
        assert await hits(callers, "greeting_timeout") == before + 2
        await callers.leave()
        await all_gone(callers)

    call(server.url, story)


def test_one_person_sits_at_so_many_tables(server: ServerProcess) -> None:
    async def story(callers: Callers) -> None:
        hal, ida = await callers.web("Hal"), await callers.web("Ida")
        tables = [(await hal.sure("open", game="tower"))["table"] for _ in range(2)]
        assert await hal.refused("open", game="tower") == "too_many_tables"
        other = (await ida.sure("open", game="tower"))["table"]
        assert await hal.refused("sit", table=other) == "too_many_tables"
        assert await refusals(callers, "too_many_tables") == 2
        for table in tables:
            await hal.sure("leave", table=table)
        await ida.sure("leave", table=other)
        await callers.leave()
        await all_gone(callers)

    call(server.url, story)


def test_a_slow_reader_is_let_go_and_resumes_and_nobody_else_notices(tmp_path: Path) -> None:
    async def run() -> None:
        async with calling(server.url) as callers, calling(server.url, receive_buffer=4096) as narrow:
            await slow_reader(callers, narrow)

    with ServerProcess(
        tmp_path / "data",
        send_queue_bytes=65_536,
        message_rate=0,
        talk_burst=1_000_000,
        stored_per_second=0,
    ) as server:
        asyncio.run(run())


async def slow_reader(callers: Callers, narrow: Callers) -> None:
    ann, bob = await callers.web("Ann"), await callers.web("Bob")
    table = (await ann.sure("open", game="tower"))["table"]
    await bob.sure("sit", table=table)
    slow = await narrow.web("Sid")
    await slow.send({"type": "watch", "table": table})
    known = (await slow.until("table"))["seq"]
    slow.stop_reading()
    heard: list[Message] = []
    text = "🐌" * 490
    said = 0
    while not await callers.metric('gamut_limit_hits_total{limit="slow_reader"}'):
        for _ in range(50):
            said += 1
            await ann.send({"type": "say", "table": table, "text": f"{said} {text}"})
        while len(heard) < said:
            message = await bob.receive()
            heard += [event for event in message.get("events", ()) if event["type"] == "said"]
        assert said < 100_000, "whoever never reads is let go some time"
    assert [event["text"].split()[0] for event in heard] == [str(number + 1) for number in range(said)]
    await ann.sure("ping")
    # Whatever still reached it, it is cut off; and it can go on from there.
    slow.read_on()
    events: list[Any] = []
    told: list[Message] = []
    assert await slow.hung_up(told) == 1006
    for message in told:
        if message["type"] == "events":
            assert message["after"] == known
            known = message["seq"]
            events += message["events"]
    back = await callers.web()
    await back.again(slow.token)
    await back.send({"type": "watch", "table": table, "since": known, "id": 1})
    while (resumed := await back.receive()).get("id") != 1:
        if resumed["type"] == "events":
            assert resumed["after"] == known
            known = resumed["seq"]
            events += resumed["events"]
    texts = [event["text"] for event in events if event["type"] == "said"]
    assert texts == [event["text"] for event in heard]
