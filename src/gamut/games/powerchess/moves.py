"""Which MOVEs there are: chess without check, around holes and invulnerable pieces, onto boxes."""

from gamut.games.powerchess.pieces import (
    BISHOP,
    BLACK,
    COLOUR,
    KIND,
    KING,
    KNIGHT,
    PAWN,
    PAWN_OF,
    ROOK,
)
from gamut.games.powerchess.position import (
    BLACK_LONG,
    BLACK_SHORT,
    WHITE_LONG,
    WHITE_SHORT,
    Position,
    pawn_that_passed,
)
from gamut.games.powerchess.reach import tables
from gamut.games.powerchess.squares import BIT, NOWHERE


def moves(position: Position) -> list[int]:
    """Every MOVE of whoever is to move, as `start << 6 | end`."""
    found: list[int] = []
    written, king, knight, file, rank, diagonals, pawns, energized = tables()
    board, effects, black = position.board, position.effects, position.turn == BLACK
    own, enemy = (position.black, position.white) if black else (position.white, position.black)
    occupied = own | enemy
    # Not onto own pieces, holes and invulnerable enemies.
    landing = ~(own | effects.hole_bits | effects.guarded & enemy)
    steps = (energized if effects.energized[position.turn] else pawns)[position.turn]
    prey = enemy | position.box_bits
    if position.passed != NOWHERE and may_take_in_passing(position):
        prey |= BIT[position.passed]
    left = own
    while left:
        low = left & -left
        left ^= low
        square = low.bit_length() - 1
        kind = board[square] & KIND
        if kind == PAWN:
            mask, reach, takes = steps[square]
            found += written[square][(reach[occupied & mask] | takes & prey) & landing]
        elif kind == KNIGHT:
            found += written[square][knight[square] & landing]
        elif kind == KING:
            found += written[square][king[square] & landing]
            if position.castling:
                found += _castlings(position, square)
        else:
            if kind != BISHOP:
                mask, reach = file[square]
                targets = reach[occupied & mask]
                mask, reach = rank[square]
                found += written[square][(targets | reach[occupied & mask]) & landing]
            if kind != ROOK:
                mask, reach = diagonals[square]
                found += written[square][reach[occupied & mask] & landing]
    return found


def targets_of(position: Position, square: int, *, second_effort: bool = False) -> int:
    """Where a piece may move to; by a Second Effort it neither castles nor takes in passing."""
    on, effects, piece = tables(), position.effects, position.board[square]
    kind = piece & KIND
    if piece & COLOUR:
        side, own, enemy = 1, position.black, position.white
    else:
        side, own, enemy = 0, position.white, position.black
    landing = ~(own | effects.hole_bits | effects.guarded & enemy)
    if kind == KNIGHT:
        return on.knight[square] & landing
    occupied = own | enemy
    if kind == PAWN:
        mask, reach, takes = (on.energized if effects.energized[side] else on.pawns)[side][square]
        prey = enemy | position.box_bits
        if not second_effort and position.passed != NOWHERE and may_take_in_passing(position):
            prey |= BIT[position.passed]
        return (reach[occupied & mask] | takes & prey) & landing
    if kind == KING:
        castling = 0 if second_effort else sum(BIT[move & 63] for move in _castlings(position, square))
        return on.king[square] & landing | castling
    targets = 0
    if kind != BISHOP:
        for mask, reach in (on.file[square], on.rank[square]):
            targets |= reach[occupied & mask]
    if kind != ROOK:
        mask, reach = on.diagonals[square]
        targets |= reach[occupied & mask]
    return targets & landing


def can_move(position: Position) -> bool:
    """Whether whoever is to move has a MOVE at all."""
    black = position.turn == BLACK
    left = position.black if black else position.white
    while left:
        # The foremost piece first: it is seldom blocked.
        square = (left & -left if black else left).bit_length() - 1
        if targets_of(position, square):
            return True
        left ^= BIT[square]
    return False


def may_take_in_passing(position: Position) -> bool:
    """Whether the pawn that skipped a square can be captured there: it is still a pawn, and the square is free."""
    passed = position.passed
    pawn = pawn_that_passed(passed)
    effects = position.effects
    return (
        position.board[pawn] == PAWN_OF[1 - position.turn]
        and not effects.guarded & BIT[pawn]
        and not (position.white | position.black | effects.hole_bits) & BIT[passed]
    )


_CASTLINGS = tuple(
    tuple(
        (
            right,
            home + rook,
            sum(BIT[home + file] for file in between),
            BIT[home + king_to] | BIT[home + rook_to],
            home + 4 << 6 | home + king_to,
        )
        for right, rook, between, king_to, rook_to in (
            (short, 7, (5, 6), 6, 5),
            (long, 0, (1, 2, 3), 2, 3),
        )
    )
    for home, short, long in ((0, WHITE_SHORT, WHITE_LONG), (56, BLACK_SHORT, BLACK_LONG))
)
"""By side: the right, the rook's corner, what must be free of pieces, what must be vacant, and the king's move."""


def _castlings(position: Position, square: int) -> list[int]:
    """The king's moves by which he castles; a rook that is awake does not take part."""
    side = position.turn
    if square != (60 if side else 4):
        return []
    found = []
    for right, corner, between, landings, move in _CASTLINGS[side]:
        if (
            position.castling & right
            and position.board[corner] & KIND == ROOK
            and not (position.white | position.black) & between
            and not (position.box_bits | position.effects.hole_bits) & landings
        ):
            found.append(move)
    return found
