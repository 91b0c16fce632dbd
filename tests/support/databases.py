"""One PostgreSQL for each worker, started when the first test asks for it, and an empty database for each test."""

from collections.abc import Callable, Iterator

import pytest
from tests.support.postgres import Postgres


class Databases:
    """Emptied and used again: to make one takes a fifth of a second, to empty one some milliseconds."""

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres
        self._free: list[str] = []
        self._made = 0

    def take(self) -> str:
        if self._free:
            return self._free.pop()
        self._made += 1
        name = f"test_{self._made}"
        with self._postgres.connect() as connection:
            connection.execute(f"CREATE DATABASE {name} STRATEGY file_copy")
        return name

    def give_back(self, name: str) -> None:
        with self._postgres.connect(name) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
        self._free.append(name)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """For all tests of this worker: one that stops or kills it starts its own."""
    with Postgres() as postgres:
        yield postgres


@pytest.fixture(scope="session")
def databases(postgres: Postgres) -> Databases:
    return Databases(postgres)


@pytest.fixture
def new_database(request: pytest.FixtureRequest) -> Iterator[Callable[[], str]]:
    """Makes an empty database; returns its URL."""
    taken: list[str] = []

    def new() -> str:
        postgres: Postgres = request.getfixturevalue("postgres")
        databases: Databases = request.getfixturevalue("databases")
        taken.append(databases.take())
        return postgres.url(taken[-1])

    yield new
    for name in taken:
        request.getfixturevalue("databases").give_back(name)


@pytest.fixture
def database_url(new_database: Callable[[], str]) -> str:
    return new_database()
