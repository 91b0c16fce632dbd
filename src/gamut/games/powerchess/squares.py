"""The squares: numbered rank by rank from a1 (`rank * 8 + file`, both counted from 0), alone and as sets of bits."""

from typing import Annotated

import msgspec

from gamut.games.game import BadText

NOWHERE = -1
Square = Annotated[int, msgspec.Meta(ge=0, lt=64)]

BIT = tuple(1 << square for square in range(64))
ALL = (1 << 64) - 1
RANK = tuple(0xFF << 8 * rank for rank in range(8))
BACK_RANK = (RANK[0], RANK[7])
"""Of each side."""
FILES = "abcdefgh"
NAMES = tuple(f"{FILES[square & 7]}{(square >> 3) + 1}" for square in range(64))


def squares_in(bits: int) -> list[int]:
    """Lowest first."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def square_named(name: str) -> int:
    """Raises BadText."""
    try:
        return NAMES.index(name)
    except ValueError:
        raise BadText(f"{name!r} is no square: they are a1 to h8.", 1, 1) from None
