"""The JSON form of a recorded game, for people and programs: tiles by their names, one event on a line.

Fields that have their usual value are left out. `docs/games/topple.md` describes them.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

import msgspec

from gamut.games.json_files import decoded
from gamut.games.topple.files.cursor import damaged
from gamut.games.topple.files.layout import MOST_TILES, size_for
from gamut.games.topple.files.record import (
    Clock,
    Event,
    Extension,
    Long,
    Marked,
    Moved,
    Pair,
    Person,
    Record,
    Removed,
    Waited,
)
from gamut.games.topple.files.record import Player as PlayerNumber
from gamut.games.topple.files.suspended import EXTENSION, marked_at, resumption, suspension
from gamut.games.topple.files.writer import check
from gamut.games.topple.state import TEAMS, Scoring
from gamut.games.topple.topology import TOPOLOGIES, Topology, tile_name

_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_LAST = (datetime.max.replace(tzinfo=UTC) - _BEGINNING) // _MILLISECOND
_TILE = re.compile(r"([1-9][0-9]{0,6})x([1-9][0-9]{0,6})")

Moment = Annotated[datetime, msgspec.Meta(tz=True)] | Long
"""A date and time; or milliseconds since 1970, for what no calendar has."""
Extra = dict[str, bytes]
Colour = Annotated[str, msgspec.Meta(pattern="^#[0-9a-f]{6}$")]


class _Strict(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    pass


class Board(_Strict, frozen=True):
    topology: Topology
    x: Annotated[int, msgspec.Meta(ge=1, le=0xFFFF)]
    y: Annotated[int, msgspec.Meta(ge=1, le=MOST_TILES)]


class Player(_Strict, frozen=True):
    number: Annotated[int, msgspec.Meta(ge=1, le=0xFF)]
    team: Annotated[int, msgspec.Meta(ge=0, le=TEAMS)]
    """0 for an empty seat."""
    kind: Literal["person", "bot", "nobody"] | None = None
    """None in all of them: the file does not say who they were."""
    name: str = ""
    bot: str = ""
    """The bot's resource, such as `constantine/0`."""
    called: str = ""
    """At the table, where the file says it."""


class Move(_Strict, frozen=True, tag="move"):
    player: PlayerNumber
    tile: str
    """Column and row, counted from 1: `3x2`."""
    after: Pair = 0
    """Milliseconds since the event before."""
    extra: Extra = {}


class Break(_Strict, frozen=True, tag="suspended"):
    at: Moment


class Continuation(_Strict, frozen=True, tag="resumed"):
    at: Moment


Happening = Move | Removed | Waited | Break | Continuation | Marked


_ALIKE = ("room", "clock", "scoring", "ruled", "suspended", "version", "timed", "sequence", "flags", "other")
"""Fields that are the same in a record and in JSON."""


class Game(_Strict, frozen=True, kw_only=True, tag_field="format", tag="topple 1"):
    room: str
    started: Moment
    board: Board
    players: Annotated[tuple[Player, ...], msgspec.Meta(min_length=1, max_length=0xFF)]
    clock: Clock | None = None
    scoring: Scoring | None = None
    ruled: bool = True
    suspended: bool = False
    colours: tuple[Colour, ...] | None = None
    version: Annotated[int, msgspec.Meta(ge=1, le=6)] = 6
    timed: bool = True
    size: Annotated[int, msgspec.Meta(ge=0, le=3)] | None = None
    """None: as wide as it has to be."""
    sequence: Annotated[int, msgspec.Meta(ge=0)] = 0
    fingerprint: bytes | None = None
    """None: 16 zeros."""
    flags: bytes = b""
    other: dict[str, bytes] = {}
    extensions: tuple[Extension, ...] | None = None
    """None: what suspending a game needs if it was suspended, else nothing."""
    events: tuple[Happening, ...]


def as_json(record: Record) -> bytes:
    implied = (EXTENSION,) if _was_suspended(record) else ()
    game = Game(
        started=_moment(record.started),
        board=Board(TOPOLOGIES[record.topology], record.x, record.y),
        players=tuple(_player(record, number) for number in range(1, len(record.teams) + 1)),
        colours=None if record.colours is None else tuple(f"#{colour:06x}" for colour in record.colours),
        size=None if record.size == size_for(len(record.teams), record.x * record.y) else record.size,
        fingerprint=record.fingerprint if any(record.fingerprint) else None,
        extensions=None if record.extensions == implied else record.extensions,
        events=tuple(_told(event, record.x) for event in record.events),
        **_alike(record),
    )
    return _laid_out(msgspec.to_builtins(game))


def from_json(data: bytes) -> Record:
    """Raises BadFile if it is not the JSON of a game that can be written as a file."""
    game = decoded(data, Game, "This is not a Topple game in JSON")
    board = game.board
    if board.x * board.y > MOST_TILES:
        raise damaged(f"its board has {board.x * board.y} tiles, more than a move can name")
    if [player.number for player in game.players] != list(range(1, len(game.players) + 1)):
        raise damaged("its players are not numbered 1, 2 and so on")
    events = tuple(_happened(event, board) for event in game.events)
    record = Record(
        started=_millis(game.started),
        topology=TOPOLOGIES.index(board.topology),
        x=board.x,
        y=board.y,
        teams=tuple(player.team for player in game.players),
        events=events,
        size=size_for(len(game.players), board.x * board.y) if game.size is None else game.size,
        fingerprint=bytes(16) if game.fingerprint is None else game.fingerprint,
        colours=None if game.colours is None else tuple(int(colour[1:], 16) for colour in game.colours),
        people=_people(game.players),
        extensions=game.extensions or (),
        **_alike(game),
    )
    if game.extensions is None and _was_suspended(record):
        record = msgspec.structs.replace(record, extensions=(EXTENSION,))
    check(record)
    return record


def _alike(found: Record | Game) -> dict[str, Any]:
    return {name: getattr(found, name) for name in _ALIKE}


def _was_suspended(record: Record) -> bool:
    marks = (event for event in record.events if isinstance(event, Marked))
    return record.suspended or any(marked_at(mark) is not None for mark in marks)


# Times


def _moment(millis: int) -> Moment:
    return millis if millis > _LAST else _BEGINNING + millis * _MILLISECOND


def _millis(moment: datetime | int) -> int:
    millis = moment if isinstance(moment, int) else (moment - _BEGINNING) // _MILLISECOND
    if millis < 0:
        raise damaged("something in it happens before 1970")
    return millis


# Players


def _player(record: Record, number: int) -> Player:
    team = record.teams[number - 1]
    if record.people is None:
        return Player(number, team)
    person = record.people[number - 1]
    if person is None:
        return Player(number, team, "nobody")
    return Player(number, team, "bot" if person.bot else "person", person.account, person.bot, person.called)


def _people(players: Iterable[Player]) -> tuple[Person | None, ...] | None:
    kinds = {player.kind for player in players}
    if kinds == {None}:
        return None
    if None in kinds:
        raise damaged("it says of some players who they were, and not of others")
    if any((player.kind == "bot") != bool(player.bot) for player in players):
        raise damaged("bots, and nobody else, have a resource")
    return tuple(
        None if player.kind == "nobody" else Person(player.name, player.bot, player.called)
        for player in players
    )


# Events


def _told(event: Event, x: int) -> Happening:
    if isinstance(event, Moved):
        return Move(event.player, tile_name(event.tile, x), event.after, event.extra)
    known = marked_at(event) if isinstance(event, Marked) else None
    if known is None:
        return event
    what, at = known
    return Break(_moment(at)) if what == "suspended" else Continuation(_moment(at))


def _happened(event: Happening, board: Board) -> Event:
    match event:
        case Move(player=player, tile=tile, after=after, extra=extra):
            return Moved(player, _numbered(tile, board), after, extra)
        case Break(at=at):
            return suspension(_millis(at))
        case Continuation(at=at):
            return resumption(_millis(at))
    return event


def _numbered(tile: str, board: Board) -> int:
    named = _TILE.fullmatch(tile)
    if named is None:
        raise damaged(f"{tile!r} is no tile: one is called by column and row, like 3x2")
    column, row = int(named[1]), int(named[2])
    if column > board.x or row > board.y:
        raise damaged(f"there is no tile {tile} on a board of {board.x}x{board.y}")
    return (row - 1) * board.x + column - 1


def _laid_out(fields: dict[str, Any]) -> bytes:
    """Each field, and each of many alike, on a line of its own."""
    lines = []
    for name, value in fields.items():
        written = msgspec.json.encode(value)
        if isinstance(value, list | tuple) and value and isinstance(value[0], dict):
            written = b"[\n    " + b",\n    ".join(map(msgspec.json.encode, value)) + b"\n  ]"
        lines.append(b'  "%s": %s' % (name.encode(), written))
    return b"{\n" + b",\n".join(lines) + b"\n}\n"
