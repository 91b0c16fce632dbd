"""What somebody wrote about a recorded game: comments, and other ways in which it could have gone on."""

from collections.abc import Iterable
from typing import Any

import msgspec

from gamut.games.files import Line, PlayedGame, Turn
from gamut.games.game import Seat


class NotedMove(msgspec.Struct, frozen=True, omit_defaults=True):
    seat: Seat | None
    events: tuple[Any, ...]
    comment: str = ""
    variations: tuple["NotedLine", ...] = ()
    """Instead of this move."""


class NotedLine(msgspec.Struct, frozen=True, omit_defaults=True):
    moves: tuple[NotedMove, ...]
    comment: str = ""
    """About the position before the first move."""


def noted(played: PlayedGame) -> NotedLine | None:
    """The whole game with what was written about it; None if nothing was."""
    # How the game was set up is no move.
    moves = played.turns[1:]
    if not played.comment and not any(turn.comment or turn.variations for turn in moves):
        return None
    return NotedLine(_moves(moves), played.comment)


def _moves(turns: Iterable[Turn]) -> tuple[NotedMove, ...]:
    return tuple(
        NotedMove(turn.seat, turn.events, turn.comment, tuple(map(_line, turn.variations))) for turn in turns
    )


def _line(line: Line) -> NotedLine:
    return NotedLine(_moves(line.turns), line.comment)
