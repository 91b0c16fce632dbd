"""Threats: tiles that would complete a line. A set of tiles is the bits of an int, which makes bots fast."""

from collections.abc import Iterator, Sequence

from gamut.games.tower.board import EMPTY, LINES_THROUGH, TILES

PARTNERS = {
    1 << tile: tuple(tuple(1 << other for other in line if other != tile) for line in LINES_THROUGH[tile])
    for tile in range(TILES)
}
"""For each tile, as a bit, the two other tiles of every line through it."""


def tiles(bits: int) -> Iterator[int]:
    """The single bits of a set, lowest tile first."""
    while bits:
        bit = bits & -bits
        yield bit
        bits ^= bit


def owned(marks: Sequence[int], owner: int) -> int:
    """The tiles that bear this seat's mark, or are EMPTY."""
    return sum(1 << tile for tile, mark in enumerate(marks) if mark == owner)


def added(own: int, bit: int) -> int:
    """The tiles that would complete a line with `bit` and another of the own tiles, taken ones included."""
    found = 0
    for one, other in PARTNERS[bit]:
        if own & one:
            found |= other
        if own & other:
            found |= one
    return found


def threats(own: int) -> int:
    """The tiles that would complete a line, taken ones included."""
    found = 0
    for bit in tiles(own):
        found |= added(own, bit)
    return found


def urgent(marks: Sequence[int], seat: int) -> int:
    """The tiles that win; else those where the next player would win, or the one after; else all."""
    empty = owned(marks, EMPTY)
    for player in (seat, (seat + 1) % 3, (seat + 2) % 3):
        wins = threats(owned(marks, player)) & empty
        if wins:
            return wins
    return empty
