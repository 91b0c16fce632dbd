"""Pictures of positions, as shapes in flat colours: what a link to a table shows before anybody opens it."""

import msgspec

Point = tuple[float, float]

SEATS = (0x0072B2, 0xE69F00, 0xCC79A7, 0x009E73, 0x56B4E9, 0xD55E00, 0xF0E442, 0x4D4D4D)
"""The colours of seats and teams, the same as on the page."""
INK = 0x1B1F27
TILE = 0xF4EFE7
GROOVE = 0xCFC8BC


class Polygon(msgspec.Struct, frozen=True):
    points: tuple[Point, ...]
    colour: int
    """Red, green and blue, a byte each."""


class Disc(msgspec.Struct, frozen=True):
    x: float
    y: float
    radius: float
    colour: int


Shape = Polygon | Disc


class Picture(msgspec.Struct, frozen=True):
    """Shapes from the back to the front, on a ground of this size. Whatever is hidden from watchers is not in it."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


class Mark(msgspec.Struct, frozen=True):
    """The sign of a game, in a square of ten by ten."""

    points: tuple[Point, ...] = ((5, 1), (9, 5), (5, 9), (1, 5))
    colour: int = 0x8A8F98


def rectangle(x: float, y: float, width: float, height: float, colour: int) -> Polygon:
    return Polygon(((x, y), (x + width, y), (x + width, y + height), (x, y + height)), colour)


def shaped(outline: tuple[Point, ...], x: float, y: float, size: float, colour: int) -> Polygon:
    """A shape that is given in a square of ten by ten, at this place and as large as this."""
    return Polygon(tuple((x + px * size / 10, y + py * size / 10) for px, py in outline), colour)
