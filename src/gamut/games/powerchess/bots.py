"""The bots: each looks at a position and names what to do. What it draws from chance is all that varies."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType

from gamut.games.budget import UNLIMITED, Budget, best_of
from gamut.games.game import Seat
from gamut.games.powerchess.cases import cases
from gamut.games.powerchess.decide import PROMOTIONS, legal
from gamut.games.powerchess.pieces import COLOUR, EMPTY, KIND, PAWN, QUEEN, ROOK
from gamut.games.powerchess.play import after, refuges
from gamut.games.powerchess.position import DRAWN, Position
from gamut.games.powerchess.powers import Drawn, after_power, choices
from gamut.games.powerchess.search import DEEPEST, Option, Search
from gamut.games.powerchess.squares import NOWHERE
from gamut.games.powerchess.state import Action, Move, PowerChessState
from gamut.games.powerchess.translation import position_of
from gamut.games.search import Found

Bot = Callable[[PowerChessState, Random, Budget], Action]

AT_ONCE = 4
"""Actions that are looked at between two looks at the clock."""
STEPS_AT_ONCE = 32
"""Steps of a search between two looks at the clock."""
_STRONG_STEPS = 12_000

_WORTH = (0, 1000, 90, 50, 33, 32, 10)
"""By kind, in tenths of a pawn: kings are all that counts."""
_WIN = 1_000_000
_BOX = (3, 6, 12)
"""What it is worth to take a box, by rarity."""

_YOUNG, _LONG = 20, 200
"""Moves of both sides: up to the first no bot takes a draw, from the second on it does where nobody stands better."""
_EVEN = 100
"""Hundredths of a pawn between two sides that stand alike."""
_STEPS_FOR_A_DRAW = 64
"""Everybody waits for the answer: captures that would take longer to follow are not followed."""


def casual(state: PowerChessState, chance: Random, budget: Budget) -> Action:
    """Takes a king if it can, and else does anything."""
    assert state.turn is not None
    possible = legal(state, state.turn)
    return _taking_a_king(state, possible) or chance.choice(possible)


def _taking_a_king(state: PowerChessState, possible: Sequence[Action]) -> Action | None:
    king = "k" if state.turn == 0 else "K"
    position = position_of(state)
    for action in possible:
        if isinstance(action, Move):
            start, end = action.start, action.end
        elif action.power == "second_effort" and action.target is not None:
            start, end = position.chosen_for, action.target
        else:
            continue
        # A king with a net is not taken, unless there is nowhere for him to go.
        if state.board[end] == king and not refuges(position, start << 6 | end):
            return action
    return None


def sensible(state: PowerChessState, chance: Random, budget: Budget) -> Action:
    """Looks one action ahead, and takes what leaves it with the most on the board."""
    assert state.turn is not None
    possible = legal(state, state.turn)
    chance.shuffle(possible)
    position = position_of(state)
    best, _ = best_of(possible, lambda action: _worth_after(position, action), budget, AT_ONCE)
    # However little time there is, a king is not left standing.
    return _taking_a_king(state, possible) or best


def _worth_after(position: Position, action: Action) -> int:
    following = _after(position, action)
    side = position.turn
    if following.winner is not None:
        return 0 if following.winner == DRAWN else _WIN if following.winner == side else -_WIN
    box = _BOX[following.rarity] if following.chosen_for != NOWHERE else 0
    return material(following, side) + box


def _after(position: Position, action: Action) -> Position:
    """Where chance decides, the first of what is possible stands for all of it."""
    if isinstance(action, Move):
        move = action.start << 6 | action.end
        homes = refuges(position, move)
        promotion = PROMOTIONS[action.promotion]
        return after(position, move, promotion, homes[0] if homes else NOWHERE)
    target = NOWHERE if action.target is None else action.target
    squares = choices(position, action.power, target)
    buried = position.graves[position.turn]
    drawn = Drawn(squares[0] if squares else NOWHERE, buried[0] if buried else EMPTY)
    return after_power(position, action.power, target, drawn)


def strong(state: PowerChessState, chance: Random, budget: Budget) -> Action:
    """Looks as far ahead as it gets."""
    assert state.turn is not None
    possible = legal(state, state.turn)
    # However little time there is, a king is not left standing.
    return _taking_a_king(state, possible) or found(state, possible, chance, budget).choice.action


def found(
    state: PowerChessState, possible: Sequence[Action], chance: Random, budget: Budget, deepest: int = DEEPEST
) -> Found[Option]:
    """What a search among these actions comes to."""
    position = position_of(state)
    work = budget.work(_STRONG_STEPS, STEPS_AT_ONCE)
    options = [Option(action, cases(position, action, _promotion(action))) for action in possible]
    return Search(work, deepest).best(position, options, chance)


def _promotion(action: Action) -> int:
    return PROMOTIONS[action.promotion] if isinstance(action, Move) else QUEEN


def accepts_draw(state: PowerChessState, seat: Seat) -> bool:
    """Whether a bot takes a draw: where it stands worse, or nobody gets any further. A young game it plays on."""
    if state.ply < _YOUNG:
        return False
    position = position_of(state)
    value = Search(UNLIMITED.work(_STEPS_FOR_A_DRAW, _STEPS_FOR_A_DRAW)).settled(position)
    stands = value if position.turn == seat else -value
    return stands < -_EVEN or (stands <= _EVEN and (state.ply >= _LONG or _nothing_left(position)))


def _nothing_left(position: Position) -> bool:
    return not any(piece & KIND in (QUEEN, ROOK, PAWN) for piece in position.board)


def material(position: Position, side: int) -> int:
    """What a side has more on the board than the other, in tenths of a pawn."""
    worth = 0
    for piece in position.board:
        if piece:
            own = bool(piece & COLOUR) == bool(side)
            worth += _WORTH[piece & KIND] if own else -_WORTH[piece & KIND]
    return worth


LEVELS: Mapping[str, Bot] = MappingProxyType({"casual": casual, "sensible": sensible, "strong": strong})
"""Weakest first."""

NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "casual": ("Mizar", "Alcor", "Alhena"),
        "sensible": ("Deneb", "Capella", "Procyon"),
        "strong": ("Rigel", "Antares", "Algol"),
    }
)
"""What the bots of each strength are called, in the order in which they are asked to a table."""
