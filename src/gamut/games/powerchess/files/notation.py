"""Moves as they are written in files: `e2-e4`, `Qd1xf7`, `e7-e8=R`."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from gamut.games.powerchess.squares import NAMES, square_named
from gamut.games.powerchess.state import Move, Moved, Promotion

MOVE = re.compile(r"([KQRBN]?)([a-h][1-8])([-x]?)([a-h][1-8])(?:=([QRBN]))?")
_PROMOTIONS: Mapping[str, Promotion] = MappingProxyType(
    {"Q": "queen", "R": "rook", "B": "bishop", "N": "knight"}
)


class WrittenMove(NamedTuple):
    move: Move
    piece: str
    """Its letter, if it is named."""
    sign: str
    """`x`, `-`, or nothing where the file does not say whether something is captured."""


def parse_move(text: str) -> WrittenMove | None:
    """None if it is no move at all."""
    found = MOVE.fullmatch(text)
    if found is None:
        return None
    piece, start, sign, end, promotion = found.groups()
    move = Move(square_named(start), square_named(end), _PROMOTIONS[promotion or "Q"])
    return WrittenMove(move, piece, sign)


def written_move(moved: Moved, board: str) -> str:
    """With the board as it was before."""
    piece = board[moved.start].upper()
    sign = "x" if moved.captured or moved.saved is not None else "-"
    promoted = next((update.shown for update in moved.updates if update.square == moved.end), "")
    letter = promoted[:1].upper() if len(promoted) <= 2 else ""
    becomes = f"={letter}" if piece == "P" and letter in _PROMOTIONS else ""
    named = "" if piece == "P" else piece
    return f"{named}{NAMES[moved.start]}{sign}{NAMES[moved.end]}{becomes}"
