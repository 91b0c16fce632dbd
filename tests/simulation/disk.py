"""A disk that is slow, holds things back, and is torn from under the server."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Protocol

from sqlalchemy import text
from tests.hall.support.inmemory import MemoryStorage

from gamut.hall.ids import Millis, TableId
from gamut.hall.store.storage import Entry, Fenced, Row, Storage
from gamut.hall.time import Timekeeper, Timer
from gamut.ledger.sqlite.database import FILE, open_database
from gamut.ledger.sqlite.ledger import SqliteLedger

Flying = tuple[Sequence[Row], Sequence[Entry]]
"""A commit that was begun and of which nobody knows whether it is stored."""


class Medium(Protocol):
    """What is left when the server is gone."""

    @property
    def storage(self) -> Storage: ...

    def tables(self) -> list[TableId]:
        """Everything of which there is a log."""
        ...

    def crash(self, flying: Flying | None, chance: Random) -> None:
        """The power is cut: a commit on its way is wholly there or wholly gone."""
        ...

    def close(self) -> None: ...


class MemoryMedium:
    def __init__(self) -> None:
        self.storage: MemoryStorage = MemoryStorage()

    def tables(self) -> list[TableId]:
        return list(self.storage.rows)

    def crash(self, flying: Flying | None, chance: Random) -> None:
        if flying is not None and chance.random() < 0.5:
            self.storage.append(*flying)

    def close(self) -> None:
        pass


class SqliteMedium:
    """The ledger itself. After a crash its files are taken as they lie there, and opened elsewhere."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = 0
        self._open()

    def _open(self) -> None:
        self._home = self._folder / str(self._number)
        self._database = open_database(self._home)
        self.storage: SqliteLedger = SqliteLedger(self._database.engine)

    def tables(self) -> list[TableId]:
        with self._database.engine.connect() as connection:
            found = connection.execute(text("SELECT DISTINCT table_id FROM events ORDER BY table_id"))
            return [TableId(row[0]) for row in found]

    def crash(self, flying: Flying | None, chance: Random) -> None:
        before = self._home, self._database, self.storage
        kept = None
        if flying is not None:
            # What is written last may be cut off anywhere: SQLite finds out which commits are whole.
            kept = self._log_size()
            self.storage.append(*flying)
            kept = chance.randint(min(kept, self._log_size()), self._log_size())
        self._number += 1
        after = self._folder / str(self._number)
        after.mkdir(0o700)
        for name in (FILE, f"{FILE}-wal"):
            if (self._home / name).exists():
                shutil.copyfile(self._home / name, after / name)
        if kept is not None:
            with (after / f"{FILE}-wal").open("r+b") as log:
                log.truncate(kept)
        self._open()
        home, database, storage = before
        storage.close()
        database.close()
        shutil.rmtree(home)

    def _log_size(self) -> int:
        log = self._home / f"{FILE}-wal"
        return log.stat().st_size if log.exists() else 0

    def close(self) -> None:
        self.storage.close()
        self._database.close()


class Disk:
    """A `Committer` in simulated time. It dies with its server; what is on the medium stays."""

    def __init__(
        self, medium: Medium, time: Timekeeper, chance: Random, trace: Callable[[str], None]
    ) -> None:
        self._medium = medium
        self._time = time
        self._chance = chance
        self._trace = trace
        self._next: Timer | None = None
        self._flying: Flying | None = None
        self.commits = 0
        self.stored = 0
        """How many of them are."""
        self.stuck = False
        """A commit failed: the server must stop, and nobody may be told."""
        self._ended = False
        """Another node has taken over: nothing is stored for this one any more."""

    def soon(self, call: Callable[[], None], *, enough: bool) -> None:
        if self._next is not None:
            self._next.cancel()
        wait = 0 if enough or self._chance.random() < 0.5 else self._chance.randrange(1, 5)
        self._next = self._time.later(Millis(wait), call)

    def commit(self, rows: Sequence[Row], entries: Sequence[Entry], done: Callable[[], None]) -> None:
        flying = self._flying = rows, entries
        self.commits += 1
        luck = self._chance.random()
        if luck < 0.003:
            self.stuck = True
            self._trace("the disk fails")
            return
        if luck < 0.85:
            span = self._chance.randrange(6)
        elif luck < 0.97:
            span = self._chance.randrange(400)
        else:
            span = self._chance.randrange(90_000)
        stored = self._chance.randrange(span + 1)
        self._trace(f"a commit of {len(rows)} begins, {stored} ms to the disk, {span} ms in all")
        self._time.later(Millis(stored), lambda: self._stored(flying))
        self._time.later(Millis(span), lambda: self._answer(done))

    def _stored(self, flying: Flying) -> None:
        if self._flying is not flying:
            return  # it was stored just before the end
        try:
            self._store(*flying)
        except Fenced as fenced:
            self.stuck = True
            self._trace(str(fenced))

    def _store(self, rows: Sequence[Row], entries: Sequence[Entry]) -> None:
        self._flying = None
        if self._ended:
            raise Fenced(1)
        self._medium.storage.append(rows, entries)
        self.stored += 1

    def _answer(self, done: Callable[[], None]) -> None:
        if not self.stuck:
            done()

    def end(self) -> None:
        """Another node takes over, and this one does not know it. A commit on its way is wholly stored before that, or
        is refused."""
        self._trace("the server was ended")
        if self._flying is not None and self._chance.random() < 0.5:
            self._trace("the commit on its way was stored before that")
            self._store(*self._flying)
        self._ended = True

    @property
    def is_ended(self) -> bool:
        return self._ended

    def crash(self) -> None:
        self._trace(f"crash, with {'a commit' if self._flying is not None else 'nothing'} on its way")
        flying = None if self._ended else self._flying
        self._medium.crash(flying, self._chance)
        if flying is not None:
            # Not only the last: what is written over may be there as it was.
            self.stored += all(row in self._medium.storage.log(row.table) for row in flying[0] if row.body)
