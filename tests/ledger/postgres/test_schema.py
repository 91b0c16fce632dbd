"""The tables on PostgreSQL are those that the ledger reads, whatever database it is on."""

from typing import Any

import psycopg
import pytest

from gamut.hall.store.storage import LedgerError
from gamut.ledger.postgres.connecting import Source
from gamut.ledger.postgres.migrations import migrate
from gamut.ledger.schema import metadata

Sql = psycopg.Connection[Any]

_COLUMNS = """
SELECT table_name, column_name, coalesce(collation_name, '') FROM information_schema.columns
WHERE table_schema = 'public' ORDER BY table_name, ordinal_position
"""


def test_every_table_has_the_columns_that_are_read(sql: Sql) -> None:
    found: dict[str, list[str]] = {}
    for table, column, _ in sql.execute(_COLUMNS):
        found.setdefault(table, []).append(column)
    declared = {name: [column.name for column in table.c] for name, table in metadata.tables.items()}
    # On SQLite an event has its place in the file; here it has the node that stored it.
    declared["events"] = [*declared["events"][1:], "node"]
    assert {name: found[name] for name in declared} == declared


def test_ids_and_names_are_compared_as_bytes_whatever_the_locale_of_the_database(sql: Sql) -> None:
    """The later table has the larger id; a locale would turn capitals around."""
    keys = {
        (name, column.name)
        for name, table in metadata.tables.items()
        for column in table.c
        if column.name in ("id", "table_id", "person_id", "room", "name_key")
    }
    collations = {(table, column): collation for table, column, collation in sql.execute(_COLUMNS)}
    assert {collations[key] for key in keys - {("events", "id")}} == {"C"}


def test_a_user_who_may_make_no_tables_is_told_so_in_one_line(database_url: str) -> None:
    with Source(database_url).connect() as connection:
        connection.execute("SET default_transaction_read_only = on")
        with pytest.raises(
            LedgerError, match=r"^The tables of the store cannot be made: cannot execute .*\.$"
        ):
            migrate(connection)
