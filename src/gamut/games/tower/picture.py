"""The tower as a link shows it: its three levels one above the other, seen from the side as on the page."""

from gamut.games.picture import SEATS, TILE, Mark, Picture, Point, Polygon, Shape
from gamut.games.tower.board import COORDINATES, EMPTY, Line

MARK = Mark(((5, 0.8), (9.6, 9), (0.4, 9)), 0x2B9CB5)

_WIDE, _DEEP, _LEAN = 104, 66, 30
_LEVEL = 3 * _DEEP + 40
_EDGE = 14
_GAP = 0.03
_SHADE = 0xDCD4C8
_WON = 0x1B1F27


def _corner(level: int, row: float, column: float) -> Point:
    return _EDGE + column * _WIDE + (3 - row) * _LEAN, _EDGE + level * _LEVEL + row * _DEEP


def _tile(level: int, row: int, column: int, inset: float) -> tuple[Point, ...]:
    near, far = inset, 1 - inset
    corners = ((near, near), (near, far), (far, far), (far, near))
    return tuple(_corner(level, row + down, column + right) for down, right in corners)


def picture(marks: tuple[int, ...], line: Line | None) -> Picture:
    shapes: list[Shape] = []
    for tile, (at, mark) in enumerate(zip(COORDINATES, marks, strict=True)):
        outline = _tile(at.y, at.x, at.z, _GAP)
        shapes.append(Polygon(tuple((x, y + 9) for x, y in outline), _SHADE))
        shapes.append(Polygon(outline, _WON if line is not None and tile in line else TILE))
        if mark != EMPTY:
            shapes.append(Polygon(_tile(at.y, at.x, at.z, 0.14), SEATS[mark]))
    return Picture(2 * _EDGE + 3 * _WIDE + 3 * _LEAN, 2 * _EDGE + 3 * _LEVEL - 30, tuple(shapes))
