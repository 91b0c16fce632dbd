"""A recorded game played through by the rules, with all its variations."""

from datetime import UTC, datetime
from typing import NamedTuple

from msgspec.structs import replace

from gamut.games.files import BadFile, Line, Turn
from gamut.games.game import Refused, Seat
from gamut.games.tafl.decide import begun, decided_by_record, evolve, folded, lost
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

# Tags of ours, which other programs keep or drop.
MOVED_AT = "moved-at"
"""When the game began, in milliseconds since 1970, and how long after each other things happened."""
CONTINUED = "continued"
"""How many of the moves were played before the game went on at a table."""
QUIRKS = "quirks"
"""The game was played as existing clients play it."""


class Playback(NamedTuple):
    options: TaflOptions
    turns: list[Turn]
    state: TaflState


def damaged(reason: str) -> BadFile:
    return BadFile("damaged", reason)


def play_back(record: Record) -> Playback:
    """All of it. Raises BadFile where it is against the rules."""
    options = options_of(record)
    try:
        main = main_line(record)
        before = _continued(record, main)
        options = replace(options, moves=before)
        events = tuple(begun(options))
    except ValueError as bad:
        raise damaged(str(bad)) from None
    state = folded(events)
    turns, state = _line(state, main.plies[len(before) :])
    end = _ending(record, state)
    if end is not None:
        why = {"resigned": "quit", "time": "flagged", "agreed": "agreed"}.get(end.reason, "acted")
        seat = None if end.winner is None else Seat(1 - end.winner)
        turns.append(Turn(0, (end,), seat, why))  # type: ignore[arg-type]  # those are the words
        state = evolve(state, end)
    turns.insert(0, Turn(0, events))
    times = _times(record, len(turns))
    turns = [replace(turn, at=at) for turn, at in zip(turns, times, strict=True)]
    return Playback(options, turns, state)


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


def _line(state: TaflState, plies: list[Ply]) -> tuple[list[Turn], TaflState]:
    """The turns of a line that begins here, and the state after it."""
    turns: list[Turn] = []
    for ply in plies:
        variations = tuple(Line(tuple(_line(state, other.plies)[0])) for other in ply.variations)
        seat = state.turn
        if seat is None:
            raise damaged(f"Move {ply.address}: the game is over before it.")
        events = _events(state, seat, ply)
        for event in events:
            state = evolve(state, event)
        turns.append(
            Turn(0, events, seat, "quit" if ply.text == RESIGNS else "acted", ply.comment, variations)
        )
    return turns, state


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
    reason: Reason = "recorded"
    if "resign" in words:
        reason = "resigned"
    elif "time" in words:
        reason = "time"
    elif "agree" in words:
        reason = "agreed"
    return Ended(RESULTS[result], reason)


def began(record: Record) -> int:
    """The day on which the game was played, in milliseconds since 1970; 0 if the file does not say."""
    try:
        return (
            int(datetime.strptime(record.tag("date") or "", "%Y.%m.%d").replace(tzinfo=UTC).timestamp())
            * 1000
        )
    except ValueError:
        return 0


def is_timed(record: Record) -> bool:
    return record.tag(MOVED_AT) is not None


def _times(record: Record, turns: int) -> list[int]:
    """When each of the turns was."""
    words = (record.tag(MOVED_AT) or "").split()
    if len(words) != turns or not all(word.isascii() and word.isdigit() and len(word) < 16 for word in words):
        return [began(record)] * turns
    times = [int(words[0])]
    for word in words[1:]:
        times.append(times[-1] + int(word))
    return times
