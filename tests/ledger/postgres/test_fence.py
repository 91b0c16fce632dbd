"""A commit is stored once, also if its answer is lost, and never after the node was ended."""

import asyncio
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.ledger.support.logbook import chain, entry
from tests.ledger.support.people import ANNA

import gamut
from gamut.hall.ids import PersonId, TableId
from gamut.hall.store.storage import Fenced, LedgerError, StoreWentBack, clearing
from gamut.ledger.postgres.commit import Commit, prepare
from gamut.ledger.postgres.connecting import Source
from gamut.ledger.postgres.fence import Connection, Fence
from gamut.ledger.postgres.store import PostgresStore

OpenNode = Callable[..., PostgresStore]
T = TableId("T")
LOG = chain("T", [b"one", b"two", b"three"])
Sql = psycopg.Connection[Any]


def stored(sql: Sql) -> list[int]:
    return [seq for (seq,) in sql.execute("SELECT seq FROM events ORDER BY table_id, seq")]


class Unreliable:
    """A commit of which some tries go wrong: before the statement is sent, or after it was carried out."""

    def __init__(self, commit: Commit, *faults: str) -> None:
        self._commit = commit
        self._faults = list(faults)
        self.sent = 0

    def __call__(self, connection: Connection, number: int) -> bool | None:
        fault = self._faults.pop(0) if self._faults else ""
        if fault == "before":
            raise psycopg.OperationalError("the connection is lost")
        self.sent += 1
        done = self._commit(connection, number)
        if fault == "after":
            raise psycopg.OperationalError("the connection is lost")
        return done


def test_what_was_stored_is_read(open_node: OpenNode) -> None:
    store = open_node()
    store.ledger.append(LOG[:2], [entry("T", people=["anna"])])
    store.ledger.append(LOG[2:], [])
    assert store.ledger.log(T) == LOG
    assert store.ledger.entry(T) is not None
    assert store.ledger.tables_of(PersonId("anna"), 9) == [T]


def test_an_ended_node_stores_nothing(open_node: OpenNode, sql: Sql) -> None:
    old = open_node()
    old.ledger.append(LOG[:1], [])
    open_node(dead=old)
    with pytest.raises(Fenced):
        old.ledger.append(LOG[1:], [entry("T")])
    with pytest.raises(Fenced):
        old.ledger.forget(PersonId("anna"))
    with pytest.raises(Fenced):
        old.people.add(ANNA)
    assert stored(sql) == [1]
    assert sql.execute("SELECT count(*) FROM tables").fetchone() == (0,)
    assert sql.execute("SELECT count(*) FROM people").fetchone() == (0,)


@pytest.mark.parametrize("faults", [("before",), ("after",), ("before", "before", "after")])
def test_a_commit_whose_answer_is_lost_is_stored_once(
    source: Source, open_node: OpenNode, sql: Sql, faults: tuple[str, ...]
) -> None:
    node = open_node().node
    fence = Fence(source, node, "batch", prepare)
    commit = Unreliable(Commit(node, LOG, ()), *faults)
    fence.run(commit)
    assert stored(sql) == [1, 2, 3]
    assert commit.sent == 1
    assert fence.number == 1
    fence.close()


def test_a_commit_that_is_still_being_stored_is_not_stored_twice(
    source: Source, open_node: OpenNode, sql: Sql
) -> None:
    """The connection is lost, and the server carries out what came through it after it was asked about it."""
    node = open_node().node
    fence = Fence(source, node, "batch", prepare)
    commit = Unreliable(Commit(node, LOG, ()), "before")
    with source.connect() as slow:
        prepare(slow)
        with slow.transaction():
            Commit(node, LOG, ())(slow, 1)
            running = threading.Thread(target=fence.run, args=(commit,))
            running.start()
            while not sql.execute("SELECT 1 FROM pg_locks WHERE NOT granted").fetchall():
                assert running.is_alive()
        running.join()
    assert stored(sql) == [1, 2, 3]
    assert fence.number == 1
    fence.close()


def test_a_connection_that_is_cut_is_made_anew(open_node: OpenNode, sql: Sql) -> None:
    store = open_node()
    store.ledger.append(LOG[:1], [])
    sql.execute(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    store.ledger.append(LOG[1:], [])
    assert store.ledger.log(T) == LOG


def test_a_store_that_has_lost_commits_is_not_written_to(open_node: OpenNode, sql: Sql) -> None:
    store = open_node()
    for row in LOG:
        store.ledger.append([row], [])
    sql.execute("UPDATE nodes SET batch = 1")
    sql.execute("DELETE FROM events WHERE seq > 1")
    with pytest.raises(StoreWentBack, match=r"knows of 1 commits of this node .*, and 3 were stored"):
        store.ledger.check()
    with pytest.raises(StoreWentBack):
        store.ledger.append(chain("U", [b"one"]), [])
    assert stored(sql) == [1]


def test_a_store_that_has_lost_the_node_is_not_written_to(open_node: OpenNode, sql: Sql) -> None:
    store = open_node()
    sql.execute("DELETE FROM nodes")
    with pytest.raises(StoreWentBack):
        store.ledger.append(LOG, [])


def test_a_server_that_stops_does_not_wait_for_a_store_that_is_away(open_node: OpenNode) -> None:
    store = open_node()
    fence = Fence(Source("postgresql://127.0.0.1:1/nowhere"), store.node, "batch")
    waiting = threading.Event()
    failures: list[BaseException] = []

    def commit(connection: Connection, number: int) -> bool:
        raise AssertionError

    def run() -> None:
        waiting.set()
        try:
            fence.run(commit)
        except LedgerError as error:
            failures.append(error)

    running = threading.Thread(target=run)
    running.start()
    waiting.wait()
    fence.close()
    running.join()
    assert len(failures) == 1


def test_a_log_that_is_written_anew_takes_the_place_of_the_old_one(open_node: OpenNode) -> None:
    store = open_node()
    store.ledger.append(LOG, [])
    anew = chain("T", [b"somebody", b"two"])
    store.ledger.append([*chain("U", [b"other"]), clearing(T), *anew], [])
    assert store.ledger.log(T) == anew
    assert len(store.ledger.log(TableId("U"))) == 1


def test_commits_are_durable_where_the_database_would_not_be(open_node: OpenNode, sql: Sql) -> None:
    name = sql.info.dbname
    sql.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    try:
        store = open_node()
        store.ledger.append(LOG, [])
        connection = store.ledger._commits._connection
        assert connection is not None
        assert connection.execute("SHOW synchronous_commit").fetchone() == ("on",)
        assert any("synchronous_commit is off" in doubt for doubt in store.durability.doubts)
    finally:
        sql.execute(f"ALTER DATABASE {name} RESET ALL")


def test_nothing_but_the_fenced_commit_writes_to_logs() -> None:
    """Whatever else wrote to `events` would not be refused once the node was ended."""
    folder = Path(gamut.__file__).parent / "ledger" / "postgres"
    writing = re.compile(r"(INSERT INTO|UPDATE|DELETE FROM|TRUNCATE|COPY)\s+(events|tables|rooms)\b")
    found = {path.name: len(writing.findall(path.read_text())) for path in folder.glob("*.py")}
    assert {name: count for name, count in found.items() if count} == {"versions.py": 4}


def test_that_the_store_has_lost_commits_is_said_also_to_a_node_that_was_ended_there(
    open_node: OpenNode, sql: Sql
) -> None:
    """A standby of the store that was not synchronous was promoted, and another node was faster there."""
    old = open_node()
    for row in LOG:
        old.ledger.append([row], [])
    sql.execute("UPDATE nodes SET batch = 1")
    open_node(dead=old)
    with pytest.raises(StoreWentBack):
        old.ledger.append(chain("U", [b"one"]), [])


def test_that_only_people_were_lost_is_noticed_when_the_store_is_back(open_node: OpenNode, sql: Sql) -> None:
    store = open_node()
    store.people.add(ANNA)
    asyncio.run(store._check())
    sql.execute("UPDATE nodes SET changes = 0")
    with pytest.raises(StoreWentBack):
        asyncio.run(store._check())
