"""Looking ahead: alpha-beta, one action deeper each time, until the steps that a bot may take are used up.

A step is a position that was reached by an action. What chance decides at the first action is looked at in several
cases (`cases`); further on one case stands for all. Boxes that will come are not foreseen, and what is offered for a
box that is taken on the way is not known: it counts with what such a box is worth (`judgement.prize`).
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from gamut.games.budget import Work
from gamut.games.powerchess.cases import Case
from gamut.games.powerchess.judgement import WON, WORTH, king_in_danger, prize, worth
from gamut.games.powerchess.moves import moves
from gamut.games.powerchess.pieces import KIND, KING, PAWN
from gamut.games.powerchess.play import after, refuges
from gamut.games.powerchess.position import DRAWN, Position
from gamut.games.powerchess.squares import BIT, NOWHERE
from gamut.games.powerchess.state import Action

DEEPEST = 40
_SURE = WON - 1000
"""From here on a game is won, if whoever wins goes on like that."""
_UNLIMITED = 2 * WON
_MOST_REMEMBERED = 1 << 17
"""Positions. Then all of them are looked at anew."""
_EXACT, _AT_LEAST, _AT_MOST = range(3)
_REDUCED_FROM = 4
"""Moves so far down the list are looked at less deeply at first."""
_LONGEST = 2 * DEEPEST
"""Actions from the first one, with all captures."""
_MARGIN = 150
"""A capture that with so much on top would still not help is not looked at."""
_FIRST, _CAPTURE, _BOX, _KILLER = 1 << 40, 1 << 30, 1 << 29, 1 << 28

Key = tuple[object, ...]
Known = tuple[int, int, int, int]
"""How deep was looked, what kind of value it is, the value, and the best move."""


class _NoMoreSteps(Exception):
    """The search ends where it is."""


class Option(NamedTuple):
    """An action, and what can come of it."""

    action: Action
    cases: Sequence[Case]


class Found(NamedTuple):
    action: Action
    value: int
    """For whoever acts; beyond WON - 1000 the game is won."""
    depth: int
    """How many actions ahead all was looked at."""


class Search:
    def __init__(self, work: Work, deepest: int = DEEPEST) -> None:
        self._work = work
        self._deepest = deepest
        self._left = 0
        self.nodes = 0
        self._known: dict[Key, Known] = {}
        self._history: dict[int, int] = {}
        self._killers = [-1] * (_LONGEST + 2)
        self._path: set[Key] = set()

    def best(self, position: Position, options: Sequence[Option], chance: Random) -> Found:
        """The action to take in a position; of equal ones, any."""
        possible = list(options)
        chance.shuffle(possible)
        found = Found(possible[0].action, 0, 0)
        self._path = {_key(position)}
        for depth in range(1, self._deepest + 1):
            try:
                found = self._deeper(position.turn, depth, possible, found)
            except _NoMoreSteps:
                break
            if abs(found.value) >= _SURE or len(possible) == 1:
                break
        self.nodes -= self._left
        self._left = 0
        return found

    def _deeper(self, side: int, depth: int, possible: list[Option], before: Found) -> Found:
        """Look one action further. What was found before the steps came to an end counts."""
        # The best so far comes first: if there is no time for more, it stays unless something better was seen.
        possible.sort(key=lambda option: option.action != before.action if depth > 1 else 0)
        best = Found(possible[0].action, -_UNLIMITED, depth - 1)
        values: list[int] = []
        try:
            for option in possible:
                value = self._worth(option, side, depth, best.value)
                values.append(value)
                if value > best.value:
                    best = Found(option.action, value, depth - 1)
        except _NoMoreSteps:
            if not values or (depth > 1 and best.value <= -_SURE):
                raise
            return best
        if depth == 1:
            # The order in which they are looked at from now on.
            order = sorted(range(len(possible)), key=lambda place: -values[place])
            possible[:] = [possible[place] for place in order]
        return Found(best.action, best.value, depth)

    def _worth(self, option: Option, side: int, depth: int, low: int) -> int:
        if len(option.cases) == 1:
            self._step()
            position = option.cases[0].position
            # That it is no better than the best so far is quicker to show than what it is worth.
            if low > -_UNLIMITED:
                value = self._reached(position, side, depth, low, low + 1, 1)
                if value <= low:
                    return value
            return self._reached(position, side, depth, low, _UNLIMITED, 1)
        total = weights = 0
        for position, weight in option.cases:
            self._step()
            total += weight * self._reached(position, side, depth, -_UNLIMITED, _UNLIMITED, 1)
            weights += weight
        return total // weights

    def _step(self) -> None:
        if self._left <= 0:
            self._left = self._work.next()
            if not self._left:
                raise _NoMoreSteps
            self.nodes += self._left
        self._left -= 1

    def _reached(self, position: Position, side: int, depth: int, low: int, high: int, ply: int) -> int:
        """The value of what an action led to, for the side that took it; `depth` counts that action."""
        winner = position.winner
        if winner is not None:
            return 0 if winner == DRAWN else WON - ply if winner == side else ply - WON
        if position.chosen_for == NOWHERE:
            return -self._value(position, depth - 1, -high, -low, ply)
        won = prize(position)
        value = -self._value(_passed_on(position), depth - 1, won - high, won - low, ply)
        return value if abs(value) >= _SURE else value + won

    def _value(self, position: Position, depth: int, low: int, high: int, ply: int) -> int:
        """The value for whoever is to move, if it is between these; else only on which side of them it is."""
        if depth <= 0:
            if depth < 0 or ply >= DEEPEST or not king_in_danger(position):
                return self._settled(position, low, high, ply)
            depth = 1
        key = _key(position)
        if key in self._path:
            return 0
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
            best, move = self._best_of(position, possible, depth, low, high, ply)
        finally:
            self._path.discard(key)
        kind = _AT_LEAST if best >= high else _AT_MOST if best <= low else _EXACT
        if len(self._known) >= _MOST_REMEMBERED:
            self._known.clear()
        self._known[key] = (depth, kind, _from_here(best, ply), move)
        return best

    def _ordered(self, position: Position, first: int, ply: int) -> list[int]:
        """The moves, those first that are likely to be good."""
        board, boxes, history, killer = position.board, position.box_bits, self._history, self._killers[ply]

        def promise(move: int) -> int:
            if move == first:
                return _FIRST
            victim = board[move & 63]
            if victim:
                return _CAPTURE + _gain(victim, board[move >> 6])
            if boxes & BIT[move & 63]:
                return _BOX
            return _KILLER if move == killer else history.get(move, 0)

        return sorted(moves(position), key=promise, reverse=True)

    def _best_of(
        self, position: Position, possible: Sequence[int], depth: int, low: int, high: int, ply: int
    ) -> tuple[int, int]:
        side, board = position.turn, position.board
        best, best_move = -_UNLIMITED, possible[0]
        for number, move in enumerate(possible):
            self._step()
            child = _after(position, move)
            if number == 0 or depth <= 1:
                value = self._reached(child, side, depth, low, high, ply + 1)
            else:
                # Probably it is no better than the first: that is quicker to show than what it is worth.
                quiet = not board[move & 63] and child.chosen_for == NOWHERE
                less = 1 if depth >= 3 and number >= _REDUCED_FROM and quiet else 0
                value = self._reached(child, side, depth - less, low, low + 1, ply + 1)
                if value > low and (less or value < high):
                    value = self._reached(child, side, depth, low, high, ply + 1)
            if value > best:
                best, best_move = value, move
                if value > low:
                    low = value
                    if value >= high:
                        if not board[move & 63]:
                            self._history[move] = self._history.get(move, 0) + depth * depth
                            self._killers[ply] = move
                        break
        return best, best_move

    def _settled(self, position: Position, low: int, high: int, ply: int) -> int:
        """The value once nobody gains by capturing; whoever is to move need not capture."""
        best = worth(position)
        if best >= high or ply >= _LONGEST:
            return best
        low = max(low, best)
        side, board = position.turn, position.board
        captures = [move for move in moves(position) if board[move & 63]]
        captures.sort(key=lambda move: _gain(board[move & 63], board[move >> 6]), reverse=True)
        for move in captures:
            victim = board[move & 63] & KIND
            if victim != KING and best + WORTH[victim] + _MARGIN <= low and board[move >> 6] & KIND != PAWN:
                continue
            self._step()
            child = _after(position, move)
            value = self._reached(child, side, 0, low, high, ply + 1)
            if value > best:
                best = value
                if value > low:
                    low = value
                    if value >= high:
                        break
        return best


def _after(position: Position, move: int) -> Position:
    homes = refuges(position, move) if position.effects.nets else None
    return after(position, move, refuge=homes[0]) if homes else after(position, move)


def _passed_on(position: Position) -> Position:
    """As if whoever took a box had used a power, and nothing were to be seen of it."""
    other = position.copy()
    other.chosen_for = NOWHERE
    other.turn = 0 if position.turn else 1
    return other


def _gain(victim: int, attacker: int) -> int:
    """How promising a capture is: much for little first, and a king before all."""
    kind = victim & KIND
    return _SURE if kind == KING else 16 * WORTH[kind] - WORTH[attacker & KIND]


def _key(position: Position) -> Key:
    """What tells positions of one search apart: boxes only go, and effects are the same if they are one object."""
    effects = position.effects
    return (
        bytes(position.board),
        position.turn,
        position.castling,
        position.passed,
        position.box_bits,
        effects,
        # Whatever lasts for a while ends sooner in a position that comes later.
        position.ply if effects.marked or effects.hole_bits or effects.energized != (0, 0) else 0,
    )


def _from_here(value: int, plies: int) -> int:
    """A value with wins counted from so many actions later on."""
    if value >= _SURE:
        return value + plies
    if value <= -_SURE:
        return value - plies
    return value
