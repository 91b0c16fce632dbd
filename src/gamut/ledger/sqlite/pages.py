"""The pages of a SQLite file, read without SQLite: what is on the sound ones, wherever the others are.

SQLite reaches a row through the pages above it, and gives up at the first bad one. Here every page speaks for itself.
The format is described at https://www.sqlite.org/fileformat2.html; the log beside the file (WAL) is read as well.
"""

import os
import struct
from array import array
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

_MAGIC = b"SQLite format 3\x00"
_USUAL_SIZE = 4096
_SIZES = frozenset(2**power for power in range(9, 17))
_INDEX_INTERIOR, _TABLE_INTERIOR, _INDEX_LEAF, _TABLE_LEAF = 2, 5, 10, 13
_KINDS = frozenset((_INDEX_INTERIOR, _TABLE_INTERIOR, _INDEX_LEAF, _TABLE_LEAF))
_INTERIOR = frozenset((_INDEX_INTERIOR, _TABLE_INTERIOR))
_WAL_HEADER, _FRAME_HEADER = 32, 24
_LONGEST = 64 * 1024 * 1024
"""No row of ours is longer by far: a length beyond this is damage."""

Record = tuple[Any, ...]


class _Bad(Exception):
    """Something on a page is not what it should be."""


class Cell(NamedTuple):
    """A row; or, on a page that only leads to others, the last place below it, with nothing recorded there."""

    rowid: int | None
    """None in an index."""
    record: Record


class Page(NamedTuple):
    number: int
    of_index: bool
    """A page of an index; the others are of tables."""
    cells: tuple[Cell, ...]
    children: tuple[int, ...]
    """What hangs below it, in order: the cells stand between them."""
    whole: bool
    """All that was ever put on it can be read: no byte of it is unaccounted for."""


class Pages:
    def __init__(self, file: Path) -> None:
        self._file = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
        try:
            header = self._bytes(0, 100)
            self.size, self._usable = _sizes(header)
            self._logged = _logged(file.with_name(file.name + "-wal"), self.size)
            length = os.fstat(self._file).st_size
        except BaseException:
            os.close(self._file)
            raise
        self.count = (
            max(-(-length // self.size), *self._logged, 0) if self._logged else -(-length // self.size)
        )

    def close(self) -> None:
        os.close(self._file)

    def _bytes(self, at: int, size: int) -> bytes:
        try:
            found = os.pread(self._file, size, at)
        except OSError:
            found = b""  # a bad place of the disk is a bad page like any other
        return found.ljust(size, b"\0")

    def raw(self, number: int) -> bytes:
        logged = self._logged.get(number)
        return logged if logged is not None else self._bytes((number - 1) * self.size, self.size)

    def __iter__(self) -> Iterator[Page]:
        """Every page that holds rows or leads to some, as far as it can be read."""
        for number in range(1, self.count + 1):
            page = self.page(number)
            if page is not None:
                yield page

    def page(self, number: int) -> Page | None:
        if not 1 <= number <= self.count:
            return None
        data = self.raw(number)
        start = 100 if number == 1 else 0
        kind = data[start]
        if kind not in _KINDS:
            return None
        interior = kind in _INTERIOR
        index = kind in (_INDEX_INTERIOR, _INDEX_LEAF)
        free, count, content, scattered = struct.unpack_from(">HHHB", data, start + 1)
        pointers = start + (12 if interior else 8)
        if pointers + 2 * count > self._usable:
            return Page(number, index, (), (), False)
        cells: list[Cell] = []
        children: list[int] = []
        used, whole = pointers + 2 * count, True
        for (at,) in struct.iter_unpack(">H", data[pointers : pointers + 2 * count]):
            try:
                child, cell, size = self._cell(data, at, kind)
            except (_Bad, struct.error, IndexError, UnicodeDecodeError):
                whole = False
                continue
            used += max(size, 4)
            if child is not None:
                children.append(child)
            cells.append(cell)
        if interior:
            children.append(struct.unpack_from(">I", data, start + 8)[0])
        used += scattered + max((content or 65536) - pointers - 2 * count, 0) + self._free(data, free)
        rowids = [cell.rowid for cell in cells if cell.rowid is not None]
        whole = whole and used == self._usable and all(a < b for a, b in pairwise(rowids))
        return Page(number, index, tuple(cells), tuple(children), whole)

    def _free(self, data: bytes, at: int) -> int:
        total = 0
        while at and at + 4 <= self._usable and total < self._usable:
            following, size = struct.unpack_from(">HH", data, at)
            total += size
            at = following if following > at else 0
        return total

    def _cell(self, data: bytes, at: int, kind: int) -> tuple[int | None, Cell, int]:
        """What it leads to, what it holds, and its size on the page."""
        start, child, rowid = at, None, None
        if kind in _INTERIOR:
            child = struct.unpack_from(">I", data, at)[0]
            at += 4
        if kind == _TABLE_INTERIOR:
            rowid, at = _number(data, at)
            return child, Cell(_signed(rowid), ()), at - start
        length, at = _number(data, at)
        if kind == _TABLE_LEAF:
            rowid, at = _number(data, at)
        if length > _LONGEST:
            raise _Bad
        local = self._local(length, kind)
        if at + local > self._usable:
            raise _Bad
        payload, at = data[at : at + local], at + local
        if local < length:
            payload += self._overflow(struct.unpack_from(">I", data, at)[0], length - local)
            at += 4
        return child, Cell(_signed(rowid), _record(payload)), at - start

    def _local(self, length: int, kind: int) -> int:
        """How much of so long a payload is on the page itself."""
        usable = self._usable
        most = usable - 35 if kind == _TABLE_LEAF else (usable - 12) * 64 // 255 - 23
        if length <= most:
            return length
        least = (usable - 12) * 32 // 255 - 23
        wanted = least + (length - least) % (usable - 4)
        return wanted if wanted <= most else least

    def _overflow(self, number: int, length: int) -> bytes:
        pieces: list[bytes] = []
        while length > 0:
            if not 1 <= number <= self.count:
                raise _Bad
            data = self.raw(number)
            piece = data[4 : min(self._usable, 4 + length)]
            pieces.append(piece)
            length -= len(piece)
            number = struct.unpack_from(">I", data)[0]
        return b"".join(pieces)


def _sizes(header: bytes) -> tuple[int, int]:
    size = struct.unpack_from(">H", header, 16)[0]
    size = 65536 if size == 1 else size
    if header[:16] != _MAGIC or size not in _SIZES:
        return _USUAL_SIZE, _USUAL_SIZE
    return size, size - header[20]


def _logged(wal: Path, size: int) -> dict[int, bytes]:
    """The latest committed copy of each page in the log beside the database."""
    try:
        data = wal.read_bytes()
    except OSError:
        return {}
    if len(data) < _WAL_HEADER:
        return {}
    magic, _, page_size = struct.unpack_from(">III", data)
    if magic & ~1 != 0x377F0682 or page_size != size:
        return {}
    order = ">" if magic & 1 else "<"
    sums = _sums(data[:24], order, (0, 0))
    if sums != struct.unpack_from(">II", data, 24):
        return {}
    committed: dict[int, bytes] = {}
    open_: dict[int, bytes] = {}
    for at in range(_WAL_HEADER, len(data) - size - _FRAME_HEADER + 1, size + _FRAME_HEADER):
        number, pages = struct.unpack_from(">II", data, at)
        content = data[at + _FRAME_HEADER : at + _FRAME_HEADER + size]
        sums = _sums(content, order, _sums(data[at : at + 8], order, sums))
        if data[at + 8 : at + 16] != data[16:24] or sums != struct.unpack_from(">II", data, at + 16):
            break
        open_[number] = content
        if pages:
            committed |= open_
            open_ = {}
    return committed


def _sums(data: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    words = array("I", data)
    if (order == ">") != (struct.pack("=I", 1)[0] == 0):
        words.byteswap()
    first, second = sums
    for at in range(0, len(words), 2):
        first = (first + words[at] + second) & 0xFFFFFFFF
        second = (second + words[at + 1] + first) & 0xFFFFFFFF
    return first, second


def _number(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for place in range(8):
        byte = data[at + place]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + place + 1
    return value << 8 | data[at + 8], at + 9


def _signed(number: int | None) -> int | None:
    return number if number is None or number < 1 << 63 else number - (1 << 64)


def _record(payload: bytes) -> Record:
    size, at = _number(payload, 0)
    if size > len(payload):
        raise _Bad
    values: list[Any] = []
    place = size
    while at < size:
        kind, at = _number(payload, at)
        value, place = _value(payload, place, kind)
        values.append(value)
    if place != len(payload) or at != size:
        raise _Bad
    return tuple(values)


_WIDTHS = (0, 1, 2, 3, 4, 6, 8)


def _value(payload: bytes, at: int, kind: int) -> tuple[Any, int]:
    if kind == 0:
        return None, at
    if kind in (8, 9):
        return kind - 8, at
    if kind == 7 or kind in (10, 11):
        raise _Bad  # nothing of ours is a fraction
    width = _WIDTHS[kind] if kind <= 6 else (kind - 12) // 2
    piece = payload[at : at + width]
    if len(piece) < width:
        raise _Bad
    if kind <= 6:
        return int.from_bytes(piece, signed=True), at + width
    return (piece.decode() if kind % 2 else piece), at + width
