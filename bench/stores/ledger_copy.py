"""The ledger as a server left it behind, copied: it is read here before the next server opens and mends it."""

import shutil
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import text

from bench.stores.stored import Stored
from gamut.ledger.sqlite.database import FILE, open_database
from gamut.ledger.sqlite.ledger import SqliteLedger


class LedgerCopy(Stored):
    def __init__(self, data: Path) -> None:
        self._data = data

    def __enter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="copy-", dir=self._data.parent))
        for name in (FILE, f"{FILE}-wal"):
            if (self._data / name).exists():
                shutil.copyfile(self._data / name, self._folder / name)
        self._database = open_database(self._folder)
        self._ledger = SqliteLedger(self._database.engine)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ledger.close()
        self._database.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def storage(self) -> SqliteLedger:
        return self._ledger

    def asked(self, sql: str, **values: Any) -> list[Any]:
        with self._database.engine.connect() as connection:
            return list(connection.execute(text(sql), values))
