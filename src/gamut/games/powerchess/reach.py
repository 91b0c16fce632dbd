"""Where pieces get to on an otherwise empty or crowded board: tables that are worked out once."""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from gamut.games.powerchess.pieces import BLACK, WHITE, Side
from gamut.games.powerchess.squares import BIT

_STRAIGHT_ON = ((0, 1), (0, -1))
_SIDEWAYS = ((1, 0), (-1, 0))
_DIAGONALLY = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_AROUND = (*_STRAIGHT_ON, *_SIDEWAYS, *_DIAGONALLY)
_KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))

SECOND_RANK = (1, 6)
"""Of each side, counted from 0: pawns take two steps from there, whatever they did before."""

Directions = Iterable[tuple[int, int]]


class _Moves(dict[int, tuple[int, ...]]):
    """The moves from a square to a set of squares, written down when they are first asked for.

    There are a few hundred sets that a piece on a square can reach, so this stays small.
    """

    def __init__(self, start: int) -> None:
        self._to = tuple(start << 6 | end for end in range(64))

    def __missing__(self, targets: int) -> tuple[int, ...]:
        found = self[targets] = tuple(self._to[end] for end in range(64) if targets >> end & 1)
        return found


class Slide(NamedTuple):
    """Along lines from a square: the squares reached, the first piece on each line among them."""

    mask: int
    """What stands on these squares matters."""
    reach: dict[int, int]
    """By what of the mask is occupied."""


class Steps(NamedTuple):
    """A pawn's ways from a square."""

    mask: int
    reach: dict[int, int]
    """Straight on, by what of the mask is occupied: never onto a piece."""
    takes: int


class Tables(NamedTuple):
    moves: tuple[_Moves, ...]
    king: tuple[int, ...]
    knight: tuple[int, ...]
    file: tuple[Slide, ...]
    rank: tuple[Slide, ...]
    diagonals: tuple[Slide, ...]
    pawns: tuple[tuple[Steps, ...], tuple[Steps, ...]]
    """By side, and so are those whose Energize is running."""
    energized: tuple[tuple[Steps, ...], tuple[Steps, ...]]


@cache
def tables() -> Tables:
    every = range(64)
    return Tables(
        tuple(_Moves(square) for square in every),
        tuple(_leaps(square, _AROUND) for square in every),
        tuple(_leaps(square, _KNIGHT) for square in every),
        tuple(_slide(square, _STRAIGHT_ON) for square in every),
        tuple(_slide(square, _SIDEWAYS) for square in every),
        tuple(_slide(square, _DIAGONALLY) for square in every),
        (_pawns(WHITE, energized=False), _pawns(BLACK, energized=False)),
        (_pawns(WHITE, energized=True), _pawns(BLACK, energized=True)),
    )


def _leaps(square: int, directions: Directions) -> int:
    file, rank = square & 7, square >> 3
    return sum(
        BIT[(rank + up) * 8 + file + right]
        for right, up in directions
        if 0 <= file + right < 8 and 0 <= rank + up < 8
    )


def _line(square: int, right: int, up: int) -> list[int]:
    """The squares in one direction, nearest first."""
    file, rank = (square & 7) + right, (square >> 3) + up
    found = []
    while 0 <= file < 8 and 0 <= rank < 8:
        found.append(rank * 8 + file)
        file, rank = file + right, rank + up
    return found


def _subsets(mask: int) -> Iterable[int]:
    subset = mask
    while True:
        yield subset
        if not subset:
            return
        subset = (subset - 1) & mask


def _until_occupied(lines: Iterable[list[int]], occupied: int) -> int:
    found = 0
    for line in lines:
        for square in line:
            found |= BIT[square]
            if occupied & BIT[square]:
                break
    return found


def _slide(square: int, directions: Directions) -> Slide:
    lines = [_line(square, right, up) for right, up in directions]
    # Beyond the last square of a line is nothing: whether it is occupied makes no difference.
    mask = sum(BIT[each] for line in lines for each in line[:-1])
    return Slide(mask, {subset: _until_occupied(lines, subset) for subset in _subsets(mask)})


def _pawns(side: Side, *, energized: bool) -> tuple[Steps, ...]:
    return tuple(_steps(square, side, energized) for square in range(64))


def _steps(square: int, side: Side, energized: bool) -> Steps:
    forward = 1 if side == WHITE else -1
    if energized:
        lines = [_line(square, 0, 1), _line(square, 0, -1)]
    else:
        lines = [_line(square, 0, forward)[: 2 if square >> 3 == SECOND_RANK[side] else 1]]
    mask = sum(BIT[each] for line in lines for each in line)
    reach = {subset: _until_occupied(lines, subset) & ~subset for subset in _subsets(mask)}
    return Steps(mask, reach, _leaps(square, ((1, forward), (-1, forward))))
