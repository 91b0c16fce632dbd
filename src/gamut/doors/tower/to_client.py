"""What clients of the Tower protocol are told, byte for byte. docs/protocols/tower.md describes the messages."""

from functools import cache
from typing import Any

import msgspec

from gamut.doors.framing import text_frame
from gamut.doors.tower.refusals import TowerError
from gamut.games.game import Seat
from gamut.games.tower.board import COORDINATES, EMPTY, TILES, Line
from gamut.hall.names.characters import MARKUP

NOBODY = 3
"""The winner of a drawn game."""


def _frame(kind: str, data: Any) -> bytes:
    return text_frame(msgspec.json.encode({"type": kind, "data": data}))


def error(code: TowerError, text: str) -> bytes:
    return _frame("error", {"type": int(code), "data": text})


@cache
def room_joined(seat: Seat) -> bytes:
    return _frame("room_joined", {"id": seat})


# Existing clients put names into their page as markup.
_UNSAFE = str.maketrans("", "", MARKUP)


def player_joined(name: str, seat: Seat) -> bytes:
    return _frame("player_joined", {"name": name.translate(_UNSAFE), "id": seat})


@cache
def player_left(seat: Seat) -> bytes:
    return _frame("player_left", {"id": seat})


def board_state(marks: tuple[int, ...] | None) -> bytes:
    return _EMPTY_BOARD if marks in (None, _NO_MARKS) else _frame("board_state", {"state": marks})


@cache
def game_over(winner: Seat | None, line: Line | None) -> bytes:
    positions = [COORDINATES[tile] for tile in line] if line is not None else []
    return _frame(
        "game_over", {"winner_id": NOBODY if winner is None else winner, "winning_marks": positions}
    )


_NO_MARKS = (EMPTY,) * TILES
_EMPTY_BOARD = _frame("board_state", {"state": _NO_MARKS})

# There are only so many turns and marks: they are encoded once for ever.
PLAYER_TURN = tuple(_frame("player_turn", {"id": seat}) for seat in range(3))
MARK_PLACED = tuple(
    tuple(_frame("mark_placed", {"id": seat, "position": COORDINATES[tile]}) for tile in range(TILES))
    for seat in range(3)
)
MARK_AND_TURN = tuple(
    tuple(tuple(mark + turn for turn in PLAYER_TURN) for mark in marks) for marks in MARK_PLACED
)
