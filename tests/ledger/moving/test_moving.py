"""A hall is moved from one store to another whole, or not at all; where it was it stays."""

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.ledger.support.years import Years

from gamut.cli import main
from gamut.hall.ids import Millis, TableId
from gamut.hall.store.storage import DamagedLog, LedgerError
from gamut.ledger.meta import NOT_COMPLETED, SECRET, VERSION
from gamut.ledger.moving import move as moving
from gamut.ledger.moving import sqlite as moving_sqlite
from gamut.ledger.moving.parts import PARTS, Row
from gamut.ledger.moving.places import move_store
from gamut.ledger.people import SqlPeopleStore
from gamut.ledger.postgres.locks import MOVE, NODE
from gamut.ledger.postgres.store import open_postgres
from gamut.ledger.sqlite.database import FILE, open_database
from gamut.ledger.sqlite.ledger import SqliteLedger
from gamut.ledger.store import Place

STOPPED = Millis(1_900_000_000_000)
"""Later than anything that is stored."""

Content = dict[str, list[Row]]
NewStore = Callable[[], str]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kept")
    Years(tables=24, people=8).store(folder)
    with closing(open_database(folder)) as database:
        database.high_water.stop(STOPPED)
    return folder


@pytest.fixture
def hall(kept: Path, tmp_path: Path) -> Path:
    """A data folder after years of play, its server stopped in good order."""
    return shutil.copytree(kept, tmp_path / "hall")


@pytest.fixture(params=["folder", "database"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A store with nothing in it."""
    return str(tmp_path / "empty") if request.param == "folder" else request.getfixturevalue("database_url")


def quietly(_done: int, _total: int) -> None:
    pass


def content(store: str | Path) -> Content:
    """Everything that makes a hall, read without the product."""
    with closing(connected(store)) as connection:
        found = {part.name: connection.execute(part.select).fetchall() for part in PARTS}
        found["secret"] = connection.execute(f"SELECT value FROM meta WHERE key = '{SECRET}'").fetchall()
    return {name: [tuple(row) for row in rows] for name, rows in found.items()}


def connected(store: str | Path) -> Any:
    if str(store).startswith("postgresql:"):
        return psycopg.connect(str(store), autocommit=True)
    return sqlite3.connect(Path(store) / FILE, isolation_level=None)


def spoil(store: str | Path, statement: str) -> None:
    with closing(connected(store)) as connection:
        assert connection.execute(statement).rowcount == 1


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm")}


def refused(capsys: pytest.CaptureFixture[str], origin: str | Path, destination: str | Path) -> str:
    """The one line that says why."""
    assert main(["move-store", str(origin), str(destination)]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    line, rest = told.err.split("\n", 1)
    assert rest == ""
    return line


def test_a_hall_that_goes_there_and_back_is_the_same(
    hall: Path, tmp_path: Path, new_database: NewStore, capsys: pytest.CaptureFixture[str]
) -> None:
    before = content(hall)
    assert all(rows for part, rows in before.items() if part != "damaged")
    places = [str(hall), new_database(), new_database(), str(tmp_path / "back")]
    for origin, destination in pairwise(places):
        assert main(["move-store", origin, destination]) == 0
        counts = [len(before[name]) for name in ("tables", "events", "people")]
        told = capsys.readouterr()
        assert told.out.startswith("{} tables, {} events and {} people moved from ".format(*counts))
        assert told.out.endswith("; the source is as it was.\n")
        assert "gamut:" not in told.out, "no password is shown"
        assert content(destination) == before
    with closing(open_database(tmp_path / "back")) as database:
        assert database.stopped_at == STOPPED, "as after a restart in good order"
        assert not database.damage
    assert known_of_the_server_before(places[1]) == (STOPPED, 0)


def known_of_the_server_before(url: str) -> tuple[Millis | None, Millis]:
    """Until when it let clocks run, and since when it was there, as the next node finds it."""

    async def opened() -> tuple[Millis | None, Millis]:
        place = Place(url=url, folder=Path(), name="inn", version="")
        store = await open_postgres(place, asyncio.Event(), lambda _: None)
        assert store is not None
        await store.close()
        return store.stopped_at, store.opened_before

    return asyncio.run(opened())


@pytest.mark.parametrize("last", [STOPPED + 500, 0], ids=["worked", "had no time to"])
def test_what_is_known_of_the_servers_before_is_moved_as_well(
    moved: str, new_database: NewStore, last: int
) -> None:
    for at in (STOPPED + 100, last):
        spoil(moved, f"INSERT INTO nodes (name, version, at, ended) VALUES ('', '', {at}, now())")
    other = new_database()
    move_store(moved, other, quietly)
    known = (last, STOPPED + 101) if last else (STOPPED + 100, 0)
    assert known_of_the_server_before(other) == known


def test_of_a_hall_of_several_wings_the_one_that_ended_first_says_until_when_clocks_ran(
    moved: str, new_database: NewStore
) -> None:
    for wing, at in ((0, 200), (1, 0), (1, 300)):
        spoil(
            moved,
            f"INSERT INTO nodes (wing, name, version, at, ended) VALUES ({wing}, '', '', {STOPPED + at}, now())",
        )
    other = new_database()
    move_store(moved, other, quietly)
    assert known_of_the_server_before(other) == (STOPPED + 200, STOPPED + 1)


@pytest.mark.parametrize("crashed", [False, True])
def test_the_source_is_as_it_was(hall: Path, empty: str, crashed: bool) -> None:
    writing = sqlite3.connect(hall / FILE, isolation_level=None)
    writing.execute("DELETE FROM seats WHERE table_id = (SELECT max(table_id) FROM seats)")
    if crashed:
        remains = files(hall)
        assert remains[FILE + "-wal"]
    writing.close()
    if crashed:
        for name, data in remains.items():
            (hall / name).write_bytes(data)
    before = files(hall)
    move_store(str(hall), empty, quietly)
    assert files(hall) == before
    assert content(empty) == content(hall)


# In use, not there, of another version


def test_nothing_is_moved_to_where_a_hall_is(
    hall: Path, empty: str, capsys: pytest.CaptureFixture[str]
) -> None:
    move_store(str(hall), empty, quietly)
    spoil(empty, "DELETE FROM people WHERE id = 'person-001'")
    there = content(empty)
    assert "There is already a hall in" in refused(capsys, hall, empty)
    assert content(empty) == there
    assert "to where it is" in refused(capsys, hall, f"{hall}/.")


@pytest.mark.parametrize("place", ["", "sqlite:///x", "mysql://somewhere/x", "postgresql:x"])
def test_what_is_neither_a_folder_nor_a_database_is_refused(
    hall: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for origin, destination in ((hall, place), (place, hall)):
        assert "begins with postgresql://" in refused(capsys, origin, destination)


def test_nothing_is_moved_from_where_no_hall_is(
    hall: Path, empty: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "There is no hall in" in refused(capsys, empty, tmp_path / "other")
    assert not (tmp_path / "empty").exists()
    assert not (tmp_path / "other").exists()


def test_a_folder_that_a_server_uses_is_left_alone(
    hall: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    with closing(open_database(hall)):
        assert "Another Gamut is using" in refused(capsys, hall, other)
    assert not other.exists()
    with closing(open_database(other)):
        assert "Another Gamut is using" in refused(capsys, hall, other)


@pytest.fixture
def moved(hall: Path, database_url: str) -> str:
    move_store(str(hall), database_url, quietly)
    return database_url


@pytest.fixture
def node(moved: str) -> Iterator[psycopg.Connection[Any]]:
    """A node that is active at this store."""
    with psycopg.connect(moved, autocommit=True) as connection:
        row = connection.execute(
            "INSERT INTO nodes (name, version) VALUES ('inn', '') RETURNING id"
        ).fetchone()
        assert row is not None
        connection.execute("SELECT pg_advisory_lock(%s, %s)", (NODE, row[0]))
        yield connection


def test_a_database_that_a_node_uses_is_left_alone(
    moved: str, node: psycopg.Connection[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "Another Gamut is using the store" in refused(capsys, moved, tmp_path / "other")
    assert not (tmp_path / "other").exists()
    node.execute("SELECT pg_advisory_unlock_all()")
    node.execute("INSERT INTO leases (node, until) SELECT max(id), now() + '1 day' FROM nodes")
    assert "(inn)" in refused(capsys, moved, tmp_path / "other")
    # It died without a word: nobody holds its lock, nobody has renewed its lease.
    node.execute("UPDATE leases SET until = now()")
    move_store(moved, str(tmp_path / "other"), quietly)


def test_a_hall_that_was_used_while_it_was_moved_is_not_moved(moved: str, tmp_path: Path) -> None:
    def serve(_done: int, _total: int) -> None:
        with psycopg.connect(moved) as connection:
            connection.execute("UPDATE nodes SET batch = batch + 1")

    with pytest.MonkeyPatch.context() as patched, pytest.raises(LedgerError, match="while it was moved"):
        patched.setattr(moving, "_A_STEP", 10)
        move_store(moved, str(tmp_path / "other"), serve)
    with pytest.raises(LedgerError, match=NOT_COMPLETED[:20]):
        open_database(tmp_path / "other")


def test_of_two_moves_to_one_place_one_is_refused(
    hall: Path, database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with psycopg.connect(database_url, autocommit=True) as other:
        other.execute("SELECT pg_advisory_lock(%s, 0)", (MOVE,))
        assert "Another move into" in refused(capsys, hall, database_url)


@pytest.mark.parametrize(("version", "told"), [("4", "of an older Gamut"), ("99", "by a newer Gamut")])
def test_a_hall_of_another_version_is_not_moved(
    hall: Path, database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], version: str, told: str
) -> None:
    spoil(hall, f"UPDATE meta SET value = '{version}' WHERE key = '{VERSION}'")
    before = files(hall)
    assert told in refused(capsys, hall, tmp_path / "other")
    assert told in refused(capsys, hall, database_url)
    assert files(hall) == before
    with psycopg.connect(database_url) as connection:
        assert connection.execute("SELECT to_regclass('meta')").fetchone() == (None,)


def test_a_newer_database_is_not_moved(
    moved: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(moved, f"UPDATE meta SET value = '99' WHERE key = '{VERSION}'")
    assert "by a newer Gamut" in refused(capsys, moved, tmp_path / "other")


def test_a_password_is_not_shown_when_the_address_is_wrong(
    hall: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = refused(capsys, hall, "postgresql://gamut:hush@127.0.0.1:1/hall")
    assert "cannot be reached" in told
    assert "hush" not in told
    for mistaken in ("postgresql://gamut:hu%sh@127.0.0.1:1/hall", "postgresql://gamut:hush@[::1/hall"):
        told = refused(capsys, hall, mistaken)
        assert "no address of a PostgreSQL database" in told
        assert "hu" not in told


# Cut off


class CutOff(Exception):
    pass


@pytest.mark.parametrize("percent", [0, 60, 99])
def test_a_move_that_was_cut_off_is_recognised_and_begun_anew(
    hall: Path, empty: str, tmp_path: Path, percent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "_A_STEP", 10)

    def stop(done: int, total: int) -> None:
        if done >= total * percent / 100:
            raise CutOff

    with pytest.raises(CutOff):
        move_store(str(hall), empty, stop)
    with pytest.raises(LedgerError, match="A move into this store was not completed"):
        serve(empty)
    with pytest.raises(LedgerError, match="A move into this store was not completed"):
        move_store(empty, str(tmp_path / "other"), quietly)
    move_store(str(hall), empty, quietly)
    assert content(empty) == content(hall)
    serve(empty)


def serve(store: str) -> None:
    if store.startswith("postgresql:"):
        known_of_the_server_before(store)
    else:
        open_database(Path(store)).close()


def test_control_c_is_one_clear_line(
    hall: Path, empty: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(moving, "_A_STEP", 10)
    monkeypatch.setattr("gamut.ledger.moving.progress.ProgressBar.__call__", interrupt)
    assert "stopped before it was complete" in refused(capsys, hall, empty)


def test_a_copy_that_differs_is_no_hall(hall: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = moving_sqlite.FolderDestination.store

    def store_one_less(self: Any, part: Any, rows: Any) -> None:
        store(self, part, list(rows)[1:])

    monkeypatch.setattr(moving_sqlite.FolderDestination, "store", store_one_less)
    with pytest.raises(LedgerError, match="is not what was read"):
        move_store(str(hall), str(tmp_path / "other"), quietly)
    with pytest.raises(LedgerError, match="was not completed"):
        open_database(tmp_path / "other")


# Damage

AN_EVENT = "WHERE table_id = '{table}' AND seq = 2"
A_NOTE = "WHERE id = '{table}'"
OF_LOGS = [
    f"UPDATE events SET body = x'00' {AN_EVENT}",
    f"UPDATE events SET body = 'text' {AN_EVENT}",
    f"UPDATE events SET body = CAST(body AS TEXT) {AN_EVENT}",
    f"UPDATE events SET checksum = 17 {AN_EVENT}",
    f"UPDATE events SET seq = 5000000000 {AN_EVENT}",
    f"UPDATE events SET seq = 'two' {AN_EVENT}",
    f"DELETE FROM events {AN_EVENT}",
    "INSERT INTO damaged VALUES ('{table}', 2)",
]
OF_NOTES = [
    f"UPDATE tables SET game = CAST(x'ff746f' AS TEXT) {A_NOTE}",
    f"UPDATE tables SET game = 'to' || char(0) {A_NOTE}",
    f"UPDATE tables SET wakes = 'no' {A_NOTE}",
    f"UPDATE tables SET wakes = CASE wakes WHEN 0 THEN 'no' ELSE 7 END {A_NOTE}",
    f"UPDATE tables SET summary = CAST(summary AS TEXT) {A_NOTE}",
    f"UPDATE tables SET updated = 'soon' {A_NOTE}",
    f"UPDATE tables SET checksum = 'x' {A_NOTE}",
]
OF_PEOPLE = [
    "UPDATE people SET name = CAST(x'ff' AS TEXT) WHERE id = 'person-001'",
    "UPDATE people SET epoch = 5000000000 WHERE id = 'person-002'",
    "UPDATE people SET seen = seen + 1 WHERE id = 'person-003'",
]


def test_what_is_damaged_is_moved_named_and_still_damaged(
    hall: Path, tmp_path: Path, database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = [row[0] for row in content(hall)["tables"]]
    for table, statement in zip(tables, OF_LOGS + OF_NOTES, strict=False):
        spoil(hall, statement.format(table=table))
    for statement in OF_PEOPLE:
        spoil(hall, statement)
    damaged, back = look(hall), tmp_path / "back"
    for origin, destination in ((str(hall), database_url), (database_url, str(back))):
        assert main(["move-store", origin, destination]) == 0
        damage, moved = capsys.readouterr().out.splitlines()
        names = ", ".join(tables[: len(OF_LOGS)])
        assert damage == (
            f"Damaged at the source, and so in the copy: {len(OF_LOGS)} logs of tables ({names}), "
            f"{len(OF_NOTES)} notes of tables, {len(OF_PEOPLE)} people."
        )
        assert "moved from" in moved
    assert look(back) == damaged
    logs, notes, people = damaged
    assert [table for table, rows in logs.items() if rows is None] == tables[: len(OF_LOGS)]
    assert len(notes) == len(tables) - len(OF_NOTES)
    assert len(people) == 7 - len(OF_PEOPLE)


def look(folder: Path) -> tuple[dict[str, Any], dict[str, Any], list[Any]]:
    """What can be read of a hall: logs, None if damaged; notes; and people."""
    with closing(sqlite3.connect(folder / FILE)) as connection:
        tables = [table for (table,) in connection.execute("SELECT DISTINCT table_id FROM events ORDER BY 1")]
    with (
        closing(open_database(folder)) as database,
        closing(SqliteLedger(database.engine, None, database.damage)) as ledger,
    ):
        logs: dict[str, Any] = {}
        for table in tables:
            try:
                logs[table] = ledger.log(TableId(table))
            except DamagedLog:
                logs[table] = None
        notes = {table: note for table in tables if (note := ledger.entry(TableId(table))) is not None}
        people = sorted(SqlPeopleStore(database.engine).load(), key=lambda person: person.id)
    return logs, notes, people


def test_a_database_with_bad_pages_is_to_be_mended_first(
    hall: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (hall / FILE).open("r+b") as file:
        file.seek(8 * 4096)
        file.write(os.urandom(4096))
    before = files(hall)
    assert "is damaged: start a server on it once" in refused(capsys, hall, tmp_path / "other")
    assert files(hall) == before
    assert not (tmp_path / "other").exists()
