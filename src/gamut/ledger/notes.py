"""Notes of tables as the columns of the ledger's tables."""

from collections.abc import Iterable, Iterator
from typing import Any

from gamut.hall.store.storage import Entry
from gamut.ledger.checksums import of_note


def note_of(entry: Entry) -> tuple[Any, ...]:
    """A row of `tables`, its columns in order."""
    e = entry
    checksum = of_note(e.table, e.game, e.phase, e.load_at_start, e.updated, e.summary, e.listed)
    return e.table, e.game, e.phase, e.load_at_start, e.updated, e.summary, e.listed, checksum


def rooms_of(entries: Iterable[Entry]) -> Iterator[tuple[str, str, str]]:
    """Rows of `rooms`: one for each name, or the database would be asked to change a row twice in one statement."""
    named: dict[tuple[str, str], str] = {}
    for entry in entries:
        if entry.room is not None:
            name = entry.game, entry.room
            named[name] = max(entry.table, named.get(name, ""))
    for (game, room), table in named.items():
        yield game, room, table


def seats_of(entries: Iterable[Entry]) -> Iterator[tuple[str, str]]:
    """Rows of `seats`."""
    for entry in entries:
        for person in entry.people:
            yield person, entry.table
