"""What a position is worth before anybody looks further, in hundredths of a pawn."""

from operator import getitem

from gamut.games.powerchess.moves import targets_of
from gamut.games.powerchess.pieces import (
    BISHOP,
    COLOUR,
    EMPTY,
    KIND,
    KING,
    KING_OF,
    KNIGHT,
    PAWN,
    PAWN_OF,
    QUEEN,
    ROOK,
)
from gamut.games.powerchess.position import Position
from gamut.games.powerchess.reach import tables
from gamut.games.powerchess.squares import BIT, squares_in

WORTH = (0, 400, 900, 500, 330, 320, 100)
"""By kind. The last king is worth the game; this is for those that were cloned."""
_KING_IN_REACH = 2000
"""What a piece that may move once more can win, if it is a king."""
_PRIZES = (35, 70, 130)
"""Of a box, by rarity."""
_SECOND_EFFORT = 4
"""The part of what a Second Effort would capture that counts when a common box is taken, as one over so many: two of
five powers are offered, and what captures is often captured in its turn."""
_SHIELD = 20
_NET = 30
_KINGS_NET = 150
_ENERGIZED_PAWN = 12
_FEW = 12
"""With so many pieces on the board, or fewer, it is time to drive a king to the edge."""
_AHEAD = 300
_EDGE, _NEAR = 12, 6

_STEPS_TO_EDGE = tuple(min(square & 7, 7 - (square & 7)) for square in range(64))
_PAWN_ADVANCE = (0, 0, 4, 10, 22, 45, 90, 0)


def _place(kind: int, square: int) -> int:
    """What a piece of White's is worth more, or less, for its square."""
    rank, file = square >> 3, square & 7
    central = _STEPS_TO_EDGE[square] + min(rank, 7 - rank)
    if kind == PAWN:
        return _PAWN_ADVANCE[rank] + (12 if file in (3, 4) and rank in (3, 4) else 0)
    if kind == KNIGHT:
        return 10 * central - 30
    if kind == BISHOP:
        return 5 * central - 10 - (10 if rank == 0 else 0)
    if kind == ROOK:
        return 20 if rank == 6 else 6 if file in (3, 4) else 0
    if kind == QUEEN:
        return 2 * central
    return (-12 * rank if rank < 4 else -40) + (15 if rank == 0 and file in (1, 2, 6) else 0)


def _of_piece(piece: int, square: int) -> int:
    kind = piece & KIND
    if not KING <= kind <= PAWN:
        return 0
    if piece & COLOUR:
        return -WORTH[kind] - _place(kind, square ^ 56)
    return WORTH[kind] + _place(kind, square)


_PLACES = tuple(tuple(_of_piece(piece, square) for piece in range(16)) for square in range(64))
"""For White, by square and piece."""


def worth(position: Position) -> int:
    """For whoever is to act."""
    board = position.board
    value = sum(map(getitem, _PLACES, board))
    effects = position.effects
    if effects.marked or effects.energized != (0, 0):
        value += _of_effects(position)
    if (position.white | position.black).bit_count() <= _FEW and abs(value) > _AHEAD:
        value += _hunt(position, value > 0)
    return -value if position.turn else value


def _of_effects(position: Position) -> int:
    """What lies on the pieces, for White."""
    board, effects, value = position.board, position.effects, 0
    for square, (_, really) in effects.awakened.items():
        # It is a queen for a few moves only.
        value -= (_PLACES[square][board[square]] - _PLACES[square][really]) * 3 // 4
    for square in squares_in(effects.guarded):
        value += -_SHIELD if board[square] & COLOUR else _SHIELD
    for square in squares_in(effects.nets):
        net = _KINGS_NET if board[square] & KIND == KING else _NET
        value += -net if board[square] & COLOUR else net
    if effects.energized[0]:
        value += _ENERGIZED_PAWN * board.count(PAWN_OF[0])
    if effects.energized[1]:
        value -= _ENERGIZED_PAWN * board.count(PAWN_OF[1])
    return value


def _hunt(position: Position, white_leads: bool) -> int:
    """How far a king is driven to the edge by a side that has more, for White."""
    hunter, hunted = (0, 1) if white_leads else (1, 0)
    prey, king = position.board.find(KING_OF[hunted]), position.board.find(KING_OF[hunter])
    if min(prey, king) < 0:
        return 0
    rank, file = prey >> 3, prey & 7
    distance = max(abs(rank - (king >> 3)), abs(file - (king & 7)))
    value = _EDGE * (6 - _STEPS_TO_EDGE[prey] - min(rank, 7 - rank)) + _NEAR * (7 - distance)
    return value if white_leads else -value


def prize(position: Position) -> int:
    """What it is worth that a box was taken, for whoever took it: which powers are offered is not known yet."""
    value = _PRIZES[position.rarity]
    if position.rarity == 0:
        enemies = position.own(1 - position.turn)
        prey = targets_of(position, position.chosen_for, second_effort=True) & enemies
        value += max((_second(position, square) for square in squares_in(prey)), default=0) // _SECOND_EFFORT
    return value


def _second(position: Position, square: int) -> int:
    kind = position.board[square] & KIND
    return _KING_IN_REACH if kind == KING else WORTH[kind]


def king_in_danger(position: Position) -> bool:
    """Whether whoever is to act would lose a king if the other side were to move."""
    side = position.turn
    king = position.board.find(KING_OF[side])
    if king < 0 or position.effects.guarded & BIT[king]:
        return False
    on, board = tables(), position.board
    enemy, occupied, other = position.own(1 - side), position.white | position.black, 0 if side else COLOUR
    straight = diagonal = 0
    for mask, reach in (on.file[king], on.rank[king]):
        straight |= reach[occupied & mask]
    mask, reach = on.diagonals[king]
    diagonal = reach[occupied & mask]
    return (
        _any_of(board, straight & enemy, other | ROOK, other | QUEEN)
        or _any_of(board, diagonal & enemy, other | BISHOP, other | QUEEN)
        or _any_of(board, on.knight[king] & enemy, other | KNIGHT, EMPTY)
        or _any_of(board, on.pawns[side][king].takes & enemy, other | PAWN, EMPTY)
        or _any_of(board, on.king[king] & enemy, other | KING, EMPTY)
    )


def _any_of(board: bytearray, bits: int, one: int, another: int) -> bool:
    return any(board[square] in (one, another) for square in squares_in(bits))
