"""The messages of the Tower protocol, byte for byte. docs/protocols/tower.md describes them."""

from enum import IntEnum
from functools import cache
from typing import Any, Literal

import msgspec

from gamut.doors.framing import text_frame
from gamut.games.game import Seat
from gamut.games.tower.board import COORDINATES, EMPTY, TILES, Coordinate, Line, tile_at
from gamut.hall.names.characters import MARKUP

NO_TILE = -1
NOBODY = 3
"""The winner of a drawn game."""


class TowerError(IntEnum):
    ROOM_FULL = 0
    NAME_TAKEN = 1
    INVALID_COORDINATE = 2
    INVALID_ROOM_NAME = 3
    INVALID_MESSAGE = 4
    PARSE_ERROR = 5
    GENERAL_ERROR = 6


class Rejected(Exception):
    """The message is answered with this error and changes nothing."""

    def __init__(self, error: TowerError, text: str) -> None:
        super().__init__(text)
        self.error = error
        self.text = text


# From the client


class JoinRoom(msgspec.Struct, frozen=True):
    room: str
    name: str


class PlaceMark(msgspec.Struct, frozen=True):
    position: Any
    """Whatever was sent: it is looked at only once it is the sender's turn."""


FromClient = JoinRoom | PlaceMark

_decode = msgspec.json.Decoder().decode


class _Placing(msgspec.Struct):
    position: Coordinate


class _Mark(msgspec.Struct):
    type: Literal["place_mark"]
    data: _Placing


_mark = msgspec.json.Decoder(_Mark).decode


def tile_in(data: bytes) -> int | None:
    """The tile if the message places a mark as it should: nearly all do. None: it has to be looked at closely."""
    if data.find(b"place_mark") < 0:  # `in` would first try whether the word is a number
        return None
    try:
        return tile_at(_mark(data).data.position)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def parsed(data: bytes) -> FromClient:
    """The message in a frame. The checks come in the order that the protocol gives them."""
    try:
        message = _decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Rejected(TowerError.PARSE_ERROR, "that is not JSON") from None
    if not isinstance(message, dict):
        raise Rejected(TowerError.INVALID_MESSAGE, "a message is an object with type and data")
    kind, fields = message.get("type"), message.get("data")
    if kind not in ("join_room", "place_mark"):
        raise Rejected(TowerError.INVALID_MESSAGE, "type must be join_room or place_mark")
    if not isinstance(fields, dict):
        raise Rejected(TowerError.INVALID_MESSAGE, "data must be an object")
    if kind == "place_mark":
        if "position" not in fields:
            raise Rejected(TowerError.INVALID_MESSAGE, "position is missing")
        return PlaceMark(fields["position"])
    room, name = fields.get("room"), fields.get("name")
    if not isinstance(room, str) or not isinstance(name, str):
        raise Rejected(TowerError.INVALID_MESSAGE, "room and name must be strings")
    return JoinRoom(room, name)


def tile_of(position: Any) -> int:
    """The tile at a position as it came over the wire; NO_TILE if it is none."""
    if isinstance(position, dict):
        x, y, z = position.get("x"), position.get("y"), position.get("z")
        # A boolean is an int to Python, but not to the protocol.
        if type(x) is int and type(y) is int and type(z) is int:
            tile = tile_at(Coordinate(x=x, y=y, z=z))
            if tile is not None:
                return tile
    return NO_TILE


# To the client


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
