"""A damaged database made anew from what can be read of it. The damaged one is kept beside it as it was.

Every row that its checksum proves is taken over. What can be worked out from the logs is: who played where, the names
of rooms, and notes, which the hall writes anew. A table of which an event is lost, or may be, is entered as damaged:
what is left of it must never look like all of it.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import URL, create_engine

from gamut.hall.lobby.talk import TALK
from gamut.hall.store.checksum import START, follows
from gamut.hall.table.events import Opened, Said, Sat
from gamut.hall.table.seats import Sitter
from gamut.ledger.checksums import note_is_sound, of_person
from gamut.ledger.meta import MOVING, SECRET, TAKEN_OUT, VERSION
from gamut.ledger.migrations import migrate, refuse_newer
from gamut.ledger.sqlite.pages import Cell, Pages, Record
from gamut.ledger.sqlite.trees import GAP, Trees

_FACTS = frozenset((SECRET, TAKEN_OUT, MOVING))
_UNKNOWN = "?"
"""The phase of a table whose note is lost: not over, as far as anybody knows."""
_NO_CHECKSUM = -1
_AT_ONCE = 1_000

Row = tuple[Any, ...]


class Rescued(NamedTuple):
    events: int
    people: int
    damaged: int
    """Tables that cannot be opened any more."""


class NothingLeft(Exception):
    """Not a single event, note or person can be read."""


def rescue(damaged: Path, target: Path) -> Rescued:
    """Write all that can be read of a damaged database into a new one; raises NothingLeft."""
    pages = Pages(damaged)
    try:
        # The same steps as for any new ledger.
        engine = create_engine(URL.create("sqlite", database=str(target)))
        try:
            with engine.begin() as connection:
                migrate(connection)
        finally:
            engine.dispose()
        with closing(sqlite3.connect(target, isolation_level=None)) as anew:
            anew.execute("PRAGMA synchronous=FULL")
            anew.execute("BEGIN")
            anew.execute("CREATE TEMP TABLE found (table_id, seq, place, body, checksum, rowid_there)")
            rescued = _Rescue(pages, anew).run()
            anew.execute("COMMIT")
        return rescued
    finally:
        pages.close()


# What a row is can be told from its columns alone.


def _is(record: Record, *types: type | tuple[type, ...]) -> bool:
    return len(record) == len(types) and all(map(isinstance, record, types))


_MAYBE = (str, type(None))


def _is_event(cell: Cell) -> bool:
    return _is(cell.record, type(None), str, int, bytes, bytes)


def _is_event_key(cell: Cell) -> bool:
    """In the index of events."""
    return _is(cell.record, str, int, int)


class _Sound(NamedTuple):
    """What is proven of a log."""

    events: int
    place: int
    """Where the last of them was."""


_NOTHING = _Sound(0, 0)


class _Rescue:
    def __init__(self, pages: Pages, anew: sqlite3.Connection) -> None:
        self._pages = pages
        self._anew = anew
        self._people: set[str] = set()
        self._notes: set[str] = set()
        self._seats: set[tuple[str, str]] = set()
        self._rooms: dict[tuple[str, str], str] = {}
        self._damaged: dict[str, int] = {}
        self._proven: dict[str, _Sound] = {}
        self._places: set[int] = set()
        """Where proven events were."""

    def run(self) -> Rescued:
        self._gather()
        trees = Trees(self._pages)
        named = {row.record[0] for row in trees.rows(_is_event_key, index=True) if row is not GAP}
        events = self._logs(named | self._notes)
        if not (events or self._notes or self._people):
            raise NothingLeft
        self._compare(trees)
        for table in self._notes - self._proven.keys():
            self._damaged.setdefault(table, 1)
        self._write_the_rest()
        return Rescued(events, len(self._people), len(self._damaged))

    def _gather(self) -> None:
        """Look at every row on every page."""
        found: list[Row] = []
        for page in self._pages:
            if page.of_index:
                continue
            for rowid, record in page.cells:
                if _is_event(Cell(rowid, record)):
                    # On a damaged page the place itself may be wrong: none is proven by it.
                    found.append((*record[1:3], rowid if page.whole else 0, *record[3:], rowid))
                else:
                    self._take(record)
            if len(found) >= _AT_ONCE:
                self._find(found)
                found = []
        self._find(found)

    def _find(self, found: Iterable[Row]) -> None:
        self._anew.executemany("INSERT INTO found VALUES (?, ?, ?, ?, ?, ?)", found)

    def _take(self, record: Record) -> None:
        if _is(record, str, str, str, int, int, bytes, int, int):
            if note_is_sound(record):
                self._notes.add(record[0])
                self._anew.execute(
                    "INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", record
                )
        elif _is(record, str, str, str, _MAYBE, int, int, int, int):
            if record[-1] == of_person(*record[:-1]):
                self._add_person(record)
        elif _is(record, str, str, str, _MAYBE, int, int, int):
            # Of an older schema, which had no checksums for people.
            self._add_person((*record, of_person(*record)))
        elif _is(record, str, str, str):
            game, room, table = record
            self._name(game, room, table)
        elif _is(record, str, int):
            self._damaged[record[0]] = record[1]
        elif _is(record, str, str):
            self._take_pair(*record)

    def _take_pair(self, first: str, second: str) -> None:
        if first == VERSION:
            if second.isdecimal():
                refuse_newer(int(second))
        elif first in _FACTS:
            self._anew.execute("INSERT INTO meta VALUES (?, ?) ON CONFLICT DO NOTHING", (first, second))
        else:
            self._seats.add((first, second))

    def _add_person(self, row: Record) -> None:
        self._people.add(row[0])
        self._anew.execute("INSERT OR IGNORE INTO people VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def _name(self, game: str, room: str, table: str) -> None:
        # Ids ascend in time, and the last table of a name is the one that counts.
        self._rooms[game, room] = max(table, self._rooms.get((game, room), ""))

    # Logs

    def _logs(self, known: set[str]) -> int:
        """Store every log; says how many events that were."""
        stored = 0
        found = self._anew.cursor().execute("SELECT * FROM found ORDER BY table_id, seq, place DESC")
        for table, rows in groupby(found, itemgetter(0)):
            log, sound = _chosen(rows)
            if not sound and table not in known:
                continue  # no sound row has this id: it is a damaged id, and there was no such table
            if sound < len(log):
                self._lost(table, sound + 1)
            self._proven[table] = _Sound(sound, log[sound - 1][2] if sound else 0)
            self._places.update(row[5] for row in log[:sound])
            self._anew.executemany(
                "INSERT INTO events (table_id, seq, body, checksum) VALUES (?, ?, ?, ?)",
                [(table, seq, body, checksum) for _, seq, _, body, checksum, _ in log],
            )
            self._trace(table, [row[3] for row in log[:sound]])
            stored += len(log)
        return stored

    def _compare(self, trees: Trees) -> None:
        """A log counts as complete only if the index of events has no later event of it,
        and no gap could hide one."""
        ends: dict[str, int] = {}
        open_ended: set[Record] = set()
        key: Record = ()
        whole = True
        for row in trees.rows(_is_event_key, index=True):
            if row is GAP:
                whole = False
                open_ended.add(key[:2])
                continue
            if not _is_event_key(row):
                continue
            table, seq, place = key = row.record
            ends[table] = max(seq, ends.get(table, 0))
            # If a proven event of another number is stored at this place, the index is wrong and not the log.
            if seq > self._proven.get(table, _NOTHING).events and place not in self._places:
                self._lost(table, self._proven.get(table, _NOTHING).events + 1)
        first_after_gaps = _first_after_gaps(trees.rows(_is_event, index=False))
        if whole or first_after_gaps is None:
            return
        for table, (events, place) in self._proven.items():
            ended = ends.get(table, 0) <= events and (table, events) not in open_ended and table in ends
            if place < first_after_gaps and not ended:
                self._lost(table, events + 1)

    def _lost(self, table: str, event: int) -> None:
        if table != TALK:
            self._damaged.setdefault(table, event)

    def _trace(self, table: str, bodies: Iterable[bytes]) -> None:
        """What else was stored because of these events."""
        for body in bodies:
            try:
                people = _people_in(body)
                if body.startswith(b'{"type":"opened"'):
                    opened = msgspec.json.decode(body, type=Opened)
                    if opened.room is not None:
                        self._name(opened.game, opened.room, table)
            except msgspec.DecodeError:
                continue
            if table != TALK:
                self._seats.update((person, table) for person in people if person in self._people)

    def _write_the_rest(self) -> None:
        anew = self._anew
        tables = self._proven.keys() | self._damaged.keys()
        unnoted = self._proven.keys() - self._damaged.keys() - self._notes - {TALK}
        anew.executemany("INSERT OR REPLACE INTO damaged VALUES (?, ?)", self._damaged.items())
        anew.executemany(
            "INSERT INTO tables VALUES (?, '', ?, 0, 0, x'', 0, ?)",
            [(table, _UNKNOWN, _NO_CHECKSUM) for table in sorted(unnoted)],
        )
        anew.executemany(
            "INSERT INTO seats VALUES (?, ?)", sorted(seat for seat in self._seats if seat[1] in tables)
        )
        anew.executemany(
            "INSERT INTO rooms VALUES (?, ?, ?)",
            [(*name, table) for name, table in sorted(self._rooms.items()) if table in tables],
        )


def _chosen(rows: Iterable[Row]) -> tuple[list[Row], int]:
    """One row for each number, and how many of them from the first on are proven to be the log."""
    log: list[Row] = []
    sound, checksum = 0, START
    for seq, candidates in groupby(rows, itemgetter(1)):
        choices = list(candidates)
        right = None
        if seq == sound + 1 and sound == len(log):
            right = next((row for row in choices if follows(checksum, row[3], row[4])), None)
        if right is not None:
            sound, checksum = seq, right[4]
        log.append(choices[0] if right is None else right)
    return log, sound


def _first_after_gaps(rows: Iterator[Cell | None]) -> int | None:
    """The place of the first event after the last gap: whatever was stored later is all there. None: no gap at all."""
    after, gap, last = 0, False, 0
    for row in rows:
        if row is GAP:
            gap, after = True, 0
        elif row.rowid is not None:
            if row.rowid <= last:
                return 1 << 63  # not even their order is known
            last = row.rowid
            after = after or last
    if not gap:
        return None
    return after or 1 << 63


def _people_in(body: bytes) -> list[str]:
    """Whose list of games a table belongs to because of this event."""
    if body.startswith(b'{"type":"sat"'):
        sitter = msgspec.json.decode(body, type=Sat).sitter
        return [sitter.person] if sitter.listed else []
    if body.startswith(b'{"type":"said"'):
        return [msgspec.json.decode(body, type=Said).person]
    if body.startswith(b'{"type":"opened"'):
        holders = msgspec.json.decode(body, type=Opened).holders
        return [holder.person for holder in holders if isinstance(holder, Sitter) and holder.listed]
    return []
