"""A server on a damaged ledger serves what is left, tells its operator, and never falls over."""

import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.ledger.support.wreck import PAGE, wreck
from tests.ledger.support.years import Years
from tests.net.support.clients import Callers, call
from tests.net.support.process import PATIENCE, ServerProcess, refused_start

from gamut.ledger.sqlite.mark import read_mark

PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def years() -> Years:
    return Years(tables=120, people=60)


@pytest.fixture(scope="module")
def folder(years: Years, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("years") / "data"
    years.store(folder)
    return folder


def no_trace(server: ServerProcess) -> None:
    assert not [line for line in server.log() if "trace" in line]


@pytest.mark.parametrize("seed", range(4))
def test_a_start_on_ruined_pages_serves_the_rest(
    years: Years, folder: Path, tmp_path: Path, seed: int
) -> None:
    data = tmp_path / "data"
    shutil.copytree(folder, data)
    wreck(data / "gamut.db", Random(seed), pages=5)

    async def story(callers: Callers) -> None:
        health = await callers.json("/healthz")
        assert health["status"] in ("ok", "degraded")
        damaged = set(health["damage"]["ids"]) if "damage" in health else set()
        served = 0
        for table, entry in years.storage.entries.items():
            if b'"private":true' in entry.summary:
                continue
            async with callers.http.get(f"/api/tables/{table}/log") as response:
                log = await response.json()
            if response.status == 200:
                served += 1
                assert table not in damaged
                stored = [msgspec.json.decode(row.body) for row in years.storage.rows[table]]
                # The key of the table is not for everybody, and what was woken goes on.
                assert [event["type"] for event in log["events"]][: len(stored)] == [
                    event["type"] for event in stored
                ]
            else:
                assert log["error"]["code"] in ("damaged", "no_such_table"), log
        assert served > 50
        anna = await callers.web("Anna")
        await anna.sure("open", game="tower")

    with ServerProcess(data) as server:
        call(server.url, story)
        assert server.stop() == 0
        no_trace(server)


def test_damaged_tables_are_told_to_whoever_watches_the_server(
    years: Years, folder: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    shutil.copytree(folder, data)
    content = bytearray((data / "gamut.db").read_bytes())
    last = next(rows[-1] for table, rows in years.storage.rows.items() if len(rows) > 15 and table != "lobby")
    at = content.index(last.body + last.checksum) // PAGE * PAGE
    content[at : at + PAGE] = bytes(PAGE)
    (data / "gamut.db").write_bytes(content)

    async def story(callers: Callers) -> None:
        health = await callers.json("/healthz")
        assert health["status"] == "degraded"
        damage = health["damage"]
        assert last.table in damage["ids"]
        assert damage["tables"] == len(damage["ids"]) <= 20
        assert damage["events_gone"] > 0
        refused = await callers.json(f"/api/tables/{last.table}/log", 500)
        assert refused["error"]["code"] == "damaged"

    with ServerProcess(data) as server:
        call(server.url, story)
        assert server.stop() == 0
        no_trace(server)
        said = [line["event"] for line in server.log() if line["level"] == "error"]
    assert "these events are gone: the database holds fewer than it did" in said
    assert any("made anew" in line for line in said)


def test_where_nothing_can_be_read_it_says_so_in_one_line(folder: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(folder, data)
    size = (data / "gamut.db").stat().st_size
    (data / "gamut.db").write_bytes(Random(1).randbytes(size))
    code, said = refused_start(data)
    assert code == 1
    assert said == f"gamut: The database {data / 'gamut.db'} cannot be opened: file is not a database.\n"


def test_a_damaged_note_spoils_no_list_no_export_and_no_deletion(
    years: Years, folder: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    shutil.copytree(folder, data)
    listed = sorted(table for table, entry in years.storage.entries.items() if entry.listed)
    opened: list[str] = []

    async def before(callers: Callers) -> None:
        body = {"name": "Anna", "password": PASSWORD}
        async with callers.http.post("/api/register", json=body) as response:
            assert response.status in (200, 201), await response.text()
        anna = await callers.web()
        table = (await anna.sure("open", game="tower", bots=["casual", "casual"]))["table"]
        await anna.sure("say", table=table, text="Anna was here")
        await anna.sure("leave", table=table)
        opened.append(table)

    async def after(callers: Callers) -> None:
        async with callers.http.post("/api/login", json={"name": "Anna", "password": PASSWORD}) as response:
            assert response.status == 200
        found = await callers.json("/api/tables?state=finished&limit=100")
        assert sorted(table["id"] for table in found) == [table for table in listed if table != listed[5]]
        assert await callers.json("/api/me/tables") == []
        export: Any = await callers.json("/api/me/export")
        assert [game["table"]["id"] for game in export["games"]] == opened
        async with callers.http.delete("/api/me", json={"password": PASSWORD}) as response:
            assert response.status == 200
        log = await callers.json(f"/api/tables/{opened[0]}/log")
        assert "Anna" not in msgspec.json.encode(log).decode()
        health = await callers.json("/healthz")
        assert health["status"] == "degraded"
        assert health["damage"]["notes"] == 2

    with ServerProcess(data) as server:
        call(server.url, before)
        assert server.stop() == 0
        with closing(sqlite3.connect(data / "gamut.db")) as database, database:
            database.execute(
                "UPDATE tables SET summary = CAST('{' AS BLOB) WHERE id IN (?, ?)", (listed[5], opened[0])
            )
        server.start()
        call(server.url, after)
        assert server.stop() == 0
        no_trace(server)


def test_a_server_that_lost_its_last_events_says_how_many(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with ServerProcess(data) as server:

        async def before(callers: Callers) -> None:
            anna = await callers.web("Anna")
            table = (await anna.sure("open", game="tower"))["table"]
            for number in range(9):
                await anna.sure("say", table=table, text=f"number {number}")

        call(server.url, before)
        until = time.monotonic() + PATIENCE
        while (mark := read_mark(data)) is None or mark.stored < 10:
            assert time.monotonic() < until
            time.sleep(0.05)
        server.kill()
        (data / "gamut.db-wal").unlink()
        server.start()

        async def after(callers: Callers) -> None:
            health = await callers.json("/healthz")
            assert health["status"] == "degraded"
            assert health["damage"]["events_gone"] >= 10

        call(server.url, after)
        assert server.stop() == 0
        no_trace(server)
        server.start()

        async def later(callers: Callers) -> None:
            assert (await callers.json("/healthz"))["status"] == "ok"

        call(server.url, later)
