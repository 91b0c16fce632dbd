"""A store of its own for each test: what the hall asks of any, on each database that can be one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine
from tests.ledger.support.stores import StoreUnderTest

from gamut.hall.people.people import PeopleStore
from gamut.hall.store.storage import Storage
from gamut.ledger.sqlite.database import Database, open_database


@pytest.fixture
def ledger(store: StoreUnderTest) -> Storage:
    return store.ledger


@pytest.fixture
def people(store: StoreUnderTest) -> PeopleStore:
    return store.people


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """What only SQLite has."""
    database = open_database(tmp_path)
    yield database
    database.close()


@pytest.fixture
def engine(database: Database) -> Engine:
    return database.engine
