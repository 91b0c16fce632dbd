"""A recorded game played through by the rules, with all its variations."""

from collections.abc import Iterator
from functools import reduce
from itertools import accumulate
from typing import Literal

from msgspec.structs import replace

from gamut.games.files import Line, Turn, damaged
from gamut.games.game import Refused, Seat
from gamut.games.tafl.decide import decided_by_record, evolve, folded, lost
from gamut.games.tafl.endings import Reason
from gamut.games.tafl.files.lines import Ply, Variation, main_line
from gamut.games.tafl.files.record import POSITION, RULES, Record
from gamut.games.tafl.layout import parse_layout
from gamut.games.tafl.notation import BadNotation
from gamut.games.tafl.options import MOST_MOVES, TaflOptions
from gamut.games.tafl.records import RESIGNS, parse_record
from gamut.games.tafl.rules_text import parse_rules, written_rules
from gamut.games.tafl.state import Ended, Event, TaflState

RESULTS: dict[str, Seat | None] = {"1": Seat(0), "0": None, "-1": Seat(1)}
"""The winner by what the tag of the result says."""

_Why = Literal["acted", "flagged", "quit", "agreed"]
_WHY: dict[Reason, _Why] = {
    "resigned": "quit",
    "time": "flagged",
    "agreed": "agreed",
}

_SAID: dict[str, Reason] = {"resign": "resigned", "time": "time", "agree": "agreed"}
"""What parts of words mean in the tag of the termination."""

# Tags of ours, which other programs keep or drop.
MOVED_AT = "moved-at"
"""When the game began, in milliseconds since 1970, and how long after each other things happened."""
CONTINUED = "continued"
"""How many of the moves were played before the game went on at a table."""
QUIRKS = "quirks"
"""The game was played as existing clients play it."""


def beginning(record: Record) -> tuple[TaflOptions, Variation]:
    """With what the game begins, and its main line."""
    options = options_of(record)
    try:
        main = main_line(record)
    except BadNotation as bad:
        raise damaged(bad.reason) from None
    return replace(options, moves=_continued(record, main)), main


def played_through(record: Record, options: TaflOptions, main: Variation) -> Iterator[tuple[Turn, TaflState]]:
    """Each turn with the state after it, one at a time. Raises BadFile where it is against the rules."""
    try:
        events = options.beginning
    except ValueError as bad:
        raise damaged(str(bad)) from None
    times = _times(record)
    state = start = folded(events)
    yield Turn(times[0], events), start
    played = 1
    for turn, state in _line(start, main.plies[len(options.moves) :]):
        yield replace(turn, at=times[min(played, len(times) - 1)]), state
        played += 1
    end = _ending(record, state)
    if end is not None:
        seat = None if end.winner is None else Seat(1 - end.winner)
        why: _Why = _WHY.get(end.reason, "acted")
        yield Turn(times[min(played, len(times) - 1)], (end,), seat, why), evolve(state, end)


def options_of(record: Record) -> TaflOptions:
    """The rules of the game in a file."""
    text, position = record.tag(RULES), record.tag(POSITION)
    try:
        rules = parse_rules(text or "")
        if position is not None:
            rules = replace(rules, start=parse_layout(position.strip(), rules.size))
        quirks = record.tag(QUIRKS) == "y"
        return TaflOptions(rules=written_rules(rules), quirks=quirks).checked()
    except BadNotation as bad:
        raise damaged(f"The rules in this file cannot be read: {bad.reason}") from None
    except ValueError as bad:
        raise damaged(f"By the rules in this file no game can be played: {bad}") from None


def _continued(record: Record, main: Variation) -> tuple[str, ...]:
    count = record.tag(CONTINUED) or ""
    number = int(count) if count.isascii() and count.isdigit() and len(count) < 6 else 0
    if number > min(len(main.plies), MOST_MOVES) or any(ply.text == RESIGNS for ply in main.plies[:number]):
        return ()
    return tuple(parse_record(ply.text).simple for ply in main.plies[:number])


def _line(state: TaflState, plies: list[Ply]) -> Iterator[tuple[Turn, TaflState]]:
    """The turns of a line that begins here, each with the state after it; when they were is not said."""
    for ply in plies:
        variations = tuple(
            Line(tuple(turn for turn, _ in _line(state, other.plies))) for other in ply.variations
        )
        seat = state.turn
        if seat is None:
            raise damaged(f"Move {ply.address}: the game is over before it.")
        events = _events(state, seat, ply)
        state = reduce(evolve, events, state)
        why: _Why = "quit" if ply.text == RESIGNS else "acted"
        yield Turn(0, events, seat, why, ply.comment, variations), state


def _events(state: TaflState, seat: Seat, ply: Ply) -> tuple[Event, ...]:
    try:
        return lost(state, seat, "resigned") if ply.text == RESIGNS else decided_by_record(state, ply.text)
    except Refused as refused:
        raise damaged(f"Move {ply.address}, {ply.text}: {refused.reason}") from None


def _ending(record: Record, state: TaflState) -> Ended | None:
    """How the game ended if its moves do not tell, but the file does."""
    result = record.tag("result")
    if state.turn is None or result not in RESULTS:
        return None
    words = (record.tag("termination") or "").lower()
    return Ended(RESULTS[result], next((_SAID[part] for part in _SAID if part in words), "recorded"))


def _times(record: Record) -> list[int]:
    """When each of the turns was, as far as the file knows: the last one stands for all that follow."""
    words = (record.tag(MOVED_AT) or "").split()
    if not words or not all(word.isascii() and word.isdigit() and len(word) < 16 for word in words):
        return [record.day("date")]
    return list(accumulate(map(int, words)))
