"""The bots: each looks at the marks and names a tile. What it draws from chance is all that varies."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType

from gamut.games.budget import Budget
from gamut.games.tower.board import EMPTY
from gamut.games.tower.search import search
from gamut.games.tower.threats import PARTNERS, owned, tiles, urgent

Bot = Callable[[Sequence[int], int, Random, Budget], int]


def casual(marks: Sequence[int], seat: int, chance: Random, budget: Budget) -> int:
    """Any empty tile."""
    return chance.choice([tile for tile, mark in enumerate(marks) if mark == EMPTY])


def sensible(marks: Sequence[int], seat: int, chance: Random, budget: Budget) -> int:
    """Wins or blocks when it can; else goes where most can still become a line."""
    candidates = urgent(marks, seat)
    own, empty = owned(marks, seat), owned(marks, EMPTY)

    def promise(bit: int) -> int:
        free = own | empty
        # A line that already has an own mark becomes a threat, which is worth more than a line for later.
        return sum(
            4 if own & (one | other) else 1 for one, other in PARTNERS[bit] if free & one and free & other
        )

    best = max(map(promise, tiles(candidates)))
    return chance.choice([bit for bit in tiles(candidates) if promise(bit) == best]).bit_length() - 1


def strong(marks: Sequence[int], seat: int, chance: Random, budget: Budget) -> int:
    """Wins or blocks when it can; else plays the rest of the game through some thousand times in its head."""
    return search(marks, seat, chance, budget)


LEVELS: Mapping[str, Bot] = MappingProxyType({"casual": casual, "sensible": sensible, "strong": strong})
"""Weakest first."""

NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "casual": ("Pebble", "Cobble", "Marl"),
        "sensible": ("Lintel", "Corbel", "Ashlar"),
        "strong": ("Granite", "Basalt", "Dolomite"),
    }
)
"""What the bots of each strength are called, in the order in which they are asked to a table."""
