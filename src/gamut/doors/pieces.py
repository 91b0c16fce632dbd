"""What is long is told in pieces that follow the reader: nobody else waits for it, and nobody is let go for it."""

from abc import ABC, abstractmethod

from gamut.hall.faults import Fault
from gamut.hall.hall import Hall
from gamut.hall.ids import Millis
from gamut.hall.store.journal import Wire

MOST_WAITING = 65_536
"""A reader for whom more bytes than this wait gets the next piece later."""
MOMENT = Millis(2)
_LOOKED_AT = 16


class Reader(ABC):
    """One connection to which something long is being told."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    @property
    def can_take_more(self) -> bool:
        """Whether the reader has taken nearly all that was sent."""
        return self._wire.queued + self._wire.pending < MOST_WAITING

    @abstractmethod
    def __bool__(self) -> bool:
        """Whether there is more to be told."""

    @abstractmethod
    def go_on(self) -> None:
        """Tell the next piece, as things are now."""

    def failed(self, hall: Hall, fault: Exception) -> None:
        """What is to be told cannot be: the client comes back and asks again."""
        hall.faults.contained("pieces", fault, connection=str(self._wire))
        hall.journal.fail(self._wire)


class Pieces:
    """Hands out one piece at a time, to one reader after the other."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._readers: dict[Reader, None] = {}

    def __bool__(self) -> bool:
        """Whether anybody is still being told something."""
        return bool(self._readers)

    def wanted(self, reader: Reader) -> None:
        if not self._readers:
            self._hall.time.later(MOMENT, self._due)
        self._readers.setdefault(reader)

    def _due(self) -> None:
        for _ in range(min(len(self._readers), _LOOKED_AT)):
            reader = next(iter(self._readers))
            del self._readers[reader]
            if reader:
                self._readers[reader] = None  # behind all the others
                if reader.can_take_more:
                    self._go_on(reader)
                    break
        if self._readers:
            self._hall.time.later(MOMENT, self._due)

    def _go_on(self, reader: Reader) -> None:
        """The next piece; a reader for whom it cannot be made is let go, and the others get theirs."""
        try:
            reader.go_on()
        except Fault as fault:
            del self._readers[reader]
            reader.failed(self._hall, fault)
