"""A hall in a PostgreSQL database, to be moved from or to."""

from collections.abc import Iterable, Iterator
from importlib.metadata import version as version_of_package
from typing import Any

import psycopg

from gamut.hall.ids import Millis
from gamut.hall.store.storage import LedgerError
from gamut.ledger.meta import MOVING, SECRET
from gamut.ledger.moving.parts import EVENTS, PARTS, Part, Row
from gamut.ledger.moving.store import LastMoment
from gamut.ledger.postgres.connecting import Source
from gamut.ledger.postgres.fence import DURABLE
from gamut.ledger.postgres.locks import HAS_ITS_LOCK, MOVE
from gamut.ledger.postgres.migrations import CURRENT, checked_version, migrate, refuse_newer, version_of

_AT_ONCE = 2_000
"""Rows that are fetched together."""

# Whoever has not been ended and has a lease or its lock may be at work; the others have ended or are dead.
_LIVING = f"""
SELECT nodes.id, nodes.name FROM nodes LEFT JOIN leases ON leases.node = nodes.id
WHERE nodes.ended IS NULL AND (leases.until > clock_timestamp() OR {HAS_ITS_LOCK})
"""  # noqa: S608 - our own words
_STEPS_OF_NODES = "SELECT coalesce(max(id), 0), sum(batch), sum(changes) FROM nodes"
# Of the last node of each wing, and of all before it.
_LAST = """
WITH moments AS (
    SELECT wing, id, greatest(nodes.at, leases.at) AS at FROM nodes LEFT JOIN leases ON leases.node = nodes.id
    WHERE wing >= 0
), last AS (SELECT DISTINCT ON (wing) * FROM moments ORDER BY wing, id DESC)
SELECT at, coalesce((SELECT max(moments.at) FROM moments WHERE moments.wing = last.wing AND moments.id < last.id), 0)
FROM last
"""
_FACT = "SELECT value FROM meta WHERE key = %s"

Connection = psycopg.Connection[Any]


class _Database:
    def __init__(self, source: Source, connection: Connection) -> None:
        self.shown = source.shown
        self._source = source
        self._connection = connection

    def count(self, part: Part) -> int:
        found: int = _one(self._connection, f"SELECT count(*) FROM {part.name}")  # noqa: S608 - our own names
        return found

    def rows(self, part: Part) -> Iterator[Row]:
        with self._connection.cursor("moving") as cursor:
            cursor.itersize = _AT_ONCE
            cursor.execute(part.select)
            yield from cursor

    def close(self) -> None:
        self._connection.close()


class DatabaseOrigin(_Database):
    def __init__(self, source: Source, connection: Connection) -> None:
        super().__init__(source, connection)
        self._steps = connection.execute(_STEPS_OF_NODES).fetchone()

    def secret(self) -> str | None:
        found: str | None = _one(self._connection, _FACT, SECRET)
        return found

    def last_moment(self) -> LastMoment:
        rows = self._connection.execute(_LAST).fetchall()
        moments = [_last_moment(*map(Millis, row)) for row in rows] or [LastMoment(Millis(0), stopped=True)]
        # Whose table was in which wing is not known where it goes: nobody is charged for a time when a wing was gone.
        return LastMoment(
            min(moment.at for moment in moments),
            stopped=True,
            opened=max(moment.opened for moment in moments),
        )

    def check_unused(self) -> None:
        # On another connection: ours sees the database as it was when the move began.
        with self._source.first_connection() as now:
            _refuse_living(now, self.shown)
            if now.execute(_STEPS_OF_NODES).fetchone() != self._steps:
                raise LedgerError(f"A server has used {self.shown} while it was moved.")


class DatabaseDestination(_Database):
    def __init__(self, source: Source, connection: Connection) -> None:
        super().__init__(source, connection)
        # Every event is some node's; here that is one which has ended.
        self._node = self._ended_node()

    def _ended_node(self) -> int:
        found: int = _one(
            self._connection,
            "INSERT INTO nodes (name, version, ended) VALUES ('move-store', %s, clock_timestamp())"
            " RETURNING id",
            version_of_package("gamut"),
        )
        return found

    def store(self, part: Part, rows: Iterable[Row]) -> None:
        columns = part.columns
        if part is EVENTS:
            columns += ", node"
            rows = ((*row, self._node) for row in rows)
        with (
            self._connection.cursor() as cursor,
            cursor.copy(f"COPY {part.name} ({columns}) FROM STDIN") as copy,
        ):
            for row in rows:
                copy.write_row(row)

    def complete(self, secret: str | None, last: LastMoment) -> None:
        run = self._connection.execute
        if secret is not None:
            run("INSERT INTO meta (key, value) VALUES (%s, %s)", (SECRET, secret))
        node = self._node
        if last.opened:
            run("UPDATE nodes SET at = %s WHERE id = %s", (last.opened - 1, node))
            node = self._ended_node()
        run("UPDATE nodes SET at = %s WHERE id = %s", (last.at, node))
        run("DELETE FROM meta WHERE key = %s", (MOVING,))
        run("COMMIT")
        run("ANALYZE")


def open_origin(url: str) -> DatabaseOrigin:
    source = Source(url)
    connection = source.first_connection()
    try:
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        version = checked_version(connection)
        if not version:
            raise LedgerError(f"There is no hall in {source.shown}.")
        if version < CURRENT:
            raise LedgerError(
                f"The data in {source.shown} is of an older Gamut (schema {version}; this one has {CURRENT}): "
                "start a server on it once, which brings it up to date (gamut serve --store ...)."
            )
        _refuse_living(connection, source.shown)
        return DatabaseOrigin(source, connection)
    except BaseException:
        connection.close()
        raise


def open_destination(url: str) -> DatabaseDestination:
    """Raises LedgerError if there is a hall already, and then nothing is changed."""
    source = Source(url)
    connection = source.first_connection()
    try:
        # As long as the connection lives: of two moves at the same moment one is refused.
        if not _one(connection, "SELECT pg_try_advisory_lock(%s, 0)", MOVE):
            raise LedgerError(f"Another move into {source.shown} is under way.")
        connection.execute(DURABLE)
        with connection.transaction():
            _make_room(connection, source.shown)
            migrate(connection)
            connection.execute("INSERT INTO meta (key, value) VALUES (%s, '1')", (MOVING,))
        connection.execute("BEGIN")
        return DatabaseDestination(source, connection)
    except BaseException:
        connection.close()
        raise


def _make_room(connection: Connection, shown: str) -> None:
    """What an earlier move has left is removed."""
    version = version_of(connection)
    refuse_newer(version)
    if not version:
        return
    if not connection.execute("DELETE FROM meta WHERE key = %s", (MOVING,)).rowcount:
        raise LedgerError(f"There is already a hall in {shown}; nothing was moved.")
    connection.execute(f"TRUNCATE {', '.join(part.name for part in PARTS)}")


def _last_moment(last: Millis, before: Millis) -> LastMoment:
    if last <= before:
        return LastMoment(before, stopped=True)  # the last one had no time to do anything
    return LastMoment(last, stopped=True, opened=Millis(before + 1 if before else 0))


def _refuse_living(connection: Connection, shown: str) -> None:
    living = connection.execute(_LIVING).fetchone()
    if living is not None:
        raise LedgerError(f"Another Gamut is using the store {shown}: node {living[0]} ({living[1]}).")


def _one(connection: Connection, query: str, *values: object) -> Any:
    row = connection.execute(query, values or None).fetchone()
    return None if row is None else row[0]
