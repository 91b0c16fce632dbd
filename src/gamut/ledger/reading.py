"""Reading the ledger, on whatever SQL database it is."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import msgspec
from sqlalchemy import ColumnClause, Engine, Executable, Select, literal_column, select, text

from gamut.hall.ids import Millis, PersonId, Seq, TableId
from gamut.hall.store.checksum import START, follows
from gamut.hall.store.storage import Damage, DamagedLog, Entry, LedgerError, Row, Tail
from gamut.ledger.checksums import note_is_sound
from gamut.ledger.people import person_is_sound
from gamut.ledger.schema import damaged, events, listed, people, rooms, seats, tables, unfinished

log = logging.getLogger("gamut.ledger")

# As they are stored: what is damaged may be of any type, and is looked at before it is taken for anything.
_NOTE: list[ColumnClause[Any]] = [literal_column(f"tables.{column.name}") for column in tables.c]
_NOTED = select(*_NOTE).select_from(tables)
_UNFINISHED = _NOTED.where(unfinished).order_by(tables.c.id)
_GOING_ON = select(tables.c.id).where(unfinished).order_by(tables.c.id)
EVENT: list[ColumnClause[Any]] = [
    literal_column(f"events.{column}") for column in ("seq", "body", "checksum")
]
_LOGS = select(literal_column("events.table_id"), *EVENT).select_from(events)
_LAST_NOTES = _LAST_SEEN = 20
"""Looked at to learn how late it was."""
_SEEN = list(people.c).index(people.c.seen)


class BadPage(LedgerError):
    """Something is on a page of the database that cannot be read."""


def goes_on(checksum: bytes, number: int, row: Row) -> bool:
    """Whether this row has the number and follows what has this checksum."""
    if row.seq != number or type(row.body) is not bytes or type(row.checksum) is not bytes:
        return False
    return type(checksum) is bytes and follows(checksum, row.body, row.checksum)


def _damaged_at(log: Sequence[Row]) -> int | None:
    """The first event of a log that does not follow those before it; None: all do."""
    checksum = START
    for number, row in enumerate(log, 1):
        if not goes_on(checksum, number, row):
            return number
        checksum = row.checksum
    return None


def _played_by(wanted: Select[Any], person: PersonId, limit: int, before: TableId | None) -> Select[Any]:
    """So much of this as is about a person's seats, latest first."""
    wanted = wanted.where(seats.c.person_id == person).order_by(seats.c.table_id.desc()).limit(limit)
    return wanted if before is None else wanted.where(seats.c.table_id < before)


class LedgerReading(ABC):
    """What `gamut.hall.store.storage.Storage` has to read. Any thread may."""

    members_of: ClassVar[str]
    """In SQL: the keys and values of a JSON object, which is put in its place."""

    def __init__(self, engine: Engine, damage: Damage | None = None) -> None:
        self._engine = engine
        self.damage = Damage() if damage is None else damage
        # Those who stand by ask for it again and again, of all tables: they are one parameter of one statement.
        self._since = text(
            "SELECT events.table_id, events.seq, events.body, events.checksum"  # noqa: S608 - our own names
            f" FROM {self.members_of.format(':known')} AS known JOIN events"
            " ON events.table_id = known.key AND events.seq >= CAST(known.value AS integer)"
            " ORDER BY events.table_id, events.seq"
        )

    @abstractmethod
    def _rows(self, wanted: Executable) -> list[tuple[Any, ...]]:
        """All of it; raises BadPage, and LedgerError if it cannot be read for another reason."""

    def _bad_page(self, error: object) -> BadPage:
        self.damage.reads += 1
        log.error("a bad page of the database; a restart mends what can be mended")
        return BadPage(str(error))

    def _one(self, wanted: Select[Any]) -> Any:
        rows = self._rows(wanted)
        return rows[0][0] if rows else None

    def log(self, table: TableId) -> list[Row]:
        if table in self.damage.tables:
            self._check_not_lost(table)
        rows = self._log(select(*EVENT).where(events.c.table_id == table).order_by(events.c.seq), table)
        damaged_at = _damaged_at(rows)
        if damaged_at is not None:
            raise DamagedLog(f"The log of table {table} is damaged at event {damaged_at}.")
        return rows

    def logs(self, tables: Sequence[TableId]) -> dict[TableId, list[Row]]:
        wanted = _LOGS.where(events.c.table_id.in_(tables)).order_by(events.c.table_id, events.c.seq)
        try:
            rows = self._rows(wanted)
        except BadPage:
            return {}  # whose events are on it is found out table by table
        found: dict[TableId, list[Row]] = {}
        for table, *event in rows:
            found.setdefault(table, []).append(Row(table, *event))
        return {
            table: log
            for table, log in found.items()
            if table not in self.damage.tables and _damaged_at(log) is None
        }

    def since(self, known: Mapping[TableId, Seq]) -> dict[TableId, list[Row]]:
        found: dict[TableId, list[Row]] = {}
        for row in self._rows(self._since.bindparams(known=msgspec.json.encode(known).decode())):
            found.setdefault(row[0], []).append(Row(*row))
        return found

    def _check_not_lost(self, table: TableId) -> None:
        wanted = select(damaged.c.event).where(damaged.c.table_id == table)
        try:
            event = self._one(wanted)
        except BadPage as error:
            raise DamagedLog(f"The log of table {table} may be lost: {error}.") from None
        if event is not None:
            raise DamagedLog(f"The log of table {table} is lost from event {event} on.")

    def _log(self, wanted: Select[Any], table: TableId) -> list[Row]:
        try:
            return [Row(table, *row) for row in self._rows(wanted)]
        except BadPage as error:
            raise DamagedLog(f"The log of table {table} cannot be read: {error}.") from None

    def tail(self, table: TableId, limit: int) -> Tail:
        # One event more than wanted: the first one is checked against the checksum of the event before it.
        last = select(*EVENT).where(events.c.table_id == table).order_by(events.c.seq.desc()).limit(limit + 1)
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
            if goes_on(checksum, number, row):
                sound.append(row)
            checksum = row.checksum
        return Tail(sound, sound=len(sound) == len(found))

    def unfinished(self) -> list[Entry]:
        return self._entries(self._rows(_UNFINISHED))

    def going_on(self) -> list[TableId]:
        return [row[0] for row in self._rows(_GOING_ON)]

    def unnoted(self) -> list[TableId]:
        rows = self._rows(_UNFINISHED)
        return [TableId(row[0]) for row in rows if type(row[0]) is str and not note_is_sound(row)]

    def finished(self, game: str | None, before: TableId | None, limit: int) -> list[Entry]:
        found: list[Entry] = []
        while True:
            wanted = _NOTED.where(listed)
            if game is not None:
                wanted = wanted.where(tables.c.game == game)
            if before is not None:
                wanted = wanted.where(tables.c.id < before)
            rows = self._rows(wanted.order_by(tables.c.id.desc()).limit(limit - len(found)))
            whole = len(rows) < limit - len(found)
            found += self._entries(rows)
            if whole or len(found) == limit:
                return found
            # Further rows replace the damaged ones: a page with fewer would look like the last page.
            before = rows[-1][0]

    def entry(self, table: TableId) -> Entry | None:
        rows = self._rows(_NOTED.where(tables.c.id == table))
        return next(iter(self._entries(rows)), None)

    def named(self, game: str, room: str) -> TableId | None:
        wanted = select(rooms.c.table_id).where(rooms.c.game == game, rooms.c.room == room)
        try:
            found = self._one(wanted)
        except BadPage:
            return None  # there is no room of this name any more
        return None if found is None else TableId(found)

    def last_name(self, game: str) -> str | None:
        wanted = select(rooms.c.room).where(rooms.c.game == game).order_by(rooms.c.table_id.desc()).limit(1)
        found: str | None = self._one(wanted)
        return found

    def played_by(self, person: PersonId, limit: int, before: TableId | None = None) -> list[Entry]:
        noted = _NOTED.join(seats, seats.c.table_id == tables.c.id)
        return self._entries(self._rows(_played_by(noted, person, limit, before)))

    def tables_of(self, person: PersonId, limit: int, before: TableId | None = None) -> list[TableId]:
        wanted = _played_by(select(seats.c.table_id), person, limit, before)
        return [TableId(row[0]) for row in self._rows(wanted)]

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

    def _latest_noted(self) -> list[Millis]:
        """When tables and people were changed last, as far as notes and people are sound."""
        times = []
        for wanted in (_NOTED.where(unfinished), _NOTED.order_by(tables.c.id.desc()).limit(_LAST_NOTES)):
            times += [entry.updated for entry in self._entries(self._rows(wanted))]
        last = self._rows(select(people).order_by(people.c.seen.desc()).limit(_LAST_SEEN))
        return times + [row[_SEEN] for row in last if person_is_sound(row)]
