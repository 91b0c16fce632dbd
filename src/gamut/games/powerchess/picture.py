"""A position of Power Chess as a link shows it: pieces, boxes and holes. What is offered to somebody is not in it."""

from collections.abc import Sequence

from gamut.games.picture import Disc, Mark, Picture, Point, Shape, rectangle, shaped
from gamut.games.powerchess.pieces import NOTHING
from gamut.games.powerchess.state import Box, Hole

MARK = Mark(
    (
        (5, 0.3), (6.3, 3.5), (9.8, 3.8), (7.1, 6), (8, 9.5),
        (5, 7.6), (2, 9.5), (2.9, 6), (0.2, 3.8), (3.7, 3.5),
    ),
    0x8457D6,
)  # fmt: skip

_LIGHT, _DARK = 0xF1EAF8, 0xB9A6DA
_WHITE, _BLACK, _EDGE = 0xFFFFFF, 0x2A2733, 0x2A2733
_HOLE = 0x15131C
_RARITIES = {"common": 0x7C8CA3, "rare": 0x8457D6, "legendary": 0xD9A325}
_OTHER = 0x7C8CA3

_FOOT: tuple[Point, ...] = ((2, 9), (2, 7.8), (8, 7.8), (8, 9))
_BODIES: dict[str, tuple[Point, ...]] = {
    "p": ((3.4, 8), (4.4, 4.6), (5.6, 4.6), (6.6, 8)),
    "r": ((3, 8), (3.4, 4), (2.6, 4), (2.6, 1.8), (4, 1.8), (4, 2.8), (4.5, 2.8), (4.5, 1.8), (5.5, 1.8), (5.5, 2.8),
          (6, 2.8), (6, 1.8), (7.4, 1.8), (7.4, 4), (6.6, 4), (7, 8)),
    "n": ((3, 8), (4.4, 5.4), (2.6, 5.8), (2.2, 4.6), (4.2, 2.6), (4.4, 1.2), (5.4, 2), (7, 3.4), (7.4, 8)),
    "b": ((3.4, 8), (4.2, 6), (3.2, 4.4), (5, 1.4), (6.8, 4.4), (5.8, 6), (6.6, 8)),
    "q": ((3, 8), (1.8, 2.8), (3.6, 5), (3.8, 1.8), (5, 4.6), (6.2, 1.8), (6.4, 5), (8.2, 2.8), (7, 8)),
    "k": ((3, 8), (2.2, 4.4), (3.4, 3.4), (4.6, 4), (4.6, 2.8), (3.8, 2.8), (3.8, 2), (4.6, 2), (4.6, 1.2), (5.4, 1.2),
          (5.4, 2), (6.2, 2), (6.2, 2.8), (5.4, 2.8), (5.4, 4), (6.6, 3.4), (7.8, 4.4), (7, 8)),
}  # fmt: skip
"""By kind, in a square of ten by ten."""


def _place(square: int) -> tuple[float, float]:
    return 10 * (square % 8), 10 * (7 - square // 8)


def _piece(letter: str, x: float, y: float) -> list[Shape]:
    kind, fill = letter.lower(), _WHITE if letter.isupper() else _BLACK
    shapes: list[Shape] = []
    for grown, colour in ((0.5, _EDGE), (0, fill)):
        left, top, size = x - grown, y - grown, 10 + 2 * grown
        shapes += [shaped(_FOOT, left, top, size, colour), shaped(_BODIES[kind], left, top, size, colour)]
        if kind == "p":
            shapes.append(Disc(x + 5, y + 3.6, 1.6 + grown / 2, colour))
    return shapes


def picture(board: str, boxes: Sequence[Box], holes: Sequence[Hole]) -> Picture:
    shapes: list[Shape] = []
    for square in range(64):
        x, y = _place(square)
        shapes.append(rectangle(x, y, 10, 10, _LIGHT if (square + square // 8) % 2 else _DARK))
    for hole in holes:
        x, y = _place(hole.square)
        shapes.append(Disc(x + 5, y + 5, 4.4, _HOLE))
    for box in boxes:
        x, y = _place(box.square)
        shapes.append(rectangle(x + 2.4, y + 2.4, 5.2, 5.2, _RARITIES.get(box.rarity, _OTHER)))
    for square, letter in enumerate(board):
        if letter != NOTHING:
            shapes += _piece(letter, *_place(square))
    return Picture(80, 80, tuple(shapes))
