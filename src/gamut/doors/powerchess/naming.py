"""Numbers by which this protocol knows games and players. None is ever given twice."""

import secrets

from gamut.games.game import Seat
from gamut.hall.ids import Millis
from gamut.hall.names.numbers import NumberBlocks

_LOT = 20
"""Bits of chance in each number: whoever knows that of a private game may join it, so none follows from others."""
MOST = 2**52
"""Numbers of games are below this, and those of players below twice as much: clients hold them in floats. From here on
are the numbers of games in the list in which bots wait, and which are no tables yet."""


class Numbers:
    """Of games: one after the other, with chance in the lower digits."""

    continues = False
    """A rematch is a game of its own."""

    _numbers: NumberBlocks

    async def resume(self, last: str | None, numbers: NumberBlocks) -> None:
        number = game_number(last)
        await numbers.begin(0 if number is None else number >> _LOT)
        self._numbers = numbers

    def next(self, now: Millis) -> str:
        return str(self._numbers.next() << _LOT | secrets.randbelow(1 << _LOT))


def game_number(room: str | None) -> int | None:
    """The number of the table with this name; None if it has another kind of name."""
    if room is None or not (room.isascii() and room.isdigit()) or len(room) > len(str(MOST)):
        return None
    return int(room)


def player_number(game: int, seat: Seat) -> int:
    """Told when the game begins, and to whoever creates it: from then on nobody else comes into that seat."""
    return 2 * game + seat


def game_of_player(player: int) -> int:
    return player >> 1


def seat_numbered(game: int, player: int) -> Seat | None:
    """The seat of this player, if it is one of that game."""
    return Seat(player & 1) if game_of_player(player) == game else None
