"""Looking ahead: alpha-beta, one move deeper each time, until the steps that a bot may take are used up.

A step is a position that was reached by making a move. What is remembered of positions is by the positions
themselves, so nothing is ever taken for something else.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from gamut.games.budget import Work
from gamut.games.tafl.compiled import Compiled
from gamut.games.tafl.endings import Ending, ending
from gamut.games.tafl.judgement import WON, judgement
from gamut.games.tafl.play import after, moves
from gamut.games.tafl.position import NOWHERE, Position

DEEPEST = 64
_SURE = WON - 1000
"""From here on a game is won, if whoever wins goes on like that."""
_UNLIMITED = WON + 1
_MOST_REMEMBERED = 1 << 18
"""Positions; about 100 MB. Then all of them are looked at anew."""
_EXACT, _AT_LEAST, _AT_MOST = range(3)
_REPEATING = 300
"""What it is worth that the other side has to do something else, or loses by the rules."""
_REDUCED_FROM = 5
"""Moves so far down the list are looked at less deeply at first."""

Known = tuple[int, int, int, int]
"""How deep was looked, what kind of value it is, the value, and the best move."""


class _NoMoreSteps(Exception):
    """The search ends where it is."""


class Found(NamedTuple):
    move: int
    value: int
    """For whoever moves; beyond WON - 1000 the game is won."""
    depth: int
    """How many moves ahead all was looked at."""


class Search:
    def __init__(self, on: Compiled, work: Work, deepest: int = DEEPEST) -> None:
        self._on = on
        self._work = work
        self._deepest = deepest
        self._judgement = judgement(on)
        self._left = 0
        self.nodes = 0
        self._known: dict[tuple[object, ...], Known] = {}
        self._history: dict[int, int] = {}
        self._killers: list[int] = [-1] * (2 * DEEPEST + 64)
        self._path: set[tuple[object, ...]] = set()
        self._plain = not on.has_others and on.rules.berserk == "none"
        self._repeated = {"loses": _REPEATING, "wins": -_REPEATING}.get(on.rules.repetition, 0)
        """For whoever is to move in a position that was there before."""

    def best(
        self,
        position: Position,
        chance: Random,
        times_seen: dict[int, int] | None = None,
        but: Sequence[int] = (),
    ) -> Found:
        """The move to make, of all but some.

        `times_seen`: moves after which the position is one that was there before, and how often.
        """
        seen = times_seen or {}
        possible = [move for move in moves(self._on, position) if move not in but]
        chance.shuffle(possible)
        found = Found(possible[0], 0, 0)
        self._path = {self._key(position)}
        for depth in range(1, self._deepest + 1):
            try:
                found = self._deeper(position, depth, possible, seen, found)
            except _NoMoreSteps:
                break
            if abs(found.value) >= _SURE or len(possible) == 1:
                break
        self.nodes -= self._left
        self._left = 0
        return found

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

    def _deeper(
        self, position: Position, depth: int, possible: list[int], seen: dict[int, int], before: Found
    ) -> Found:
        """Look one move further. What was found before the steps came to an end counts."""
        if depth > 1:
            possible.remove(before.move)
            possible.insert(0, before.move)
        on, turn = self._on, position.turn
        best = Found(possible[0], -_UNLIMITED, depth - 1)
        values: dict[int, int] = {}
        try:
            for move in possible:
                self._step()
                child = after(on, position, move)
                times = seen.get(move, 0)
                end = ending(on, child, times >= 2)
                if end is not None:
                    value = _outcome(end, turn, 1)
                else:
                    value = self._child(child, depth, best.value, _UNLIMITED, 1, turn)
                    if times:
                        value = self._again(value)
                values[move] = value
                if value > best.value:
                    best = Found(move, value, depth - 1)
        except _NoMoreSteps:
            if not values or (depth > 1 and best.value <= -_SURE):
                raise
            return best if depth > 1 or best.value > 0 else Found(best.move, best.value, 0)
        if depth == 1:
            # The order in which moves are looked at from now on.
            possible.sort(key=lambda move: -values[move])
        return Found(best.move, best.value, depth)

    def _again(self, value: int) -> int:
        """What a move is worth after which a position is there for the second time: on the way to a repetition."""
        if abs(value) >= _SURE:
            return value
        return value - self._repeated if self._repeated else value // 2

    def _step(self) -> None:
        if self._left <= 0:
            self._left = self._work.next()
            if not self._left:
                raise _NoMoreSteps
            self.nodes += self._left
        self._left -= 1

    def _child(self, child: Position, depth: int, low: int, high: int, ply: int, turn: int) -> int:
        """The value of what a move led to, for whoever made it; `depth` counts that move."""
        if depth <= 1:
            worth = self._judgement.worth(child, ply)
            if worth is not None:
                return worth if turn else -worth
            depth = 2
        if child.turn == turn:
            return self._value(child, depth - 1, low, high, ply)
        return -self._value(child, depth - 1, -high, -low, ply)

    def _key(self, position: Position) -> tuple[object, ...]:
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

    def _value(self, position: Position, depth: int, low: int, high: int, ply: int) -> int:
        """The value for whoever is to move, if it is between these; else only on which side of them it is."""
        key = self._key(position)
        if key in self._path and position.berserk == NOWHERE:
            return self._repeated
        known = self._known.get(key)
        first = -1
        if known is not None:
            seen_depth, kind, value, first = known
            if seen_depth >= depth:
                value = _from_here(value, -ply)
                if kind == _EXACT or (value >= high if kind == _AT_LEAST else value <= low):
                    return value
        self._path.add(key)
        try:
            best, move = self._best_below(
                position, self._ordered(position, first, ply), depth, low, high, ply
            )
        finally:
            self._path.discard(key)
        kind = _AT_LEAST if best >= high else _AT_MOST if best <= low else _EXACT
        if len(self._known) >= _MOST_REMEMBERED:
            self._known.clear()
        self._known[key] = (depth, kind, _from_here(best, ply), move)
        return best

    def _ordered(self, position: Position, first: int, ply: int) -> list[int]:
        """The moves, those first that are likely to be good."""
        possible = moves(self._on, position)
        possible.sort(key=self._history_of, reverse=True)
        for move in (self._killers[ply], first):
            if move in possible:
                possible.remove(move)
                possible.insert(0, move)
        return possible

    def _history_of(self, move: int) -> int:
        return self._history.get(move, 0)

    def _best_below(
        self, position: Position, possible: Sequence[int], depth: int, low: int, high: int, ply: int
    ) -> tuple[int, int]:
        on, turn = self._on, position.turn
        best, best_move = -_UNLIMITED, possible[0]
        for number, move in enumerate(possible):
            self._step()
            child = after(on, position, move)
            end = ending(on, child)
            if end is not None:
                value = _outcome(end, turn, ply + 1)
            elif number == 0 or depth <= 1:
                value = self._child(child, depth, low, high, ply + 1, turn)
            else:
                # Probably it is no better than the first: that is quicker to show than what it is worth.
                less = 1 if depth >= 3 and number >= _REDUCED_FROM and not child.captured else 0
                value = self._child(child, depth - less, low, low + 1, ply + 1, turn)
                if value > low and (less or value < high):
                    value = self._child(child, depth, low, high, ply + 1, turn)
            if value > best:
                best, best_move = value, move
                if value > low:
                    low = value
                    if value >= high:
                        self._history[move] = self._history.get(move, 0) + depth * depth
                        self._killers[ply] = move
                        break
        return best, best_move


def _outcome(end: Ending, turn: int, ply: int) -> int:
    """What the end of a game is worth for one side, so many moves from now."""
    if end.winner is None:
        return 0
    return WON - ply if end.winner == turn else ply - WON


def _from_here(value: int, plies: int) -> int:
    """A value with wins counted from so many moves later on."""
    if value >= _SURE:
        return value + plies
    if value <= -_SURE:
        return value - plies
    return value
