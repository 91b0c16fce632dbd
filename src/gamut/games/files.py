"""Recorded games as files: what a game that has a format of its own says of it.

Nothing here knows of tables. A game that was played at one comes as a `PlayedGame`, and goes back to one in the same
way; `gamut.hall.files` makes the one out of the other.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar, Generic, Literal, TypeVar

import msgspec

from gamut.games.game import Seat

Trouble = Literal["damaged", "unsupported", "version", "other_game", "not_suspended"]

JSON = "json"
"""The ending under which every game with files can be written for people and programs."""


class BadFile(ValueError):
    """The file cannot be used: damaged, of a kind we do not read, of another game, or not a suspended game."""

    def __init__(self, trouble: Trouble, reason: str) -> None:
        super().__init__(reason)
        self.trouble = trouble
        self.reason = reason


def damaged(reason: str) -> BadFile:
    return BadFile("damaged", reason)


class FileKind(msgspec.Struct, frozen=True):
    """One of the formats of a game."""

    ending: str
    """Of a file's name, without the dot."""
    title: str
    """What is in such files, for people."""
    name: str | None = None
    """What a table's file of this kind is called before its ending; None: tables give none."""
    of: Literal["finished", "suspended", "any"] = "finished"
    """Of which tables: those whose game is over, that were exported, or all whose game has begun."""


class TimeControl(msgspec.Struct, frozen=True, kw_only=True):
    """How the time was limited; all times are milliseconds."""

    style: Literal["turn", "bank", "overtime"]
    """So long for each turn; for the whole game; or main time and then periods that refill each turn."""
    main: int
    increment: int = 0
    length: int = 0
    """Of a period of overtime."""
    periods: int = 0
    grace: int = 0
    """How long whoever has run out may still think in each turn, where that does not end the game."""


class Player(msgspec.Struct, frozen=True):
    """Who sat in a seat when the game began."""

    name: str = ""
    """Empty where the file does not say."""
    registered: bool = False
    """The name is that of an account on its server."""
    level: str = ""
    """The strength of a bot; empty for people."""
    called: str = ""
    """What they are called at the table, where `name` is another: a bot's says also that it is one, for files that
    say so nowhere else, and a file may have an account beside it."""


class Turn(msgspec.Struct, frozen=True):
    """What happened at one moment: in a game that was played at a table, what one command did."""

    at: int
    """Milliseconds since 1970."""
    events: tuple[Any, ...]
    seat: Seat | None = None
    why: Literal["acted", "flagged", "quit", "agreed"] = "acted"
    comment: str = ""
    """What somebody wrote about the position after it."""
    variations: tuple["Line", ...] = ()
    """Other ways in which the game could have gone on instead of it."""


class Line(msgspec.Struct, frozen=True):
    """Turns that follow one another, and were not played."""

    turns: tuple[Turn, ...]
    comment: str = ""
    """About the position before the first of them."""


class Puzzle(msgspec.Struct, frozen=True):
    """A recorded game that is a question: how does it go on?"""

    shown: int
    """After so many turns, without the one that sets the game up, it is first to be seen."""
    start: int
    """After so many whoever solves it is to act."""
    strict: bool = False
    """Only what is recorded is an answer."""


class PlayedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game as it was played, in the terms that all games share."""

    options: Any
    """Of the game's own type."""
    seats: int
    players: tuple[Player | None, ...]
    """Seat by seat; None for an empty seat."""
    turns: Sequence[Turn]
    """The first one sets the game up."""
    state: Any
    """The position after the last turn."""
    table: str = ""
    """The id of the table, if it was played here."""
    room: str | None = None
    """What its table was called at a door of the game's own."""
    opened: int = 0
    """When the table was opened: a number that no later game of its server is below."""
    clock: TimeControl | None = None
    left: tuple[int, ...] = ()
    """Milliseconds that each seat had at first; those of a suspended game, that it still has."""
    decor: Mapping[str, Any] = {}
    suspended: int | None = None
    """When it was broken off to go on later; None for any other game."""
    server: bytes = bytes(16)
    """16 bytes that tell servers apart."""
    comment: str = ""
    """About the position before the first move."""
    puzzle: Puzzle | None = None


class Resumption(msgspec.Struct, frozen=True, kw_only=True):
    """A suspended game, and all that a table needs at which it goes on."""

    options: Any
    """Of the game's own type, checked: with them the game begins where it was broken off."""
    seats: int
    clock: TimeControl | None = None
    left: tuple[int, ...] = ()
    """Milliseconds that each seat still has; nobody's if empty."""
    decor: dict[str, Any] = {}
    bots: tuple[tuple[Seat, str | None], ...] = ()
    """Who is to be a bot again, and how strong; None: a bot that is not known here."""


class Step(msgspec.Struct, frozen=True):
    """One event of a recorded game, and the position after it."""

    event: Any
    state: Any
    seat: Seat | None = None
    """Who acted; None for what nobody did."""
    at: int | None = None
    """Milliseconds since 1970; None where the file does not say."""


class Tagged(msgspec.Struct, frozen=True):
    """What is in a file of one game, where it begins with tags."""

    tags: tuple[tuple[str, str], ...]
    """In their order; there may be some that nobody knows."""

    def tag(self, name: str) -> str | None:
        return next((value for known, value in self.tags if known == name), None)

    def day(self, name: str) -> int:
        """The day in a tag, in milliseconds since 1970; 0 if there is none."""
        try:
            day = datetime.strptime(self.tag(name) or "", _DAY).replace(tzinfo=UTC)
        except ValueError:
            return 0
        return int(day.timestamp()) * 1000


_DAY = "%Y.%m.%d"


def day_tag(millis: int) -> str:
    try:
        return f"{datetime.fromtimestamp(millis / 1000, UTC):{_DAY}}"
    except (OverflowError, ValueError, OSError):
        return "1970.01.01"


def name_tag(player: Player | None, unfit: str = "") -> str:
    """A player's name as it can stand in a tag: line breaks and the `unfit` letters would end it."""
    if player is None:
        return ""
    name = player.name or (f"Bot ({player.level})" if player.level else "")
    return "".join(letter if letter.isprintable() and letter not in unfit else "?" for letter in name)


def plain(text: str) -> str:
    """Names come from strangers, and a terminal must not take them for commands."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


State = TypeVar("State")


def played_to_the_end(played: Iterable[tuple[Turn, State]]) -> tuple[list[Turn], State]:
    """All turns of a game that is played through, and the position after the last of them."""
    turns: list[Turn] = []
    for turn, state in played:  # noqa: B007 - the last state is needed
        turns.append(turn)
    return turns, state


def steps_of(
    played: Iterable[tuple[Turn, State]], evolve: Callable[[State | None, Any], State], timed: bool
) -> Iterator[Step]:
    """The events of a game that is played through; `timed`: its file says when they happened."""
    state: State | None = None
    for turn, after in played:
        at = turn.at if timed else None
        *first, last = turn.events
        for event in first:
            state = evolve(state, event)
            yield Step(event, state, turn.seat, at)
        state = after
        yield Step(last, state, turn.seat, at)


Record = TypeVar("Record")


class GameFiles(ABC, Generic[Record]):
    """The files of one game. A record is all that is in a file of one game, in the game's own terms.

    Whatever is wrong with a file, BadFile says so, and nothing else is raised. Reading may take a while, and is done in
    a thread: nothing here keeps anything.
    """

    game: ClassVar[str]
    kinds: ClassVar[tuple[FileKind, ...]]
    longest: ClassVar[int]
    """Bytes of a file that is looked at on the page."""
    longest_suspended: ClassVar[int] = 0
    """Bytes of a file whose game goes on at a table; 0: none does."""

    # Reading and writing

    def recognises(self, data: bytes) -> bool:
        """Whether this looks like a file of this game, damaged or not, in JSON or in a format of its own."""
        return says_format(data, self.game) if self.is_json(data) else self.recognises_own(data)

    @abstractmethod
    def recognises_own(self, data: bytes) -> bool:
        """The same for what is no JSON."""

    @abstractmethod
    def read(self, data: bytes) -> Sequence[Record]:
        """The games in a file of one of the kinds; there may be several. Raises BadFile."""

    @abstractmethod
    def write(self, record: Record, ending: str) -> bytes:
        """The file of the kind with this ending. Raises BadFile where the game is of another kind."""

    @abstractmethod
    def as_json(self, record: Record) -> bytes:
        """All of it as a JSON object whose field `format` is the game's name, a blank and a version."""

    @abstractmethod
    def from_json(self, data: bytes) -> Record:
        """The record that `as_json` gave, perhaps changed by somebody. Raises BadFile."""

    def is_json(self, data: bytes) -> bool:
        """Whether it is for `from_json`, and not a format of the game's own that is JSON as well."""
        return data.lstrip()[:1] == b"{"

    def load(self, data: bytes) -> Sequence[Record]:
        """The games in a file of any form. Raises BadFile."""
        return (self.from_json(data),) if self.is_json(data) else self.read(data)

    def save(self, record: Record, ending: str) -> bytes:
        """The file of any form. Raises BadFile."""
        own = any(kind.ending == ending for kind in self.kinds)
        return self.as_json(record) if ending == JSON and not own else self.write(record, ending)

    @property
    def endings(self) -> tuple[str, ...]:
        """Of everything that can be written."""
        return tuple(dict.fromkeys((*(kind.ending for kind in self.kinds), JSON)))

    # What is in it

    @abstractmethod
    def tell(self, record: Record) -> Iterator[str]:
        """The game for people, line by line. Raises BadFile where it is against the rules."""

    @abstractmethod
    def replay(self, record: Record) -> Iterator[Step]:
        """Every event of the main line with the position after it, one at a time. Raises BadFile like `tell`."""

    def shown(self, state: Any) -> Any:
        """A position for people who analyse games: something that becomes JSON without riddles."""
        return state

    def beside(self, step: Step) -> dict[str, Any]:
        """What else is said of a step to people who analyse games, beside its event and position."""
        return {}

    # Tables

    @abstractmethod
    def recorded(self, played: PlayedGame) -> Record:
        """The record of a game that was played here.

        Of a game that hides things, whoever asks gets only the events that they may see.
        """

    @abstractmethod
    def played(self, record: Record) -> PlayedGame:
        """The game as one that was played, to be looked at. Raises BadFile where it cannot be shown here."""

    def resumption(self, data: bytes) -> Resumption:
        """The suspended game in a file, to go on with. Raises BadFile."""
        raise BadFile("not_suspended", "Games of this kind are not suspended.")


AnyFiles = GameFiles[Any]


def says_format(data: bytes, game: str) -> bool:
    """Whether this may be the JSON of a game: it has the field that says so."""
    return re.search(rb'"format"\s*:\s*"' + re.escape(game.encode()) + rb" ", data) is not None


def only(records: Sequence[Record]) -> Record:
    """The one game in a file. Raises BadFile if there are others."""
    if len(records) != 1:
        raise BadFile("unsupported", f"There are {len(records)} games in this file, not one.")
    return records[0]
