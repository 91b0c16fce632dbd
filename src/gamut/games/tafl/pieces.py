"""The pieces: small letters attack, capital letters defend."""

from typing import Literal

Side = Literal[0, 1]
"""Of a piece, and the seat of whoever moves it."""
ATTACKERS: Side = 0
DEFENDERS: Side = 1
SIDES = ("attackers", "defenders")

LETTERS = "tcnkmgTCNKMG"
"""Every kind of piece, in the order in which lists have them."""
UNLISTED = "tcnkmTCNKM"
"""All but the guards, who are nowhere allowed unless they are named."""
EMPTY = "."

KINDS = {
    "t": "taflman",
    "c": "commander",
    "n": "knight",
    "k": "king",
    "m": "mercenary",
    "g": "guard",
}


def side_of(letter: str) -> Side:
    return ATTACKERS if letter.islower() else DEFENDERS


def captured(letter: str) -> str:
    """What stands on the space of a piece that was captured: nothing, or a mercenary who has changed sides."""
    return letter.swapcase() if letter in "mM" else EMPTY
