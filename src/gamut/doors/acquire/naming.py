"""Names of tables at this door: each has a number, wherever it was opened."""

from gamut.hall.ids import Millis
from gamut.hall.table.state import Table


class GameNumbers:
    continues = False
    """A rematch is a game of its own."""

    def __init__(self) -> None:
        self._last = 0

    def resume(self, last: str | None) -> None:
        # A name that somebody chose is no number; counting goes on after those that are.
        self._last = max(self._last, number_of(last) or 0)

    def next(self, now: Millis) -> str:
        self._last += 1
        return str(self._last)


def number_of(room: str | None) -> int | None:
    """The number of a table; None if it has none, and then it is no game here."""
    return int(room) if room is not None and room.isascii() and room.isdigit() else None


def game_number(table: Table) -> int:
    number = number_of(table.room)
    assert number is not None, "every table of the game has a number"
    return number
