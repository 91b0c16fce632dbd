"""The ledger on SQLite."""

import sqlite3
import threading
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import Engine, Executable, delete, literal_column, select
from sqlalchemy.exc import DBAPIError

from gamut.hall.ids import Millis, PersonId
from gamut.hall.store.checksum import START
from gamut.hall.store.storage import Damage, Entry, LedgerError, Row
from gamut.ledger.meta import TAKEN_OUT, counted
from gamut.ledger.moment import moment_of
from gamut.ledger.notes import note_of, rooms_of, seats_of
from gamut.ledger.reading import EVENT, LedgerReading, goes_on
from gamut.ledger.schema import events, seats
from gamut.ledger.sqlite.badpage import is_bad_page
from gamut.ledger.sqlite.mark import HighWater
from gamut.ledger.sqlite.scrub import Scrub

# A statement stores many rows at once: the database then does not come back to Python for each row, which
# matters because the thread that commits shares the interpreter with the event loop. There are statements for
# a few numbers of rows only, so that each is planned once.
_ROWS_PER_STATEMENT = (512, 256, 128, 64, 32, 16, 8, 4, 2, 1)


class _Into(NamedTuple):
    """What is written to one table."""

    columns: str
    width: int
    conflict: str = ""


_EVENTS = _Into("events (table_id, seq, body, checksum)", 4)
_NOTES = _Into(
    "tables (id, game, phase, wakes, updated, summary, listed, checksum)",
    8,
    " ON CONFLICT (id) DO UPDATE SET game = excluded.game, phase = excluded.phase, wakes = excluded.wakes, "
    "updated = excluded.updated, summary = excluded.summary, listed = excluded.listed, "
    "checksum = excluded.checksum",
)
_ROOMS = _Into(
    "rooms (game, room, table_id)",
    3,
    # A game that ends does not take the name back from the one that follows it.
    " ON CONFLICT (game, room) DO UPDATE SET table_id = excluded.table_id"
    " WHERE excluded.table_id > rooms.table_id",
)
_SEATS = _Into("seats (person_id, table_id)", 2, " ON CONFLICT DO NOTHING")
_META = _Into("meta (key, value)", 2, " ON CONFLICT (key) DO UPDATE SET value = excluded.value")

_CLEAR = "DELETE FROM events WHERE table_id = ?"
_LAST_EVENTS = 20
"""Looked at to learn how late it was."""


def _values(rows: Sequence[Row]) -> list[Any]:
    """The columns of all rows, one after the other."""
    # Python's driver for SQLite asks of every `bytes` whether it has to be adapted, and of no `bytearray`.
    return [
        value for row in rows for value in (row.table, row.seq, bytearray(row.body), bytearray(row.checksum))
    ]


class SqliteLedger(LedgerReading):
    """Implements `gamut.hall.store.storage.Storage`. One thread writes; any thread may read."""

    members_of = "json_each({})"

    def __init__(
        self, engine: Engine, high_water: HighWater | None = None, damage: Damage | None = None
    ) -> None:
        super().__init__(engine, damage)
        self._high_water = high_water
        # Writing goes past SQLAlchemy: what it does for each statement costs as much as storing a dozen events.
        try:
            self._connection = engine.raw_connection()
            self._cursor = self._connection.cursor()
            # In KiB: enough for the places at which the logs of thousands of running tables grow.
            self._cursor.execute("PRAGMA cache_size=-32768")
        except (DBAPIError, sqlite3.Error) as error:
            raise LedgerError(f"The database cannot be opened: {getattr(error, 'orig', error)}.") from None
        self._statements: dict[tuple[_Into, int], str] = {}
        self._writing = threading.Lock()
        self._scrub = Scrub(engine, self._writing)

    def append(self, rows: Sequence[Row], entries: Iterable[Entry]) -> None:
        try:
            with self._writing:
                self._append(rows, tuple(entries))
        except sqlite3.Error as error:
            raise LedgerError(str(error)) from error

    def _append(self, rows: Sequence[Row], entries: Sequence[Entry]) -> None:
        try:
            stored, last = len(rows), rows[-1] if rows else None
            values = _values(rows)
            if 0 in values[1 :: _EVENTS.width]:  # the number of some row
                stored, last = self._rewrite(rows), None
            else:
                self._insert(_EVENTS, values)
            if entries:
                self._note(entries)
            self._connection.commit()
        except BaseException:
            self._connection.rollback()
            raise
        if stored and self._high_water is not None:
            self._high_water.advance(stored, last)

    def _rewrite(self, rows: Sequence[Row]) -> int:
        """Some logs are stored anew; returns how many events were."""
        waiting: list[Row] = []
        stored = taken_out = 0
        for row in rows:
            if row.seq:
                waiting.append(row)
                stored += 1
            else:
                # Whatever was appended to this log before is stored, and goes with it.
                self._insert(_EVENTS, _values(waiting))
                waiting = []
                self._cursor.execute(_CLEAR, (row.table,))
                taken_out += self._cursor.rowcount
        self._insert(_EVENTS, _values(waiting))
        self._cursor.execute("SELECT value FROM meta WHERE key = ?", (TAKEN_OUT,))
        known = self._cursor.fetchone()
        # Together with how many there are it is how many have ever been, which only grows.
        self._insert(_META, [TAKEN_OUT, str(taken_out + (0 if known is None else counted(known[0])))])
        return stored

    def _note(self, entries: Sequence[Entry]) -> None:
        self._insert(_NOTES, list(chain.from_iterable(map(note_of, entries))))
        self._insert(_ROOMS, list(chain.from_iterable(rooms_of(entries))))
        self._insert(_SEATS, list(chain.from_iterable(seats_of(entries))))

    def _insert(self, into: _Into, values: list[Any]) -> None:
        """Store rows, of which `values` has the columns one after the other."""
        start = 0
        for rows in _ROWS_PER_STATEMENT:
            size = rows * into.width
            while start + size <= len(values):
                self._cursor.execute(self._statement(into, rows), values[start : start + size])
                start += size

    def _statement(self, into: _Into, rows: int) -> str:
        statement = self._statements.get((into, rows))
        if statement is None:
            marks = f"({', '.join('?' * into.width)})"
            # If a statement fails, the whole batch is undone, so SQLite need not keep what it takes to undo one.
            begin = f"INSERT OR ROLLBACK INTO {into.columns} VALUES "  # noqa: S608 - our own names
            statement = begin + ", ".join([marks] * rows) + into.conflict
            self._statements[into, rows] = statement
        return statement

    def _rows(self, wanted: Executable) -> list[tuple[Any, ...]]:
        try:
            with self._engine.connect() as connection:
                return [tuple(row) for row in connection.execute(wanted)]
        except DBAPIError as error:
            if not is_bad_page(error.orig):
                raise LedgerError(str(error.orig)) from None
            raise self._bad_page(error.orig) from None

    def latest(self) -> Millis:
        known = Millis(0) if self._high_water is None else self._high_water.latest
        return max(known, *self._latest_noted(), *self._last_moments(), Millis(0))

    def _last_moments(self) -> list[Millis]:
        """When the last events happened, as far as they are sound."""
        last = (
            select(literal_column("events.table_id"), *EVENT)
            .select_from(events)
            .order_by(events.c.id.desc())
            .limit(_LAST_EVENTS)
        )
        rows = [Row(*row) for row in self._rows(last)]
        before = [
            self._one(select(EVENT[-1]).where(events.c.table_id == row.table, events.c.seq == row.seq - 1))
            for row in rows
        ]
        return [
            moment_of(row.body)
            for row, checksum in zip(rows, before, strict=True)
            if goes_on(START if checksum is None else checksum, row.seq, row)
        ]

    def forget(self, person: PersonId) -> None:
        try:
            with self._writing, self._engine.begin() as connection:
                connection.execute(delete(seats).where(seats.c.person_id == person))
        except DBAPIError as error:
            raise LedgerError(str(error.orig)) from None

    def scrub(self) -> bool:
        return self._scrub.clean()

    def rest(self) -> None:
        with self._writing:
            self._cursor.execute("PRAGMA shrink_memory")

    def close(self) -> None:
        with self._writing:
            self._cursor.close()
            self._connection.close()
        self._scrub.close()
