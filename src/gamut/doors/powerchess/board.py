"""What lies on the board, in the numbers of this protocol."""

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from gamut.games.powerchess.pieces import NOTHING
from gamut.games.powerchess.powers import POWERS, RARITIES, Rarity
from gamut.games.powerchess.state import UNSEEN, Offer, PowerChessState
from gamut.games.powerchess.translation import HOLE

_NOTHING, _PIECE, _POWER, _OTHER = range(4)
_BLACK_HOLE = 0
_INVULNERABLE = 6
"""Added to the number of a piece."""
_PIECES = {letter: number for number, letter in enumerate("KQRBNP")}
POWER_NUMBERS: dict[str, int] = {power: number for powers in POWERS for number, power in enumerate(powers)}


class Point(msgspec.Struct, frozen=True, gc=False):
    row: int
    col: int


POINTS = tuple(Point(square >> 3, square & 7) for square in range(64))


class Way(msgspec.Struct, frozen=True, gc=False, rename={"start": "from", "end": "to"}):
    start: Point
    end: Point


class Entry(msgspec.Struct, gc=False):
    """A square, and what is to be seen there."""

    row: int
    col: int
    state: int
    color: bool | UnsetType = UNSET
    piece: int | UnsetType = UNSET
    rarity: int | UnsetType = UNSET
    other: int | UnsetType = UNSET


class Options(msgspec.Struct, gc=False):
    """An offer."""

    rarity: int
    id1: int
    id2: int


class Effect(msgspec.Struct, gc=False):
    """Something that lasts."""

    kind: Literal["shield", "invulnerable", "awaken", "safety_net", "black_hole", "energize"]
    row: int | UnsetType = UNSET
    col: int | UnsetType = UNSET
    color: bool | UnsetType = UNSET
    """Whose pawns are energised."""
    plies: int | UnsetType = UNSET
    """MOVEs of either side until it ends; a net has none."""
    piece: int | UnsetType = UNSET
    """What an awakened piece is when it ends."""


def way(start: int, end: int) -> Way:
    return Way(POINTS[start], POINTS[end])


def options(rarity: Rarity, offer: Offer) -> Options:
    assert UNSEEN not in offer, "an offer is told to whoever got it"
    return Options(RARITIES.index(rarity), *(POWER_NUMBERS[power] for power in offer))


def entry(square: int, shown: str) -> Entry:
    """`shown` as events have it: `.`, `hole`, a rarity, or a letter with a plus if the piece is invulnerable."""
    row, col = square >> 3, square & 7
    if shown == NOTHING:
        return Entry(row, col, _NOTHING)
    if shown == HOLE:
        return Entry(row, col, _OTHER, other=_BLACK_HOLE)
    if shown in RARITIES:
        return Entry(row, col, _POWER, rarity=RARITIES.index(shown))
    letter = shown[0]
    number = _PIECES[letter.upper()] + (_INVULNERABLE if shown.endswith("+") else 0)
    return Entry(row, col, _PIECE, color=letter.isupper(), piece=number)


def whole_board(state: PowerChessState) -> list[Entry]:
    """An entry for each of the 64 squares."""
    shown = list(state.board)
    for mark in state.marks:
        if mark.shield or mark.guard:
            shown[mark.square] += "+"
    for box in state.boxes:
        shown[box.square] = box.rarity
    for hole in state.holes:
        shown[hole.square] = HOLE
    return [entry(square, what) for square, what in enumerate(shown)]


def effects(state: PowerChessState) -> list[Effect]:
    if not state.marks and not state.holes and state.energized == (0, 0):
        return []
    return [*_on_pieces(state), *_elsewhere(state)]


def _on_pieces(state: PowerChessState) -> Iterator[Effect]:
    ply = state.ply
    for mark in state.marks:
        row, col = mark.square >> 3, mark.square & 7
        if mark.shield:
            yield Effect("shield", row, col, plies=mark.shield - ply)
        if mark.guard:
            yield Effect("invulnerable", row, col, plies=mark.guard - ply)
        if mark.awake:
            base = _PIECES[mark.really.upper()]
            yield Effect("awaken", row, col, plies=mark.awake - ply, piece=base)
        if mark.net:
            yield Effect("safety_net", row, col)


def _elsewhere(state: PowerChessState) -> Iterator[Effect]:
    ply = state.ply
    for hole in state.holes:
        yield Effect("black_hole", hole.square >> 3, hole.square & 7, plies=hole.end - ply)
    for side, end in enumerate(state.energized):
        if end:
            yield Effect("energize", color=side == 0, plies=end - ply)
