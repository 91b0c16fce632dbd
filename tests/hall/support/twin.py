"""A hall's storage on a real store, beside one in memory that must give the same answers."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace
from tests.hall.support.inmemory import MemoryStorage

from gamut.hall.ids import Millis, PersonId, Seq, TableId
from gamut.hall.store.storage import Entry, Row, Storage, Tail


def _as_read(entries: Iterable[Entry]) -> list[Entry]:
    """Who sat there and under which name is stored, but not read with the entry."""
    return [replace(entry, people=(), room=None) for entry in entries]


class TwinStorage(MemoryStorage):
    def __init__(self, real: Storage) -> None:
        super().__init__()
        self.real = real
        self.damage = real.damage

    def append(self, rows: Sequence[Row], entries: Iterable[Entry]) -> None:
        noted = tuple(entries)
        super().append(rows, noted)
        self.real.append(rows, noted)

    def log(self, table: TableId) -> list[Row]:
        found = self.real.log(table)
        assert found == super().log(table)
        return found

    def logs(self, tables: Sequence[TableId]) -> dict[TableId, list[Row]]:
        found = self.real.logs(tables)
        assert found == super().logs(tables)
        return found

    def since(self, known: Mapping[TableId, Seq]) -> dict[TableId, list[Row]]:
        found = self.real.since(known)
        assert found == super().since(known)
        return found

    def tail(self, table: TableId, limit: int) -> Tail:
        found = self.real.tail(table, limit)
        assert found == super().tail(table, limit)
        return found

    def unfinished(self) -> list[Entry]:
        found = self.real.unfinished()
        assert found == _as_read(super().unfinished())
        return found

    def going_on(self) -> list[TableId]:
        found = self.real.going_on()
        assert found == super().going_on()
        return found

    def finished(self, game: str | None, before: TableId | None, limit: int) -> list[Entry]:
        found = self.real.finished(game, before, limit)
        assert found == _as_read(super().finished(game, before, limit))
        return found

    def entry(self, table: TableId) -> Entry | None:
        found, known = self.real.entry(table), super().entry(table)
        assert [found] == ([None] if known is None else _as_read([known]))
        return found

    def named(self, game: str, room: str) -> TableId | None:
        found = self.real.named(game, room)
        assert found == super().named(game, room)
        return found

    def last_name(self, game: str) -> str | None:
        found = self.real.last_name(game)
        assert found == super().last_name(game)
        return found

    def played_by(self, person: PersonId, limit: int, before: TableId | None = None) -> list[Entry]:
        found = self.real.played_by(person, limit, before)
        assert found == _as_read(super().played_by(person, limit, before))
        return found

    def tables_of(self, person: PersonId, limit: int, before: TableId | None = None) -> list[TableId]:
        found = self.real.tables_of(person, limit, before)
        assert found == [entry.table for entry in super().played_by(person, limit, before)]
        return found

    def latest(self) -> Millis:
        found = self.real.latest()
        assert found >= super().latest()
        return found

    def forget(self, person: PersonId) -> None:
        super().forget(person)
        self.real.forget(person)

    def scrub(self) -> bool:
        super().scrub()
        return self.real.scrub()
