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
        self.wire = wire

    @property
    def can_take_more(self) -> bool:
        """Whether the reader has taken nearly all that was sent."""
        return self.wire.queued + self.wire.pending < MOST_WAITING

    @abstractmethod
    def __bool__(self) -> bool:
        """Whether there is more to be told."""

    @abstractmethod
    def go_on(self) -> None:
        """Tell the next piece, as things are now."""

    def failed(self, hall: Hall, fault: Exception) -> None:
        """What is to be told cannot be: the client comes back and asks again."""
        hall.faults.contained("pieces", fault, connection=str(self.wire))
        hall.journal.fail(self.wire)


class Pieces:
    """Hands out one piece at a time, to one reader after the other."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._readers: dict[Wire, Reader] = {}
        """In turn. A session that goes on for another one on the same wire has the other's turn."""

    def __bool__(self) -> bool:
        """Whether anybody is still being told something."""
        return bool(self._readers)

    def wanted(self, reader: Reader) -> None:
        if not self._readers:
            self._hall.time.later(MOMENT, self._due)
        self._readers[reader.wire] = reader

    def _due(self) -> None:
        for _ in range(min(len(self._readers), _LOOKED_AT)):
            reader = self._readers.pop(next(iter(self._readers)))
            if reader:
                self._readers[reader.wire] = reader  # behind all the others
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
            del self._readers[reader.wire]
            reader.failed(self._hall, fault)
