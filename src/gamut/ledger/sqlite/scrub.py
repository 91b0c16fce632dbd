"""Leaving nothing in the files of what was taken out of the database."""

import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from gamut.hall.store.storage import LedgerError
from gamut.ledger.meta import CLEANED
from gamut.ledger.sqlite.busy import BUSY_MILLIS
from gamut.ledger.sqlite.gaps import Gaps

_BRIEFLY = 50
"""Milliseconds for which the files are waited for when they are to be cleaned: everybody's commits wait with us."""
_NAP = 0.002

_COUNT = (
    "INSERT INTO meta (key, value) VALUES (?, '1')"
    " ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)"
)


class Scrub:
    """Deleted rows are left in two places: in the WAL, as copies of old pages,
    and in the gaps of the pages."""

    def __init__(self, engine: Engine, writing: threading.Lock) -> None:
        self._engine = engine
        self._writing = writing
        """Held by whoever commits events."""
        self._scrubbing = threading.Lock()
        self._gaps: Gaps | None = None

    def clean(self) -> bool:
        """Clean the files. False if another program reads them, so that it has to be tried again."""
        try:
            with self._scrubbing, self._engine.connect() as connection:
                connection.exec_driver_sql(f"PRAGMA busy_timeout={_BRIEFLY}")
                try:
                    return self._clean(connection)
                finally:
                    connection.rollback()
                    connection.exec_driver_sql(f"PRAGMA busy_timeout={BUSY_MILLIS}")
        except DBAPIError as error:
            raise LedgerError(str(error.orig)) from None
        except (sqlite3.Error, OSError) as error:
            raise LedgerError(str(error)) from None

    def close(self) -> None:
        """After this, nobody uses the engine."""
        if self._gaps is not None:
            self._engine.dispose()
            self._gaps.close()

    def _clean(self, connection: Connection) -> bool:
        # First what can be done while others write. If somebody still reads old pages,
        # it is too early to clean.
        if not _checkpointed(connection, "PASSIVE"):
            return False
        if self._gaps is None:
            self._gaps = Gaps(self._file)
        # Our own read transaction keeps SQLite from restarting the WAL, so all pages that
        # change meanwhile are in it.
        connection.exec_driver_sql("BEGIN")
        connection.exec_driver_sql("SELECT 1 FROM meta").all()
        found = self._gaps.with_remains()
        with self._writing:
            if not self._clear(connection, self._gaps, found) or not _checkpointed(connection, "TRUNCATE"):
                return False
        self._gaps.put_on_disk()
        return True

    def _clear(self, reading: Connection, gaps: Gaps, found: set[int]) -> bool:
        with closing(sqlite3.connect(self._file, timeout=_BRIEFLY / 1000, isolation_level=None)) as alone:
            try:
                alone.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
                return False
            # Nobody writes from here on.
            reading.rollback()
            found |= gaps.logged()
            if not _checkpointed_soon(reading):
                return False
            if gaps.clear(found):
                # Other connections may have the old pages in their caches, and could write them back. This
                # commit makes them read all pages anew. The connection that commits is new, and has none of
                # them cached.
                alone.execute(_COUNT, (CLEANED,))
            alone.execute("COMMIT")
        return True

    @property
    def _file(self) -> Path:
        assert self._engine.url.database is not None
        return Path(self._engine.url.database)


def _checkpointed_soon(connection: Connection) -> bool:
    """The same, with a moment for those who still read old pages. It holds up no reader."""
    until = time.monotonic() + _BRIEFLY / 1000
    while not _checkpointed(connection, "PASSIVE"):
        if time.monotonic() > until:
            return False
        time.sleep(_NAP)
    return True


def _checkpointed(connection: Connection, how: str) -> bool:
    """Whether the whole log beside the database has gone into it."""
    busy, logged, moved = connection.exec_driver_sql(f"PRAGMA wal_checkpoint({how})").one()
    return not busy and logged == moved
