"""What moving needs of a store, whatever database it is."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from gamut.hall.ids import Millis
from gamut.ledger.moving.parts import Part, Row


class LastMoment(NamedTuple):
    """How late it was when the hall was in use for the last time."""

    at: Millis
    stopped: bool
    """Clocks ran until that moment; otherwise that is not known."""
    opened: Millis = Millis(0)
    """What happened since then was at the last server that used it, and at none before; 0: there was no other."""


class Store(Protocol):
    shown: str
    """Its place, without a password."""

    def count(self, part: Part) -> int: ...

    def rows(self, part: Part) -> Iterator[Row]:
        """All of them as they are stored, in the order of their key, some at a time."""
        ...

    def close(self) -> None: ...


class Origin(Store, Protocol):
    """A whole hall that nobody uses, as it is at one moment."""

    def secret(self) -> str | None: ...

    def last_moment(self) -> LastMoment: ...

    def check_unused(self) -> None:
        """Raises LedgerError if somebody has used it since it was opened."""
        ...


class Destination(Store, Protocol):
    """A store that says of itself that it is not complete, until it is."""

    def store(self, part: Part, rows: Iterable[Row]) -> None: ...

    def complete(self, secret: str | None, last: LastMoment) -> None: ...
