"""Which moves of a game stand. One that was taken back stays in the log as what happened, but counts no more."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from gamut.hall.table import events as e

Play = TypeVar("Play")


def standing(log: Iterable[Any]) -> list[Any]:
    """How the game began, and after that the moves that stand; empty before the game."""
    plays: list[Any] = []
    for event in log:
        _follow(plays, event, event)
    return plays


def returns(log: Iterable[Any]) -> dict[int, int]:
    """The place in the log of each `taken_back`, and that of the event after which the game stood as it does then."""
    plays: list[int] = []
    found: dict[int, int] = {}
    for place, event in enumerate(log):
        _follow(plays, event, place)
        if type(event) is e.TakenBack:
            found[place] = plays[-1]
    return found


class StandingPlays:
    """Which events of a growing log are the plays that stand. However often that is asked, each is looked at once."""

    def __init__(self) -> None:
        self._looked_at = 0
        self._numbers: list[int] = []

    def numbers(self, log: Sequence[Any]) -> list[int]:
        """The numbers of these events, counted from 1."""
        for number in range(self._looked_at + 1, len(log) + 1):
            _follow(self._numbers, log[number - 1], number)
        self._looked_at = len(log)
        return self._numbers


def _follow(plays: list[Play], event: Any, play: Play) -> None:
    """The plays that stand after this event, which is kept as `play` if it is one of them."""
    kind = type(event)
    if kind is e.Played or kind is e.Started:
        plays.append(play)
    elif kind is e.TakenBack:
        del plays[event.moves + 1 :]
