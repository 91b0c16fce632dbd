"""Moves: which there are, and what becomes of a position."""

from collections.abc import Sequence

from gamut.games.tafl.captures import Board, custodial, linnaean, may_wall, shieldwall
from gamut.games.tafl.compiled import COMMANDERS, GUARDS, KNIGHTS, MERCENARIES, OTHERS, Compiled
from gamut.games.tafl.movement import Way
from gamut.games.tafl.pieces import ATTACKERS, Side
from gamut.games.tafl.position import END, NOWHERE, SHIFT, Position, move_of, spaces_of

_OTHER: tuple[Side, Side] = (1, 0)
EVERYWHERE = -1
"""The set of all spaces."""


def moves(on: Compiled, position: Position, among: int = EVERYWHERE) -> list[int]:
    """Every legal move of the side to move; `among`: of its pieces on these spaces."""
    attackers, defenders, kings, others, turn = (
        position.attackers,
        position.defenders,
        position.kings,
        position.others,
        position.turn,
    )
    taken = attackers | defenders
    own = (defenders if turn else attackers) & among
    if position.berserk >= 0:
        own &= on.bits[position.berserk]
    found: list[int] = []
    if others:
        _moves_of_others(on, position, own, taken, found)
        own &= ~(others[0] | others[1] | others[2] | others[3])
    if turn:
        if kings & own:
            _slides(found, taken, on.ways["K"][kings & own])
            if "K" in on.leaps:
                _jumps(on, position, "K", kings & own, taken, found)
        _slides(found, taken, on.ways["T"][own & ~kings])
    else:
        _slides(found, taken, on.ways["t"][own])
    return found


def can_move(on: Compiled, position: Position, start: int, end: int) -> bool:
    """Whether the piece on a space, which is one of the side to move and may move now, can move to another one."""
    move, here = move_of(start, end), on.bits[start]
    if position.others or on.leaps:
        return move in moves(on, position, here)
    path = on.paths[("K" if position.kings & here else "T") if position.turn else "t"][move]
    return path != 0 and not path & (position.attackers | position.defenders)


def _slides(found: list[int], taken: int, ways: tuple[Way, ...]) -> None:
    for along_rank, by_rank, along_file, by_file in ways:
        found += by_rank[taken & along_rank]
        found += by_file[taken & along_file]


def _moves_of_others(on: Compiled, position: Position, own: int, taken: int, found: list[int]) -> None:
    for kind, bits in zip(OTHERS, position.others, strict=True):
        if own & bits:
            letter = kind.upper() if position.turn else kind
            _slides(found, taken, on.ways[letter][own & bits])
            if letter in on.leaps:
                _jumps(on, position, letter, own & bits, taken, found)


def _jumps(on: Compiled, position: Position, letter: str, pieces: int, taken: int, found: list[int]) -> None:
    enemy = position.attackers if position.turn else position.defenders
    over = enemy & ~position.kings
    if position.others:
        over &= ~(position.others[COMMANDERS] | position.others[KNIGHTS])
    from_spaces = on.leaps[letter]
    for space in spaces_of(pieces):
        for between, behind, move in from_spaces[space]:
            if over & between and not taken & behind:
                found.append(move)


def after(on: Compiled, position: Position, move: int) -> Position:
    """The position after a move that is legal."""
    start, end = move >> SHIFT, move & END
    here, there = on.bits[start], on.bits[end]
    step = here | there
    turn, kings, others = position.turn, position.kings, position.others
    letter = "T" if turn else "t"
    if turn:
        own, enemy = position.defenders ^ step, position.attackers
        if kings & here:
            kings ^= step
            letter = "K"
    else:
        own, enemy = position.attackers ^ step, position.defenders
    if others:
        letter = on.letter_at(position, here)
        others = tuple(bits ^ step if bits & here else bits for bits in others)
    captured = 0
    if on.leaps:
        over = _jumped(on, position, move, letter)
        if over:
            captured = over
            own, enemy, others = _without(own, enemy, others, over)
    if enemy & on.beside[end]:
        taken = custodial(on, Board(own, enemy, kings, others, turn), end, letter, captured != 0)
        if taken:
            captured |= taken
            own, enemy, others = _without(own, enemy, others, taken)
            kings &= ~taken
    fresh = position.fresh
    if on.walls_from & there and may_wall(on, own, enemy) and letter not in "gG":
        walled = shieldwall(on, Board(own, enemy, kings, others, turn), end, bool(fresh & here))
        if walled:
            captured |= walled
            own, enemy, others = _without(own, enemy, others, walled)
    if on.rules.linnaean and turn == ATTACKERS:
        between = linnaean(on, Board(own, enemy, kings, others, turn), end, here)
        if between:
            captured |= between
            own, enemy, others = _without(own, enemy, others, between)
    if fresh:
        fresh &= ~(step | captured)
    attackers, defenders = (enemy, own) if turn else (own, enemy)
    if captured and on.rules.berserk != "none":
        again = Position(attackers, defenders, kings, others, turn, end, captured, fresh)
        if _goes_on(on, again):
            return again
    return Position(attackers, defenders, kings, others, _OTHER[turn], NOWHERE, captured, fresh)


def _without(
    own: int, enemy: int, others: tuple[int, ...], captured: int
) -> tuple[int, int, tuple[int, ...]]:
    """The pieces without those that were captured; mercenaries change sides instead."""
    if not others:
        return own, enemy ^ captured, others
    turned = captured & others[MERCENARIES]
    gone = ~(captured ^ turned)
    return own | turned, enemy ^ captured, tuple(bits & gone for bits in others)


def _jumped(on: Compiled, position: Position, move: int, letter: str) -> int:
    """The piece that a jump captures."""
    if letter not in on.capturing_jumpers:
        return 0
    over = on.jumped.get(move, 0) & (position.attackers if position.turn else position.defenders)
    if over and position.others and over & position.others[GUARDS] and not on.quirks:
        return 0
    return over


def _goes_on(on: Compiled, position: Position) -> bool:
    """Whether the piece that has captured has to move once more."""
    possible = moves(on, position)
    if on.rules.berserk == "moves":
        return bool(possible)
    return any(captures_of(on, position, move) for move in possible)


def captures_of(on: Compiled, position: Position, move: int) -> Sequence[int]:
    """The spaces of those whom a move captures by a jump, and then between two, in this order."""
    start, end = move >> SHIFT, move & END
    here, step = on.bits[start], on.bits[start] | on.bits[end]
    letter = on.letter_at(position, here)
    over = _jumped(on, position, move, letter)
    mine, enemy = position.attackers, position.defenders
    if position.turn:
        mine, enemy = enemy, mine
    kings = position.kings ^ step if position.kings & here else position.kings
    others = tuple(bits ^ step if bits & here else bits for bits in position.others)
    own, enemy, others = _without(mine ^ step, enemy, others, over)
    taken = 0
    if enemy & on.beside[end]:
        taken = custodial(on, Board(own, enemy, kings, others, position.turn), end, letter, over != 0)
    spaces = list(spaces_of(over))
    # In the order in which they are captured: falling files, rising files, falling ranks, rising ranks.
    spaces += [space for space, bit, _ in on.around[end] if taken & bit]
    return spaces


def is_jump(on: Compiled, position: Position, move: int) -> bool:
    return bool(on.jumped.get(move, 0) & (position.attackers | position.defenders))
