"""A hall in a data folder, to be moved from or to."""

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from sqlalchemy import URL, create_engine, insert
from sqlalchemy.exc import DBAPIError

from gamut.hall.ids import Millis
from gamut.hall.store.storage import LedgerError
from gamut.ledger import schema
from gamut.ledger.meta import MOVING, NOT_COMPLETED, SECRET, TAKEN_OUT, VERSION, counted
from gamut.ledger.migrations import CURRENT, migrate, refuse_newer
from gamut.ledger.moving.parts import EVENTS, Part, Row
from gamut.ledger.moving.store import LastMoment
from gamut.ledger.sqlite.database import FILE, lock_folder
from gamut.ledger.sqlite.mark import FILE as MARK
from gamut.ledger.sqlite.mark import HighWater, read_mark
from gamut.ledger.sqlite.mending import put_on_disk, rescued_beside

_BESIDE = ("-wal", "-shm", "-journal")


class _Folder:
    def __init__(self, folder: Path, lock: int, connection: sqlite3.Connection) -> None:
        self.shown = str(folder)
        self._folder = folder
        self._lock = lock
        self._connection = connection

    def count(self, part: Part) -> int:
        found: int = self._connection.execute(f"SELECT count(*) FROM {part.name}").fetchone()[0]  # noqa: S608
        return found

    def rows(self, part: Part) -> Iterator[Row]:
        return self._connection.execute(part.select)

    def close(self) -> None:
        self._connection.close()
        os.close(self._lock)


class FolderOrigin(_Folder):
    def secret(self) -> str | None:
        return _fact(self._connection, SECRET)

    def last_moment(self) -> LastMoment:
        mark = read_mark(self._folder)
        if mark is None:
            return LastMoment(Millis(0), stopped=False)
        ever_stored = self.count(EVENTS) + counted(_fact(self._connection, TAKEN_OUT))
        return LastMoment(mark.at, stopped=mark.stopped and mark.stored == ever_stored)

    def check_unused(self) -> None:
        """Our lock has kept everybody out."""


class FolderDestination(_Folder):
    def store(self, part: Part, rows: Iterable[Row]) -> None:
        marks = ", ".join("?" * part.width)
        self._connection.executemany(
            f"INSERT INTO {part.name} ({part.columns}) VALUES ({marks})",  # noqa: S608 - our own names
            rows,
        )

    def complete(self, secret: str | None, last: LastMoment) -> None:
        if secret is not None:
            self._connection.execute("INSERT INTO meta (key, value) VALUES (?, ?)", (SECRET, secret))
        self._connection.execute("DELETE FROM meta WHERE key = ?", (MOVING,))
        # Before the commit: a store that is complete has its mark.
        mark = HighWater(self._folder, self.count(EVENTS), last.at)
        if last.stopped:
            mark.stop(last.at)
            mark.write()
        self._connection.execute("COMMIT")
        put_on_disk(self._folder)


def open_origin(folder: Path) -> FolderOrigin:
    database = folder / FILE
    if not database.is_file():
        raise LedgerError(f"There is no hall in {folder}.")
    lock = lock_folder(folder)
    try:
        connection = _connected(database)
        try:
            if rescued_beside(database).exists() or not _is_whole(connection):
                raise LedgerError(
                    f"The database {database} is damaged: start a server on it once, which mends what can be mended "
                    f"(gamut serve --data {folder})."
                )
            connection.execute("BEGIN")
            _refuse_unfit(connection, folder)
        except BaseException:
            connection.close()
            raise
    except BaseException:
        os.close(lock)
        raise
    return FolderOrigin(folder, lock, connection)


def _connected(database: Path) -> sqlite3.Connection:
    # Nothing is written, not even beside it if everything is in the one file: our lock keeps servers out.
    mode = "mode=ro" if _beside(database, "-wal").exists() else "immutable=1"
    connection = sqlite3.connect(f"{database.absolute().as_uri()}?{mode}", uri=True, isolation_level=None)
    # What is no text can be told from other such, and is damaged in any store.
    connection.text_factory = lambda data: data.decode(errors="backslashreplace")
    return connection


def _is_whole(connection: sqlite3.Connection) -> bool:
    try:
        return bool(connection.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok")
    except sqlite3.Error:
        return False


def _refuse_unfit(connection: sqlite3.Connection, folder: Path) -> None:
    if _fact(connection, MOVING) is not None:
        raise LedgerError(NOT_COMPLETED)
    version = counted(_fact(connection, VERSION))
    refuse_newer(version)
    if not version:
        raise LedgerError(f"There is no hall in {folder}.")
    if version < CURRENT:
        raise LedgerError(
            f"The data in {folder} is of an older Gamut (schema {version}; this one has {CURRENT}): "
            f"start a server on it once, which brings it up to date (gamut serve --data {folder})."
        )


def open_destination(folder: Path) -> FolderDestination:
    """Raises LedgerError if there is a hall already, and then nothing is changed."""
    lock = lock_folder(folder)
    try:
        database = folder / FILE
        _make_room(database)
        try:
            os.close(os.open(database, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
            _begin(database)
            connection = sqlite3.connect(database, isolation_level=None)
        except (sqlite3.Error, DBAPIError, OSError) as error:
            raise LedgerError(f"The database {database} cannot be made: {error}.") from None
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("BEGIN IMMEDIATE")
    except BaseException:
        os.close(lock)
        raise
    return FolderDestination(folder, lock, connection)


def _make_room(database: Path) -> None:
    """What an earlier move has left is removed."""
    if not database.exists():
        return
    if database.stat().st_size:
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            try:
                begun = _fact(connection, MOVING) is not None
            except sqlite3.Error:
                begun = False
        if not begun:
            raise LedgerError(f"There is already a hall in {database.parent}; nothing was moved.")
    for end in ("", *_BESIDE):
        _beside(database, end).unlink(missing_ok=True)
    (database.parent / MARK).unlink(missing_ok=True)


def _begin(database: Path) -> None:
    engine = create_engine(URL.create("sqlite", database=str(database)))
    try:
        with engine.begin() as connection:
            migrate(connection)
            connection.execute(insert(schema.meta).values(key=MOVING, value="1"))
    finally:
        engine.dispose()


def _beside(database: Path, end: str) -> Path:
    return database.with_name(database.name + end)


def _fact(connection: sqlite3.Connection, key: str) -> str | None:
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
        return None
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])
