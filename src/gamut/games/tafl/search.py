"""How the strong bots of Tafl look ahead (`games/search.py`): the moves, what they lead to, and repetition."""

from collections.abc import Sequence
from random import Random

from gamut.games.budget import Work
from gamut.games.search import SURE, UNLIMITED, WON, AlphaBeta, Found, Key
from gamut.games.tafl.compiled import Compiled
from gamut.games.tafl.endings import Ending, ending
from gamut.games.tafl.judgement import judgement
from gamut.games.tafl.play import after, moves
from gamut.games.tafl.position import NOWHERE, Position

DEEPEST = 64
_REPEATING = 300
"""What it is worth that the other side has to do something else, or loses by the rules."""


class Search(AlphaBeta[Position, int]):
    longest = 2 * DEEPEST + 64
    most_remembered = 1 << 18  # about 100 MB
    reduced_from = 5

    def __init__(self, on: Compiled, work: Work, deepest: int = DEEPEST) -> None:
        super().__init__(work, deepest)
        self._on = on
        self._judgement = judgement(on)
        self._plain = not on.has_others and on.rules.berserk == "none"
        self._repetition = {"loses": _REPEATING, "wins": -_REPEATING}.get(on.rules.repetition, 0)
        """For whoever is to move in a position that was there before."""
        self._first: Position
        """Where the search begins."""
        self._seen: dict[int, int]
        """Moves from there after which a position is there again, and how often it was."""

    def best(
        self,
        position: Position,
        chance: Random,
        times_seen: dict[int, int] | None = None,
        but: Sequence[int] = (),
    ) -> Found[int]:
        """The move to make, of all but some.

        `times_seen`: moves after which the position is one that was there before, and how often.
        """
        self._first, self._seen = position, times_seen or {}
        return self._best(position, [move for move in moves(self._on, position) if move not in but], chance)

    def line(self, position: Position, move: int, longest: int) -> list[int]:
        """How the game would go on after a move, as far as that is remembered."""
        line = [move]
        while len(line) < longest:
            position = after(self._on, position, line[-1])
            known = self._known.get(self._key(position))
            if known is None or ending(self._on, position) is not None:
                break
            line.append(known[3])
        return line

    def _first_value(self, move: int, depth: int, low: int) -> int:
        self._step()
        side, times = self._first.turn, self._seen.get(move, 0)
        child = after(self._on, self._first, move)
        end = ending(self._on, child, times >= 2)
        if end is not None:
            return _worth(end, side, 1)
        value = self._child(child, side, depth, low, UNLIMITED, 1)
        return self._again(value) if times else value

    def _again(self, value: int) -> int:
        """What a move is worth after which a position is there for the second time: on the way to a repetition."""
        if abs(value) >= SURE:
            return value
        return value - self._repetition if self._repetition else value // 2

    def _after(self, position: Position, move: int) -> Position:
        return after(self._on, position, move)

    def _outcome(self, child: Position, side: int, ply: int) -> int | None:
        end = ending(self._on, child)
        return None if end is None else _worth(end, side, ply)

    def _child(self, child: Position, side: int, depth: int, low: int, high: int, ply: int) -> int:
        if depth <= 1:
            worth = self._judgement.worth(child, ply)
            if worth is not None:
                return worth if side else -worth
            depth = 2
        if child.turn == side:
            return self._value(child, depth - 1, low, high, ply)
        return -self._value(child, depth - 1, -high, -low, ply)

    def _key(self, position: Position) -> Key:
        if self._plain:
            return position.attackers, position.defenders, position.kings, position.turn
        return (
            position.attackers,
            position.defenders,
            position.kings,
            position.turn,
            position.others,
            position.berserk,
        )

    def _repeated(self, position: Position) -> int | None:
        return self._repetition if position.berserk == NOWHERE else None

    def _ordered(self, position: Position, first: int, ply: int) -> list[int]:
        possible = moves(self._on, position)
        possible.sort(key=self._history_of, reverse=True)
        for move in (self._killers[ply], first):
            if move in possible:
                possible.remove(move)
                possible.insert(0, move)
        return possible

    def _history_of(self, move: int) -> int:
        return self._history.get(move, 0)

    def _quiet(self, position: Position, move: int, child: Position) -> bool:
        return not child.captured


def _worth(end: Ending, side: int, ply: int) -> int:
    """What the end of a game is worth for one side, so many moves from now."""
    if end.winner is None:
        return 0
    return WON - ply if end.winner == side else ply - WON
