"""The tower: three square rings one above the other, their 24 tiles and the 28 lines that win."""

from itertools import product

import msgspec

TILES = 24
EMPTY = 3
"""What a tile without a mark holds; a tile with one holds the seat, 0 to 2."""

Line = tuple[int, int, int]
"""Three tiles, ascending."""


class Coordinate(msgspec.Struct, frozen=True, gc=False):
    """Row `x` from the back, level `y` from the top, column `z` from the left; each 0 to 2 on the board."""

    x: int
    y: int
    z: int


def _playable(x: int, y: int, z: int) -> bool:
    """Inside the grid, and not in the hole that goes down the middle of the tower."""
    return 0 <= x <= 2 and 0 <= y <= 2 and 0 <= z <= 2 and not x == z == 1


# Tiles are numbered as one reads: level by level, row by row, left to right.
COORDINATES = tuple(
    Coordinate(x=x, y=y, z=z) for y, x, z in product(range(3), repeat=3) if _playable(x, y, z)
)
_TILES = {coordinate: tile for tile, coordinate in enumerate(COORDINATES)}


def tile_at(coordinate: Coordinate) -> int | None:
    """The tile at this place; None for the hole and outside the tower."""
    return _TILES.get(coordinate)


def _straight_triples() -> tuple[Line, ...]:
    lines: set[Line] = set()
    for middle, (dx, dy, dz) in product(COORDINATES, product((-1, 0, 1), repeat=3)):
        ends = (
            tile_at(Coordinate(x=middle.x + dx, y=middle.y + dy, z=middle.z + dz)),
            tile_at(Coordinate(x=middle.x - dx, y=middle.y - dy, z=middle.z - dz)),
        )
        first, last = ends
        if first is not None and last is not None and first < last:
            lines.add((first, _TILES[middle], last))
    return tuple(sorted(lines))


LINES = _straight_triples()
"""Every line, smallest first. The diagonals of a level and of the tower's inside would need the hole."""

LINES_THROUGH = tuple(tuple(line for line in LINES if tile in line) for tile in range(TILES))
"""For each tile the two to five lines it is part of, smallest first."""

PARTNERS: tuple[tuple[tuple[int, int, Line], ...], ...] = tuple(
    tuple((*sorted({*line} - {tile}), line) for line in lines)  # type: ignore[misc]  # two are left of three
    for tile, lines in enumerate(LINES_THROUGH)
)
"""For each tile the same lines, each after the two other tiles that it needs."""
