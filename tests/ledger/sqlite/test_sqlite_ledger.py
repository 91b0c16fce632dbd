"""What only the ledger on SQLite does."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, event
from tests.ledger.support.logbook import chain, entry

from gamut.hall.ids import TableId
from gamut.hall.store.storage import LedgerError, clearing
from gamut.ledger.schema import metadata
from gamut.ledger.sqlite.database import Database
from gamut.ledger.sqlite.ledger import SqliteLedger

T = TableId("T")


def test_a_list_of_finished_games_looks_at_no_others(ledger: SqliteLedger, database: Database) -> None:
    """However many tables were opened and left, and whatever game is asked for."""
    asked: list[tuple[str, Any]] = []
    event.listen(
        database.engine,
        "before_cursor_execute",
        lambda *arguments: asked.append((arguments[2], arguments[3])),
    )
    for game in (None, "tower", "nosuch"):
        for before in (None, TableId("500")):
            ledger.finished(game, before, 10)
    assert len(asked) == 6
    with database.engine.connect() as connection:
        for statement, values in tuple(asked):
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all()
            for step in plan:
                assert "USING INDEX tables_listed" in step.detail, step.detail
                assert "TEMP B-TREE" not in step.detail


def test_what_was_taken_out_of_a_log_is_in_none_of_the_files(
    ledger: SqliteLedger, database: Database, tmp_path: Path
) -> None:
    before = chain("T", [b"the secret of number %d" % number for number in range(300)])
    ledger.append(before, [entry("T")])
    ledger.append([clearing(T), *chain("T", [b"nothing"] * 300)], [])
    ledger.scrub()
    files = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    assert any(b"nothing" in file for file in files)
    assert not any(b"the secret of" in file for file in files)


def test_a_full_disk_is_one_clear_line(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'small.db'}")
    metadata.create_all(engine)
    ledger = SqliteLedger(engine)
    ledger._cursor.execute("PRAGMA max_page_count = 30")
    with pytest.raises(LedgerError) as failure:
        ledger.append(chain("T", [b"x" * 1_000_000]), ())
    assert str(failure.value) == "database or disk is full"
    ledger.close()
    engine.dispose()


def test_a_commit_takes_one_statement_for_each_kind_of_thing(ledger: SqliteLedger) -> None:
    said: list[str] = []
    connection: Any = ledger._connection.driver_connection
    connection.set_trace_callback(lambda statement: said.append(" ".join(statement.split()[:5])))
    ledger.append(chain("A", [b"x"]), [entry("A")])
    connection.set_trace_callback(None)
    assert said == [
        "BEGIN",
        "INSERT OR ROLLBACK INTO events",
        "INSERT OR ROLLBACK INTO tables",
        "COMMIT",
    ]
