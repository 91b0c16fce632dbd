"""What a client is told when something is refused: that a move is illegal, or that there is an error."""

from typing import Any

from gamut.doors.powerchess import from_client as f
from gamut.doors.powerchess import to_client as t
from gamut.games.game import Refused

_ILLEGAL = ("illegal_move", "illegal_target", "illegal_power", "paused", "waiting")
"""After these a client has to put a piece back that it has moved on its own board already."""


def answer_to(refused: Refused, asked: Any) -> bytes:
    if refused.code in _ILLEGAL and type(asked) is f.Act:
        return t.illegal(refused.reason)
    return t.error(refused.reason)
