"""What the hall refuses, in the words of this protocol."""

from gamut.doors.tafl.dialects import Rejected
from gamut.games.game import Refused

_CODES = {
    "bad_options": "bad-rules",
    "busy": "rate-limited",
    "damaged": "game-canceled",
    "empty": "malformed",
    "full": "game-full",
    "hall_full": "server-full",
    "locked": "invalid-password",
    "not_started": "not-in-game",
    "not_seated": "not-in-game",
    "out_of_order": "game-canceled",
    "over": "game-over",
    "paused": "waiting-for-opponent",
    "private": "game-canceled",
    "seated": "not-allowed",
    "started": "already-started",
    "taken": "game-full",
    "too_long": "malformed",
    "too_many_tables": "already-hosting",
    "too_many_tries": "rate-limited",
    "too_many_watchers": "server-full",
    "too_much": "rate-limited",
    "too_talkative": "rate-limited",
    "waiting": "waiting-for-opponent",
    "wrong_password": "invalid-password",
}


def rejected(refused: Refused, *, awaited: bool = False) -> Rejected:
    return Rejected(_CODES.get(refused.code, "not-allowed"), awaited=awaited)
