"""Where tiles come from: drawn by chance when they are needed, or from a bag whose order is known."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from random import Random

Draw = Callable[[tuple[int, ...]], int]
"""Which of the tiles that are still in the bag comes next."""


def by_chance(chance: Random) -> Draw:
    return chance.choice


class BagTooShort(Exception):
    """A tile is needed of which it is not known which one it was."""


class KnownBag:
    """Tiles in a given order."""

    def __init__(self, tiles: Sequence[int]) -> None:
        self._tiles = iter(tiles)

    def __call__(self, unseen: tuple[int, ...]) -> int:
        for tile in self._tiles:
            return tile
        raise BagTooShort


def emptied(unseen: tuple[int, ...], draw: Draw) -> tuple[int, ...]:
    """All that is left, in the order in which it would have been drawn, as far as that is known."""
    drawn = []
    while unseen:
        try:
            tile = draw(unseen)
        except BagTooShort:
            break
        drawn.append(tile)
        unseen = without(unseen, tile)
    return tuple(drawn)


def without(unseen: tuple[int, ...], tile: int) -> tuple[int, ...]:
    """The same tiles, which are sorted, but for one of them."""
    place = bisect_left(unseen, tile)
    return unseen[:place] + unseen[place + 1 :]
