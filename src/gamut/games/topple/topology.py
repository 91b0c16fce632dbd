"""The boards of Topple: rectangles whose edges may be joined, and which tiles are next to each other on them."""

from functools import lru_cache
from typing import Literal, NamedTuple, get_args

Topology = Literal["grid", "hwrap", "vwrap", "bwrap"]
"""No edges joined, left with right, top with bottom, both."""
TOPOLOGIES: tuple[Topology, ...] = get_args(Topology)
"""By id, which is what the protocol, the files and the functions here use."""
_TITLES = ("Grid2D", "HWrap2D", "VWrap2D", "BWrap2D")
LONGEST_SIDE = 36
MOST_TILES = 225
"""How many tiles a table may have here. Larger boards are for files and measurements only."""


class Field(NamedTuple):
    """A board without pieces. Neighbours are listed left, right, up, down, which is the order of toppling."""

    tiles: int
    neighbours: tuple[tuple[int, ...], ...]
    """A tile may be listed twice, or be its own neighbour: where a joined side has a length of 2 or 1."""
    limits: bytes
    """How many pieces each tile holds at most; with one more it topples."""


def field(topology: int, x: int, y: int) -> Field:
    """The board of this topology, x wide and y high."""
    # The boards of files may be so large that remembering many of them would be a way to use up all memory.
    return _table(topology, x, y) if x * y <= LONGEST_SIDE * LONGEST_SIDE else _giant(topology, x, y)


@lru_cache(maxsize=128)
def _table(topology: int, x: int, y: int) -> Field:
    return _made(topology, x, y)


@lru_cache(maxsize=1)
def _giant(topology: int, x: int, y: int) -> Field:
    return _made(topology, x, y)


def _made(topology: int, x: int, y: int) -> Field:
    sideways, upright = topology in (1, 3), topology in (2, 3)
    neighbours = []
    for row in range(y):
        for column in range(x):
            tile = row * x + column
            near = []
            if column > 0:
                near.append(tile - 1)
            elif sideways:
                near.append(tile + x - 1)
            if column < x - 1:
                near.append(tile + 1)
            elif sideways:
                near.append(tile - x + 1)
            if row > 0:
                near.append(tile - x)
            elif upright:
                near.append(x * y - x + column)
            if row < y - 1:
                near.append(tile + x)
            elif upright:
                near.append(column)
            neighbours.append(tuple(near))
    return Field(x * y, tuple(neighbours), bytes(map(len, neighbours)))


def described(topology: int, x: int, y: int) -> str:
    """As lists of rooms have it, for example `Grid2D 5x4`."""
    return f"{_TITLES[topology]} {x}x{y}"


def tile_name(tile: int, x: int) -> str:
    """A tile as people read it: column and row, counted from 1."""
    row, column = divmod(tile, x)
    return f"{column + 1}x{row + 1}"
