"""What a client is told when something is refused, word for word: one table from codes to the protocol's errors."""

from enum import IntEnum

import msgspec

from gamut.games.game import Refused

_PLAY_ONLINE = "/play-online"
_NO_CREATE = "/errors/no-create"


class Soft(IntEnum):
    """Nothing comes of the message but this number, and a sentence."""

    MALFORMED = 100
    BAD_FIELD = 101
    WRONG_PHASE = 102
    HOST_ONLY = 103
    NOT_YOUR_TURN = 104
    BAD_TILE = 105
    PAUSED = 106
    NOBODY = 107
    NO_REPLAY = 108
    NO_BOT = 109
    TOO_MUCH = 110


class Fatal(msgspec.Struct, frozen=True):
    """The connection ends with this error."""

    message: str
    code: int = 0
    redirect: str | None = _PLAY_ONLINE
    stored: bool = True


REFUSALS: dict[str, Soft | Fatal] = {
    "malformed": Soft.MALFORMED,
    "bad_field": Soft.BAD_FIELD,
    "own_seat": Soft.BAD_FIELD,
    "bad_options": Soft.BAD_FIELD,
    "wrong_phase": Soft.WRONG_PHASE,
    "not_host": Soft.HOST_ONLY,
    "not_your_turn": Soft.NOT_YOUR_TURN,
    "not_seated": Soft.NOT_YOUR_TURN,
    "no_such_tile": Soft.BAD_TILE,
    "not_yours": Soft.BAD_TILE,
    "paused": Soft.PAUSED,
    "nobody": Soft.NOBODY,
    "empty_seat": Soft.NOBODY,
    "bot": Soft.NOBODY,
    "no_replay": Soft.NO_REPLAY,
    "no_such_level": Soft.NO_BOT,
    "full": Soft.NO_BOT,
    "too_much": Soft.TOO_MUCH,
    # What the query asks for
    "connection_type_missing": Fatal("Connection Type Missing", 1),
    "bad_player_count": Fatal("Bad Player Count", 1),
    "missing_game_id": Fatal("Missing Game ID", 1),
    "invalid_parameters": Fatal("Invalid Parameters", 1, None, stored=False),
    "too_many_tiles": Fatal("Not Cute", 1, _NO_CREATE, stored=False),
    "bad_player_number": Fatal("bad player number", 1, None, stored=False),
    # Coming into a room
    "game_not_found": Fatal("Game Not Found", 1),
    "room_gone": Fatal("game id does not exist", 1, None, stored=False),
    "room_full": Fatal("room is full"),
    "game_in_progress": Fatal("game in progress", 2),
    "kicked_before": Fatal("kicked from this room"),
    "no_spectators": Fatal("spectators aren't allowed in this room"),
    "wrong_password": Fatal("Wrong Password"),
    "incorrect_key": Fatal("incorrect key", 0, None, stored=False),
    "not_disconnected": Fatal("not disconnected", 0, None, stored=False),
    "no_seat_for_bot": Fatal("no seat is reserved for this bot", 0, None, stored=False),
    # Going on with a suspended game
    "not_suspended": Fatal("not a suspended topple", 1),
    "wrong_version": Fatal("format version incompatible", 1),
    # The server's own troubles
    "no_capacity": Fatal("Servers Are Unable To Process That Request At This Time"),
    "no_room": Fatal("Unable to generate room code"),
    "internal_error": Fatal("internal error"),
}

CLOSED_FOR_EXPORT = Fatal("Room closed for export")
"""This is told to all others in a room whose game the host has carried off."""


def fatal(code: str) -> Refused:
    """A refusal with which the connection ends, in the words of the table."""
    entry = REFUSALS[code]
    assert isinstance(entry, Fatal)
    return Refused(code, entry.message)


def refusal_of(code: str, *, inside: bool) -> Soft | Fatal:
    """Whatever has no entry came at the wrong time if somebody `inside` a room asked for it; else nobody comes in."""
    return REFUSALS.get(code) or (Soft.WRONG_PHASE if inside else REFUSALS["no_capacity"])
