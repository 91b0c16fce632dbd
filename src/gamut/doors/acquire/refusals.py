"""What the hall and the people refuse, in this protocol's own codes."""

from gamut.games.game import Refused

_CODES = {
    "over": "game_over",
    "started": "game_already_started",
    "not_started": "not_in_progress",
    "paused": "not_in_progress",
    "waiting": "not_in_progress",
    "not_seated": "not_a_player",
    "empty": "invalid_chat_message",
    "too_long": "invalid_chat_message",
    "full": "game_full",
    "seated": "already_joined",
    "not_full": "game_not_full",
    "too_many_seated": "too_many_users_for_mode",
    "wrong_login": "bad_login",
    "bad_name": "invalid_username",
    "name_taken": "user_exists",
    "bad_password": "invalid_password",
}


def code_of(refused: Refused) -> str:
    """What this protocol has no word for keeps the hall's own."""
    return _CODES.get(refused.code, refused.code)


def not_found() -> Refused:
    return Refused("game_not_found", "There is no such game.")
