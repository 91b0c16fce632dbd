"""The pieces: a number for each, with its side and its kind in it, and the letter by which people know it."""

from types import MappingProxyType
from typing import Literal

Side = Literal[0, 1]
"""A seat and a colour: White is 0, Black is 1."""
WHITE: Side = 0
BLACK: Side = 1
SIDES = ("White", "Black")

EMPTY = 0
KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN = range(1, 7)
KIND = 7
"""The bits of a piece that say what it is; the one above them is Black's."""
COLOUR = 8

KING_OF = (KING, KING | COLOUR)
QUEEN_OF = (QUEEN, QUEEN | COLOUR)
PAWN_OF = (PAWN, PAWN | COLOUR)

NOTHING = "."
LETTERS = NOTHING + "KQRBNP" + ".." + "kqrbnp"
"""By the number of a piece: capitals are White's, as in the notation of chess."""
PIECES = MappingProxyType({letter: LETTERS.index(letter) for letter in "KQRBNPkqrbnp"})

KINDS = MappingProxyType(
    {KING: "king", QUEEN: "queen", ROOK: "rook", BISHOP: "bishop", KNIGHT: "knight", PAWN: "pawn"}
)
VALUES = (0, 10, 9, 5, 3, 3, 1)
"""In points, by kind: who may be chosen by whom for an eye for an eye."""


def side_of(piece: int) -> Side:
    return BLACK if piece & COLOUR else WHITE


def value(piece: int) -> int:
    return VALUES[piece & KIND]
