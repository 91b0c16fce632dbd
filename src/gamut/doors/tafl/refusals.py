"""What a client is told when something is refused: a word of its dialect."""

from typing import NamedTuple

from gamut.doors.tafl import from_client as f
from gamut.games.game import Refused


class TaflError(NamedTuple):
    word: str
    old: str | None = None
    """In dialect O. None: it is not said. An existing client takes every error for the answer to what it waits for."""


_UNKNOWN = "unknown-error"
_BAD_SAVE = TaflError("bad-save", "bad-save")
_CANCELED = TaflError("game-canceled", "game-canceled")
_DUPLICATE = TaflError("duplicate-game", _UNKNOWN)
_FULL = TaflError("game-full", "game-full")
_HOSTING = TaflError("already-hosting", "already-hosting")
_MALFORMED = TaflError("malformed")
_NOT_ALLOWED = TaflError("not-allowed")
_NOT_IN_GAME = TaflError("not-in-game")
_OVER = TaflError("game-over", "game-ended")
_PASSWORD = TaflError("invalid-password", "invalid-game-password")
_SERVER_FULL = TaflError("server-full", _UNKNOWN)
_STARTED = TaflError("already-started")
_TOO_FAST = TaflError("rate-limited")
_WAITING = TaflError("waiting-for-opponent")

_ERRORS = {
    # Of this door
    "already_hosting": _HOSTING,
    "already_started": _STARTED,
    "bad_save": _BAD_SAVE,
    "duplicate_game": _DUPLICATE,
    "game_canceled": _CANCELED,
    "game_full": _FULL,
    "game_not_started": TaflError("game-not-started"),
    "invalid_login": TaflError("invalid-login", "invalid-login"),
    "line_too_long": TaflError("line-too-long", _UNKNOWN),
    "malformed": _MALFORMED,
    "malformed_game": TaflError("malformed", _UNKNOWN),
    "not_in_game": _NOT_IN_GAME,
    "not_logged_in": TaflError("not-logged-in"),
    "rate_limited": _TOO_FAST,
    "unknown_command": TaflError("unknown-command"),
    "version_mismatch": TaflError("version-mismatch", "version-mismatch"),
    # Of the hall
    "bad_options": TaflError("bad-rules", "bad-save"),
    "busy": _TOO_FAST,
    "damaged": _CANCELED,
    "empty": _MALFORMED,
    "full": _FULL,
    "hall_full": _SERVER_FULL,
    "locked": _PASSWORD,
    "not_started": _NOT_IN_GAME,
    "not_seated": _NOT_IN_GAME,
    "out_of_order": _CANCELED,
    "over": _OVER,
    "paused": _WAITING,
    "private": _CANCELED,
    "room_taken": _DUPLICATE,
    "seated": _NOT_ALLOWED,
    "started": _STARTED,
    "taken": _FULL,
    "too_long": _MALFORMED,
    "too_many_tables": _HOSTING,
    "too_many_tries": _TOO_FAST,
    "too_many_watchers": _SERVER_FULL,
    "too_much": _TOO_FAST,
    "too_talkative": _TOO_FAST,
    "waiting": _WAITING,
    "wrong_password": _PASSWORD,
}

MOVE_RESULTS = {
    "not_your_turn": -1,
    "illegal_side": -1,
    "illegal_side_berserker": -2,
    "illegal_move": -3,
    "illegal_move_berserker": -4,
}
"""A move that is not made because of these is answered with a number."""

_AWAITED = (f.Login, f.Create, f.Join, f.Watch)
"""An existing client waits for an answer to these: there is one, also where its dialect has no word for the error."""


def error_of(refused: Refused, asked: f.Message | None) -> TaflError:
    """What this protocol has no word for is not allowed."""
    error = _ERRORS.get(refused.code, _NOT_ALLOWED)
    if not isinstance(asked, _AWAITED):
        return error
    if error is _OVER:
        return _FULL  # nobody can come in any more
    return error if error.old is not None else TaflError(error.word, _UNKNOWN)
