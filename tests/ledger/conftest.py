"""A data folder of its own for each test, and the ledger in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from gamut.ledger.sql import SqlLedger
from gamut.ledger.sqlite.database import Database, open_database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = open_database(tmp_path)
    yield database
    database.close()


@pytest.fixture
def engine(database: Database) -> Engine:
    return database.engine


@pytest.fixture
def ledger(database: Database) -> Iterator[SqlLedger]:
    ledger = SqlLedger(database.engine, database.high_water, database.damage)
    yield ledger
    ledger.close()
