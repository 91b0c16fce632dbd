"""The schema's versions, each reached in one transaction."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, inspect, text

from gamut.hall.storage import LedgerError
from gamut.ledger import migrations
from gamut.ledger.database import open_database
from gamut.ledger.migrations import CURRENT, STEPS, migrate, version_of
from gamut.ledger.schema import metadata


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    database = open_database(tmp_path)
    yield database.engine
    database.close()


def version(engine: Engine) -> int:
    with engine.connect() as connection:
        return version_of(connection)


def test_a_new_ledger_has_the_newest_schema(engine: Engine) -> None:
    assert version(engine) == CURRENT == len(STEPS)
    assert set(inspect(engine).get_table_names()) == set(metadata.tables)


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
