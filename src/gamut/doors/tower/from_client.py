"""What clients say at the Tower door. docs/protocols/tower.md describes the messages."""

from typing import Any, Literal

import msgspec

from gamut.games.game import Refused
from gamut.games.tower.board import Coordinate, tile_at

NO_TILE = -1


class JoinRoom(msgspec.Struct, frozen=True):
    room: str
    name: str


class PlaceMark(msgspec.Struct, frozen=True):
    tile: int
    """`NO_TILE` if there is none at that position: whose turn it is comes first."""


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
        raise Refused("parse_error", "that is not JSON") from None
    if not isinstance(message, dict):
        raise _invalid("a message is an object with type and data")
    kind, fields = message.get("type"), message.get("data")
    if kind not in ("join_room", "place_mark"):
        raise _invalid("type must be join_room or place_mark")
    if not isinstance(fields, dict):
        raise _invalid("data must be an object")
    if kind == "place_mark":
        if "position" not in fields:
            raise _invalid("position is missing")
        return PlaceMark(_tile_of(fields["position"]))
    room, name = fields.get("room"), fields.get("name")
    if not isinstance(room, str) or not isinstance(name, str):
        raise _invalid("room and name must be strings")
    return JoinRoom(room, name)


def _tile_of(position: Any) -> int:
    if isinstance(position, dict):
        x, y, z = position.get("x"), position.get("y"), position.get("z")
        # A boolean is an int to Python, but not to the protocol.
        if type(x) is int and type(y) is int and type(z) is int:
            tile = tile_at(Coordinate(x=x, y=y, z=z))
            if tile is not None:
                return tile
    return NO_TILE


def _invalid(reason: str) -> Refused:
    return Refused("invalid_message", reason)
