"""The ledger as a server left it behind, copied: it is read here before the next server opens and mends it."""

import shutil
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec
from sqlalchemy import text

from gamut.hall.ids import TableId
from gamut.ledger.sqlite.database import FILE, open_database
from gamut.ledger.sqlite.ledger import SqliteLedger


class _Noted(msgspec.Struct):
    room: str | None = None


_noted = msgspec.json.Decoder(_Noted).decode


class LedgerCopy:
    def __init__(self, data: Path) -> None:
        self._data = data

    def __enter__(self) -> Self:
        self._folder = Path(tempfile.mkdtemp(prefix="copy-", dir=self._data.parent))
        for name in (FILE, f"{FILE}-wal"):
            if (self._data / name).exists():
                shutil.copyfile(self._data / name, self._folder / name)
        self._database = open_database(self._folder)
        self.storage: SqliteLedger = SqliteLedger(self._database.engine)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.storage.close()
        self._database.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def rooms(self) -> list[tuple[str, str, TableId]]:
        """Game, name and table of every room there ever was; without a name, a room is called by its table's id."""
        with self._database.engine.connect() as connection:
            found = connection.execute(text("SELECT id, game, summary FROM tables"))
            return [(game, _noted(summary).room or id, TableId(id)) for id, game, summary in found]

    # As far as a comparison wants it of a medium

    def tables(self) -> list[TableId]:
        return []

    def crash(self, *_: Any) -> None:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError
