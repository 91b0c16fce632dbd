"""Looking ahead in games for two: alpha-beta, one move deeper each time, until the steps of a bot are used up.

A step is a position that was reached by making a move. A game says in a subclass which moves there are, what a move
leads to, and what a position is worth. What is remembered of positions is by keys that tell them apart for certain, so
that nothing is ever taken for something else.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import ClassVar, Generic, NamedTuple, Protocol, TypeVar

from gamut.games.budget import Work

WON = 1_000_000
"""What a game is worth that is won now; one that is won so many moves later is worth so much less."""
SURE = WON - 1000
"""From here on a game is won, if whoever wins goes on like that."""
UNLIMITED = 2 * WON
_EXACT, _AT_LEAST, _AT_MOST = range(3)

Key = tuple[object, ...]
Known = tuple[int, int, int, int]
"""How deep was looked, what kind of value it is, the value, and the best move."""


class Turned(Protocol):
    @property
    def turn(self) -> int:
        """Whose move it is."""
        ...


Position = TypeVar("Position", bound=Turned)
Choice = TypeVar("Choice")
"""What can be done in the first position: a move, or more than that."""


class NoMoreSteps(Exception):
    """The search ends where it is."""


class Found(NamedTuple, Generic[Choice]):
    choice: Choice
    value: int
    """For whoever moves; beyond SURE the game is won."""
    depth: int
    """How many moves ahead all was looked at."""


class AlphaBeta(ABC, Generic[Position, Choice]):
    longest: ClassVar[int]
    """Moves from the first one, however a search extends some of them."""
    most_remembered: ClassVar[int]
    """Positions. Then all of them are looked at anew."""
    reduced_from: ClassVar[int]
    """Moves so far down the list are looked at less deeply at first."""

    def __init__(self, work: Work, deepest: int) -> None:
        self._work = work
        self._deepest = deepest
        self._left = 0
        self.nodes = 0
        self._known: dict[Key, Known] = {}
        self._history: dict[int, int] = {}
        """How often a move was too good for the other side to allow it; deep ones count more."""
        self._killers = [-1] * self.longest
        """The last move like that, so many moves from the first."""
        self._path: set[Key] = set()

    # What a game says

    @abstractmethod
    def _key(self, position: Position) -> Key:
        """What tells positions of one search apart."""

    @abstractmethod
    def _ordered(self, position: Position, first: int, ply: int) -> list[int]:
        """The moves, those first that are likely to be good; `first` was the best of them before, or is -1."""

    @abstractmethod
    def _after(self, position: Position, move: int) -> Position: ...

    @abstractmethod
    def _outcome(self, child: Position, side: int, ply: int) -> int | None:
        """What it is worth for a side that the game is over, so many moves from the first; None: it goes on."""

    @abstractmethod
    def _child(self, child: Position, side: int, depth: int, low: int, high: int, ply: int) -> int:
        """The value of what a move led to, for the side that made it; `depth` counts that move."""

    @abstractmethod
    def _quiet(self, position: Position, move: int, child: Position) -> bool:
        """Whether a move changes so little that it may be looked at less deeply."""

    @abstractmethod
    def _first_value(self, choice: Choice, depth: int, low: int) -> int:
        """The value of a choice in the first position, if it is above `low`."""

    @abstractmethod
    def _repeated(self, position: Position) -> int | None:
        """The value of a position that was there on the way to it; None: that means nothing."""

    # The search

    def _best(self, position: Position, possible: list[Choice], chance: Random) -> Found[Choice]:
        """The best of these; of equal ones, any."""
        chance.shuffle(possible)
        found = Found(possible[0], 0, 0)
        self._path = {self._key(position)}
        for depth in range(1, self._deepest + 1):
            try:
                found = self._deeper(depth, possible, found)
            except NoMoreSteps:
                break
            if abs(found.value) >= SURE or len(possible) == 1:
                break
        self.nodes -= self._left
        self._left = 0
        return found

    def _deeper(self, depth: int, possible: list[Choice], before: Found[Choice]) -> Found[Choice]:
        """Look one move further. What was found before the steps came to an end counts."""
        if depth > 1:
            # The best so far comes first: if there is no time for more, it stays unless something better was seen.
            possible.remove(before.choice)
            possible.insert(0, before.choice)
        best = Found(possible[0], -UNLIMITED, depth - 1)
        values: list[int] = []
        try:
            for choice in possible:
                value = self._first_value(choice, depth, best.value)
                values.append(value)
                if value > best.value:
                    best = Found(choice, value, depth - 1)
        except NoMoreSteps:
            if not values or (depth > 1 and best.value <= -SURE):
                raise
            return best
        if depth == 1:
            # The order in which they are looked at from now on.
            order = sorted(range(len(possible)), key=values.__getitem__, reverse=True)
            possible[:] = [possible[place] for place in order]
        return Found(best.choice, best.value, depth)

    def _step(self) -> None:
        if not self._left:
            self._left = self._work.next()
            if not self._left:
                raise NoMoreSteps
            self.nodes += self._left
        self._left -= 1

    def _value(self, position: Position, depth: int, low: int, high: int, ply: int) -> int:
        """The value for whoever is to move, if it is between these; else only on which side of them it is."""
        key = self._key(position)
        if key in self._path:
            repeated = self._repeated(position)
            if repeated is not None:
                return repeated
        known = self._known.get(key)
        first = -1
        if known is not None:
            seen_depth, kind, value, first = known
            if seen_depth >= depth:
                value = _from_here(value, -ply)
                if kind == _EXACT or (value >= high if kind == _AT_LEAST else value <= low):
                    return value
        possible = self._ordered(position, first, ply)
        if not possible:
            return 0
        self._path.add(key)
        try:
            best, move = self._best_below(position, possible, depth, low, high, ply)
        finally:
            self._path.discard(key)
        kind = _AT_LEAST if best >= high else _AT_MOST if best <= low else _EXACT
        if len(self._known) >= self.most_remembered:
            self._known.clear()
        self._known[key] = (depth, kind, _from_here(best, ply), move)
        return best

    def _best_below(
        self, position: Position, possible: Sequence[int], depth: int, low: int, high: int, ply: int
    ) -> tuple[int, int]:
        side, ply = position.turn, ply + 1
        best, best_move = -UNLIMITED, possible[0]
        for number, move in enumerate(possible):
            if self._left:
                self._left -= 1  # as _step does, without a call for each position
            else:
                self._step()
            child = self._after(position, move)
            value = self._outcome(child, side, ply)
            if value is not None:
                pass
            elif number == 0 or depth <= 1:
                value = self._child(child, side, depth, low, high, ply)
            else:
                # Probably it is no better than the first: that is quicker to show than what it is worth.
                less = depth >= 3 and number >= self.reduced_from and self._quiet(position, move, child)
                value = self._child(child, side, depth - less, low, low + 1, ply)
                if value > low and (less or value < high):
                    value = self._child(child, side, depth, low, high, ply)
            if value > best:
                best, best_move = value, move
                if value > low:
                    low = value
                    if value >= high:
                        self._too_good(position, move, depth, ply - 1)
                        break
        return best, best_move

    def _too_good(self, position: Position, move: int, depth: int, ply: int) -> None:
        """The other side will not let it come to this: a move that is worth looking at early elsewhere."""
        self._history[move] = self._history.get(move, 0) + depth * depth
        self._killers[ply] = move


def _from_here(value: int, plies: int) -> int:
    """A value with wins counted from so many moves later on."""
    if value >= SURE:
        return value + plies
    if value <= -SURE:
        return value - plies
    return value
