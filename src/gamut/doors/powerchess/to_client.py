"""What clients of `/play` are told, as frames."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from gamut.doors.framing import text_frame
from gamut.doors.powerchess.board import POINTS, Effect, Entry, Options, Point, Way
from gamut.games.game import Outcome, Seat

NONE, MOVE, SELECT_POWER = 0, 1, 2
"""What a player has to do next."""
_MATE, _RESIGNATION, _TIME, _AGREED = range(4)
_REASONS = {
    "king": _MATE,
    "no_move": _MATE,
    "resigned": _RESIGNATION,
    "time": _TIME,
    "agreed": _AGREED,
    # The protocol has no better word for a draw that nobody asked for.
    "endless": _AGREED,
}
_WIN, _LOSS, _DRAWN = range(3)

_encode = msgspec.json.Encoder().encode


class Clocks(msgspec.Struct, gc=False):
    """Seconds that are left."""

    white: float
    black: float


class Update(msgspec.Struct, gc=False, kw_only=True):
    """What is different on the board, and what is to be done."""

    type: int = 5
    move: Way | UnsetType = UNSET
    updates: Sequence[Entry]
    action: int
    rarity: int | UnsetType = UNSET
    """Of the box that was taken, to whoever chooses; of the power that was used, to the other one."""
    power: int | UnsetType = UNSET
    id1: int | UnsetType = UNSET
    id2: int | UnsetType = UNSET
    options: Options | UnsetType = UNSET
    """The same once more: some read it here, others there."""
    where_captured: Point | UnsetType = msgspec.field(default=UNSET, name="whereCaptured")
    """The piece that has taken the box, to a player who comes back to the choice or goes on with it."""
    clocks: Clocks | UnsetType = UNSET
    effects: list[Effect] | UnsetType = UNSET


_TYPE = b'{"type":5,'
_POINTS = tuple(map(_encode, POINTS))


def _frame(**message: Any) -> bytes:
    return text_frame(_encode(message))


NO_RESULT = _frame(reason=_AGREED, result=_DRAWN, type=2)
"""Nobody has won. That there is no result at all the protocol cannot say."""
DRAW_OFFERED = _frame(type=3)


def created(game: int, player: int, key: str) -> bytes:
    return _frame(gameId=game, playerId=player, key=key, type=0)


def joined(player: int, seat: Seat, opponent: str, control: int, key: str) -> bytes:
    return _frame(playerId=player, color=seat == 0, name=opponent, timeControl=control, key=key, type=1)


def opponent(name: str) -> bytes:
    """To whoever has created the game. With a `playerId` in it existing clients would take it for their own."""
    return _frame(name=name, type=1)


def update(message: Update) -> bytes:
    return text_frame(_encode(message))


def updates_of_move(message: Update, start: int, end: int) -> tuple[bytes, bytes]:
    """What the player is told who has moved, and what the other one is told, who also hears the move and is to act."""
    own = _encode(message)
    move = b'"move":{"from":%b,"to":%b},' % (_POINTS[start], _POINTS[end])
    # The updates, which come before the action, have no field of this name.
    rest = own[len(_TYPE) :].replace(b'"action":0', b'"action":1', 1)
    return text_frame(own), text_frame(_TYPE + move + rest)


def over(outcome: Outcome, seat: Seat) -> bytes:
    result = _DRAWN if not outcome.winners else _WIN if seat in outcome.winners else _LOSS
    return _frame(reason=_REASONS[outcome.reason], result=result, type=2)


def illegal(message: str) -> bytes:
    return _frame(type=6, message=message)


def error(message: str) -> bytes:
    return _frame(type=7, message=message)
