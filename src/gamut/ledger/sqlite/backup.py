"""A copy of the database, also while a server writes to it."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from gamut.hall.store.storage import LedgerError
from gamut.ledger.sqlite.database import FILE
from gamut.ledger.sqlite.mending import put_on_disk


def back_up(folder: Path, target: Path) -> None:
    """Copy the database of a data folder into a new file; raises LedgerError, and then there is no such file."""
    source = folder / FILE
    if not source.is_file():
        raise LedgerError(f"There is no database {source}.")
    try:
        # For us alone from the start, as it holds hashes and keys; and never in place of something that is there.
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        raise LedgerError(f"There is already a file {target}; nothing was copied.") from None
    except OSError as error:
        raise LedgerError(f"The file {target} cannot be made: {error.strerror}.") from None
    whole = False
    try:
        _copy(source, target)
        put_on_disk(target)
        put_on_disk(target.parent)
        whole = True
    except sqlite3.Error as error:
        raise LedgerError(f"The database {source} could not be copied: {error}.") from None
    except OSError as error:
        raise LedgerError(f"The file {target} could not be written: {error.strerror}.") from None
    finally:
        if not whole:
            # Also what SQLite may have left beside it.
            for end in ("", "-journal", "-wal", "-shm"):
                target.with_name(target.name + end).unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    # Read-only, so that a mistake here cannot hurt the original.
    with (
        closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True, timeout=10)) as original,
        closing(sqlite3.connect(target)) as copy,
    ):
        # In one go: all of it as it is at one moment. Whoever writes meanwhile is not held up by that.
        original.backup(copy)
        # One file and nothing beside it.
        copy.execute("PRAGMA journal_mode=DELETE")
        found = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise LedgerError(f"The database {source} is damaged: {found}.")
