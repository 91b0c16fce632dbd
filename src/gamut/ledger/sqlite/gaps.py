"""What SQLite leaves in the unallocated part of its pages.

`secure_delete` overwrites what is deleted, but not the old bytes of a row that has moved to another page to balance a
tree. They stay in the gap between the list of a page's rows and the rows themselves, also when the row is deleted.

SQLite never reads a gap, so it can be overwritten behind SQLite's back: while nobody can write, and nothing of the log
beside the file is still to be put into it. The format is described at https://www.sqlite.org/fileformat2.html.
"""

import os
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path

from gamut.hall.store.storage import LedgerError

_HEADERS = {2: 12, 5: 12, 10: 8, 13: 8}
"""How long the header of a page is, by its kind. Pages of other kinds have no gap."""
_AT_ONCE = 256
"""Pages that are read at once."""
_MOST = 1 << 25
"""In a longer file, a page that begins with the number of another one could be taken for one with rows."""
_WAL_HEADER, _FRAME_HEADER = 32, 24


class Gaps:
    """Of one database, whose file it keeps open.

    Closing any descriptor of a file ends all the locks of this process on it, also SQLite's. So it is closed after all
    connections to the database.
    """

    def __init__(self, database: Path) -> None:
        self._log = database.with_name(database.name + "-wal")
        self._file = os.open(database, os.O_RDWR | os.O_CLOEXEC)
        header = os.pread(self._file, 100, 0)
        size: int = struct.unpack_from(">H", header, 16)[0]
        self._size = 65536 if size == 1 else size
        self._usable = self._size - header[20]
        # With auto_vacuum there are pages that only say where others belong, at regular places.
        self._map_every = self._usable // 5 + 1 if any(header[52:56]) else 0

    def close(self) -> None:
        os.close(self._file)

    def put_on_disk(self) -> None:
        os.fsync(self._file)

    def with_remains(self) -> set[int]:
        """The numbers of all pages in whose gap something is left, and maybe of others that are just being written."""
        found = set[int]()
        for number, data in self._pages():
            gap = self._gap(number, data)
            if gap is None or _left(data, gap):
                found.add(number)
        return found

    def logged(self) -> set[int]:
        """The numbers of the pages that were changed since the log beside the file was begun, and maybe of others."""
        every, found = self._size + _FRAME_HEADER, set[int]()
        try:
            log = os.open(self._log, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return found
        try:
            for at in range(_WAL_HEADER, os.fstat(log).st_size - every + 1, every):
                found.add(int.from_bytes(os.pread(log, 4, at)))
        finally:
            os.close(log)
        return found

    def clear(self, numbers: Iterable[int]) -> int:
        """Overwrite what is left on these pages; returns on how many something was.

        Whoever calls it keeps others from writing, and has put all of the log into the file.
        """
        cleared = 0
        for number in numbers:
            at = (number - 1) * self._size
            data = os.pread(self._file, self._size, at)
            if len(data) < self._size:
                continue  # the file has become shorter
            gap = self._gap(number, data)
            if gap is None:
                raise LedgerError(f"Page {number} of the database is damaged.")
            if _left(data, gap):
                os.pwrite(self._file, bytes(len(gap)), at + gap.start)
                cleared += 1
        return cleared

    def _pages(self) -> Iterator[tuple[int, memoryview]]:
        count = os.fstat(self._file).st_size // self._size
        if count >= _MOST:
            raise LedgerError("The database is too long to be cleaned.")
        for first in range(0, count, _AT_ONCE):
            data = memoryview(os.pread(self._file, self._size * _AT_ONCE, first * self._size))
            for place in range(len(data) // self._size):
                yield first + place + 1, data[place * self._size : (place + 1) * self._size]

    def _gap(self, number: int, data: bytes | memoryview) -> range | None:
        """None if the page contradicts itself."""
        start = 100 if number == 1 else 0
        header = _HEADERS.get(data[start])
        if header is None or (self._map_every and number % self._map_every == 2):
            return range(0)
        count, content = struct.unpack_from(">HH", data, start + 3)
        rows = start + header
        gap = range(rows + 2 * count, content or 65536)
        if not gap.start <= gap.stop <= self._usable:
            return None
        if min(struct.unpack_from(f">{count}H", data, rows), default=gap.stop) < gap.stop:
            return None
        return gap


def _left(data: bytes | memoryview, gap: range) -> bool:
    return bytes(data[gap.start : gap.stop]).strip(b"\0") != b""
