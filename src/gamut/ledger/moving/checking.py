"""What is looked at while a hall is moved: which of it is damaged already, and how late it was when it was stored."""

from collections.abc import Iterable, Iterator
from typing import Any

from gamut.hall.ids import Millis
from gamut.hall.lobby.talk import TALK
from gamut.hall.store import storage
from gamut.hall.store.checksum import START
from gamut.ledger.checksums import note_is_sound
from gamut.ledger.moment import moment_of
from gamut.ledger.moving.parts import DAMAGED, EVENTS, NOTES, PEOPLE, NoPlace, Part, Row
from gamut.ledger.people import person_is_sound
from gamut.ledger.reading import goes_on

_NO_CHECKSUM = -1
"""A checksum is never less than 0: what is damaged is damaged in every store."""
_SHOWN = 20


class Checking:
    """Rows go through here from one store to the other. What is damaged goes on as it is, and is remembered."""

    def __init__(self) -> None:
        self.latest = Millis(0)
        """When the last event of some table happened, as far as logs are sound."""
        self._logs: dict[str, int] = {}
        """From which event on logs are damaged."""
        self._left_out: set[str] = set()
        """Of these logs some rows can be in no other store."""
        self._known: dict[str, int] = {}
        """Tables that were entered as damaged long ago."""
        self._others = {NOTES: 0, PEOPLE: 0}

    def checked(self, part: Part, rows: Iterable[Row]) -> Iterator[Row]:
        if part is EVENTS:
            return self._events(rows)
        if part is DAMAGED:
            return self._damaged(rows)
        return self._rows(part, rows)

    def _events(self, rows: Iterable[Row]) -> Iterator[Row]:
        table: Any = None
        number, checksum, sound, body = 0, START, False, b""
        for row in rows:
            if row[0] != table:
                self._ended(sound, body)
                table, number, checksum, sound = row[0], 0, START, True
            number += 1
            try:
                held = EVENTS.for_any_store(row)
            except NoPlace:
                held = None
            if sound and not (held == row and goes_on(checksum, number, storage.Row(*row))):
                sound = False
                self._logs[str(table)] = number
            checksum, body = row[3], row[2]
            if held is None:
                self._left_out.add(str(table))
            else:
                yield held if held == row else (*held[:-1], b"")
        self._ended(sound, body)

    def _ended(self, sound: bool, body: bytes) -> None:
        if sound:
            self.latest = max(self.latest, moment_of(body))

    def _rows(self, part: Part, rows: Iterable[Row]) -> Iterator[Row]:
        is_sound = {NOTES: note_is_sound, PEOPLE: person_is_sound}.get(part)
        for row in rows:
            held = part.for_any_store(row)
            if is_sound is not None and not (held == row and is_sound(row)):
                self._others[part] += 1
                if is_sound(held):
                    held = (*held[:-1], _NO_CHECKSUM)  # not mended by accident
            yield held

    def _damaged(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Also those of whose logs not all could be moved: what is left of them must not look like all of it."""
        self._known = dict(map(DAMAGED.for_any_store, rows))
        lost = {table: self._logs[table] for table in self._left_out - {TALK}}
        yield from sorted((lost | self._known).items())

    @property
    def found(self) -> list[str]:
        """What is damaged, in words."""
        tables = sorted(self._logs.keys() | self._known.keys())
        more = ", ..." if len(tables) > _SHOWN else ""
        counts = (
            (len(tables), f"logs of tables ({', '.join(tables[:_SHOWN])}{more})"),
            (self._others[NOTES], "notes of tables"),
            (self._others[PEOPLE], "people"),
        )
        return [f"{count:,} {what}" for count, what in counts if count]
