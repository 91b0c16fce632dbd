"""How the strong bot of Power Chess looks ahead (`games/search.py`): the actions, and what they lead to.

What chance decides at the first action is looked at in several cases (`cases`); further on one case stands for all.
Boxes that will come are not foreseen, and what is offered for a box that is taken on the way is not known: it counts
with what such a box is worth (`judgement.prize`).
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from gamut.games.budget import Work
from gamut.games.powerchess.cases import Case
from gamut.games.powerchess.judgement import WORTH, king_in_danger, prize, worth
from gamut.games.powerchess.moves import moves
from gamut.games.powerchess.pieces import KIND, KING, PAWN
from gamut.games.powerchess.play import after, refuges
from gamut.games.powerchess.position import DRAWN, Position
from gamut.games.powerchess.squares import BIT, NOWHERE
from gamut.games.powerchess.state import Action
from gamut.games.search import SURE, UNLIMITED, WON, AlphaBeta, Found, Key, NoMoreSteps

DEEPEST = 40
_LONGEST = 2 * DEEPEST
"""Actions from the first one, with all captures."""
_MARGIN = 150
"""A capture that with so much on top would still not help is not looked at."""
_FIRST, _CAPTURE, _BOX, _KILLER = 1 << 40, 1 << 30, 1 << 29, 1 << 28


class Option(NamedTuple):
    """An action, and what can come of it."""

    action: Action
    cases: Sequence[Case]


class Search(AlphaBeta[Position, Option]):
    longest = _LONGEST + 2
    most_remembered = 1 << 17
    reduced_from = 4

    def __init__(self, work: Work, deepest: int = DEEPEST) -> None:
        super().__init__(work, deepest)
        self._mover: int
        """Who is to act where the search begins."""

    def best(self, position: Position, options: Sequence[Option], chance: Random) -> Found[Option]:
        """What to do in a position; of equally good options, any."""
        self._mover = position.turn
        return self._best(position, list(options), chance)

    def settled(self, position: Position) -> int:
        """What a position is worth for whoever is to act, once all captures are made that gain something;
        as it stands, if there are more of them than there are steps."""
        if position.chosen_for != NOWHERE:
            return prize(position) - self.settled(_passed_on(position))
        try:
            return self._settled(position, -UNLIMITED, UNLIMITED, 0)
        except NoMoreSteps:
            return worth(position)

    def _first_value(self, option: Option, depth: int, low: int) -> int:
        if len(option.cases) == 1:
            self._step()
            position = option.cases[0].position
            # That it is no better than the best so far is quicker to show than what it is worth.
            if low > -UNLIMITED:
                value = self._reached(position, self._mover, depth, low, low + 1, 1)
                if value <= low:
                    return value
            return self._reached(position, self._mover, depth, low, UNLIMITED, 1)
        total = weights = 0
        for position, weight in option.cases:
            self._step()
            total += weight * self._reached(position, self._mover, depth, -UNLIMITED, UNLIMITED, 1)
            weights += weight
        return total // weights

    def _after(self, position: Position, move: int) -> Position:
        homes = refuges(position, move) if position.effects.nets else None
        return after(position, move, refuge=homes[0]) if homes else after(position, move)

    def _outcome(self, child: Position, side: int, ply: int) -> int | None:
        winner = child.winner
        if winner is None:
            return None
        return 0 if winner == DRAWN else WON - ply if winner == side else ply - WON

    def _reached(self, position: Position, side: int, depth: int, low: int, high: int, ply: int) -> int:
        """The value of a position for the side whose action led to it, whether or not the game is over."""
        value = self._outcome(position, side, ply)
        return self._child(position, side, depth, low, high, ply) if value is None else value

    def _child(self, child: Position, side: int, depth: int, low: int, high: int, ply: int) -> int:
        if child.chosen_for == NOWHERE:
            return -self._value(child, depth - 1, -high, -low, ply)
        won = prize(child)
        value = -self._value(_passed_on(child), depth - 1, won - high, won - low, ply)
        return value if abs(value) >= SURE else value + won

    def _value(self, position: Position, depth: int, low: int, high: int, ply: int) -> int:
        if depth <= 0:
            if depth < 0 or ply >= DEEPEST or not king_in_danger(position):
                return self._settled(position, low, high, ply)
            depth = 1
        return super()._value(position, depth, low, high, ply)

    def _repeated(self, position: Position) -> int:
        return 0

    def _ordered(self, position: Position, first: int, ply: int) -> list[int]:
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

    def _quiet(self, position: Position, move: int, child: Position) -> bool:
        return not position.board[move & 63] and child.chosen_for == NOWHERE

    def _too_good(self, position: Position, move: int, depth: int, ply: int) -> None:
        # Captures come early by themselves.
        if not position.board[move & 63]:
            super()._too_good(position, move, depth, ply)

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
            value = self._reached(self._after(position, move), side, 0, low, high, ply + 1)
            if value > best:
                best = value
                if value > low:
                    low = value
                    if value >= high:
                        break
        return best

    def _key(self, position: Position) -> Key:
        # Boxes only go, and effects are the same if they are one object.
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


def _passed_on(position: Position) -> Position:
    """As if whoever took a box had used a power, and nothing were to be seen of it."""
    other = position.copy()
    other.chosen_for = NOWHERE
    other.turn = 0 if position.turn else 1
    return other


def _gain(victim: int, attacker: int) -> int:
    """How promising a capture is: much for little first, and a king before all."""
    kind = victim & KIND
    return SURE if kind == KING else 16 * WORTH[kind] - WORTH[attacker & KIND]
