"""A hall is copied from one store to another, looked at on the way, and compared when it is there."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from gamut.hall.store.storage import LedgerError
from gamut.ledger.moving.checking import Checking
from gamut.ledger.moving.parts import EVENTS, NOTES, PARTS, PEOPLE, Row, Tally
from gamut.ledger.moving.store import Destination, Origin

_A_STEP = 1_000

Progress = Callable[[int, int], None]
"""So many rows of so many were copied or compared."""


class Moved(NamedTuple):
    tables: int
    events: int
    people: int
    damaged: list[str]
    """What was damaged before, in words."""


def move(origin: Origin, destination: Destination, progress: Progress) -> Moved:
    """Raises LedgerError, and then the destination says of itself that it is not complete."""
    total = 2 * sum(map(origin.count, PARTS))
    checking = Checking()
    copied = {part: Tally() for part in PARTS}
    steps = _Steps(progress, total)
    for part, tally in copied.items():
        rows = checking.checked(part, origin.rows(part))
        destination.store(part, steps.counted(tally.counted(rows)))
    for part, tally in copied.items():
        there = Tally()
        for _ in steps.counted(there.counted(map(part.for_any_store, destination.rows(part)))):
            pass
        if not tally.agrees(there):
            raise LedgerError(
                f"What is in {destination.shown} now is not what was read in {origin.shown}: {part.name}."
            )
    origin.check_unused()
    last = origin.last_moment()
    destination.complete(origin.secret(), last._replace(at=max(last.at, checking.latest)))
    progress(total, total)
    tables, events, people = (copied[part].count for part in (NOTES, EVENTS, PEOPLE))
    return Moved(tables, events, people, checking.found)


class _Steps:
    """Says now and then how far it is."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0

    def counted(self, rows: Iterable[Row]) -> Iterator[Row]:
        for row in rows:
            self._done += 1
            if self._done % _A_STEP == 0:
                self._progress(self._done, self._total)
            yield row
