"""The schema's versions, each reached in one transaction."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, create_engine, inspect, text
from tests.ledger.support.logbook import chain

from gamut.hall.ids import TableId
from gamut.hall.store.storage import LedgerError
from gamut.ledger import migrations
from gamut.ledger.migrations import CURRENT, migrate, version_of
from gamut.ledger.schema import metadata
from gamut.ledger.sqlite.database import open_database
from gamut.ledger.sqlite.ledger import SqliteLedger
from gamut.ledger.versions import STEPS


def version(engine: Engine) -> int:
    with engine.connect() as connection:
        return version_of(connection)


def test_a_new_ledger_has_the_newest_schema(engine: Engine) -> None:
    assert version(engine) == CURRENT == len(STEPS)
    assert set(inspect(engine).get_table_names()) == set(metadata.tables)


def shape(engine: Engine) -> Any:
    """Every table with its columns and indexes, as the database tells."""
    told = inspect(engine)
    return {
        table: (
            [(column["name"], str(column["type"]), column["nullable"]) for column in told.get_columns(table)],
            sorted(
                (index["name"], index["column_names"], str(index["dialect_options"].get("sqlite_where")))
                for index in told.get_indexes(table)
            ),
            told.get_pk_constraint(table)["constrained_columns"],
            sorted(unique["column_names"] for unique in told.get_unique_constraints(table)),
        )
        for table in told.get_table_names()
    }


def test_the_steps_lead_to_the_schema_that_is_used(engine: Engine, tmp_path: Path) -> None:
    declared = create_engine(f"sqlite:///{tmp_path / 'declared.db'}")
    metadata.create_all(declared)
    assert shape(engine) == shape(declared)
    declared.dispose()


SUMMARIES = {
    "played": b'{"outcome":{"winners":[0],"reason":"line"}}',
    "secret": b'{"outcome":{"winners":[0],"reason":"line"},"private":true}',
    "left": b"{}",
    "damaged": b"{",
}


@pytest.mark.parametrize("version", range(1, CURRENT))
def test_a_ledger_of_any_version_is_brought_up_to_date_with_what_is_in_it(
    version: int, tmp_path: Path
) -> None:
    old = create_engine(f"sqlite:///{tmp_path / 'gamut.db'}")
    with old.begin() as connection:
        for step in STEPS[:version]:
            step(connection)
        connection.execute(text("INSERT INTO meta VALUES ('schema_version', :version)"), {"version": version})
        if version == 1:
            connection.execute(text("CREATE INDEX ix_tables_phase ON tables (phase)"))
        for table, summary in SUMMARIES.items():
            connection.execute(
                text(
                    "INSERT INTO tables (id, game, phase, wakes, updated, summary) "
                    "VALUES (:id, 'tower', 'over', 0, 1, :summary)"
                ),
                {"id": table, "summary": summary},
            )
        if version >= 4:
            connection.execute(text("UPDATE tables SET listed = TRUE WHERE id = 'played'"))
        row = chain("played", [b"one"])[0]
        connection.execute(
            text("INSERT INTO events (table_id, seq, body, checksum) VALUES ('played', 1, :body, :checksum)"),
            {"body": row.body, "checksum": row.checksum},
        )
    old.dispose()
    database = open_database(tmp_path)
    new = tmp_path / "new"
    fresh = open_database(new)
    assert shape(database.engine) == shape(fresh.engine)
    fresh.close()
    ledger = SqliteLedger(database.engine)
    assert [known.table for known in ledger.finished(None, None, 10)] == ["played"]
    assert ledger.log(TableId("played")) == [row]
    ledger.close()
    database.close()


def test_a_ledger_at_the_newest_version_is_left_alone(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE seats"))
        migrate(connection)
    assert "seats" not in inspect(engine).get_table_names()


def test_an_older_ledger_takes_the_steps_it_lacks_in_order(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[int] = []
    steps = (*STEPS, lambda _: taken.append(1), lambda _: taken.append(2))
    monkeypatch.setattr(migrations, "STEPS", steps)
    monkeypatch.setattr(migrations, "CURRENT", len(steps))
    with engine.begin() as connection:
        migrate(connection)
    assert taken == [1, 2]
    assert version(engine) == len(steps)
    with engine.begin() as connection:
        migrate(connection)
    assert taken == [1, 2], "each once"


def test_a_step_that_fails_leaves_the_ledger_as_it_was(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def adds_a_table(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE ratings (person TEXT)"))
        connection.execute(text("ALTER TABLE people ADD COLUMN rating INTEGER"))

    def breaks(connection: Connection) -> None:
        raise RuntimeError("no room")

    steps = (*STEPS, adds_a_table, breaks)
    monkeypatch.setattr(migrations, "STEPS", steps)
    monkeypatch.setattr(migrations, "CURRENT", len(steps))
    with pytest.raises(RuntimeError), engine.begin() as connection:
        migrate(connection)
    assert version(engine) == CURRENT
    assert "ratings" not in inspect(engine).get_table_names()
    assert "rating" not in [column["name"] for column in inspect(engine).get_columns("people")]


def test_a_ledger_of_a_newer_gamut_is_refused_in_one_clear_line(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("UPDATE meta SET value = :newer"), {"newer": str(CURRENT + 1)})
    with pytest.raises(LedgerError) as failure, engine.begin() as connection:
        migrate(connection)
    assert str(failure.value).startswith("The data was written by a newer Gamut")
    assert "\n" not in str(failure.value)
    assert version(engine) == CURRENT + 1
