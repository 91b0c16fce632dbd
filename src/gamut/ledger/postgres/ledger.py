"""The ledger on PostgreSQL."""

import logging
import threading
from collections.abc import Iterable, Sequence
from time import monotonic
from typing import Any

import psycopg
from sqlalchemy import Engine, Executable
from sqlalchemy.exc import DBAPIError, TimeoutError

from gamut.hall.ids import Millis, PersonId
from gamut.hall.store.storage import Damage, Entry, LedgerError, Row
from gamut.ledger.postgres import commit
from gamut.ledger.postgres.connecting import Source, is_away, is_bad_page, line_of
from gamut.ledger.postgres.fence import FENCE, Connection, Fence
from gamut.ledger.reading import LedgerReading

log = logging.getLogger("gamut.ledger")

_PATIENCE = 5.0
"""Seconds for which somebody who reads waits for a store that is away."""
_PAUSE = 0.2

_LATEST = "SELECT greatest((SELECT max(at) FROM nodes), (SELECT max(at) FROM leases), 0)"
_FORGET = (
    f"{FENCE}, gone AS (DELETE FROM seats USING fence WHERE person_id = %(person)s) SELECT true FROM fence"
)


class PostgresReading(LedgerReading):
    """What also a node may that is not active."""

    members_of = "json_each_text(CAST({} AS json))"

    def __init__(self, engine: Engine, damage: Damage | None = None) -> None:
        super().__init__(engine, damage)
        self._closed = threading.Event()

    def _rows(self, wanted: Executable) -> list[tuple[Any, ...]]:
        until = monotonic() + _PATIENCE
        while True:
            try:
                with self._engine.connect() as connection:
                    return [tuple(row) for row in connection.execute(wanted)]
            except (DBAPIError, TimeoutError) as error:
                reason = error.orig if isinstance(error, DBAPIError) else error
                if isinstance(reason, psycopg.DataError) and reason.sqlstate is None:
                    return []  # somebody asks for a name with a NUL in it, which no text in PostgreSQL has
                if is_bad_page(reason):
                    raise self._bad_page(reason) from None
                lost = is_away(reason) or (isinstance(error, DBAPIError) and error.connection_invalidated)
                if not lost or monotonic() > until or self._closed.wait(_PAUSE):
                    raise LedgerError(line_of(reason)) from None

    def close(self) -> None:
        """Whoever waits for the store gives up."""
        self._closed.set()


class PostgresLedger(PostgresReading):
    """Implements `gamut.hall.store.storage.Storage`. One thread writes; any thread may read."""

    def __init__(
        self, source: Source, node: int, changes: Fence, engine: Engine, damage: Damage | None = None
    ) -> None:
        super().__init__(engine, damage)
        self._source = source
        self._node = node
        self._changes = changes
        self._commits = Fence(source, node, "batch", commit.prepare)

    @property
    def batches(self) -> int:
        """How many are stored."""
        return self._commits.number

    def append(self, rows: Sequence[Row], entries: Iterable[Entry]) -> None:
        try:
            self._commits.run(commit.Commit(self._node, rows, tuple(entries)))
        except psycopg.Error as error:
            raise LedgerError(line_of(error)) from error

    def check(self) -> None:
        """Whether the store still has all that this node has stored, and nobody has ended the node."""
        self._commits.check()

    def latest(self) -> Millis:
        with self._source.first_connection() as connection:
            row = connection.execute(_LATEST).fetchone()
        assert row is not None
        # Every commit says when it was; a hall that was moved here has none yet.
        return Millis(row[0]) if row[0] else max([*self._latest_noted(), Millis(0)])

    def forget(self, person: PersonId) -> None:
        def statement(connection: Connection, number: int) -> tuple[Any, ...] | None:
            values = {"node": self._node, "number": number, "person": person}
            return connection.execute(_FORGET, values).fetchone()

        try:
            self._changes.run(statement)
        except psycopg.Error as error:
            raise LedgerError(line_of(error)) from None

    def scrub(self) -> bool:
        """Free what was deleted to be overwritten: PostgreSQL overwrites nothing in place."""
        try:
            with self._source.connect() as connection:
                connection.execute("VACUUM events, tables, rooms, seats, people")
        except psycopg.Error as error:
            raise LedgerError(line_of(error)) from None
        return True

    def rest(self) -> None:
        """Nothing of the database is kept in this process."""

    def close(self) -> None:
        super().close()
        self._commits.close()
