"""What clients say. A message is declared here once; `parsed` also says what is wrong with one that is not right."""

from typing import Annotated, Any, Literal

import msgspec

from gamut.doors.messages import any_of, declared
from gamut.games.game import Refused
from gamut.games.topple.events import Place
from gamut.games.topple.state import TEAMS
from gamut.games.topple.topology import MOST_TILES

LONGEST_LIMIT = 359_999_000
_LONGEST_REASON = 300
Limit = Annotated[int, msgspec.Meta(ge=1000, le=LONGEST_LIMIT, multiple_of=1000)]
Colour = Annotated[int, msgspec.Meta(ge=0, le=0xFFFFFF)]
Colours = Annotated[list[Colour], msgspec.Meta(min_length=TEAMS + 1, max_length=TEAMS + 1)]
Word = Annotated[str, msgspec.Meta(max_length=64)]


class Empty(msgspec.Struct, frozen=True):
    pass


class Number(msgspec.Struct, frozen=True):
    n: int


class NumberOrId(msgspec.Struct, frozen=True):
    n: int | Word


class ReadyState(msgspec.Struct, frozen=True):
    r: bool


class ColoursOf(msgspec.Struct, frozen=True):
    c: Colours


class TurnTime(msgspec.Struct, frozen=True):
    """Parts that are missing stay as they are."""

    style: Literal["per turn", "chess"] | msgspec.UnsetType = msgspec.UNSET
    limit: Limit | msgspec.UnsetType | None = msgspec.UNSET
    penalty: Literal["random", "skip", "lose"] | msgspec.UnsetType = msgspec.UNSET


class ScoringStyle(msgspec.Struct, frozen=True):
    style: Literal["elim", "tile", "piece"] | msgspec.UnsetType = msgspec.UNSET


class RulesChange(msgspec.Struct, frozen=True):
    turnTime: TurnTime = TurnTime()
    scoring: ScoringStyle | None = None


class PingOf(msgspec.Struct, frozen=True):
    n: int
    kind: Word | None = None


class PasswordIs(msgspec.Struct, frozen=True):
    pw: Annotated[str, msgspec.Meta(max_length=1000)]


class BotIs(msgspec.Struct, frozen=True):
    bot: Word


class TeamOf(msgspec.Struct, frozen=True):
    t: Annotated[int, msgspec.Meta(ge=1, le=TEAMS)]


class FromClient(msgspec.Struct, frozen=True, tag_field="type"):
    pass


class WaitingLeave(FromClient, frozen=True, tag="waiting:leave"):
    payload: Empty


class PlayerLeave(FromClient, frozen=True, tag="player:leave"):
    payload: Empty


class SpectatorLeave(FromClient, frozen=True, tag="spectator:leave"):
    payload: Empty


class Start(FromClient, frozen=True, tag="waiting:start"):
    payload: Empty


class Promote(FromClient, frozen=True, tag="waiting:promote"):
    payload: Number


class SetReady(FromClient, frozen=True, tag="waiting:setready"):
    payload: ReadyState


class TeamColors(FromClient, frozen=True, tag="waiting:teamcolors"):
    payload: ColoursOf


class TeamCols(FromClient, frozen=True, tag="waiting:teamcols"):
    """The same, from the existing browser client."""

    payload: ColoursOf


class Move(FromClient, frozen=True, tag="game:move"):
    payload: Number


class Rules(FromClient, frozen=True, tag="game:rules"):
    payload: RulesChange


class Download(FromClient, frozen=True, tag="game:download"):
    payload: Empty


class Export(FromClient, frozen=True, tag="game:export"):
    payload: Empty


class Kick(FromClient, frozen=True, tag="game:kick"):
    payload: NumberOrId


class WaitingKick(FromClient, frozen=True, tag="waiting:kick"):
    """The same, from the existing browser client's button for spectators."""

    payload: NumberOrId


class Pause(FromClient, frozen=True, tag="game:pause"):
    payload: Empty


class Resume(FromClient, frozen=True, tag="game:resume"):
    payload: Empty


class Ping(FromClient, frozen=True, tag="ping"):
    payload: PingOf


class Password(FromClient, frozen=True, tag="game:password"):
    payload: PasswordIs


class Bot(FromClient, frozen=True, tag="game:bot"):
    payload: BotIs


class Select(FromClient, frozen=True, tag="resjoin:select"):
    payload: Number


class Spectate(FromClient, frozen=True, tag="player:spectate"):
    payload: Empty


class Switch(FromClient, frozen=True, tag="player:switch"):
    payload: TeamOf


TYPES = frozenset(str(kind.__struct_config__.tag) for kind in declared(FromClient))

MOVES = {msgspec.json.encode(Move(Number(tile))): Place(tile) for tile in range(MOST_TILES)}
"""Moves by the bytes in which clients say them: nothing has to be decoded."""

_decode = msgspec.json.Decoder(any_of(FromClient)).decode
_look = msgspec.json.Decoder().decode


def parsed(data: bytes) -> Any | None:
    """The message in a frame; None if it is of a type that this server does not know. Raises Refused."""
    try:
        return _decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        _check(data, error)
        return None


def _check(data: bytes, error: Exception) -> None:
    try:
        message = _look(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refused("malformed", "that is not JSON") from None
    if not isinstance(message, dict):
        raise Refused("malformed", "a message is an object with type and payload")
    if not isinstance(message.get("type"), str) or not isinstance(message.get("payload"), dict):
        raise Refused("malformed", "type must be a string and payload an object")
    if message["type"] in TYPES:
        # It may repeat what was sent, however long that was.
        raise Refused("bad_field", str(error)[:_LONGEST_REASON])
