"""Which databases can be a store, what is said of those that cannot, and that no password is ever part of it."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from tests.support.postgres import Postgres

from gamut.hall.store.storage import LedgerError
from gamut.ledger.postgres.connecting import Source
from gamut.ledger.postgres.migrations import CURRENT, version_of
from gamut.ledger.postgres.store import PostgresStore, _make_ready, open_postgres
from gamut.ledger.store import Place

_AT_ONCE = 6


def opened(url: str) -> PostgresStore | None:
    place = Place(url=url, folder=Path(), name="new", version="0")
    return asyncio.run(open_postgres(place, asyncio.Event(), lambda _: None))


def refused(url: str) -> str:
    with pytest.raises(LedgerError) as failure:
        opened(url)
    said = str(failure.value)
    assert "\n" not in said
    return said


def test_of_those_who_open_an_empty_database_at_once_all_find_its_tables(database_url: str) -> None:
    source, all_here = Source(database_url), Barrier(_AT_ONCE)

    def open_it() -> None:
        all_here.wait()
        _make_ready(source)

    with ThreadPoolExecutor(_AT_ONCE) as threads:
        for opening in [threads.submit(open_it) for _ in range(_AT_ONCE)]:
            opening.result()
    with source.connect() as connection:
        assert version_of(connection) == CURRENT


def test_whoever_waited_for_another_to_make_the_tables_makes_none(database_url: str) -> None:
    with Source(database_url).connect() as waiting, Source(database_url).connect() as faster:
        assert version_of(waiting) == 0
        with waiting.transaction():
            waiting.execute("SELECT 1")
            _make_ready(Source(database_url))
            assert version_of(waiting) == version_of(faster) == CURRENT


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE meta (a integer)",
        "CREATE TABLE meta (key text, value integer)",
        "CREATE TABLE meta (key integer, value text)",
        "CREATE TABLE meta (key text, value text)",
        "CREATE VIEW meta AS SELECT 1 AS one",
    ],
)
def test_a_database_with_tables_of_somebody_else_is_left_alone(database_url: str, statement: str) -> None:
    with Source(database_url).connect() as connection:
        connection.execute(statement)
    assert "a table `meta` that is not Gamut's" in refused(database_url)


def test_a_user_who_may_not_read_the_tables_is_told_so(database_url: str, postgres: Postgres) -> None:
    name = database_url.rsplit("/", 1)[1]
    _make_ready(Source(database_url))
    with postgres.connect(name) as connection:
        connection.execute("CREATE ROLE stranger LOGIN PASSWORD 'strange'")
        try:
            connection.execute("GRANT USAGE ON SCHEMA public TO stranger")
            url = f"postgresql://stranger:strange@127.0.0.1:{postgres.port}/{name}"
            assert "permission denied for table meta" in refused(url)
        finally:
            connection.execute("DROP OWNED BY stranger")
            connection.execute("DROP ROLE stranger")


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_that_cannot_hold_every_name_is_refused(postgres: Postgres, encoding: str) -> None:
    name = f"in_{encoding.lower()}"
    with postgres.connect() as connection:
        connection.execute(
            f"CREATE DATABASE {name} ENCODING {encoding} LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
        )
        try:
            assert "--encoding UTF8" in refused(postgres.url(name))
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_names_are_sent_as_they_are_whatever_the_user_is_set_to(database_url: str) -> None:
    with Source(f"{database_url}?client_encoding=LATIN1").connect() as connection:
        assert connection.execute("SELECT %s::text", ("Привет 日本",)).fetchone() == ("Привет 日本",)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://gamut:S3cret/Pw@127.0.0.1:1/g1",
        "postgresql://gamut:S3cret@Pw@127.0.0.1:1/g1",
        "postgresql://gamut:S3/cret@Pw@127.0.0.1:1/g1",
        "postgresql://gamut:Pw%zzS3cret@127.0.0.1:1/g1",
        "postgresql://gamut:S3cret Pw@127.0.0.1:1/g1",
        "postgresql://gamut@127.0.0.1:1/g1?password=S3cretPw&nonsense=Pw",
        "postgresql://gamut:S3cretPw@127.0.0.1:1/g1",
    ],
)
def test_no_part_of_a_password_is_shown_however_the_address_is_written(url: str) -> None:
    said = refused(url)
    assert "S3" not in said
    assert "cret" not in said
    assert "Pw" not in said
