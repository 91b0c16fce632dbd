"""A start begins with a sound database: it is checked whole, and one that is damaged is made anew."""

import logging
import os
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

from gamut.hall.store.storage import LedgerError
from gamut.ledger.sqlite.badpage import is_bad_page
from gamut.ledger.sqlite.rescue import NothingLeft, rescue

log = logging.getLogger("gamut.ledger")

_BESIDE = ("-wal", "-shm")


def make_sound(database: Path) -> None:
    """Raises LedgerError if nothing of it can be read; then all is left as it was."""
    anew = rescued_beside(database)
    if anew.exists():
        _put_in_place(anew, database)  # a rescue that was cut off by the end of the process
    fault = _fault(database)
    if fault is None:
        return
    unfinished = database.with_name(database.name + ".rescuing")
    try:
        _remove(unfinished)
        os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        rescued = rescue(database, unfinished)
    except NothingLeft:
        _remove(unfinished)
        raise LedgerError(f"The database {database} cannot be opened: {fault}.") from None
    except BaseException:
        _remove(unfinished)
        raise
    kept = _keep(database)
    put_on_disk(unfinished)
    os.replace(unfinished, anew)
    _put_in_place(anew, database)
    log.error(
        "the database is damaged: it was made anew from what can be read, and the damaged one is kept",
        extra={"error": fault, "kept": kept.name, **rescued._asdict()},
    )


def rescued_beside(database: Path) -> Path:
    """A database that was made anew and is not in its place yet, if there is one."""
    return database.with_name(database.name + ".rescued")


def damaged_copies(folder: Path) -> list[str]:
    """The names of the damaged databases that are kept in a data folder."""
    return sorted(file.name for file in folder.glob("*.damaged-*"))


def _remove(unfinished: Path) -> None:
    for end in ("", "-journal"):
        unfinished.with_name(unfinished.name + end).unlink(missing_ok=True)


def _fault(database: Path) -> str | None:
    """What is wrong with a database, if anything is."""
    try:
        with closing(sqlite3.connect(database, timeout=10)) as connection:
            connection.text_factory = lambda data: data.decode(errors="replace")
            found: str = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        if not is_bad_page(error):
            raise
        return str(error)
    return None if found == "ok" else " ".join(found.split())


def _keep(database: Path) -> Path:
    """The damaged files under other names, for whoever can do more with them."""
    for number in count(1):
        kept = database.with_name(f"{database.name}.damaged-{number}")
        try:
            os.link(database, kept)
        except FileExistsError:
            continue
        wal = database.with_name(database.name + "-wal")
        if wal.exists():
            os.link(wal, kept.with_name(kept.name + "-wal"))
        return kept
    raise AssertionError


def _put_in_place(anew: Path, database: Path) -> None:
    # The log of the old database must never be applied to the new one. If this is cut off, the next start goes on.
    for end in _BESIDE:
        database.with_name(database.name + end).unlink(missing_ok=True)
    os.replace(anew, database)
    put_on_disk(database.parent)


def put_on_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
