"""Lines as they come from clients: bytes in, whole lines out, no sockets."""

from collections.abc import Iterable, Iterator

from gamut.net.websocket.frames import BINARY, TEXT, Message, is_text

LONG = 16
"""A line that is longer than is read at all, told as soon as that is clear; the rest of it is thrown away. No kind of
frame has this number."""

_END = b"\n"
_HALF = b"\r"
"""Before the end: some clients end lines as their system does."""


def lone_line(data: bytes, largest: int) -> bytes | None:
    """The line if these bytes are one of text and nothing else, which is nearly always what comes; else None."""
    if len(data) <= largest and data.find(_END) == len(data) - 1 and data:
        line = data[:-1].removesuffix(_HALF)
        return line if is_text(line) else None
    return None


def _line(line: bytes, largest: int) -> Message:
    line = line.removesuffix(_HALF)
    if len(line) > largest:
        return LONG, b""
    return (TEXT if is_text(line) else BINARY), line


class LineReader:
    __slots__ = ("_buffer", "_largest", "_searched", "_skipping")

    def __init__(self, largest: int) -> None:
        self._largest = largest
        self._buffer = bytearray()
        self._searched = 0
        """There is no end of a line in the first so many bytes."""
        self._skipping = False
        """The end of a line that was too long has yet to come."""

    def feed(self, data: bytes) -> Iterable[Message]:
        """TEXT or, if it is not UTF-8, BINARY for each line that these bytes complete, and LONG for those too long."""
        self._buffer += data
        return self._lines()

    @property
    def between(self) -> bool:
        return not (self._buffer or self._skipping)

    def _lines(self) -> Iterator[Message]:
        buffer = self._buffer
        while (end := buffer.find(_END, self._searched)) >= 0:
            line = bytes(buffer[:end])
            del buffer[: end + 1]
            self._searched = 0
            if not self._skipping:
                yield _line(line, self._largest)
            self._skipping = False
        # One byte more may be the first half of its end.
        too_long = len(buffer) > self._largest + 1
        if self._skipping or too_long:
            buffer.clear()
        self._searched = len(buffer)
        if too_long and not self._skipping:
            self._skipping = True
            yield LONG, b""
