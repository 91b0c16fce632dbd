"""The errors of the protocol, word for word. Fatal ones end the connection, soft ones change nothing."""

from enum import IntEnum

from gamut.games.game import Refused

PLAY_ONLINE = "/play-online"
NO_CREATE = "/errors/no-create"


class Fatal(Exception):
    """The connection ends with this error."""

    def __init__(
        self, message: str, code: int = 0, redirect: str | None = PLAY_ONLINE, *, stored: bool = True
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.redirect = redirect
        self.store = message if stored else None


def connection_type_missing() -> Fatal:
    return Fatal("Connection Type Missing", 1)


def bad_player_count() -> Fatal:
    return Fatal("Bad Player Count", 1)


def missing_game_id() -> Fatal:
    return Fatal("Missing Game ID", 1)


def invalid_parameters() -> Fatal:
    return Fatal("Invalid Parameters", 1, None, stored=False)


def too_many_tiles() -> Fatal:
    return Fatal("Not Cute", 1, NO_CREATE, stored=False)


def game_not_found() -> Fatal:
    return Fatal("Game Not Found", 1)


def room_is_full() -> Fatal:
    return Fatal("room is full")


def game_in_progress() -> Fatal:
    return Fatal("game in progress", 2)


def kicked_before() -> Fatal:
    return Fatal("kicked from this room")


def no_spectators() -> Fatal:
    return Fatal("spectators aren't allowed in this room")


def wrong_password() -> Fatal:
    return Fatal("Wrong Password")


def bad_player_number() -> Fatal:
    return Fatal("bad player number", 1, None, stored=False)


def room_gone() -> Fatal:
    return Fatal("game id does not exist", 1, None, stored=False)


def incorrect_key() -> Fatal:
    return Fatal("incorrect key", 0, None, stored=False)


def not_disconnected() -> Fatal:
    return Fatal("not disconnected", 0, None, stored=False)


def bot_seat_wrong() -> Fatal:
    return Fatal("no seat is reserved for this bot", 0, None, stored=False)


def not_suspended() -> Fatal:
    return Fatal("not a suspended topple", 1)


def wrong_version() -> Fatal:
    return Fatal("format version incompatible", 1)


def closed_for_export() -> Fatal:
    return Fatal("Room closed for export")


def no_capacity() -> Fatal:
    return Fatal("Servers Are Unable To Process That Request At This Time")


def no_room_code() -> Fatal:
    return Fatal("Unable to generate room code")


def internal_error() -> Fatal:
    return Fatal("internal error")


class Soft(IntEnum):
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


class Rejected(Exception):
    """The message is answered with this error, and nothing else comes of it."""

    def __init__(self, code: Soft, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


_CODES = {
    "not_host": Soft.HOST_ONLY,
    "not_your_turn": Soft.NOT_YOUR_TURN,
    "not_seated": Soft.NOT_YOUR_TURN,
    "no_such_tile": Soft.BAD_TILE,
    "not_yours": Soft.BAD_TILE,
    "paused": Soft.PAUSED,
    "empty_seat": Soft.NOBODY,
    "bot": Soft.NOBODY,
    "own_seat": Soft.BAD_FIELD,
    "bad_options": Soft.BAD_FIELD,
    "no_such_level": Soft.NO_BOT,
    "full": Soft.NO_BOT,
}


def rejected(refused: Refused) -> Rejected:
    """What the hall refused, in the protocol's numbers; whatever has none of its own came at the wrong time."""
    return Rejected(_CODES.get(refused.code, Soft.WRONG_PHASE), refused.reason)
