"""What clients say at the Tower door. docs/protocols/tower.md describes the messages."""

from typing import Any

import msgspec

from gamut.games.game import Refused
from gamut.games.tower.board import COORDINATES, Coordinate, tile_at
from gamut.games.tower.rules import Place

NO_TILE = -1


class JoinRoom(msgspec.Struct, frozen=True):
    room: str
    name: str


class PlaceMark(msgspec.Struct, frozen=True):
    tile: int
    """`NO_TILE` if there is none at that position: whose turn it is comes first."""


FromClient = JoinRoom | PlaceMark

_decode = msgspec.json.Decoder().decode

MARKS = {
    msgspec.json.encode({"type": "place_mark", "data": {"position": place}}): Place(tile)
    for tile, place in enumerate(COORDINATES)
}
"""What places a mark, in the bytes in which nearly all clients say it."""


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
