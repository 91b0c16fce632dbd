"""Suspended games: what an `.stpl` file must have so that its game can go on here."""

from typing import Literal, NamedTuple

from msgspec.structs import replace

from gamut.games.files import BadFile
from gamut.games.topple.events import Resumed
from gamut.games.topple.files.layout import MARKED, VERSION
from gamut.games.topple.files.playback import final
from gamut.games.topple.files.reader import check_length, read
from gamut.games.topple.files.record import Compared, Extension, ExtraField, Marked, Person, Record
from gamut.games.topple.files.writer import write
from gamut.games.topple.state import MOST_PLAYERS, ToppleState
from gamut.games.topple.topology import LONGEST_SIDE, MOST_TILES

LONGEST_SUSPENDED = 1 << 14
"""Bytes. The largest board is full after 675 moves of 5 bytes, and then the next topple ends the game; what is left is
enough for a year and a half of waiting, at 4 bytes for every 4 hours and 40 minutes."""

_WHAT, _WHEN = "stpl:*", "stpl:&"
EXTENSION = Extension(MARKED, (ExtraField(_WHAT, 1), ExtraField(_WHEN, 8, Compared(0, 2, b"\0"))))
"""How files note that a game was suspended or resumed, and when."""


def suspension(at: int) -> Marked:
    return Marked({_WHAT: b"\1", _WHEN: at.to_bytes(8, "big")})


def resumption(at: int) -> Marked:
    return Marked({_WHAT: b"\2", _WHEN: at.to_bytes(8, "big")})


def marked_at(mark: Marked) -> tuple[Literal["suspended", "resumed"], int] | None:
    """What such an event says, and when that was (milliseconds since 1970); None if it says something else."""
    at = int.from_bytes(mark.extra.get(_WHEN, b""), "big")
    if at >> 63:
        return None
    if mark == suspension(at):
        return "suspended", at
    return ("resumed", at) if mark == resumption(at) else None


class Suspended(NamedTuple):
    """A game that can go on, and the position where it does."""

    record: Record
    state: ToppleState
    kept: bytes
    """The file as a table keeps it: without the names of people."""

    @property
    def position(self) -> Resumed:
        state = self.state
        return Resumed(state.setup, state.board, state.owners, state.alive, state.turn, state.scores)


def nameless(record: Record) -> Record:
    """The game as it was played, and by which bots; who the people were is gone, and whatever else may tell."""
    people = record.people
    if people is not None:
        people = tuple(None if person is None else Person(bot=person.bot) for person in people)
    return replace(record, people=people, flags=b"", other={})


def suspended(file: bytes, most: int = LONGEST_SUSPENDED) -> Suspended:
    """The game in an `.stpl` file. Raises BadFile if there is none, or if it cannot go on here.

    The whole game is played through, which takes so long that nobody should have to wait for it.
    """
    check_length(file, most)
    if file and file[0] != VERSION:
        # The version comes first: a file of another version is not a damaged one, though it reads like that.
        raise BadFile("version", f"Suspended games are of version {VERSION}; this file is of {file[0]}.")
    record = read(file)
    if not (record.suspended and record.ruled and record.people is not None):
        raise BadFile("not_suspended", "This is not a suspended game.")
    if record.extensions != (EXTENSION,) or not record.timed:
        raise BadFile("unsupported", "Its events are of a kind that cannot be continued here.")
    check_extent(record)
    state = final(record)
    if state.turn is None:
        raise BadFile("unsupported", "This game is over.")
    kept = write(nameless(record))
    check_length(kept, most)
    return Suspended(record, state, kept)


def check_extent(record: Record) -> None:
    """Raise BadFile if there are more players or tiles in it than at tables here."""
    if len(record.teams) > MOST_PLAYERS:
        raise BadFile(
            "unsupported", f"It has {len(record.teams)} players; here there are at most {MOST_PLAYERS}."
        )
    if max(record.x, record.y) > LONGEST_SIDE or record.x * record.y > MOST_TILES:
        raise BadFile("unsupported", f"Its board is too large: at most {MOST_TILES} tiles.")
