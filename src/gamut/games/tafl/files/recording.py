"""A game that was played, as the record that becomes a file."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec.structs import replace

from gamut.games.files import PlayedGame, TimeControl, Turn, day_tag, name_tag
from gamut.games.game import Seat
from gamut.games.tafl.files.lines import letter_of
from gamut.games.tafl.files.playback import CONTINUED, MOVED_AT, QUIRKS
from gamut.games.tafl.files.record import RULES, SKIPPED, Record, WrittenTurn
from gamut.games.tafl.files.times import Times, written_remaining
from gamut.games.tafl.options import TaflOptions
from gamut.games.tafl.rules_text import parse_rules, written_rules
from gamut.games.tafl.state import Began, Ended, Moved, TaflState

_COMPILER = "Gamut"
_TERMINATIONS = {"resigned": "{loser} resigned", "time": "{loser} ran out of time", "agreed": "draw agreed"}
_RESULTS = {Seat(0): "1", Seat(1): "-1", None: "0"}


def record_of(played: PlayedGame) -> Record:
    began = played.turns[0].events[0]
    assert isinstance(began, Began)
    # What was played before the game came to this table is in the turn that set it up.
    before = [Turn(0, (event,), event.seat) for event in played.turns[0].events if isinstance(event, Moved)]
    turns = list(_lines([*before, *played.turns[1:]], began.turn))
    if not any(any(turn.comments or ()) for turn in turns):
        turns = [replace(turn, comments=None) for turn in turns]
    return Record(tuple(_tags(played, len(before))), tuple(turns))


# Tags


def _tags(played: PlayedGame, before: int) -> Iterator[tuple[str, str]]:
    options: TaflOptions = played.options
    state: TaflState = played.state
    yield "date", day_tag(played.turns[0].at)
    yield "result", "?" if state.ending is None else _RESULTS[state.ending.winner]
    for side, player in zip(("attackers", "defenders"), played.players, strict=True):
        yield side, name_tag(player, unfit="[]")
    if state.ending is not None and state.ending.reason in _TERMINATIONS:
        yield "termination", _termination(state.ending)
    yield "compiler", _COMPILER
    if played.clock is not None:
        control = times_of(played.clock)
        yield "time-control", str(control)
        if played.suspended is not None and len(played.left) == 2:
            attackers, defenders = (replace(control, main=seconds(left)) for left in played.left)
            yield "time-remaining", written_remaining(attackers, defenders)
    if options.quirks:
        yield QUIRKS, "y"
    if before:
        yield CONTINUED, str(before)
    yield RULES, written_rules(parse_rules(options.rules_string), inverted=True)
    times = [turn.at for turn in played.turns]
    passed = [later - earlier for earlier, later in pairwise(times)]
    yield MOVED_AT, " ".join(str(max(0, time)) for time in [times[0], *passed])


def _termination(end: Ended) -> str:
    loser = "nobody" if end.winner is None else ("defenders", "attackers")[end.winner]
    return _TERMINATIONS[end.reason].format(loser=loser)


def times_of(clock: TimeControl) -> Times:
    """Files have whole seconds, of which a begun one counts."""
    return Times(seconds(clock.main), seconds(clock.length), clock.periods, seconds(clock.increment))


def seconds(millis: int) -> int:
    return -(-millis // 1000)


# Moves


class _Line:
    """A line on its way to a file: the turn that is being filled, and those that are done."""

    def __init__(self, path: str, first: Seat, skipped: int) -> None:
        self.path = path
        self.first = first
        self.number = 1
        self.skipped = skipped
        self.last: Seat | None = None
        self.moves: list[str] = [SKIPPED] * skipped
        self.comments: list[str] = []
        self.branches: list[WrittenTurn] = []

    def add(self, moved: Moved, turn: Turn) -> Iterator[WrittenTurn]:
        if moved.seat == self.first and self.last not in (None, self.first):
            yield from self.done()
            self.number += 1
        place = f"{self.path}{self.number}{letter_of(len(self.moves))}"
        for count, variation in enumerate(turn.variations, 1):
            self.branches += _lines(variation.turns, self.first, f"{place}.{count}.", len(self.moves))
        self.moves.append(moved.record)
        self.comments.append(plain_comment(turn.comment))
        self.last = moved.seat

    def done(self) -> Iterator[WrittenTurn]:
        """The turn that was filled, and after it the lines that branch from it."""
        if self.comments:
            address = f"{self.path}{self.number}{'a' if self.path else ''}."
            yield WrittenTurn(address, tuple(self.moves), tuple(self.comments))
        yield from self.branches
        self.moves, self.comments, self.branches = [], [], []


def _lines(turns: Sequence[Turn], first: Seat, path: str = "", skipped: int = 0) -> Iterator[WrittenTurn]:
    line = _Line(path, first, skipped)
    for turn in turns:
        for event in turn.events:
            if isinstance(event, Moved):
                yield from line.add(event, turn)
    yield from line.done()


def plain_comment(text: str) -> str:
    """As it can stand in a file, where bars and brackets have a meaning."""
    return text.replace("|", "/").replace("[", "(").replace("]", ")").replace("\r", "")
