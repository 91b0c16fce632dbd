"""What is stored, as of one moment: read beside the nodes, without them."""

from types import TracebackType
from typing import Any, Self, cast

import msgspec
from sqlalchemy import Engine, Select, text

from gamut.hall.ids import TableId
from gamut.hall.store.storage import Storage
from gamut.ledger.reading import LedgerReading


class _Noted(msgspec.Struct):
    room: str | None = None


_noted = msgspec.json.Decoder(_Noted).decode


class Snapshot(LedgerReading):
    """All that is read of it is of the same moment, whatever the nodes store meanwhile."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        # A comparison only reads.
        self.storage = cast(Storage, self)

    def __enter__(self) -> Self:
        self._connection = self._engine.connect()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def _rows(self, wanted: Select[Any]) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self._connection.execute(wanted)]

    def asked(self, sql: str, **values: Any) -> list[Any]:
        return list(self._connection.execute(text(sql), values))

    def rooms(self) -> list[tuple[str, str, TableId]]:
        """Game, name and table of every room; one without a name is called by its table's id."""
        return [
            (game, _noted(summary).room or id, TableId(id))
            for id, game, summary in self.asked("SELECT id, game, summary FROM tables")
        ]

    # As far as a comparison wants it of a medium

    def tables(self) -> list[TableId]:
        return []

    def crash(self, *_: Any) -> None:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError
