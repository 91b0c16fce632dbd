"""A store on SQLite: one process, one folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gamut.hall.ids import Millis
from gamut.ledger.people import SqlPeopleStore
from gamut.ledger.sqlite.database import open_database
from gamut.ledger.sqlite.ledger import SqliteLedger
from gamut.ledger.sqlite.mending import damaged_copies
from gamut.ledger.store import Watcher


class SqliteStore:
    node: int | None = None
    before = 0, 0
    clock_ahead = 0
    opened_before = Millis(0)

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._database = open_database(folder)
        self.damage = self._database.damage
        self.stopped_at = self._database.stopped_at
        self.ledger = SqliteLedger(self._database.engine, self._database.high_water, self.damage)
        self.people = SqlPeopleStore(self._database.engine, self.damage)

    def batches(self) -> int:
        return 0  # there are no gateways to which it would matter

    def watch(self, now: Callable[[], Millis], watcher: Watcher) -> None:
        """The folder is locked: nobody else can use it, and it goes nowhere."""

    def remains(self) -> str:
        if not damaged_copies(self._folder):
            return ""
        copy = "The server keeps a damaged copy of its data"
        return f"{copy}, in which your name may be left until its operator removes it."

    def lease_age(self) -> float | None:
        return None

    def health(self) -> dict[str, Any]:
        return {}

    async def stop(self, at: Millis) -> None:
        self._database.high_water.stop(at)

    async def close(self) -> None:
        self.ledger.close()
        self._database.close()
