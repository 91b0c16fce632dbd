"""Opening the database in a data folder: one process at a time, durable, at the right version."""

import fcntl
import os
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from gamut.hall.storage import LedgerError
from gamut.ledger.migrations import migrate

FILE = "gamut.db"
_LOCK = "gamut.lock"


class Database:
    """The engine and the lock that keeps a second server out of the same folder."""

    def __init__(self, engine: Engine, lock: int) -> None:
        self.engine = engine
        self._lock = lock

    def close(self) -> None:
        self.engine.dispose()
        os.close(self._lock)


def open_database(folder: Path) -> Database:
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
    # What was being stored is nobody's business but the ledger's: errors do not repeat it.
    engine = create_engine(URL.create("sqlite", database=str(folder / FILE)), hide_parameters=True)
    event.listen(engine, "connect", _durable)
    try:
        # Made here and not by SQLite, whose other files get the rights of this one: they hold hashes and keys.
        os.close(os.open(folder / FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        os.chmod(folder / FILE, 0o600)
        with engine.begin() as connection:
            migrate(connection)
    except LedgerError:
        engine.dispose()
        os.close(lock)
        raise
    except DBAPIError as error:
        engine.dispose()
        os.close(lock)
        raise LedgerError(f"The database {folder / FILE} cannot be opened: {error.orig}.") from None
    except OSError as error:
        engine.dispose()
        os.close(lock)
        raise LedgerError(f"The database {folder / FILE} cannot be opened: {error.strerror}.") from None
    return Database(engine, lock)


def _durable(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    # FULL: a commit is on the disk before it returns, so not even a power cut takes it back.
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA busy_timeout=10000")
    # Whoever wants to be forgotten is: what is deleted is overwritten.
    cursor.execute("PRAGMA secure_delete=ON")
    cursor.execute("PRAGMA wal_autocheckpoint=4000")
    # In KiB, for whoever only reads; the one who writes has more.
    cursor.execute("PRAGMA cache_size=-4096")
    cursor.close()
