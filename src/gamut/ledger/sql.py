"""The ledger on a SQL database."""

import logging
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import ColumnClause, Connection, Engine, Select, delete, literal_column, select
from sqlalchemy.exc import DBAPIError

from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.store.checksum import START, follows
from gamut.hall.store.storage import Damage, DamagedLog, Entry, LedgerError, Row, Tail
from gamut.ledger.checksums import note_is_sound, of_note
from gamut.ledger.meta import TAKEN_OUT, counted
from gamut.ledger.people import person_is_sound
from gamut.ledger.schema import damaged, events, listed, people, rooms, seats, tables, unfinished
from gamut.ledger.sqlite.badpage import is_bad_page
from gamut.ledger.sqlite.mark import HighWater, moment_of
from gamut.ledger.sqlite.scrub import Scrub

log = logging.getLogger("gamut.ledger")

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

# As they are stored: what is damaged may be of any type, and is looked at before it is taken for anything.
_NOTE: list[ColumnClause[Any]] = [literal_column(f"tables.{column.name}") for column in tables.c]
_NOTED = select(*_NOTE).select_from(tables)
_UNFINISHED = _NOTED.where(unfinished).order_by(tables.c.id)
_EVENT: list[ColumnClause[Any]] = [
    literal_column(f"events.{column}") for column in ("seq", "body", "checksum")
]
_LAST_EVENTS = _LAST_NOTES = _LAST_SEEN = 20
"""Looked at to learn how late it was."""


class _BadPage(LedgerError):
    """Something is on a page of the database that cannot be read."""


def _values(rows: Sequence[Row]) -> list[Any]:
    """The columns of all rows, one after the other."""
    # Python's driver for SQLite asks of every `bytes` whether it has to be adapted, and of no `bytearray`.
    return [
        value for row in rows for value in (row.table, row.seq, bytearray(row.body), bytearray(row.checksum))
    ]


def _goes_on(checksum: bytes, number: int, row: Row) -> bool:
    """Whether this row has the number and follows what has this checksum."""
    if row.seq != number or type(row.body) is not bytes or type(row.checksum) is not bytes:
        return False
    return type(checksum) is bytes and follows(checksum, row.body, row.checksum)


def _played_by(wanted: Select[Any], person: PersonId, limit: int, before: TableId | None) -> Select[Any]:
    """So much of this as is about a person's seats, latest first."""
    wanted = wanted.where(seats.c.person_id == person).order_by(seats.c.table_id.desc()).limit(limit)
    return wanted if before is None else wanted.where(seats.c.table_id < before)


class SqlLedger:
    """Implements `gamut.hall.store.storage.Storage`. One thread writes; any thread may read."""

    def __init__(
        self, engine: Engine, high_water: HighWater | None = None, damage: Damage | None = None
    ) -> None:
        self._engine = engine
        self._high_water = high_water
        self.damage = Damage() if damage is None else damage
        sqlite = engine.dialect.name == "sqlite"
        self._mark = "?" if sqlite else "%s"
        # If a statement fails, the whole batch is undone.
        # So SQLite need not keep what it takes to undo one statement.
        self._into = "INSERT OR ROLLBACK INTO " if sqlite else "INSERT INTO "
        self._clear = f"DELETE FROM events WHERE table_id = {self._mark}"  # noqa: S608 - nothing but the mark
        # Writing goes past SQLAlchemy: what it does for each statement costs as much as storing a dozen events.
        try:
            self._connection = engine.raw_connection()
            self._cursor = self._connection.cursor()
            if sqlite:
                # In KiB: enough for the places at which the logs of thousands of running tables grow.
                self._cursor.execute("PRAGMA cache_size=-32768")
        except (DBAPIError, engine.dialect.loaded_dbapi.Error) as error:
            raise LedgerError(f"The database cannot be opened: {getattr(error, 'orig', error)}.") from None
        self._statements: dict[tuple[_Into, int], str] = {}
        self._writing = threading.Lock()
        self._scrub = Scrub(engine, self._writing)

    def append(self, rows: Sequence[Row], entries: Iterable[Entry]) -> None:
        try:
            with self._writing:
                self._append(rows, tuple(entries))
        except self._engine.dialect.loaded_dbapi.Error as error:
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
                self._cursor.execute(self._clear, (row.table,))
                taken_out += self._cursor.rowcount
        self._insert(_EVENTS, _values(waiting))
        self._cursor.execute(f"SELECT value FROM meta WHERE key = {self._mark}", (TAKEN_OUT,))  # noqa: S608 - the mark
        known = self._cursor.fetchone()
        # Together with how many there are it is how many have ever been, which only grows.
        self._insert(_META, [TAKEN_OUT, str(taken_out + (0 if known is None else counted(known[0])))])
        return stored

    def _note(self, entries: Sequence[Entry]) -> None:
        notes = [
            (
                e.table,
                e.game,
                e.phase,
                int(e.load_at_start),
                e.updated,
                bytearray(e.summary),
                int(e.listed),
                of_note(e.table, e.game, e.phase, e.load_at_start, e.updated, e.summary, e.listed),
            )
            for e in entries
        ]
        # One row for each name, or the database would be asked to change a row twice in one statement.
        named: dict[tuple[str, str], str] = {}
        for e in entries:
            if e.room is not None:
                named[e.game, e.room] = max(e.table, named.get((e.game, e.room), ""))
        seated = [(person, e.table) for e in entries for person in e.people]
        self._insert(_NOTES, list(chain.from_iterable(notes)))
        self._insert(_ROOMS, [value for name, table in named.items() for value in (*name, table)])
        self._insert(_SEATS, list(chain.from_iterable(seated)))

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
            marks = f"({', '.join([self._mark] * into.width)})"
            statement = f"{self._into}{into.columns} VALUES {', '.join([marks] * rows)}{into.conflict}"
            self._statements[into, rows] = statement
        return statement

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        try:
            with self._engine.connect() as connection:
                yield connection
        except DBAPIError as error:
            if not is_bad_page(error.orig):
                raise LedgerError(str(error.orig)) from None
            self.damage.reads += 1
            log.error("a bad page of the database; a restart mends what can be mended")
            raise _BadPage(str(error.orig)) from None

    def _one(self, wanted: Select[Any]) -> Any:
        with self._reading() as connection:
            return connection.execute(wanted).scalar_one_or_none()

    def log(self, table: TableId) -> list[Row]:
        if table in self.damage.tables:
            self._check_not_lost(table)
        rows = self._log(select(*_EVENT).where(events.c.table_id == table).order_by(events.c.seq), table)
        checksum = START
        for number, row in enumerate(rows, 1):
            if not _goes_on(checksum, number, row):
                raise DamagedLog(f"The log of table {table} is damaged at event {number}.")
            checksum = row.checksum
        return rows

    def _check_not_lost(self, table: TableId) -> None:
        wanted = select(damaged.c.event).where(damaged.c.table_id == table)
        try:
            event = self._one(wanted)
        except _BadPage as error:
            raise DamagedLog(f"The log of table {table} may be lost: {error}.") from None
        if event is not None:
            raise DamagedLog(f"The log of table {table} is lost from event {event} on.")

    def _log(self, wanted: Select[Any], table: TableId) -> list[Row]:
        try:
            with self._reading() as connection:
                return [Row(table, *row) for row in connection.execute(wanted)]
        except _BadPage as error:
            raise DamagedLog(f"The log of table {table} cannot be read: {error}.") from None

    def tail(self, table: TableId, limit: int) -> Tail:
        # One event more than wanted: the first one is checked against the checksum of the event before it.
        last = (
            select(*_EVENT).where(events.c.table_id == table).order_by(events.c.seq.desc()).limit(limit + 1)
        )
        try:
            found = self._log(last, table)[::-1]
        except DamagedLog as error:
            log.error("a log cannot be read", extra={"table": table, "error": str(error)})
            return Tail([], sound=False)
        first, checksum = (0, START) if len(found) <= limit else (found[0].seq, found[0].checksum)
        if first:
            del found[0]
        sound: list[Row] = []
        for number, row in enumerate(found, first + 1):
            # Each line is checked by itself: those after a damaged one may be sound.
            if _goes_on(checksum, number, row):
                sound.append(row)
            checksum = row.checksum
        return Tail(sound, sound=len(sound) == len(found))

    def unfinished(self) -> list[Entry]:
        return self._entries(self._notes(_UNFINISHED))

    def unnoted(self) -> list[TableId]:
        rows = self._notes(_UNFINISHED)
        return [TableId(row[0]) for row in rows if type(row[0]) is str and not note_is_sound(row)]

    def finished(self, game: str | None, before: TableId | None, limit: int) -> list[Entry]:
        found: list[Entry] = []
        while True:
            wanted = _NOTED.where(listed)
            if game is not None:
                wanted = wanted.where(tables.c.game == game)
            if before is not None:
                wanted = wanted.where(tables.c.id < before)
            rows = self._notes(wanted.order_by(tables.c.id.desc()).limit(limit - len(found)))
            whole = len(rows) < limit - len(found)
            found += self._entries(rows)
            if whole or len(found) == limit:
                return found
            # Further rows replace the damaged ones: a page with fewer would look like the last page.
            before = rows[-1][0]

    def entry(self, table: TableId) -> Entry | None:
        rows = self._notes(_NOTED.where(tables.c.id == table))
        return next(iter(self._entries(rows)), None)

    def named(self, game: str, room: str) -> TableId | None:
        wanted = select(rooms.c.table_id).where(rooms.c.game == game, rooms.c.room == room)
        try:
            found = self._one(wanted)
        except _BadPage:
            return None  # there is no room of this name any more
        return None if found is None else TableId(found)

    def last_name(self, game: str) -> str | None:
        wanted = select(rooms.c.room).where(rooms.c.game == game).order_by(rooms.c.table_id.desc()).limit(1)
        found: str | None = self._one(wanted)
        return found

    def played_by(self, person: PersonId, limit: int, before: TableId | None = None) -> list[Entry]:
        noted = _NOTED.join(seats, seats.c.table_id == tables.c.id)
        return self._entries(self._notes(_played_by(noted, person, limit, before)))

    def tables_of(self, person: PersonId, limit: int, before: TableId | None = None) -> list[TableId]:
        wanted = _played_by(select(seats.c.table_id), person, limit, before)
        with self._reading() as connection:
            return [TableId(table) for table in connection.execute(wanted).scalars()]

    def _notes(self, wanted: Select[Any]) -> list[tuple[Any, ...]]:
        with self._reading() as connection:
            return [tuple(row) for row in connection.execute(wanted)]

    def _entries(self, rows: Iterable[tuple[Any, ...]]) -> list[Entry]:
        found = []
        for row in rows:
            if note_is_sound(row):
                id, game, phase, wakes, updated, summary, listed, _ = row
                found.append(Entry(id, game, phase, bool(wakes), updated, summary, (), listed=bool(listed)))
            elif row[0] not in self.damage.notes:
                self.damage.notes[row[0]] = None
                log.error("damaged note", extra={"table": row[0]})
        return found

    def latest(self) -> Millis:
        times = [Millis(0) if self._high_water is None else self._high_water.latest]
        for wanted in (_NOTED.where(unfinished), _NOTED.order_by(tables.c.id.desc()).limit(_LAST_NOTES)):
            times += [entry.updated for entry in self._entries(self._notes(wanted))]
        times += self._last_moments()
        with self._reading() as connection:
            last = connection.execute(select(people).order_by(people.c.seen.desc()).limit(_LAST_SEEN)).all()
        times += [row.seen for row in last if person_is_sound(row)]
        return max(times)

    def _last_moments(self) -> list[Millis]:
        """When the last events happened, as far as they are sound."""
        last = (
            select(literal_column("events.table_id"), *_EVENT)
            .select_from(events)
            .order_by(events.c.id.desc())
            .limit(_LAST_EVENTS)
        )
        with self._reading() as connection:
            rows = [Row(*row) for row in connection.execute(last)]
            before = [
                connection.execute(
                    select(_EVENT[-1]).where(events.c.table_id == row.table, events.c.seq == row.seq - 1)
                ).scalar_one_or_none()
                for row in rows
            ]
        return [
            moment_of(row.body)
            for row, checksum in zip(rows, before, strict=True)
            if _goes_on(START if checksum is None else checksum, row.seq, row)
        ]

    def forget(self, person: PersonId) -> None:
        try:
            with self._writing, self._engine.begin() as connection:
                connection.execute(delete(seats).where(seats.c.person_id == person))
        except DBAPIError as error:
            raise LedgerError(str(error.orig)) from None

    def scrub(self) -> bool:
        return self._engine.dialect.name != "sqlite" or self._scrub.clean()

    def rest(self) -> None:
        """Free the memory of SQLite's page cache, after a crowd has left."""
        if self._engine.dialect.name == "sqlite":
            with self._writing:
                self._cursor.execute("PRAGMA shrink_memory")

    def close(self) -> None:
        with self._writing:
            self._cursor.close()
            self._connection.close()
        self._scrub.close()
