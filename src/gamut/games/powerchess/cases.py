"""What can come of an action where chance has a say."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from gamut.games.powerchess.pieces import EMPTY, QUEEN
from gamut.games.powerchess.play import after, refuges
from gamut.games.powerchess.position import Position
from gamut.games.powerchess.powers import Drawn, after_power, choices
from gamut.games.powerchess.squares import NOWHERE
from gamut.games.powerchess.state import Action, Move

_MOST_SQUARES = 3
"""Of those that chance may draw, so many stand for all of them: a search has no time for each."""


class Case(NamedTuple):
    position: Position
    weight: int


def cases(position: Position, action: Action, promotion: int = QUEEN) -> list[Case]:
    """The positions that an action may lead to, and how likely they are in comparison."""
    if isinstance(action, Move):
        move = action.start << 6 | action.end
        squares = _some(refuges(position, move))
        return [Case(after(position, move, promotion, square), 1) for square in squares]
    target = NOWHERE if action.target is None else action.target
    squares = _some(choices(position, action.power, target))
    kinds = Counter(position.graves[position.turn]) if action.power == "reanimate" else {}
    if kinds:
        square = squares[0]
        drawn = [(Drawn(square, kind), count) for kind, count in kinds.items()]
    else:
        drawn = [(Drawn(square, EMPTY), 1) for square in squares]
    return [Case(after_power(position, action.power, target, each), weight) for each, weight in drawn]


def _some(squares: Sequence[int]) -> Sequence[int]:
    """Spread evenly; NOWHERE if there is nothing to draw."""
    if len(squares) <= _MOST_SQUARES:
        return squares or (NOWHERE,)
    return [squares[place * (len(squares) - 1) // (_MOST_SQUARES - 1)] for place in range(_MOST_SQUARES)]
