"""What stands before the events of a file, in each version."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from gamut.games.files import BadFile
from gamut.games.topple.files import layout
from gamut.games.topple.files.cursor import Cursor, damaged
from gamut.games.topple.files.extensions import read_extensions
from gamut.games.topple.files.metadata import read_entries
from gamut.games.topple.files.moves import MoveReader, by_row_and_column, by_tile, version_3
from gamut.games.topple.files.record import Record
from gamut.games.topple.state import TEAMS, usual_team
from gamut.games.topple.topology import TOPOLOGIES

_LATEST_START = 2**63 - 1


class Header(NamedTuple):
    record: Record
    """Still without events, and without what the entries of the metadata say."""
    move: MoveReader
    entries: dict[str, bytes] = {}


def read_header(cursor: Cursor) -> Header:
    """Everything up to and including the mark where events begin."""
    version = cursor.number(1)
    if version == 0:
        raise BadFile(
            "unsupported", "Files of version 0 do not say how large the board was: we cannot read them."
        )
    if version > layout.VERSION:
        raise BadFile(
            "version", f"This is not a Topple game, or one of a later version than {layout.VERSION}."
        )
    room = cursor.take(8)
    if not room.isascii():
        raise damaged("its room code is not text")
    flags = cursor.number(1)
    started = cursor.number(8)
    if started > _LATEST_START:
        raise damaged("it begins at an impossible time")
    begun = partial(
        Record,
        version=version,
        room=room.decode(),
        timed=bool(flags & layout.TIMESTAMP),
        started=started,
        events=(),
    )
    return (_by_sides if version <= 2 else _by_count)(cursor, version, flags, begun)


def _by_sides(cursor: Cursor, version: int, flags: int, begun: Callable[..., Record]) -> Header:
    """Versions 1 and 2."""
    x, y, count = cursor.number(2), cursor.number(2), cursor.number(1)
    _check_sides(x, y, count)
    teams, named = _usual(count), False
    if version == 2 and flags & layout.ORDER:
        strategy = cursor.number(1)
        if strategy > 1:
            raise BadFile("unsupported", f"Its order of play is of a kind we do not know ({strategy}).")
        cursor.take(1)
        teams, named = _teams(cursor, count), strategy == 0
        cursor.take(count % 2)
    cursor.skip_past(layout.BEGIN, "beginning of the events")
    move = by_row_and_column(flags >> layout.SIZE_SHIFT & 3, named, x, y)
    return Header(begun(topology=0, x=x, y=y, teams=teams, size=layout.size_for(count, x * y)), move)


def _by_count(cursor: Cursor, version: int, flags: int, begun: Callable[..., Record]) -> Header:
    """Versions 3 to 6."""
    if flags & layout.CTOPOLOGY:
        raise BadFile("unsupported", "It is played on a topology of its own; we read the four usual ones.")
    tiles, count = cursor.number(4), cursor.number(1)
    named = bool(flags & layout.ORDER)
    teams = _usual(count)
    if named:
        if cursor.number(1) != 0:
            raise BadFile("unsupported", "Its order of play is of a kind that we do not know.")
        teams = _teams(cursor, count)
    elif version == 3:
        raise BadFile("unsupported", "A file of version 3 must say who made each move.")
    topology, x = cursor.number(2), cursor.number(2)
    if topology >= len(TOPOLOGIES):
        raise BadFile("unsupported", f"It is played on a topology that we do not know ({topology}).")
    if x == 0 or tiles % x:
        raise damaged("its tiles do not make a rectangle")
    y = tiles // x
    _check_sides(x, y, count)
    size = flags >> layout.SIZE_SHIFT & 3
    record = begun(
        topology=topology,
        x=x,
        y=y,
        teams=teams,
        size=size if version > 3 and named else layout.size_for(count, tiles),
    )
    entries: dict[str, bytes] = {}
    if version >= 4:
        record = replace(record, sequence=cursor.number(8), fingerprint=cursor.take(16))
    if version >= 5 and flags & layout.EXTMETA:
        bits, entries = read_entries(cursor)
        record = replace(record, flags=bits)
    if version >= 5 and flags & layout.EXTEVS:
        record = replace(record, extensions=read_extensions(cursor, version))
    cursor.expect(layout.BEGIN, "beginning of the events")
    return Header(record, version_3(size) if version == 3 else by_tile(size, named), entries)


def _check_sides(x: int, y: int, count: int) -> None:
    if x == 0 or y == 0:
        raise damaged("its board has no tiles")
    if x * y > layout.MOST_TILES:
        raise damaged(f"its board has {x * y} tiles, more than a move can name")
    if count == 0:
        raise damaged("it has no players")


def _usual(count: int) -> tuple[int, ...]:
    return tuple(map(usual_team, range(count)))


def _teams(cursor: Cursor, count: int) -> tuple[int, ...]:
    teams = tuple(cursor.take(count))
    if any(team > TEAMS for team in teams) or not any(teams):
        raise damaged("its table of teams makes no sense")
    return teams
