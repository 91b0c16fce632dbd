"""A store of its own for each test, on each database that can be one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.ledger.support.stores import PostgresUnderTest, SqliteUnderTest, StoreUnderTest
from tests.support.databases import Databases
from tests.support.postgres import Postgres

STORES = ("sqlite", "postgres")


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StoreUnderTest]:
    opened: StoreUnderTest
    if request.param == "sqlite":
        opened = SqliteUnderTest(tmp_path)
    else:
        opened = PostgresUnderTest(request.getfixturevalue("database_url"))
    yield opened
    opened.close()


@pytest.fixture(scope="module", params=STORES)
def shelf(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[StoreUnderTest]:
    """One store for all examples of a property: opening one costs more than an example."""
    opened: StoreUnderTest
    if request.param == "sqlite":
        opened = SqliteUnderTest(tmp_path_factory.mktemp("shelf"))
        yield opened
        opened.close()
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    databases: Databases = request.getfixturevalue("databases")
    name = databases.take()
    opened = PostgresUnderTest(postgres.url(name))
    yield opened
    opened.close()
    databases.give_back(name)
