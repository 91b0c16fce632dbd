"""A connection that is lost, however that shows, is made anew, and what was to be stored is stored once."""

import threading

import psycopg
import pytest
from psycopg import errors
from tests.ledger.support.logbook import chain, entry
from tests.ledger.support.stores import PostgresUnderTest
from tests.support.postgres import Postgres

from gamut.hall.ids import TableId
from gamut.ledger.postgres.connecting import is_away


def test_large_and_small_batches_outlive_a_crash_of_the_store_just_before() -> None:
    """What is too long to be sent at once finds out otherwise than what is not."""
    sizes = (20_000, 10, 1_000_000, 100)
    logs = {f"T{number}": chain(f"T{number}", [b"x" * size] * 2) for number, size in enumerate(sizes)}
    with Postgres() as own:
        store = PostgresUnderTest(own.url())
        for name, rows in logs.items():
            store.ledger.append(rows[:1], [entry(name)])
            own.stop(immediate=True)
            starting = threading.Thread(target=own.start)
            starting.start()
            store.ledger.append(rows[1:], [])
            starting.join()
        assert {name: store.ledger.log(TableId(name)) for name in logs} == logs
        store.close()


@pytest.mark.parametrize(
    ("error", "away"),
    [
        (psycopg.OperationalError("server closed the connection unexpectedly"), True),
        (psycopg.DatabaseError("server closed the connection unexpectedly"), True),
        (psycopg.InterfaceError("the connection is closed"), True),
        (errors.AdminShutdown(), True),
        (errors.DiskFull(), True),
        (errors.ReadOnlySqlTransaction(), True),
        (errors.UniqueViolation(), False),
        (errors.DataCorrupted(), False),
        (errors.UndefinedTable(), False),
        (psycopg.DataError("text cannot contain NUL"), False),
        (psycopg.ProgrammingError("the query has 0 placeholders"), False),
    ],
)
def test_what_counts_as_a_store_that_is_away(error: psycopg.Error, away: bool) -> None:
    assert is_away(error) is away
