"""While the disk stands still nobody is heard and no clock runs; then everything goes on as if it had not been."""

import asyncio
import sqlite3
from pathlib import Path

from tests.net.support.clients import Callers, call
from tests.net.support.echo_door import LineClient
from tests.net.support.process import PATIENCE, ServerProcess

MAIN = 4_000
"""Milliseconds on a clock: less than the disk stands still, and more than it takes to notice that."""


def test_everything_goes_on_after_a_disk_that_stood_still(tmp_path: Path) -> None:
    data = tmp_path / "data"

    async def story(callers: Callers) -> None:
        anna, ben = await callers.web("Anna"), await callers.web("Ben")
        tower = await callers.tower()
        await tower.join("attic", "Cy")
        await tower.until("room_joined")
        lines = await LineClient.to(server.tafl_port)
        # The last thing before it: her clock runs until the server has noticed that the disk stands still.
        clock = {"kind": "bank", "main": MAIN}
        table = (await anna.sure("open", game="tower", bots=["casual", "casual"], clock=clock))["table"]
        with sqlite3.connect(data / "gamut.db", isolation_level=None) as database:
            database.execute("BEGIN IMMEDIATE")
            await ben.send({"type": "say", "text": "hello?", "id": 1})
            async with asyncio.timeout(PATIENCE):
                while not await callers.metric("gamut_congested"):  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
            # All of them speak, and a newcomer comes; nobody is heard.
            await anna.send({"type": "act", "table": table, "action": {"type": "place", "tile": 0}, "id": 2})
            for number in range(200):
                await ben.send({"type": "ping", "id": 10 + number})
            await lines.send(b"no such word\n")
            newcomer = await callers.web()
            await newcomer.send({"type": "hello", "name": "Dee", "id": 3})
            leaver = await callers.web()
            leaving = asyncio.ensure_future(leaver.close())
            async with callers.http.post("/api/guest", json={"name": "Eve"}) as response:
                assert response.status == 503
                assert (await response.json())["error"]["code"] == "not_stored"
                assert response.headers["Retry-After"]
            depth = await callers.metric("gamut_journal_depth")
            await asyncio.sleep(1.25 * MAIN / 1000)
            assert await callers.metric("gamut_journal_depth") == depth == 1
            database.execute("COMMIT")
        database.close()
        assert (await anna.until("ok", id=2))["type"] == "ok", "her flag has not fallen"
        played = 0
        while played < 2:
            message = await anna.until("events", table=table)
            played += sum(event["type"] == "played" and event["seat"] > 0 for event in message["events"])
        assert (await ben.until("ok", id=1))["type"] == "ok"
        for number in range(200):
            await ben.until("pong", id=10 + number)
        assert (await newcomer.until("welcome", id=3))["name"] == "Dee"
        await leaving
        assert await lines.line(), "also over lines"
        await lines.close()
        await anna.sure("say", table=table, text="at last")
        assert await callers.metric("gamut_congested") == 0
        assert await callers.metric("gamut_congestions_total") == 1
        async with callers.http.post("/api/guest", json={"name": "Eve"}) as response:
            assert response.status == 201
        assert await callers.json("/healthz") == {"status": "ok"}

    with ServerProcess(data, tower=True, tafl=True, bot_delay=0, message_rate=0) as server:
        call(server.url, story)
        assert server.stop() == 0
