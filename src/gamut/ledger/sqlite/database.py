"""Opening the database in a data folder: one process at a time, durable, at the right version."""

import fcntl
import logging
import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, func, select
from sqlalchemy.exc import DBAPIError

from gamut.hall.ids import Millis, TableId
from gamut.hall.store.storage import Damage, LedgerError
from gamut.ledger.meta import TAKEN_OUT, counted
from gamut.ledger.migrations import migrate
from gamut.ledger.schema import damaged, events, meta
from gamut.ledger.sqlite.busy import BUSY_MILLIS
from gamut.ledger.sqlite.mark import HighWater, read_mark
from gamut.ledger.sqlite.mending import make_sound

log = logging.getLogger("gamut.ledger")

FILE = "gamut.db"
_LOCK = "gamut.lock"


@dataclass(frozen=True, eq=False, repr=False)
class Database:
    """The engine, what is known to be damaged, and the lock that keeps a second server out of the same folder."""

    engine: Engine
    lock: int
    damage: Damage
    high_water: HighWater
    stopped_at: Millis | None
    """When the server before this one came to its end in good order; None: it did not, or there was none."""

    def close(self) -> None:
        self.high_water.close()
        self.engine.dispose()
        os.close(self.lock)


def lock_folder(folder: Path) -> int:
    """Make the folder if there is none, and keep every other Gamut out of it; raises LedgerError."""
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise LedgerError(f"The data folder {folder} cannot be used: {error.strerror}.") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise LedgerError(f"Another Gamut is using the data folder {folder}.") from None
    return lock


def open_database(folder: Path) -> Database:
    lock = lock_folder(folder)
    # What was being stored is nobody's business but the ledger's: errors do not repeat it.
    engine = create_engine(URL.create("sqlite", database=str(folder / FILE)), hide_parameters=True)
    event.listen(engine, "connect", _durable)
    try:
        return _opened(folder, engine, lock)
    except (LedgerError, DBAPIError, sqlite3.Error, OSError) as error:
        engine.dispose()
        os.close(lock)
        if isinstance(error, LedgerError):
            raise
        reason: object = error.orig if isinstance(error, DBAPIError) else error
        if isinstance(error, OSError):
            reason = error.strerror
        raise LedgerError(f"The database {folder / FILE} cannot be opened: {reason}.") from None


def _opened(folder: Path, engine: Engine, lock: int) -> Database:
    # Made here and not by SQLite, whose other files get the rights of this one: they hold hashes and keys.
    os.close(os.open(folder / FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    os.chmod(folder / FILE, 0o600)
    make_sound(folder / FILE)
    with engine.begin() as connection:
        migrate(connection)
    with engine.connect() as connection:
        lost = connection.execute(select(damaged.c.table_id)).scalars()
        damage = Damage(tables=dict.fromkeys(map(TableId, lost)))
        stored = _ever_stored(connection)
    if damage.tables:
        log.error("tables of which something is lost", extra={"tables": len(damage.tables)})
    mark = read_mark(folder)
    if mark is not None and mark.stored > stored:
        damage.events = mark.stored - stored
        log.error(
            "these events are gone: the database holds fewer than it did",
            extra={"events": damage.events, "known": mark.stored, "found": stored},
        )
    known = mark is not None and mark.stopped and mark.stored == stored
    high_water = HighWater(folder, stored, Millis(0) if mark is None else mark.at)
    return Database(engine, lock, damage, high_water, mark.at if mark is not None and known else None)


def _ever_stored(connection: Connection) -> int:
    """Events, and those that were taken out again: a number that only grows."""
    there: int = connection.execute(select(func.count()).select_from(events)).scalar_one()
    taken_out = connection.execute(select(meta.c.value).where(meta.c.key == TAKEN_OUT)).scalar_one_or_none()
    return there + counted(taken_out)


def _durable(connection: Any, _record: Any) -> None:
    # A damaged letter is noticed by the row's checksum; it must not keep the other rows from being read.
    connection.text_factory = _text
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    # FULL: a commit is on the disk before it returns, so not even a power cut takes it back.
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute(f"PRAGMA busy_timeout={BUSY_MILLIS}")
    # Whoever wants to be forgotten is: what is deleted is overwritten.
    cursor.execute("PRAGMA secure_delete=ON")
    cursor.execute("PRAGMA wal_autocheckpoint=4000")
    # In KiB, for whoever only reads; the one who writes has more.
    cursor.execute("PRAGMA cache_size=-4096")
    cursor.close()


def _text(data: bytes) -> str:
    return data.decode(errors="replace")
