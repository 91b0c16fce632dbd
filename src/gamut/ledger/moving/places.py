"""Where a hall is moved from and to: a data folder, or the URL of a PostgreSQL database."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from gamut.hall.store.storage import LedgerError
from gamut.ledger.moving import sqlite
from gamut.ledger.moving.move import Moved, Progress, move
from gamut.ledger.moving.store import Destination, Origin
from gamut.ledger.opening import POSTGRES, require_postgres

_SCHEME = re.compile("[a-z]{2,}:", re.IGNORECASE)


class _Place(NamedTuple):
    name: str
    open_origin: Callable[[], Origin]
    open_destination: Callable[[], Destination]
    failures: tuple[type[Exception], ...]
    """What can happen to it at any time."""


def move_store(origin: str, destination: str, progress: Progress) -> str:
    """Copy a whole hall; what was done, in one or two lines. Raises LedgerError."""
    here, there = _place(origin), _place(destination)
    if here.name == there.name:
        raise LedgerError("A hall cannot be moved to where it is.")
    try:
        with closing(here.open_origin()) as source, closing(there.open_destination()) as target:
            moved = move(source, target, progress)
            return _in_words(moved, source.shown, target.shown)
    except (*here.failures, *there.failures) as error:
        raise LedgerError(f"The hall was not moved: {' '.join(str(error).split())}") from None


def _place(text: str) -> _Place:
    if text.startswith(POSTGRES):
        return _database(text)
    if not text or _SCHEME.match(text):
        raise LedgerError(
            f"A hall is in a data folder, or in a database whose address begins with {POSTGRES[0]}."
        )
    folder = Path(text)
    return _Place(
        str(folder.resolve()),
        lambda: sqlite.open_origin(folder),
        lambda: sqlite.open_destination(folder),
        (sqlite3.Error, OSError),
    )


def _database(url: str) -> _Place:
    with require_postgres():
        import psycopg

        from gamut.ledger.moving import postgres
    return _Place(
        url, lambda: postgres.open_origin(url), lambda: postgres.open_destination(url), (psycopg.Error,)
    )


def _in_words(moved: Moved, origin: str, destination: str) -> str:
    damage = (
        f"Damaged at the source, and so in the copy: {', '.join(moved.damaged)}.\n" if moved.damaged else ""
    )
    return (
        f"{damage}{_many(moved.tables, 'table')}, {_many(moved.events, 'event')} and "
        f"{_many(moved.people, 'person', 'people')} moved from {origin} "
        f"to {destination}; the source is as it was."
    )


def _many(count: int, one: str, several: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else several or one + 's'}"
