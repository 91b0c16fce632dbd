"""The bots: each looks at a position and names a move. What it draws from chance is all that varies."""

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from gamut.games.budget import Budget, best_of
from gamut.games.game import Seat
from gamut.games.search import Found
from gamut.games.tafl.compiled import Compiled
from gamut.games.tafl.endings import ending
from gamut.games.tafl.play import after, moves
from gamut.games.tafl.position import Position
from gamut.games.tafl.search import DEEPEST, Search
from gamut.games.tafl.state import TaflState, position_key

Bot = Callable[[TaflState, Random, Budget], int]

AT_ONCE = 128
"""Steps between two looks at the clock."""
_SENSIBLE_STEPS, _SENSIBLE_DEPTH = 4_000, 2
_STRONG_STEPS = 60_000
_SOONEST_REPETITION = 4
"""Moves after which a position can be there again."""


def casual(state: TaflState, chance: Random, budget: Budget) -> int:
    """Looks one move ahead: it wins if it can, captures if it may, and else moves at random."""
    on, position = state.on, state.position
    possible = moves(on, position)
    chance.shuffle(possible)
    best, _ = best_of(possible, lambda move: _worth(on, position, move), budget, AT_ONCE)
    return best


def _worth(on: Compiled, position: Position, move: int) -> int:
    following = after(on, position, move)
    end = ending(on, following)
    if end is not None and end.winner is not None:
        return 2 if end.winner == position.turn else -1
    return int(following.captured != 0)


def sensible(state: TaflState, chance: Random, budget: Budget) -> int:
    """Looks two moves ahead: its own, and the answer to it."""
    return found(state, chance, budget, _SENSIBLE_STEPS, _SENSIBLE_DEPTH).choice


def strong(state: TaflState, chance: Random, budget: Budget) -> int:
    """Looks as far ahead as it gets."""
    return found(state, chance, budget, _STRONG_STEPS).choice


def found(state: TaflState, chance: Random, budget: Budget, usual: int, deepest: int = DEEPEST) -> Found[int]:
    """What a search comes to that usually takes so many steps."""
    search = searching(state, budget, usual, deepest)
    return search.best(state.position, chance, _times_seen(state))


def searching(state: TaflState, budget: Budget, usual: int, deepest: int = DEEPEST) -> Search:
    return Search(state.on.for_search(), budget.work(usual, AT_ONCE), deepest)


def _times_seen(state: TaflState) -> dict[int, int]:
    """The moves after which the position is one that was there before, and how often it was."""
    if len(state.seen) < _SOONEST_REPETITION:
        return {}
    on, position, times = state.on, state.position, Counter(state.seen)
    found: dict[int, int] = {}
    for move in moves(on, position):
        following = after(on, position, move)
        if not following.captured:
            count = times[position_key(on.board_of(following), Seat(following.turn))]
            if count:
                found[move] = count
    return found


LEVELS: Mapping[str, Bot] = MappingProxyType({"casual": casual, "sensible": sensible, "strong": strong})
"""Weakest first."""

NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "casual": ("Puffin", "Eider", "Dunlin"),
        "sensible": ("Fulmar", "Petrel", "Plover"),
        "strong": ("Skua", "Goshawk", "Gannet"),
    }
)
"""What the bots of each strength are called, in the order in which they are asked to a table."""
