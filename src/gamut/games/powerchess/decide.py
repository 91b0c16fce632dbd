"""What happens in a game of Power Chess when somebody does something."""

from collections.abc import Mapping
from types import MappingProxyType

from gamut.games.game import Refused, Seat
from gamut.games.powerchess.draws import Draws, spawn_squares
from gamut.games.powerchess.moves import can_move, moves, targets_of
from gamut.games.powerchess.pieces import (
    BISHOP,
    EMPTY,
    KIND,
    KINDS,
    KNIGHT,
    LETTERS,
    PAWN,
    PIECES,
    QUEEN,
    ROOK,
    SIDES,
)
from gamut.games.powerchess.play import after, refuges
from gamut.games.powerchess.position import DRAWN, Position
from gamut.games.powerchess.powers import (
    POWERS,
    RARITIES,
    TARGETS,
    Drawn,
    PowerName,
    after_power,
    choices,
    playable,
    targets,
)
from gamut.games.powerchess.squares import BACK_RANK, BIT, NAMES, NOWHERE, squares_in
from gamut.games.powerchess.state import (
    UNSEEN,
    Action,
    Box,
    Choice,
    Ended,
    Event,
    Hole,
    Marks,
    Move,
    Moved,
    Offered,
    PowerChessState,
    Promotion,
    Reason,
    Use,
    Used,
)
from gamut.games.powerchess.translation import (
    castling_of,
    graves_of,
    holes_of,
    marks_of,
    position_of,
    relocations_of,
    remember,
    updates,
)

PROMOTIONS: Mapping[Promotion, int] = MappingProxyType(
    {"queen": QUEEN, "rook": ROOK, "bishop": BISHOP, "knight": KNIGHT}
)
_NewEffects = tuple[tuple[Marks, ...] | None, tuple[Hole, ...] | None, tuple[int, int] | None]
_AS_BEFORE: _NewEffects = (None, None, None)
LONGEST = 5_000
"""Nothing else keeps two kings from walking for ever. A game with so many MOVEs, which no real one has, is a draw."""


def decided(state: PowerChessState, seat: Seat, action: Action, draws: Draws) -> list[Event]:
    """The events up to the next choice. Raises Refused."""
    turn = state.turn
    if turn is None:
        raise Refused("over", "The game is over.")
    if seat != turn:
        raise Refused("not_your_turn", f"It is {SIDES[turn]}'s turn.")
    if isinstance(action, Move):
        if state.choice is not None:
            raise Refused("choose_first", "You have taken a box: choose a power first.")
        return _moved(state, seat, action, draws)
    if state.choice is None:
        raise Refused("no_choice", "There is no power to choose: powers come out of boxes.")
    return _used(state, seat, state.choice, action, draws)


def lost(state: PowerChessState, seat: Seat, reason: Reason) -> list[Event]:
    """What giving up or running out of time does."""
    if state.turn is None:
        raise Refused("over", "The game is over.")
    return [Ended(Seat(1 - seat), reason)]


def drawn(state: PowerChessState) -> list[Event]:
    if state.turn is None:
        raise Refused("over", "The game is over.")
    return [Ended(None, "agreed")]


# MOVEs


def _moved(state: PowerChessState, seat: Seat, action: Move, draws: Draws) -> list[Event]:
    before = position_of(state)
    _check_move(before, action)
    start, end = action.start, action.end
    move = start << 6 | end
    homes = refuges(before, move) if before.effects.nets else []
    refuge = draws.square(homes) if homes else NOWHERE
    following = after(before, move, PROMOTIONS[action.promotion], refuge)
    took = following.chosen_for != NOWHERE
    due, box = False, None
    if state.waiting_since is not None and following.winner is None:
        due = draws.box_is_due(following.ply - state.waiting_since)
        squares = spawn_squares(following.vacant()) if due else []
        if squares:
            square, rarity = draws.box(squares)
            box = Box(square, rarity)
            following.put_box(square, RARITIES.index(rarity))
    marks, holes, energized = _new_effects(state, before, following)
    moved = Moved(
        seat,
        start,
        end,
        updates=updates(before, following, start, end),
        captured="" if homes else _captured(before, following, end),
        saved=None if refuge == NOWHERE else refuge,
        took=RARITIES[following.rarity] if took else None,
        due=due,
        box=box,
        last=following.winner is not None,
        passed=None if following.passed == NOWHERE else following.passed,
        castling=None if following.castling == before.castling else castling_of(following),
        marks=marks,
        holes=holes,
        energized=energized,
        graves=None if following.graves is before.graves else graves_of(following),
    )
    return _with_what_follows(state, moved, following, draws)


def _check_move(position: Position, action: Move) -> None:
    start, end = action.start, action.end
    if not (0 <= start < 64 and 0 <= end < 64):
        raise Refused("illegal_move", "There is no such square.")
    piece = position.board[start]
    if not (position.black if position.turn else position.white) & BIT[start]:
        what = "no piece" if piece == EMPTY else "no piece of yours"
        raise Refused("illegal_move", f"There is {what} on {NAMES[start]}.")
    if not targets_of(position, start) & BIT[end]:
        kind = KINDS[piece & KIND]
        raise Refused("illegal_move", f"The {kind} on {NAMES[start]} cannot move to {NAMES[end]}.")
    if action.promotion != "queen" and not _promotes(position, start, end):
        raise Refused("illegal_move", "Only a pawn that gets to the last rank becomes something else.")


def _promotes(position: Position, start: int, end: int) -> bool:
    turn = position.turn
    return (
        position.board[start] & KIND == PAWN
        and bool(BIT[end] & BACK_RANK[1 - turn])
        and not position.effects.energized[turn]
    )


def _captured(before: Position, following: Position, end: int) -> str:
    """The letter of the piece that was captured; what was taken in passing stood elsewhere, and was a pawn."""
    piece = before.board[end]
    if piece == EMPTY and before.graves is not following.graves:
        return "P" if before.turn else "p"
    return LETTERS[piece] if piece else ""


# Powers


def _used(state: PowerChessState, seat: Seat, choice: Choice, action: Use, draws: Draws) -> list[Event]:
    power = action.power
    if power not in choice.powers:
        raise Refused("not_offered", f"You can choose between {_listed(choice)}.")
    before = position_of(state)
    _check_target(before, action)
    target = NOWHERE if action.target is None else action.target
    moves_on = power in ("adjust", "second_effort")
    homes = choices(before, power, target)
    square = draws.square(homes) if homes else NOWHERE
    reanimated = draws.grave(state.graves[seat]) if homes and power == "reanimate" else ""
    kind = PIECES[reanimated] & KIND if reanimated else EMPTY
    following = after_power(before, power, target, Drawn(square, kind))
    captures = power == "second_effort" and not homes
    relocated = before.relocations != following.relocations
    marks, holes, energized = _new_effects(state, before, following)
    used = Used(
        seat,
        choice.rarity,
        power,
        choice.square,
        action.target,
        updates=updates(before, following, *((choice.square, target) if moves_on else (NOWHERE, NOWHERE))),
        captured=_captured(before, following, target) if captures else "",
        drawn=None if square == NOWHERE else square,
        reanimated=reanimated,
        took=RARITIES[following.rarity] if following.chosen_for != NOWHERE else None,
        passed=None if following.passed == NOWHERE else following.passed,
        castling=None if following.castling == before.castling else castling_of(following),
        marks=marks,
        holes=holes,
        energized=energized,
        graves=None if following.graves is before.graves else graves_of(following),
        relocations=relocations_of(following) if relocated else None,
    )
    return _with_what_follows(state, used, following, draws)


def _check_target(position: Position, action: Use) -> None:
    power, target = action.power, action.target
    if power not in TARGETS:
        if target is not None:
            raise Refused("no_target", f"{_title(power)} needs no square.")
        if not playable(position, power):
            raise Refused("illegal_power", f"{_title(power)} is not for a king.")
        return
    if target is None:
        raise Refused("target_needed", f"{_title(power)} needs a square.")
    if not (0 <= target < 64 and targets(position, power) & BIT[target]):
        where = NAMES[target] if 0 <= target < 64 else "a square that is not on the board"
        raise Refused("illegal_target", f"{_title(power)} cannot be used on {where}.")


def _title(power: str) -> str:
    return power.replace("_", " ").capitalize()


def _listed(choice: Choice) -> str:
    return " and ".join(_title(power) for power in choice.powers)


# What comes after either


def _with_what_follows(
    state: PowerChessState, event: Moved | Used, position: Position, draws: Draws
) -> list[Event]:
    """An action, and after it the end, a choice, or nothing but the other's turn."""
    winner = position.winner
    if winner is not None:
        return [event, Ended(None if winner == DRAWN else Seat(winner), "king")]
    if position.ply >= LONGEST:
        return [event, Ended(None, "endless")]
    if position.chosen_for != NOWHERE:
        powers = [power for power in POWERS[position.rarity] if playable(position, power)]
        offer = draws.offer(powers)
        return [event, Offered(event.seat, position.chosen_for, RARITIES[position.rarity], offer)]
    if not can_move(position):
        return [event, Ended(None, "no_move")]
    remember(state, event, position)
    return [event]


def _new_effects(state: PowerChessState, before: Position, following: Position) -> _NewEffects:
    """Marks, holes and Energize, each None if it is as it was."""
    effects = following.effects
    if effects is before.effects:
        return _AS_BEFORE
    marks, holes, energized = marks_of(effects), holes_of(effects), effects.energized
    return (
        None if marks == state.marks else marks,
        None if holes == state.holes else holes,
        None if energized == state.energized else energized,
    )


# What is allowed


def legal(state: PowerChessState, seat: Seat) -> list[Action]:
    if seat != state.turn:
        return []
    position = position_of(state)
    if state.choice is not None:
        return [use for power in state.choice.powers if power != UNSEEN for use in _uses(position, power)]
    found: list[Action] = []
    for move in moves(position):
        start, end = move >> 6, move & 63
        if _promotes(position, start, end):
            found += [Move(start, end, promotion) for promotion in PROMOTIONS]
        else:
            found.append(Move(start, end))
    return found


def _uses(position: Position, power: PowerName) -> list[Use]:
    if power in TARGETS:
        return [Use(power, target) for target in squares_in(targets(position, power))]
    return [Use(power)] if playable(position, power) else []
