"""What a MOVE does to a position, and what it has in common with a Second Effort."""

from gamut.games.powerchess.moves import may_take_in_passing
from gamut.games.powerchess.pieces import COLOUR, EMPTY, KIND, KING, KING_OF, PAWN, PAWN_OF, QUEEN, QUEEN_OF
from gamut.games.powerchess.position import DRAWN, KEPT, Position, pawn_that_passed
from gamut.games.powerchess.reach import SECOND_RANK
from gamut.games.powerchess.squares import BACK_RANK, BIT, NOWHERE, squares_in

_LAST_RANK = (slice(56, 64), slice(0, 8))
_TWO_STEPS = (16, -16)


def after(position: Position, move: int, promotion: int = QUEEN, refuge: int = NOWHERE) -> Position:
    """The position after a MOVE, which must be one that `moves` gave.

    A pawn becomes `promotion` where it becomes something. A piece with a net goes to `refuge`, one of `refuges`, and is
    captured if that is NOWHERE. If a box was taken, the same side is still to act: `chosen_for` says for which piece.
    """
    next_one = position.copy()
    taken = land(next_one, move, promotion, refuge, in_passing=position.passed)
    if taken & KIND == KING:
        census(next_one)
        if next_one.winner is not None:
            return next_one
    ply = next_one.ply = position.ply + 1
    if next_one.effects.first_end <= ply:
        _expire(next_one)
    if next_one.chosen_for == NOWHERE:
        next_one.turn = 0 if position.turn else 1
    return next_one


def land(position: Position, move: int, promotion: int, refuge: int, in_passing: int) -> int:
    """Relocate a piece of whoever is to move, with all that follows on the board. What was captured, or EMPTY."""
    start, end = move >> 6, move & 63
    board, turn, effects = position.board, position.turn, position.effects
    piece, prey = board[start], end
    kind = piece & KIND
    if end == in_passing and kind == PAWN and (start ^ end) & 7 and may_take_in_passing(position):
        prey = pawn_that_passed(end)
    victim = taken = board[prey]
    here, there = BIT[start], BIT[end]
    really = piece
    if effects.marked & (here | BIT[prey]):
        really = position.really(start)
        taken = _move_effects(position, start, end, prey, refuge)
    elif taken and taken & KIND != KING:
        _bury(position, taken)
    board[prey] = EMPTY
    board[start] = EMPTY
    board[end] = piece
    if turn:
        position.black = position.black ^ here | there
        if victim:
            position.white ^= BIT[prey]
    else:
        position.white = position.white ^ here | there
        if victim:
            position.black ^= BIT[prey]
    if victim and not taken:
        position.put(refuge, victim)
    if position.castling:
        position.castling &= KEPT[start] & KEPT[end]
    position.passed = NOWHERE
    if kind == PAWN:
        _advance(position, start, end, promotion)
    elif kind == KING and end - start in (2, -2):
        _move_rook(position, start, end)
    relocation = really << 12 | move
    white, black = position.relocations
    position.relocations = (white, relocation) if turn else (relocation, black)
    position.chosen_for = NOWHERE
    if position.box_bits & there:
        position.chosen_for = end
        position.rarity = position.boxes[end]
        position.without_box(end)
    return taken


def _move_effects(position: Position, start: int, end: int, prey: int, refuge: int) -> int:
    """What lies on the piece that moves, and on the one that it meets. What was captured, or EMPTY."""
    victim, effects = position.board[prey], position.effects
    saved = refuge != NOWHERE and bool(effects.nets & BIT[prey])
    if victim and not saved and victim & KIND != KING:
        _bury(position, position.really(prey))
    effects = effects.relocated({start: end, prey: refuge if saved else None})
    if saved:
        effects = effects.unnetted(refuge)
    elif victim and end in effects.shields:
        effects = effects.unshielded(end)
    position.effects = effects
    return EMPTY if saved else victim


def _bury(position: Position, piece: int) -> None:
    white, black = position.graves
    kind = bytes((piece & KIND,))
    position.graves = (white, black + kind) if piece & COLOUR else (white + kind, black)


def _advance(position: Position, start: int, end: int, promotion: int) -> None:
    """What becomes of a pawn that has moved, and of the right to take it in passing."""
    turn = position.turn
    if start >> 3 == SECOND_RANK[turn] and end == start + _TWO_STEPS[turn]:
        position.passed = (start + end) // 2
    elif BIT[end] & BACK_RANK[1 - turn] and not position.effects.energized[turn]:
        position.board[end] = promotion | (COLOUR if turn else 0)


def _move_rook(position: Position, start: int, end: int) -> None:
    """The king has castled."""
    corner, beside = rook_squares(start, end)
    rook = position.board[corner]
    position.board[corner] = EMPTY
    position.board[beside] = rook
    both = BIT[corner] | BIT[beside]
    if position.turn:
        position.black ^= both
    else:
        position.white ^= both
    position.effects = position.effects.moved(corner, beside)


def rook_squares(start: int, end: int) -> tuple[int, int]:
    """From where to where the rook goes when the king castles."""
    return (start + 3 if end > start else start - 4), (start + end) // 2


def refuges(position: Position, move: int) -> list[int]:
    """Where a net takes what this move would capture; empty if there is none, or nowhere to go."""
    start, end = move >> 6, move & 63
    nets = position.effects.nets
    if not nets:
        return []
    prey = end
    if (
        end == position.passed
        and position.board[start] & KIND == PAWN
        and (start ^ end) & 7
        and position.chosen_for == NOWHERE
        and may_take_in_passing(position)
    ):
        prey = pawn_that_passed(end)
    if not nets & BIT[prey] or not position.board[prey]:
        return []
    # The square that the attacker leaves is vacant by then.
    vacant = (position.vacant() | BIT[start]) & ~BIT[end]
    return squares_in(vacant & BACK_RANK[1 - position.turn])


# What is looked at after every action


def promote(position: Position) -> None:
    """Each pawn on its last rank becomes a queen, but for those whose side has Energize running."""
    board = position.board
    for side in (0, 1):
        pawn = PAWN_OF[side]
        if pawn in board[_LAST_RANK[side]] and not position.effects.energized[side]:
            board[_LAST_RANK[side]] = board[_LAST_RANK[side]].replace(
                bytes((pawn,)), bytes((QUEEN_OF[side],))
            )


def census(position: Position) -> None:
    """Whoever has no king left has lost; if nobody has one, it is a draw."""
    turn = position.turn
    here, there = (KING_OF[side] in position.board for side in (turn, 1 - turn))
    if not there:
        position.winner = turn if here else DRAWN
    elif not here:
        position.winner = 1 - turn


def _expire(position: Position) -> None:
    """What ends with this MOVE ends; an awakened piece is again what it was."""
    awake = position.effects.awakened
    position.effects = position.effects.after(position.ply)
    for square, (_, really) in awake.items():
        if square not in position.effects.awakened:
            position.board[square] = really
    promote(position)
