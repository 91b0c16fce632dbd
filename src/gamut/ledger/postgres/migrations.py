"""Bringing a PostgreSQL database up to the version of the schema that this Gamut knows."""

from typing import Any

import psycopg
from psycopg import errors

from gamut.hall.store.storage import LedgerError
from gamut.ledger.meta import MOVING, NOT_COMPLETED, VERSION
from gamut.ledger.postgres.connecting import line_of
from gamut.ledger.postgres.locks import SCHEMA
from gamut.ledger.postgres.versions import STEPS

CURRENT = len(STEPS)
A_FACT = "SELECT value FROM meta WHERE key = %s"
# Not by `to_regclass`: whoever has waited for another node to make the tables would be told what was so before.
_HAS_META = "SELECT 1 FROM pg_class WHERE relname = 'meta' AND pg_table_is_visible(oid)"


def version_of(connection: psycopg.Connection[Any]) -> int:
    """0 if there is nothing of Gamut in the database."""
    if not connection.execute(_HAS_META).fetchone():
        return 0
    try:
        return version_in(connection.execute(A_FACT, (VERSION,)).fetchone())
    except (errors.UndefinedColumn, errors.InvalidTextRepresentation):
        raise _not_ours() from None
    except psycopg.Error as error:
        raise LedgerError(f"The store cannot be read: {line_of(error)}.") from None


def version_in(row: tuple[Any, ...] | None) -> int:
    if row is None or not isinstance(row[0], str) or not row[0].isdecimal():
        raise _not_ours()
    return int(row[0])


def _not_ours() -> LedgerError:
    return LedgerError("The database has a table `meta` that is not Gamut's: choose another database.")


def refuse_newer(version: int) -> None:
    if version > CURRENT:
        raise LedgerError(
            f"The store was written by a newer Gamut (schema {version}; this one knows up to {CURRENT}): "
            "update Gamut, or choose another store."
        )


def checked_version(connection: psycopg.Connection[Any]) -> int:
    """The same; raises LedgerError if what is there is not for us."""
    if connection.info.parameter_status("server_encoding") != "UTF8":
        raise LedgerError(
            "The database cannot hold every name: it must be made with the encoding UTF8 (createdb --encoding UTF8)."
        )
    version = version_of(connection)
    refuse_newer(version)
    if version and connection.execute("SELECT 1 FROM meta WHERE key = %s", (MOVING,)).fetchone():
        raise LedgerError(NOT_COMPLETED)
    return version


def migrate(connection: psycopg.Connection[Any]) -> None:
    """All steps that are missing, or none. Two nodes that start at the same moment do it one after the other."""
    try:
        with connection.transaction():
            take_steps(connection)
    except psycopg.Error as error:
        raise LedgerError(f"The tables of the store cannot be made: {line_of(error)}.") from None


def take_steps(connection: psycopg.Connection[Any]) -> None:
    """To be called in a transaction."""
    # If this process is frozen in between, the others do not wait for it.
    connection.execute("SET LOCAL idle_in_transaction_session_timeout = '10s'")
    connection.execute("SELECT pg_advisory_xact_lock(%s, 0)", (SCHEMA,))
    version = checked_version(connection)
    if version == CURRENT:
        return
    for step in STEPS[version:]:
        for statements in step:
            connection.execute(statements)
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (%s, %s) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (VERSION, str(CURRENT)),
    )
