"""A position as rules and search see it: sets of spaces, each an integer with one bit for each space.

Bit number `rank * size + file`, both counted from 0. A move is an integer as well: `start << SHIFT | end`.
"""

from collections.abc import Iterator

import msgspec

from gamut.games.tafl.pieces import Side

SHIFT = 9
END = (1 << SHIFT) - 1

NOWHERE = -1


class Position(msgspec.Struct, frozen=True, gc=False):
    """Where the pieces stand, and who is to move. What is not a taflman is also in one of the other sets."""

    attackers: int
    defenders: int
    kings: int
    others: tuple[int, ...]
    """Commanders, knights, mercenaries, guards of both sides; empty where the rules have none of them."""
    turn: Side
    berserk: int = NOWHERE
    """The space of the piece that goes on capturing, if one does: nobody else may move."""
    captured: int = 0
    """Where the last move captured something."""
    fresh: int = 0
    """The pieces that have not moved yet, where that matters."""


def move_of(start: int, end: int) -> int:
    return start << SHIFT | end


def spaces_of(bits: int) -> Iterator[int]:
    """The spaces of a set, lowest first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
