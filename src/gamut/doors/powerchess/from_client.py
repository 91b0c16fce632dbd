"""What clients say on `/play`. All that is wrong with a message by itself is found here, before anything is done.

Existing clients send some numbers and truth values as texts.
"""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec

from gamut.games.game import Refused
from gamut.games.powerchess.powers import POWERS, RARITIES, TARGETS, PowerName, Rarity
from gamut.games.powerchess.state import Move, Promotion

CREATE, JOIN, OVER, DRAW, ACT, ERROR, SPAWN, GIVE = 0, 1, 2, 3, 4, 7, 8, 9
MOVE, SELECT_POWER = 1, 2
RESIGNATION, TIME = 1, 2
_FOR_TRIALS = (SPAWN, GIVE)
_LONGEST_NUMBER = 16
"""Digits: as many as the largest number has that a client can hold."""
_TRUTH = {"true": True, "false": False}
_PROMOTIONS: tuple[Promotion, ...] = ("queen", "rook", "bishop", "knight")
_MOVED_ON: tuple[PowerName, ...] = ("adjust", "second_effort")
"""Powers whose follow-up is a move of the piece that took the box."""

Number = int | str
Truth = bool | str
Coordinate = Annotated[int, msgspec.Meta(ge=0, le=7)]


def malformed(why: str) -> Refused:
    return Refused("malformed", why)


class Point(msgspec.Struct, frozen=True, gc=False):
    row: Coordinate
    col: Coordinate

    @property
    def square(self) -> int:
        return self.row << 3 | self.col


class Way(msgspec.Struct, frozen=True, gc=False, rename={"start": "from", "end": "to"}):
    start: Point
    end: Point
    promotion: Number | None = None


class Create(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    name: str
    color: Truth
    time_control: Number
    public: Truth


class Join(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    game_id: Number
    name: str | None = None
    player_id: Number | None = None
    key: str | None = None


class Nothing(msgspec.Struct, frozen=True):
    """An empty frame: it is not answered."""


class ReportError(msgspec.Struct, frozen=True):
    """A client has had trouble of its own. What it says of that is not looked at."""


class Own(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """A message in a game, from one of its players."""

    game_id: Number
    player_id: Number


class Draw(Own, frozen=True, gc=False, rename="camel"):
    """An offer of a draw, or the answer to one."""


class Over(Own, frozen=True, gc=False, rename="camel"):
    reason: Number


class Act(Own, frozen=True, gc=False, rename="camel"):
    type: Number
    action: Number
    move: Way | None = None
    selection: bool | int | str | None = None
    follow_up: msgspec.Raw = msgspec.Raw()


class Spawn(Point, frozen=True, gc=False, rename="camel"):
    game_id: Number
    rarity: Number


class Give(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    game_id: Number
    rarity: Number
    id1: Number
    id2: Number
    where_captured: Point


class _Typed(msgspec.Struct, gc=False):
    type: Number


_decode_type = msgspec.json.Decoder(_Typed).decode
_DECODE: dict[int, Callable[[bytes], Any]] = {
    CREATE: msgspec.json.Decoder(Create).decode,
    JOIN: msgspec.json.Decoder(Join).decode,
    OVER: msgspec.json.Decoder(Over).decode,
    DRAW: msgspec.json.Decoder(Draw).decode,
    ACT: msgspec.json.Decoder(Act).decode,
    ERROR: lambda _: ReportError(),
    SPAWN: msgspec.json.Decoder(Spawn).decode,
    GIVE: msgspec.json.Decoder(Give).decode,
}
_decode_point = msgspec.json.Decoder(Point).decode
_decode_way = msgspec.json.Decoder(Way).decode
_decode_act = msgspec.json.Decoder(Act).decode
_WRONG = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def parsed(data: bytes, *, debug: bool) -> Any:
    """The message in a frame. `debug`: also those with which clients are tried."""
    try:
        # Nearly all of them are moves.
        act = _decode_act(data)
        if act.type == ACT:
            return act
    except _WRONG:
        pass  # whatever it is, it is looked at closely
    if not data:
        return Nothing()
    try:
        kind = number(_decode_type(data).type)
    except _WRONG as error:
        raise malformed(f"That is no message: {error}.") from None
    if kind not in _DECODE or (kind in _FOR_TRIALS and not debug):
        raise Refused("unknown_type", "There is no such type of message, or not from a client.")
    try:
        return _DECODE[kind](data)
    except _WRONG as error:
        raise malformed(f"There is something wrong with that: {error}.") from None


# Values


def number(said: Number) -> int:
    if isinstance(said, str):
        if not (said.isascii() and said.isdigit()) or len(said) > _LONGEST_NUMBER:
            raise malformed("A number has only digits.")
        said = int(said)
    if not 0 <= said < 2**53:
        raise malformed("Numbers are not negative, and below 2^53.")
    return said


def number_below(said: Number, end: int, what: str) -> int:
    value = number(said)
    if not 0 <= value < end:
        raise malformed(f"{what} is a number from 0 to {end - 1}.")
    return value


def truth(said: Truth) -> bool:
    if isinstance(said, bool):
        return said
    if said not in _TRUTH:
        raise malformed("A truth value is true or false.")
    return _TRUTH[said]


def reason(message: Over) -> int:
    value = number(message.reason)
    if value not in (RESIGNATION, TIME):
        raise malformed(f"A game is given up for reason {RESIGNATION} or {TIME}.")
    return value


def move_of(way: Way) -> Move:
    start, end = way.start, way.end
    start_square, end_square = start.row << 3 | start.col, end.row << 3 | end.col
    if way.promotion is None:
        return Move(start_square, end_square)
    value = number(way.promotion)
    if not 1 <= value <= len(_PROMOTIONS):
        raise malformed(f"promotion is a number from 1 to {len(_PROMOTIONS)}.")
    return Move(start_square, end_square, _PROMOTIONS[value - 1])


def rarity(said: Number) -> Rarity:
    return RARITIES[number_below(said, len(RARITIES), "rarity")]


def power(of: Rarity, said: Number) -> PowerName:
    known = POWERS[RARITIES.index(of)]
    return known[number_below(said, len(known), "A power of this rarity")]


def selection(message: Act) -> int:
    """Which of the two powers. As a truth value, true is the first; as a number, 0 is."""
    said = message.selection
    if isinstance(said, bool):
        return 0 if said else 1
    if isinstance(said, str) and said in _TRUTH:
        return 0 if _TRUTH[said] else 1
    if said is None:
        raise malformed("selection is missing.")
    return number_below(said, 2, "selection")


class FollowUp(msgspec.Struct, frozen=True, gc=False):
    """What a power is to be used on."""

    start: int | None
    """Where the piece is said to stand that is to move; None: it is not said."""
    target: int


def follow_up_of(message: Act, chosen: PowerName) -> FollowUp | None:
    """None for a power that needs nothing; whatever comes with it then is not looked at."""
    if chosen not in TARGETS:
        return None
    said = bytes(message.follow_up)
    if said in (b"", b"null"):
        raise malformed("This power needs a followUp.")
    try:
        if chosen in _MOVED_ON and _is_way(said):
            way = _decode_way(said)
            return FollowUp(way.start.square, way.end.square)
        return FollowUp(None, _decode_point(said).square)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise malformed(f"That is no followUp of this power: {error}.") from None


class _Ends(msgspec.Struct, gc=False, rename={"start": "from", "end": "to"}):
    start: msgspec.Raw = msgspec.Raw()
    end: msgspec.Raw = msgspec.Raw()


def _is_way(said: bytes) -> bool:
    ends = msgspec.json.decode(said, type=_Ends)
    return bool(bytes(ends.start) or bytes(ends.end))
