"""How a move is written in each version: who, and where. Who is 0 where the order of play tells it."""

from collections.abc import Callable

from gamut.games.topple.files.cursor import Cursor, damaged
from gamut.games.topple.files.layout import MOVE_WIDTHS

MoveReader = Callable[[Cursor], tuple[int, int]]
"""Reads a move: its player and its tile."""


def by_tile(size: int, named: bool) -> MoveReader:
    """Versions 4 to 6: player and tile share some bytes; without players all bits are the tile's."""
    player_bits, tile_bits = MOVE_WIDTHS[size]
    width = (player_bits + tile_bits) // 8

    def read(cursor: Cursor) -> tuple[int, int]:
        packed = cursor.number(width)
        return (packed >> tile_bits, packed & (1 << tile_bits) - 1) if named else (0, packed)

    return read


def version_3(size: int) -> MoveReader:
    """6 and 10 bits, or, as files of that time have it on larger boards, 1 and 3 bytes."""

    def read(cursor: Cursor) -> tuple[int, int]:
        if size == 0:
            packed = cursor.number(2)
            return packed >> 10, packed & 0x3FF
        return cursor.number(1), cursor.number(3)

    return read


def by_row_and_column(size: int, named: bool, x: int, y: int) -> MoveReader:
    """Versions 1 and 2: row and column, with the player before them if the file names players."""
    width, bits = ((2, 5), (2, 8), (3, 12), (4, 16))[size]

    def read(cursor: Cursor) -> tuple[int, int]:
        player = cursor.number(1) if named and size else 0
        packed = cursor.number(width)
        row, column = packed >> bits & (1 << bits) - 1, packed & (1 << bits) - 1
        if named and not size:
            player = packed >> 10
        if row >= y or column >= x:
            raise damaged("there is a move outside the board")
        return player, row * x + column

    return read


class StandardOrder:
    """Who moves where the file does not say: 1, 2, 3 and round again, without those who were removed."""

    def __init__(self, teams: tuple[int, ...]) -> None:
        self._left = [player for player, team in enumerate(teams, start=1) if team]
        self._next = 0

    def mover(self) -> int:
        if not self._left:
            raise damaged("somebody moves after everybody is gone")
        player = self._left[self._next]
        self._next = (self._next + 1) % len(self._left)
        return player

    def remove(self, player: int) -> None:
        if player in self._left:
            place = self._left.index(player)
            self._left.remove(player)
            if place < self._next:
                self._next -= 1
            self._next = self._next % len(self._left) if self._left else 0
