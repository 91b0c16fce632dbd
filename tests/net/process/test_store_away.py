"""PostgreSQL is away: nothing is told, time stands still, health says so; and play goes on when it is back."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.net.support.clients import Callers, call, calling
from tests.net.support.inside import running, url_of
from tests.net.support.process import ServerProcess, refused_start
from tests.support.postgres import Postgres

from gamut.ledger.postgres import ledger


async def health(callers: Callers) -> dict[str, Any]:
    async with callers.http.get("/healthz") as answer:
        found: dict[str, Any] = await answer.json()
        assert answer.status == (200 if found["status"] == "ok" else 503)
        return found


async def health_becomes(callers: Callers, status: str) -> None:
    async with asyncio.timeout(60):
        while (await health(callers))["status"] != status:
            pass


def test_while_postgresql_is_away_nobody_is_heard_and_no_clock_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "_PATIENCE", 0.1)

    async def story(postgres: Postgres) -> None:
        async with (
            running(tmp_path, store=postgres.url(), message_rate=0, metrics_open=True) as server,
            calling(url_of(server)) as callers,
        ):
            anna, ben = await callers.web("Anna"), await callers.web("Ben")
            table = (await anna.sure("open", game="tower", bots=["casual", "casual"]))["table"]
            assert (await health(callers))["store"]["away"] is False
            assert await callers.metric("gamut_lease_age_seconds") < 60
            await asyncio.to_thread(postgres.stop, immediate=True)
            # Nothing waits to be stored: that it is away is found out all the same.
            await health_becomes(callers, "store_away")
            stands_at = server.hall.time.now()
            await ben.send({"type": "say", "text": "hello?", "id": 1})
            await anna.send({"type": "say", "table": table, "text": "anybody?", "id": 2})
            async with callers.http.post("/api/guest", json={"name": "Eve"}) as response:
                assert response.status == 503
            for path in ("/api/tables?state=finished", "/api/tables/not-in-memory/log"):
                async with callers.http.get(path) as response:
                    assert response.status == 503
                    assert (await response.json())["error"]["code"] == "unreadable"
            assert server.hall.time.now() == stands_at
            assert not server.hall.journal.busy, "nobody was heard"
            await asyncio.to_thread(postgres.start)
            await ben.until("ok", id=1)
            await anna.until("ok", id=2)
            await health_becomes(callers, "ok")
            assert server.hall.time.now() >= stands_at
            async with callers.http.post("/api/guest", json={"name": "Eve"}) as response:
                assert response.status == 201
            assert server.failure is None

    with Postgres() as postgres:
        asyncio.run(story(postgres))


def test_a_store_that_comes_back_with_less_stops_the_server(
    tmp_path: Path, database_url: str, postgres: Postgres
) -> None:
    """As a standby that was not synchronous does when it is promoted."""
    name = database_url.rsplit("/", 1)[1]

    async def story(callers: Callers) -> None:
        anna = await callers.web("Anna")
        await anna.sure("say", text="first")
        await anna.sure("say", text="second")
        with postgres.connect(name) as sql:
            sql.execute("UPDATE nodes SET batch = batch - 1")
            sql.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        assert await asyncio.to_thread(server.wait) == 1
        await anna.hung_up()

    with ServerProcess(tmp_path / "data", store=database_url) as server:
        call(server.url, story)
    last = (tmp_path / "data.log").read_text().splitlines()[-1]
    assert last.startswith(
        "gamut: The ledger could not be written, so the server stopped: The store postgresql://"
    )
    assert "came back with less than it had" in last


def test_a_store_that_is_not_there_is_one_line_without_its_password(tmp_path: Path) -> None:
    code, error = refused_start(tmp_path, store="postgresql://somebody:secret@127.0.0.1:1/nowhere")
    assert code == 1
    assert error.startswith("gamut: The store postgresql://127.0.0.1:1/nowhere cannot be reached: ")
    assert error.count("\n") == 1
    assert "secret" not in error


def test_a_standby_whose_port_is_in_use_says_so_before_it_is_needed(
    tmp_path: Path, database_url: str
) -> None:
    with ServerProcess(tmp_path / "data", store=database_url) as server:
        port = server.url.rpartition(":")[2].strip("/")
        code, error = refused_start(tmp_path, "--standby", "--port", port, store=database_url)
    assert (code, error) == (1, f"gamut: Cannot listen on 127.0.0.1 port {port}: it is in use.\n")


def test_a_standby_needs_a_store_to_share(tmp_path: Path) -> None:
    code, error = refused_start(tmp_path, "--standby")
    assert (code, error.splitlines()) == (
        1,
        ["gamut: --standby: SQLite in a folder has one server; say with --store which database is shared."],
    )
