"""A recorded game told to people, line by line."""

from collections.abc import Iterator, Sequence

from gamut.games.files import Line, Turn, plain
from gamut.games.tafl.endings import WHY
from gamut.games.tafl.english import in_words
from gamut.games.tafl.files.playback import CONTINUED, MOVED_AT, QUIRKS
from gamut.games.tafl.files.record import POSITION, RULES, Record
from gamut.games.tafl.files.tables import played_game
from gamut.games.tafl.notation import FILES
from gamut.games.tafl.pieces import ATTACKERS, SIDES
from gamut.games.tafl.rules_text import parse_rules, written_from
from gamut.games.tafl.state import Ended, Moved, TaflState

_NOT_TOLD = {RULES, POSITION, MOVED_AT, CONTINUED, QUIRKS}


def told(record: Record) -> Iterator[str]:
    """Who played by what rules, each move, the last position, and how it ended. Raises BadFile."""
    played = played_game(record)
    rules = parse_rules(played.options.rules_string)
    yield f"Tafl: {plain(rules.title)}"
    for name, value in record.tags:
        if name not in _NOT_TOLD and value:
            yield f"  {name:<12} {plain(value)}"
    yield ""
    yield from in_words(rules)
    yield ""
    yield from _moves(played.turns, 0, 1)
    yield ""
    yield from board_lines(played.state.board, rules.size)
    yield ""
    yield _result(played.state)
    if played.state.turn is not None:
        yield "A game that begins with this position has the rules"
        yield plain(written_from(rules, played.state.board, played.state.turn == ATTACKERS))


def _moves(turns: Sequence[Turn], deep: int, number: int) -> Iterator[str]:
    indent = "      " * deep
    for turn in turns:
        for variation in turn.variations:
            yield from _variation(variation, deep, number)
        for event in turn.events:
            if isinstance(event, Moved):
                yield f"{indent}{number:>4}. {SIDES[event.seat]}  {event.record}{_captures(event)}"
                number += 1
            elif isinstance(event, Ended) and deep:
                yield f"{indent}      {_ended(event)}"
        for line in turn.comment.splitlines():
            yield f"{indent}        {plain(line)}"


def _variation(line: Line, deep: int, number: int) -> Iterator[str]:
    yield "      " * (deep + 1) + "instead:"
    yield from _moves(line.turns, deep + 1, number)


def _captures(event: Moved) -> str:
    count = len(event.captured)
    return f"  takes {count}" if count else ""


def board_lines(board: str, size: int) -> Iterator[str]:
    """The board, highest rank first."""
    for rank in range(size - 1, -1, -1):
        yield f"  {rank + 1:>2}  {' '.join(board[rank * size : (rank + 1) * size])}"
    yield f"      {' '.join(FILES[:size])}"


def _result(state: TaflState) -> str:
    if state.ending is None:
        assert state.turn is not None
        return f"The game is not finished; the {SIDES[state.turn]} are to move."
    return _ended(state.ending)


def _ended(end: Ended) -> str:
    if end.winner is None:
        return f"It is a draw: {WHY[end.reason]}."
    return f"The {SIDES[end.winner]} have won: {WHY[end.reason]}."
