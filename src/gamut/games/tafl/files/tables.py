"""From the record of a game to one that can be looked at, or that goes on at a table."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from gamut.games.files import (
    BadFile,
    PlayedGame,
    Player,
    Puzzle,
    Resumption,
    Step,
    TimeControl,
    Turn,
    played_to_the_end,
    steps_of,
)
from gamut.games.tafl.decide import evolve
from gamut.games.tafl.files.lines import Variation
from gamut.games.tafl.files.playback import MOVED_AT, beginning, played_through
from gamut.games.tafl.files.record import Record
from gamut.games.tafl.files.times import Times, parse_remaining, parse_times, split_comment
from gamut.games.tafl.layout import written_layout
from gamut.games.tafl.notation import BadNotation
from gamut.games.tafl.options import MOST_MOVES
from gamut.games.tafl.records import parse_record
from gamut.games.tafl.state import Moved, TaflState


def steps(record: Record) -> Iterator[Step]:
    """The main line, event by event."""
    played = played_through(record, *beginning(record))
    return steps_of(played, evolve, timed=record.tag(MOVED_AT) is not None)


def shown(state: TaflState) -> Any:
    """A state with its position as people write it, and without what only serves to notice repetition."""
    known = to_builtins(state)
    del known["seen"]
    return {**known, "position": written_layout(state.board, state.size)}


_PLAYERS = {"attackers": "Attacker", "defenders": "Defender"}
"""The tags with the names of the players, and what those are called whom a file does not name."""


def played_game(record: Record) -> PlayedGame:
    """All of it. Raises BadFile where it is against the rules."""
    options, main = beginning(record)
    turns, state = played_to_the_end(played_through(record, options, main))
    return PlayedGame(
        options=options,
        seats=2,
        players=tuple(Player(name=record.tag(side) or unnamed) for side, unnamed in _PLAYERS.items()),
        turns=turns,
        state=state,
        opened=record.day("date"),
        clock=_clock(record),
        comment=record.tag("start-comment") or "",
        puzzle=_puzzle(record, main, len(options.moves), len(turns) - 1),
        # What is not over can go on.
        suspended=None if state.turn is None else turns[-1].at,
    )


def _puzzle(record: Record, main: Variation, before: int, turns: int) -> Puzzle | None:
    """What the tags of a puzzle mean; `before`: so many of its moves are no turns, as the game went on after them."""
    mode = record.tag("puzzle-mode")
    if mode not in ("loose", "strict"):
        return None
    # A position has the address of the move that led to it, and the first one is 0a.
    after = {ply.address: number - before for number, ply in enumerate(main.plies, 1)}
    shown, start = (
        min(max(0, after.get((record.tag(tag) or "").strip(), 0)), turns)
        for tag in ("puzzle-prestart", "puzzle-start")
    )
    return Puzzle(min(shown, start), start, strict=mode == "strict")


def _clock(record: Record) -> TimeControl | None:
    """How the time was limited, if the file says so in words that can be understood."""
    try:
        return control_of(parse_times((record.tag("time-control") or "").strip()))
    except BadNotation:
        return None


def control_of(times: Times) -> TimeControl | None:
    if times.unlimited:
        return None
    if not (times.overtime and times.periods):
        return TimeControl(style="bank", main=times.main * 1000, increment=times.increment * 1000)
    return TimeControl(
        style="overtime",
        main=times.main * 1000,
        increment=times.increment * 1000,
        length=times.overtime * 1000,
        periods=times.periods,
    )


def resumption_of(record: Record) -> Resumption:
    """The game goes on where its main line ends. Raises BadFile if it is over."""
    played = played_game(record)
    if played.state.turn is None:
        raise BadFile("not_suspended", "This game is over.")
    moves = tuple(
        parse_record(event.record).simple
        for turn in played.turns
        for event in turn.events
        if isinstance(event, Moved)
    )
    if len(moves) > MOST_MOVES:
        raise BadFile("unsupported", f"This game is too long to go on: it may have {MOST_MOVES} moves.")
    clock = played.clock
    options = replace(played.options, moves=moves)
    # A file is read in a thread: what the table begins with is worked out here, and not where others wait.
    options.beginning  # noqa: B018
    return Resumption(
        options=options,
        seats=2,
        clock=clock,
        left=() if clock is None else _left(record, clock, played.turns),
    )


def _left(record: Record, clock: TimeControl, turns: Sequence[Turn]) -> tuple[int, ...]:
    """What each side had left: by the tag for it, or by the last comment on a move of theirs that says so."""
    try:
        return tuple(times.main * 1000 for times in parse_remaining(record.tag("time-remaining") or ""))
    except BadNotation:
        left = [clock.main, clock.main]
    for turn in turns:
        times, _ = split_comment(turn.comment)
        if times is not None and turn.seat is not None:
            left[turn.seat] = times.main * 1000
    return tuple(left)
