"""What a hall consists of in any store: the tables that are moved, and values that every database can hold."""

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import BigInteger, Boolean, Column, Integer, LargeBinary, Table

from gamut.ledger import schema

_INTEGER, _BIGINT = 1 << 31, 1 << 63

Row = tuple[Any, ...]


class NoPlace(Exception):
    """No database but the one it was found in can hold this row."""


class Part(NamedTuple):
    """One table of the ledger. Its rows have the columns in this order, and come sorted by the key."""

    name: str
    columns: str
    width: int
    key: str
    holdable: tuple[Callable[[Any], Any], ...]

    @property
    def select(self) -> str:
        return f"SELECT {self.columns} FROM {self.name} ORDER BY {self.key}"  # noqa: S608 - our own names

    def for_any_store(self, row: Row) -> Row:
        """The row as every store can hold it, which is the very same if it is not damaged; raises NoPlace.

        SQLite keeps a damaged value of any type in any column, PostgreSQL does not.
        """
        return tuple([hold(value) for hold, value in zip(self.holdable, row, strict=True)])


def _part(table: Table, key: str) -> Part:
    # Without the place of an event in SQLite's file.
    columns = [column for column in table.c if column is not schema.events.c.id]
    names = ", ".join(column.name for column in columns)
    return Part(table.name, names, len(columns), key, tuple(map(_holdable, columns)))


def _holdable(column: Column[Any]) -> Callable[[Any], Any]:
    in_key = column.primary_key or column is schema.events.c.seq
    if isinstance(column.type, Boolean):
        return lambda value: bool(value) if value in (0, 1) else False
    if isinstance(column.type, Integer):
        return _whole_number(_BIGINT if isinstance(column.type, BigInteger) else _INTEGER, in_key)
    if isinstance(column.type, LargeBinary):
        return lambda value: value if type(value) is bytes else str(value).encode()
    return _text_or_none if column.nullable else _text


def _whole_number(limit: int, in_key: bool) -> Callable[[Any], int]:
    def hold(value: Any) -> int:
        if type(value) is int and -limit <= value < limit:
            return value
        if in_key:
            raise NoPlace
        return -1

    return hold


def _text(value: Any) -> str:
    text = value if type(value) is str else str(value)
    return text.replace("\0", "\\0") if "\0" in text else text


def _text_or_none(value: Any) -> str | None:
    return None if value is None else _text(value)


PEOPLE = _part(schema.people, "id")
EVENTS = _part(schema.events, "table_id, seq")
NOTES = _part(schema.tables, "id")
ROOMS = _part(schema.rooms, "game, room")
SEATS = _part(schema.seats, "person_id, table_id")
DAMAGED = _part(schema.damaged, "table_id")
PARTS = (PEOPLE, EVENTS, NOTES, ROOMS, SEATS, DAMAGED)


class Tally:
    """How many rows, and a checksum of them all in whatever order."""

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0

    def counted(self, rows: Iterable[Row]) -> Iterator[Row]:
        for row in rows:
            self.count += 1
            self._sum += int.from_bytes(blake2b(msgspec.msgpack.encode(row), digest_size=16).digest())
            yield row

    def agrees(self, other: "Tally") -> bool:
        return (self.count, self._sum) == (other.count, other._sum)
