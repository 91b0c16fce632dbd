"""The steps from each version of the schema to the next.

A step is written once and never changed again, whatever the schema is today: there are ledgers of every version. So
the steps name tables and columns by themselves and use nothing of `schema.py`.
"""

from collections.abc import Callable
from typing import Any
from zlib import crc32

import msgspec
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

_first = MetaData()
Table("meta", _first, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))
Table(
    "people",
    _first,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False, unique=True),
    Column("password", Text),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("epoch", Integer, nullable=False),
)
Table(
    "events",
    _first,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("table_id", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("checksum", LargeBinary, nullable=False),
    UniqueConstraint("table_id", "seq"),
)
Table(
    "tables",
    _first,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("phase", Text, nullable=False),
    Column("wakes", Boolean, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Column("summary", LargeBinary, nullable=False),
)
Table(
    "seats",
    _first,
    Column("person_id", Text, primary_key=True),
    Column("table_id", Text, primary_key=True),
)

_second = MetaData()
Table(
    "rooms",
    _second,
    Column("game", Text, primary_key=True),
    Column("room", Text, primary_key=True),
    Column("table_id", Text, nullable=False),
)


def _nothing_to_do(connection: Connection) -> None:
    """What is there stays as it is."""


class _Summary(msgspec.Struct):
    """What a summary of version 3 says of whether a game is listed."""

    outcome: dict[str, Any] | None = None
    private: bool = False


def _listed_games(connection: Connection) -> None:
    """Which finished games are listed is a column with indexes, so that no list looks at all the others."""
    for statement in (
        "DROP INDEX IF EXISTS ix_tables_phase",
        "CREATE INDEX IF NOT EXISTS tables_unfinished ON tables (id) WHERE phase != 'over'",
        "ALTER TABLE tables ADD COLUMN listed BOOLEAN NOT NULL DEFAULT FALSE",
    ):
        connection.execute(text(statement))
    finished = connection.execute(text("SELECT id, summary FROM tables WHERE phase = 'over'"))
    listed = [row.id for row in finished if _is_listed(bytes(row.summary))]
    if listed:
        connection.execute(
            text("UPDATE tables SET listed = TRUE WHERE id = :id"), [{"id": id} for id in listed]
        )
    for statement in (
        "CREATE INDEX tables_listed ON tables (id) WHERE listed",
        "CREATE INDEX tables_listed_by_game ON tables (game, id) WHERE listed",
    ):
        connection.execute(text(statement))


def _is_listed(summary: bytes) -> bool:
    try:
        found = msgspec.json.decode(summary, type=_Summary)
    except msgspec.DecodeError:
        return False  # what cannot be read is not shown
    return found.outcome is not None and not found.private


_fifth = MetaData()
Table(
    "damaged",
    _fifth,
    Column("table_id", Text, primary_key=True),
    Column("event", Integer, nullable=False),
)


def _checksums(connection: Connection) -> None:
    """Notes and people get checksums, and what is known to be lost a place."""
    for table in ("tables", "people"):
        connection.execute(text(f"ALTER TABLE {table} ADD COLUMN checksum BIGINT NOT NULL DEFAULT 0"))
    notes = connection.execute(text("SELECT id, game, phase, wakes, updated, summary, listed FROM tables"))
    sums = [{"id": row.id, "checksum": _sum_of_note(*row)} for row in notes]
    if sums:
        connection.execute(text("UPDATE tables SET checksum = :checksum WHERE id = :id"), sums)
    people = connection.execute(text("SELECT id, name, name_key, password, created, seen, epoch FROM people"))
    sums = [{"id": row.id, "checksum": crc32("\n".join(map(str, row)).encode())} for row in people]
    if sums:
        connection.execute(text("UPDATE people SET checksum = :checksum WHERE id = :id"), sums)
    _fifth.create_all(connection)


def _sum_of_note(id: Any, game: Any, phase: Any, wakes: Any, updated: Any, summary: Any, listed: Any) -> int:
    if not (isinstance(wakes, int) and isinstance(summary, bytes) and isinstance(listed, int)):
        return -1  # damaged already: a checksum is never less than 0
    return crc32(summary, crc32(f"{id}\n{game}\n{phase}\n{wakes:d}\n{updated}\n{listed:d}\n".encode()))


STEPS: tuple[Callable[[Connection], None], ...] = (
    _first.create_all,
    _second.create_all,
    _nothing_to_do,  # shorter checksums from then on, which an older Gamut would take for damage
    _listed_games,
    _checksums,
)
"""STEPS[n] leads from version n to version n + 1. Version 0 is an empty database."""
