"""Names of tables at this door: each has a number, wherever it was opened."""

from gamut.hall.ids import Millis
from gamut.hall.names.numbers import NumberBlocks
from gamut.hall.table.state import Table


class GameNumbers:
    continues = False
    """A rematch is a game of its own."""

    _numbers: NumberBlocks

    async def resume(self, last: str | None, numbers: NumberBlocks) -> None:
        # A name that somebody chose is no number; counting goes on after those that are.
        await numbers.begin(number_of(last) or 0)
        self._numbers = numbers

    def next(self, now: Millis) -> str:
        return str(self._numbers.next())


def number_of(room: str | None) -> int | None:
    """The number of a table; None if it has none, and then it is no game here."""
    return int(room) if room is not None and room.isascii() and room.isdigit() else None


def game_number(table: Table) -> int:
    number = number_of(table.room)
    assert number is not None, "every table of the game has a number"
    return number
