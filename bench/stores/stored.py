"""A store as of one moment, whichever kind it is."""

from abc import ABC, abstractmethod
from typing import Any

import msgspec
from tests.simulation.comparing import Readable

from gamut.hall.ids import TableId


class _Noted(msgspec.Struct):
    room: str | None = None


_noted = msgspec.json.Decoder(_Noted).decode


class Stored(ABC):
    @property
    @abstractmethod
    def storage(self) -> Readable: ...

    @abstractmethod
    def asked(self, sql: str, **values: Any) -> list[Any]:
        """The rows of an answer."""

    def tables(self) -> list[TableId]:
        rows = self.asked("SELECT DISTINCT table_id FROM events ORDER BY table_id")
        return [TableId(row[0]) for row in rows]

    def rooms(self) -> list[tuple[str, str, TableId]]:
        """Game, name and table of every room there ever was; without a name, a room is called by its table's id."""
        rows = self.asked("SELECT id, game, summary FROM tables")
        return [(game, _noted(summary).room or id, TableId(id)) for id, game, summary in rows]
