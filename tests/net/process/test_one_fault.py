"""A real server in which something of ours fails: who is cut off, who goes on, and what an operator sees of it."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Contained
from tests.net.support.clients import Callers, Hung, WebClient, calling
from tests.net.support.closed_ports import CLOSED
from tests.net.support.inside import new_server
from tests.net.support.process import PATIENCE

from gamut.doors.close_codes import INTERNAL_ERROR
from gamut.doors.web.door import WebDoor
from gamut.doors.web.session import WebSession
from gamut.hall.ids import TableId
from gamut.net import server as server_module
from gamut.net.server import Server
from gamut.net.settings import Settings
from gamut.net.trimming import Trimming

pytestmark = pytest.mark.faults


def broken(*args: Any) -> Any:
    raise ZeroDivisionError


def once(real: Callable[..., Any]) -> Callable[..., Any]:
    """Fails the first time."""
    failing = [True]

    def call(*args: Any) -> Any:
        if failing.pop() if failing else False:
            raise ZeroDivisionError
        return real(*args)

    return call


def with_server(
    data: Path, story: Callable[[Server, Callers], Awaitable[None]], *, story_stops_it: bool = False
) -> None:
    async def run() -> None:
        server = new_server(Settings(data=data, port=0, doors=CLOSED, metrics_open=True))
        await server.start()
        try:
            async with (
                asyncio.timeout(3 * PATIENCE),
                calling(f"http://127.0.0.1:{server.ports['main']}") as callers,
            ):
                await story(server, callers)
        finally:
            if not story_stops_it:
                await server.stop()

    asyncio.run(run())


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110 - the server has no word for it
            await asyncio.sleep(0.01)


def test_a_door_that_fails_once_cuts_its_people_off_who_come_back_to_all_that_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, contained: Contained
) -> None:
    async def story(server: Server, callers: Callers) -> None:
        anna, berta = await callers.web("Anna"), await callers.web("Berta")
        table = (await anna.sure("open", game="tower"))["table"]
        await berta.sure("sit", table=table)
        elsewhere = await callers.web("Carla")
        other = (await elsewhere.sure("open", game="tower"))["table"]
        tower = await callers.tower()
        monkeypatch.setattr(WebDoor, "tell", once(WebDoor.tell))
        await tower.join(table, "Dora")
        joined = await tower.until("room_joined")
        assert joined["data"]["id"] == 2, "the other door is told"
        await tower.until("player_turn")
        assert [await anna.hung_up(), await berta.hung_up()] == [INTERNAL_ERROR] * 2
        await elsewhere.sure("say", table=other, text="we go on", room="table")
        again = await callers.web()
        await again.again(anna.token)
        await again.send({"type": "watch", "table": table})
        assert (await again.until("table"))["phase"] == "playing"
        await again.sure("act", table=table, action={"type": "place", "tile": 0})
        await tower.until("mark_placed")
        assert await callers.metric('gamut_faults_total{kind="tell"}') == 1
        assert (await callers.json("/healthz")) == {"status": "ok"}
        assert contained.faults == [
            {"kind": "tell", "table": table, "door": "web", "error": "ZeroDivisionError()"}
        ]

    with_server(tmp_path / "data", story)


def test_a_batch_that_is_under_way_for_too_long_is_no_good_health(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(server: Server, callers: Callers) -> None:
        anna = await callers.web("Anna")
        journal, flush = server.hall.journal, server._committer.soon
        monkeypatch.setattr(server._committer, "soon", lambda call, *, enough: None)
        await anna.send({"type": "open", "game": "tower"})
        await until(lambda: journal.busy)
        assert await callers.json("/healthz") == {"status": "ok"}
        now = journal._now
        monkeypatch.setattr(journal, "_now", lambda: now() + 6)
        assert await callers.json("/healthz", 503) == {"status": "stalled"}
        monkeypatch.setattr(server._committer, "_storing_since", 0.0)
        assert await callers.json("/healthz", 503) == {"status": "stuck"}
        flush(journal._flush, enough=True)
        await anna.until("opened")
        assert await callers.json("/healthz") == {"status": "ok"}

    with_server(tmp_path / "data", story)


def test_a_table_that_is_out_of_order_is_named(tmp_path: Path) -> None:
    async def story(server: Server, callers: Callers) -> None:
        server.hall.out_of_order[TableId("T")] = None
        assert await callers.json("/healthz") == {
            "status": "degraded",
            "out_of_order": {"tables": 1, "ids": ["T"]},
        }
        assert await callers.metric("gamut_tables_out_of_order") == 1

    with_server(tmp_path / "data", story)


def test_what_cannot_be_contained_stops_the_server_before_anybody_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(server: Server, callers: Callers) -> None:
        anna = await callers.web("Anna")
        monkeypatch.setattr(server._committer, "commit", broken)
        await anna.send({"type": "open", "game": "tower"})
        await asyncio.wait_for(server.stopped.wait(), PATIENCE)
        assert isinstance(server.failure, ZeroDivisionError)
        assert await callers.json("/healthz", 503) == {"status": "stopping"}
        journal = server.hall.journal
        assert journal.stored == 0 < journal.depth
        assert journal.busy, "and nothing is sent any more"

    with_server(tmp_path / "data", story)


def test_housekeeping_goes_on_after_a_part_of_it_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "_TEND_SECONDS", 0.01)
    monkeypatch.setattr(Trimming, "due", broken)

    async def story(server: Server, callers: Callers) -> None:
        counts = server.hall.faults.counts
        await until(lambda: counts["housekeeping"] >= 2)
        assert not server._tending.done()

    with_server(tmp_path / "data", story)


async def hears_goodbye(client: WebClient) -> bool:
    try:
        await client.until("bye")
    except Hung:
        return False
    return True


def test_a_session_that_fails_when_the_server_stops_keeps_nobody_from_hearing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(server: Server, callers: Callers) -> None:
        clients = [await callers.web(name) for name in ("Anna", "Berta", "Carla")]
        monkeypatch.setattr(WebSession, "say_goodbye", once(WebSession.say_goodbye))
        stopping = asyncio.ensure_future(server.stop())
        goodbyes = asyncio.as_completed([hears_goodbye(client) for client in clients])
        told = 0
        while told < 2:
            told += await next(goodbyes)
        await until(lambda: server.connections.hits["session_failed"] == 1)
        await stopping

    with_server(tmp_path / "data", story, story_stops_it=True)


def test_a_door_that_cannot_log_somebody_out_ends_their_connection_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, contained: Contained
) -> None:
    monkeypatch.setattr(WebSession, "logged_out", broken)

    async def story(server: Server, callers: Callers) -> None:
        anna = await callers.web("Anna")
        person = server.people.by_token(anna.token)
        assert person is not None
        await server.people._changes.log_out(person.id)
        assert await anna.hung_up() == INTERNAL_ERROR
        assert contained.faults == [{"kind": "log_out", "door": "web", "error": "ZeroDivisionError()"}]

    with_server(tmp_path / "data", story)


def test_a_timer_that_fails_is_counted(tmp_path: Path, contained: Contained) -> None:
    async def story(server: Server, callers: Callers) -> None:
        asyncio.get_running_loop().call_soon(broken)
        await until(lambda: bool(contained.faults))
        assert await callers.metric('gamut_faults_total{kind="stray"}') == 1

    with_server(tmp_path / "data", story)
