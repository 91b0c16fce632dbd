"""A position of Tafl as a link shows it: the field with its lines, the pieces of both sides, the king with a cross."""

from math import isqrt

from gamut.games.picture import GROOVE, INK, Disc, Mark, Picture, Shape, rectangle
from gamut.games.tafl.pieces import ATTACKERS, EMPTY, side_of

MARK = Mark(((5, 0.3), (9.7, 5), (5, 9.7), (0.3, 5)), 0x4C8C5C)

_FIELD = 0xE9E4DA
_ATTACKER = 0x3A3F4A
_DEFENDER = 0xFFFDF8
_KING = 0xD9A325


def picture(board: str) -> Picture:
    size = isqrt(len(board))
    side = 10 * size
    shapes: list[Shape] = [rectangle(0, 0, side, side, _FIELD)]
    for line in range(size + 1):
        shapes += [
            rectangle(0, 10 * line - 0.2, side, 0.4, GROOVE),
            rectangle(10 * line - 0.2, 0, 0.4, side, GROOVE),
        ]
    for space, letter in enumerate(board):
        if letter != EMPTY:
            # Rank 1 is at the bottom.
            shapes += _piece(letter, 10 * (space % size) + 5, side - 10 * (space // size) - 5)
    return Picture(side, side, tuple(shapes))


def _piece(letter: str, x: float, y: float) -> list[Shape]:
    fill = _ATTACKER if side_of(letter) == ATTACKERS else _DEFENDER
    shapes: list[Shape] = [Disc(x, y, 4.1, INK), Disc(x, y, 3.7, fill)]
    if letter in "kK":
        shapes += [
            Disc(x, y, 3.7, _KING),
            rectangle(x - 0.6, y - 2.4, 1.2, 4.8, INK),
            rectangle(x - 2.4, y - 0.6, 4.8, 1.2, INK),
        ]
    elif letter not in "tT":
        shapes.append(Disc(x, y, 1.5, _DEFENDER if fill == _ATTACKER else _ATTACKER))
    return shapes
