"""The ledger on a SQL database."""

import threading
from collections.abc import Iterable, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import Engine, Select, delete, select

from gamut.hall.checksum import START, follows
from gamut.hall.ids import PersonId, TableId
from gamut.hall.storage import DamagedLog, Entry, LedgerError, Row
from gamut.ledger.schema import events, listed, rooms, seats, tables, unfinished

# Many rows in one statement: the database works through them without coming back to Python for each, which matters
# because the thread that commits shares the interpreter with the event loop. There are statements for a few numbers of
# rows only, so that each is read and planned once for ever.
_ROWS_PER_STATEMENT = (512, 256, 128, 64, 32, 16, 8, 4, 2, 1)


class _Into(NamedTuple):
    """What is written to one table."""

    columns: str
    width: int
    conflict: str = ""


_EVENTS = _Into("events (table_id, seq, body, checksum)", 4)
_NOTES = _Into(
    "tables (id, game, phase, wakes, updated, summary, listed)",
    7,
    " ON CONFLICT (id) DO UPDATE SET phase = excluded.phase, wakes = excluded.wakes, "
    "updated = excluded.updated, summary = excluded.summary, listed = excluded.listed",
)
_ROOMS = _Into(
    "rooms (game, room, table_id)", 3, " ON CONFLICT (game, room) DO UPDATE SET table_id = excluded.table_id"
)
_SEATS = _Into("seats (person_id, table_id)", 2, " ON CONFLICT DO NOTHING")

_SEQ = attrgetter("seq")


def _values(row: Row) -> tuple[Any, ...]:
    # Python's driver for SQLite asks of every `bytes` whether it has to be adapted, and of no `bytearray`.
    return row.table, row.seq, bytearray(row.body), bytearray(row.checksum)


class SqlLedger:
    """Implements `gamut.hall.storage.Storage`. One thread writes; any thread may read."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        sqlite = engine.dialect.name == "sqlite"
        self._mark = "?" if sqlite else "%s"
        # Whatever fails undoes the whole batch, so SQLite need not remember each page to undo a statement alone.
        self._into = "INSERT OR ROLLBACK INTO " if sqlite else "INSERT INTO "
        self._clear = f"DELETE FROM events WHERE table_id = {self._mark}"  # noqa: S608 - nothing but the mark
        # Writing goes past SQLAlchemy: what it does for each statement costs as much as storing a dozen events.
        self._connection = engine.raw_connection()
        self._cursor = self._connection.cursor()
        if sqlite:
            # In KiB: enough for the places at which the logs of thousands of running tables grow.
            self._cursor.execute("PRAGMA cache_size=-32768")
        self._statements: dict[tuple[_Into, int], str] = {}
        self._writing = threading.Lock()

    def append(self, rows: Sequence[Row], entries: Iterable[Entry]) -> None:
        try:
            with self._writing:
                self._append(rows, tuple(entries))
        except self._engine.dialect.loaded_dbapi.Error as error:
            raise LedgerError(str(error)) from error

    def _append(self, rows: Sequence[Row], entries: Sequence[Entry]) -> None:
        try:
            if 0 in map(_SEQ, rows):
                self._rewrite(rows)
            else:
                self._insert(_EVENTS, [_values(row) for row in rows])
            if entries:
                self._note(entries)
            self._connection.commit()
        except BaseException:
            self._connection.rollback()
            raise

    def _rewrite(self, rows: Sequence[Row]) -> None:
        """Some logs are stored anew."""
        values: list[tuple[Any, ...]] = []
        for row in rows:
            if row.seq:
                values.append(_values(row))
            else:
                # Whatever was appended to this log before is stored, and goes with it.
                self._insert(_EVENTS, values)
                values = []
                self._cursor.execute(self._clear, (row.table,))
        self._insert(_EVENTS, values)

    def _note(self, entries: Sequence[Entry]) -> None:
        notes = [
            (e.table, e.game, e.phase, int(e.wakes), e.updated, bytearray(e.summary), int(e.listed))
            for e in entries
        ]
        # One row for each name, or the database would be asked to change a row twice in one statement.
        named = {(e.game, e.room): e.table for e in entries if e.room is not None and e.phase != "over"}
        seated = [(person, e.table) for e in entries for person in e.people]
        self._insert(_NOTES, notes)
        self._insert(_ROOMS, [(*name, table) for name, table in named.items()])
        self._insert(_SEATS, seated)

    def _insert(self, into: _Into, values: Sequence[tuple[Any, ...]]) -> None:
        start = 0
        for rows in _ROWS_PER_STATEMENT:
            while start + rows <= len(values):
                chunk = values[start : start + rows]
                self._cursor.execute(self._statement(into, rows), tuple(chain.from_iterable(chunk)))
                start += rows

    def _statement(self, into: _Into, rows: int) -> str:
        statement = self._statements.get((into, rows))
        if statement is None:
            marks = f"({', '.join([self._mark] * into.width)})"
            statement = f"{self._into}{into.columns} VALUES {', '.join([marks] * rows)}{into.conflict}"
            self._statements[into, rows] = statement
        return statement

    def log(self, table: TableId) -> list[Row]:
        wanted = (
            select(events.c.seq, events.c.body, events.c.checksum)
            .where(events.c.table_id == table)
            .order_by(events.c.seq)
        )
        with self._engine.connect() as connection:
            rows = [
                Row(table, seq, bytes(body), bytes(checksum))
                for seq, body, checksum in connection.execute(wanted)
            ]
        checksum = START
        for number, row in enumerate(rows, 1):
            if row.seq != number or not follows(checksum, row.body, row.checksum):
                raise DamagedLog(f"The log of table {table} is damaged at event {number}.")
            checksum = row.checksum
        return rows

    def tail(self, table: TableId, limit: int) -> list[Row]:
        wanted = (
            select(events.c.seq, events.c.body, events.c.checksum)
            .where(events.c.table_id == table)
            .order_by(events.c.seq.desc())
            .limit(limit)
        )
        with self._engine.connect() as connection:
            found = [
                Row(table, seq, bytes(body), bytes(check)) for seq, body, check in connection.execute(wanted)
            ]
        return found[::-1]

    def unfinished(self) -> list[Entry]:
        return self._entries(select(tables).where(unfinished).order_by(tables.c.id))

    def finished(self, game: str | None, before: TableId | None, limit: int) -> list[Entry]:
        wanted = select(tables).where(listed)
        if game is not None:
            wanted = wanted.where(tables.c.game == game)
        if before is not None:
            wanted = wanted.where(tables.c.id < before)
        return self._entries(wanted.order_by(tables.c.id.desc()).limit(limit))

    def entry(self, table: TableId) -> Entry | None:
        return next(iter(self._entries(select(tables).where(tables.c.id == table))), None)

    def named(self, game: str, room: str) -> TableId | None:
        wanted = select(rooms.c.table_id).where(rooms.c.game == game, rooms.c.room == room)
        with self._engine.connect() as connection:
            found: str | None = connection.execute(wanted).scalar_one_or_none()
        return None if found is None else TableId(found)

    def played_by(self, person: PersonId, limit: int, before: TableId | None = None) -> list[Entry]:
        wanted = (
            select(tables)
            .join(seats, seats.c.table_id == tables.c.id)
            .where(seats.c.person_id == person)
            .order_by(seats.c.table_id.desc())
            .limit(limit)
        )
        return self._entries(wanted if before is None else wanted.where(seats.c.table_id < before))

    def _entries(self, wanted: Select[Any]) -> list[Entry]:
        with self._engine.connect() as connection:
            return [
                Entry(
                    row.id,
                    row.game,
                    row.phase,
                    row.wakes,
                    row.updated,
                    bytes(row.summary),
                    (),
                    listed=bool(row.listed),
                )
                for row in connection.execute(wanted)
            ]

    def forget(self, person: PersonId) -> None:
        with self._writing, self._engine.begin() as connection:
            connection.execute(delete(seats).where(seats.c.person_id == person))

    def scrub(self) -> None:
        if self._engine.dialect.name == "sqlite":
            # What was deleted is overwritten in the database itself; copies of its old pages are in the log beside it.
            with self._writing, self._engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def rest(self) -> None:
        """Give back the memory in which pages are kept: for now nobody needs them."""
        if self._engine.dialect.name == "sqlite":
            with self._writing:
                self._cursor.execute("PRAGMA shrink_memory")

    def close(self) -> None:
        with self._writing:
            self._cursor.close()
            self._connection.close()
