"""What a client is told when something is refused: one of seven numbers, and a sentence."""

from enum import IntEnum

from gamut.games.game import Refused


class TowerError(IntEnum):
    ROOM_FULL = 0
    NAME_TAKEN = 1
    INVALID_COORDINATE = 2
    INVALID_ROOM_NAME = 3
    INVALID_MESSAGE = 4
    PARSE_ERROR = 5
    GENERAL_ERROR = 6


_ERRORS = {
    "room_full": TowerError.ROOM_FULL,
    "full": TowerError.ROOM_FULL,
    "name_taken": TowerError.NAME_TAKEN,
    "no_such_tile": TowerError.INVALID_COORDINATE,
    "taken": TowerError.INVALID_COORDINATE,
    "bad_room": TowerError.INVALID_ROOM_NAME,
    "room_taken": TowerError.INVALID_ROOM_NAME,
    "bad_name": TowerError.INVALID_MESSAGE,
    "invalid_message": TowerError.INVALID_MESSAGE,
    "parse_error": TowerError.PARSE_ERROR,
}
_SENTENCES = {
    "full": "the room is full",
    "not_your_turn": "not your turn",
    "no_such_tile": "there is no such tile",
    "taken": "tile is taken",
}
"""Where the protocol's own words differ from the hall's."""


def error_of(refused: Refused) -> tuple[TowerError, str]:
    """What this protocol has no number for is a general error, in the hall's words."""
    code = refused.code
    return _ERRORS.get(code, TowerError.GENERAL_ERROR), _SENTENCES.get(code, refused.reason)
