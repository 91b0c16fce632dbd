"""The ledger on SQLite alone."""

from collections.abc import Iterator

import pytest

from gamut.ledger.sqlite.database import Database
from gamut.ledger.sqlite.ledger import SqliteLedger


@pytest.fixture
def ledger(database: Database) -> Iterator[SqliteLedger]:
    ledger = SqliteLedger(database.engine, database.high_water, database.damage)
    yield ledger
    ledger.close()
