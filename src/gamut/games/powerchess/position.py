"""A position as rules, bots and perft work with it: quick to copy, and never changed once it was handed out."""

from collections.abc import Mapping
from types import MappingProxyType

from gamut.games.powerchess.effects import NO_EFFECTS, Effects
from gamut.games.powerchess.pieces import COLOUR, EMPTY, Side
from gamut.games.powerchess.squares import ALL, BACK_RANK, BIT, NOWHERE

# Rights to castle: one bit each.
WHITE_SHORT, WHITE_LONG, BLACK_SHORT, BLACK_LONG = 1, 2, 4, 8
_LOST = {0: WHITE_LONG, 4: WHITE_SHORT | WHITE_LONG, 7: WHITE_SHORT}
KEPT = tuple(15 & ~_LOST.get(square, 0) & ~(_LOST.get(square - 56, 0) << 2) for square in range(64))
"""The rights that are left when something happens to the piece on a square."""

DRAWN = 2
"""In the place of a winner."""

NO_BOXES: Mapping[int, int] = MappingProxyType({})
NO_RELOCATION = 0


class Position:
    """Everything that the rules ask for. For a search:

    - `moves.moves(position)` lists the MOVEs, `play.after(position, move)` is the position after one;
    - if `chosen_for` is not NOWHERE, a box was taken and the same side is to act: `powers.playable` and
      `powers.targets` say what can be done with a power, `powers.after_power` does it;
    - where chance has a say, it is the caller's: `play.refuges` and `powers.choices` list what it may draw, and
      `put_box` puts a box where one comes;
    - `winner` is None while the game goes on. There is nothing to take back: the position before is still there.
    """

    __slots__ = (
        "black",
        "board",
        "box_bits",
        "boxes",
        "castling",
        "chosen_for",
        "effects",
        "graves",
        "passed",
        "ply",
        "rarity",
        "relocations",
        "turn",
        "white",
        "winner",
    )

    board: bytearray
    """Square by square the piece as it acts: an awakened one is a queen."""
    white: int
    black: int
    turn: Side
    castling: int
    passed: int
    """The square that a pawn has just skipped, or NOWHERE."""
    ply: int
    """MOVEs so far."""
    effects: Effects
    boxes: Mapping[int, int]
    """The rarity of the box on a square."""
    box_bits: int
    graves: tuple[bytes, bytes]
    """Of each side the kinds that were captured, in order."""
    relocations: tuple[int, int]
    """What each side relocated last by MOVE, Second Effort or Adjust: `piece << 12 | start << 6 | end`, the piece as
    it really was; NO_RELOCATION if there is none or the piece was taken elsewhere since."""
    chosen_for: int
    """The square of the piece that took a box, while a power is to be chosen; else NOWHERE."""
    rarity: int
    """Of that box."""
    winner: int | None

    @classmethod
    def of(
        cls,
        board: bytes,
        turn: Side,
        castling: int = 0,
        passed: int = NOWHERE,
        ply: int = 0,
        effects: Effects = NO_EFFECTS,
        boxes: Mapping[int, int] = NO_BOXES,
        graves: tuple[bytes, bytes] = (b"", b""),
        relocations: tuple[int, int] = (NO_RELOCATION, NO_RELOCATION),
    ) -> "Position":
        self = cls()
        self.board = bytearray(board)
        backwards = board[::-1]
        self.white = int(backwards.translate(_WHITE_DIGITS), 2)
        self.black = int(backwards.translate(_BLACK_DIGITS), 2)
        self.turn = turn
        self.castling = castling
        self.passed = passed
        self.ply = ply
        self.effects = effects
        self.boxes = boxes
        self.box_bits = sum(BIT[square] for square in boxes)
        self.graves = graves
        self.relocations = relocations
        self.chosen_for = NOWHERE
        self.rarity = 0
        self.winner = None
        return self

    def copy(self) -> "Position":
        """For those who make the next position out of it, and for nobody else."""
        other = _new(Position)
        other.board = self.board[:]
        other.white = self.white
        other.black = self.black
        other.turn = self.turn
        other.castling = self.castling
        other.passed = self.passed
        other.ply = self.ply
        other.effects = self.effects
        other.boxes = self.boxes
        other.box_bits = self.box_bits
        other.graves = self.graves
        other.relocations = self.relocations
        other.chosen_for = self.chosen_for
        other.rarity = self.rarity
        other.winner = self.winner
        return other

    def own(self, side: int) -> int:
        return self.black if side else self.white

    def really(self, square: int) -> int:
        """The piece there, also if it is awakened."""
        piece = self.board[square]
        if self.effects.awakened:
            return self.effects.awakened.get(square, (0, piece))[1]
        return piece

    def vacant(self) -> int:
        """The squares with neither piece, box nor hole."""
        return ALL & ~(self.white | self.black | self.box_bits | self.effects.hole_bits)

    def vacant_at_home(self, side: int) -> int:
        """Those of a side's back rank."""
        return self.vacant() & BACK_RANK[side]

    # For those who make the next position

    def put(self, square: int, piece: int) -> None:
        """A piece on a square without one."""
        self.board[square] = piece
        if piece & COLOUR:
            self.black |= BIT[square]
        else:
            self.white |= BIT[square]

    def lift(self, square: int) -> int:
        """Take a piece off the board, and let everybody forget it; what lies on it stays to be dealt with."""
        piece = self.board[square]
        self.board[square] = EMPTY
        self.white &= ~BIT[square]
        self.black &= ~BIT[square]
        self.castling &= KEPT[square]
        if self.passed != NOWHERE and square == pawn_that_passed(self.passed):
            self.passed = NOWHERE
        return piece

    def without_box(self, square: int) -> None:
        self.boxes = {each: rarity for each, rarity in self.boxes.items() if each != square}
        self.box_bits &= ~BIT[square]

    def put_box(self, square: int, rarity: int) -> None:
        self.boxes = {**self.boxes, square: rarity}
        self.box_bits |= BIT[square]


def pawn_that_passed(skipped: int) -> int:
    """Where a pawn stands that has skipped this square: White's on the fourth rank, Black's on the fifth."""
    return skipped + 8 if skipped < 32 else skipped - 8


_new = Position.__new__
_WHITE_DIGITS = bytes(
    ord("1") if piece and not piece & COLOUR and piece < COLOUR * 2 else ord("0") for piece in range(256)
)
_BLACK_DIGITS = bytes(ord("1") if COLOUR < piece < COLOUR * 2 else ord("0") for piece in range(256))
