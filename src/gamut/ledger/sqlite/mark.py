"""How far the ledger had come, in a file of its own: a database that has lost its end does not know that it has.

It is written in a thread of its own about once a second, and when the ledger is closed: no commit waits for it. What it
says is durable already, so after a crash it may be behind the ledger, but never ahead of it.
"""

import os
import threading
from pathlib import Path
from zlib import crc32

import msgspec
from msgspec.structs import replace

from gamut.hall.ids import Millis
from gamut.hall.store.storage import LedgerError, Row
from gamut.ledger.moment import moment_of

FILE = "gamut.mark"
_SECONDS = 1.0


class Mark(msgspec.Struct, frozen=True, omit_defaults=True):
    stored: int
    """Events ever stored, also those that were taken out again."""
    at: Millis
    """When the last of them happened, in server time, or when the server stopped after that."""
    checksum: int = 0
    stopped: bool = False
    """The server came to its end in good order, in that moment."""

    def signed(self) -> "Mark":
        text = f"{self.stored} {self.at}{' stopped' * self.stopped}"
        return replace(self, checksum=crc32(text.encode()))


def read_mark(folder: Path) -> Mark | None:
    """None if there is none that can be believed."""
    try:
        mark = msgspec.json.decode((folder / FILE).read_bytes(), type=Mark)
    except (OSError, msgspec.DecodeError):
        return None
    return mark if mark == mark.signed() else None


class HighWater:
    """Keeps the mark of a ledger."""

    def __init__(self, folder: Path, stored: int, at: Millis) -> None:
        self._file = folder / FILE
        self._stored = stored
        self._at = at
        self._last: Row | None = None
        self._stopped = False
        self._written: Mark | None = None
        self._writing = threading.Lock()
        self._end = threading.Event()
        self._thread: threading.Thread | None = None
        try:
            self.write()
        except OSError as error:
            raise LedgerError(f"The file {self._file} cannot be written: {error.strerror}.") from None

    def advance(self, events: int, last: Row | None) -> None:
        """So many more events are durable now. `last` is the newest; None if a log was only written anew."""
        self._stored += events
        if last is not None:
            self._last = last
        if self._thread is None:
            thread = threading.Thread(target=self._work, name="mark", daemon=True)
            try:
                thread.start()
            except RuntimeError:
                return  # no thread can be started now: the mark stays behind, the events are stored
            self._thread = thread

    def stop(self, at: Millis) -> None:
        """The server ends in good order at this moment: clocks ran until now, also without any event."""
        with self._writing:
            self._at = max(self._at, at)
            self._stopped = True

    @property
    def latest(self) -> Millis:
        last = self._last
        return self._at if last is None else max(self._at, moment_of(last.body))

    def write(self) -> None:
        with self._writing:
            self._at = self.latest
            mark = Mark(self._stored, self._at, stopped=self._stopped).signed()
            if mark == self._written:
                return
            beside = self._file.with_name(FILE + ".new")
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            try:
                os.write(descriptor, msgspec.json.encode(mark))
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            os.replace(beside, self._file)
            self._written = mark

    def close(self) -> None:
        self._end.set()
        if self._thread is not None:
            self._thread.join()
        self._write_if_possible()

    def _work(self) -> None:
        while not self._end.wait(_SECONDS):
            self._write_if_possible()

    def _write_if_possible(self) -> None:
        try:
            self.write()
        except OSError:
            return  # the mark may be behind: the events are stored all the same
