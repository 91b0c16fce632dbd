"""How far it is, for whoever waits: a bar in a terminal, a line now and then elsewhere."""

from time import monotonic
from typing import TextIO

_WIDTH = 30
_BAR_SECONDS = 0.1
_LINE_SECONDS = 10.0


class ProgressBar:
    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._bar = stream.isatty()
        self._every = _BAR_SECONDS if self._bar else _LINE_SECONDS
        self._last = monotonic()
        self._shown = False

    def __call__(self, done: int, total: int) -> None:
        now = monotonic()
        if now - self._last < self._every:
            return
        self._last = now
        percent = 100 * done // max(total, 1)
        if self._bar:
            filled = _WIDTH * done // max(total, 1)
            self._stream.write(f"\r[{'#' * filled}{' ' * (_WIDTH - filled)}] {percent:3} %")
            self._shown = True
        else:
            self._stream.write(f"{percent} % of {total:,} rows copied and compared\n")
        self._stream.flush()

    def close(self) -> None:
        """The line of the bar is free again."""
        if self._shown:
            self._stream.write(f"\r{' ' * (_WIDTH + 8)}\r")
            self._stream.flush()
