"""A board of Topple as a link shows it: tiles in the colours of their teams, and the pieces on them."""

from gamut.games.picture import GROOVE, INK, SEATS, TILE, Disc, Mark, Picture, Shape, rectangle

MARK = Mark(((1.2, 1.2), (8.8, 1.2), (8.8, 8.8), (1.2, 8.8)), 0xE8694A)

_PIP = 0xFFFFFF
_MOST = 5
_PLACES = {
    1: ((5, 5),),
    2: ((3.2, 3.2), (6.8, 6.8)),
    3: ((2.8, 2.8), (5, 5), (7.2, 7.2)),
    4: ((3, 3), (7, 3), (3, 7), (7, 7)),
    5: ((2.8, 2.8), (7.2, 2.8), (5, 5), (2.8, 7.2), (7.2, 7.2)),
}


def picture(x: int, y: int, pieces: bytes, owners: bytes) -> Picture:
    shapes: list[Shape] = [rectangle(0, 0, 10 * x + 1, 10 * y + 1, GROOVE)]
    for tile, (count, owner) in enumerate(zip(pieces, owners, strict=True)):
        left, top = 10 * (tile % x) + 0.5, 10 * (tile // x) + 0.5
        shapes.append(rectangle(left + 0.4, top + 0.4, 9.2, 9.2, SEATS[owner - 1] if owner else TILE))
        for right, down in _PLACES[min(count, _MOST)]:
            shapes.append(Disc(left + right, top + down, 1.1, _PIP if owner else INK))
    return Picture(10 * x + 1, 10 * y + 1, tuple(shapes))
