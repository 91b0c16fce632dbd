"""What a game of Power Chess is made of: its states, actions and events.

Whatever ends by itself has the number of the MOVE with which it ends: after `ply` MOVEs, `end - ply` more are left.
"""

from typing import Literal

import msgspec

from gamut.games.game import Seat
from gamut.games.powerchess.powers import PowerName, Rarity
from gamut.games.powerchess.squares import Square

Promotion = Literal["queen", "rook", "bishop", "knight"]
Reason = Literal["king", "no_move", "resigned", "time", "agreed", "endless"]
UNSEEN: Literal["unseen"] = "unseen"
"""In the place of a power that was offered to somebody else."""
Offer = tuple[PowerName | Literal["unseen"], PowerName | Literal["unseen"]]

# Actions


class Move(msgspec.Struct, frozen=True, gc=False, tag="move"):
    """Move a piece; a pawn that gets to the last rank becomes what is said."""

    start: Square
    end: Square
    promotion: Promotion = "queen"


class Use(msgspec.Struct, frozen=True, gc=False, tag="use"):
    """Use one of the two powers that were offered, on a square if it needs one."""

    power: PowerName
    target: Square | None = None


Action = Move | Use

# What lies on the board


class Marks(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What lies on a piece; 0 for what does not."""

    square: int
    shield: int = 0
    """Invulnerable until then, or until it captures."""
    guard: int = 0
    """Invulnerable until then."""
    awake: int = 0
    """A queen until then."""
    really: str = ""
    """The letter of what it is when it does not wake."""
    net: bool = False


class Hole(msgspec.Struct, frozen=True, gc=False):
    square: int
    end: int


class Box(msgspec.Struct, frozen=True, gc=False):
    square: int
    rarity: Rarity


class Relocation(msgspec.Struct, frozen=True, gc=False):
    """What a Rewind takes back."""

    piece: str
    """As it really was before."""
    start: int
    end: int


Relocations = tuple[Relocation | None, Relocation | None]

# Events


class Update(msgspec.Struct, frozen=True, gc=False):
    """What is to be seen on a square now."""

    square: int
    shown: str
    """`.`, `hole`, the rarity of a box, or the letter of a piece, with a `+` behind it if it is invulnerable."""


class Began(msgspec.Struct, frozen=True, gc=False, tag="began"):
    board: str
    """One letter for each square from a1, `.` for an empty one; capitals are White's."""
    boxes: bool = True


class Moved(msgspec.Struct, frozen=True, gc=False, tag="moved", omit_defaults=True):
    """A MOVE, and all that came of it. None: it is as it was."""

    seat: Seat
    start: int
    end: int
    updates: tuple[Update, ...] = ()
    """The squares that look otherwise than if the piece on the one were carried to the other, and that were all."""
    captured: str = ""
    """The piece as it acted."""
    saved: int | None = None
    """Where its net took the piece that would have been captured."""
    took: Rarity | None = None
    """The box on which the piece landed."""
    due: bool = False
    """The wait for a box was over."""
    box: Box | None = None
    """It came; if one was due and did not, there was no vacant square."""
    last: bool = False
    """A side has no king left: nothing is counted any more."""
    passed: int | None = None
    """The square that a pawn skipped."""
    castling: str | None = None
    marks: tuple[Marks, ...] | None = None
    holes: tuple[Hole, ...] | None = None
    energized: tuple[int, int] | None = None
    graves: tuple[str, str] | None = None


class Offered(msgspec.Struct, frozen=True, gc=False, tag="offered"):
    """Whoever took a box is to choose one of two powers."""

    seat: Seat
    square: int
    """Of the piece that took it."""
    rarity: Rarity
    powers: Offer


class Used(msgspec.Struct, frozen=True, gc=False, tag="used", omit_defaults=True):
    """A power was used, and all that came of it. None: it is as it was."""

    seat: Seat
    rarity: Rarity
    power: PowerName
    square: int
    """Of the piece that took the box, before."""
    target: int | None = None
    updates: tuple[Update, ...] = ()
    """As with a move, where the power is one: Adjust and Second Effort."""
    captured: str = ""
    drawn: int | None = None
    """The square of a back rank that chance chose: for what was sent away, made, or saved by its net."""
    reanimated: str = ""
    took: Rarity | None = None
    passed: int | None = None
    castling: str | None = None
    marks: tuple[Marks, ...] | None = None
    holes: tuple[Hole, ...] | None = None
    energized: tuple[int, int] | None = None
    graves: tuple[str, str] | None = None
    relocations: Relocations | None = None


class Placed(msgspec.Struct, frozen=True, gc=False, tag="placed"):
    """Somebody who tries a client has put a box onto the board."""

    box: Box


class Ended(msgspec.Struct, frozen=True, gc=False, tag="ended"):
    winner: Seat | None
    """None: a draw."""
    reason: Reason


Event = Began | Moved | Offered | Used | Placed | Ended

# The state


class Choice(msgspec.Struct, frozen=True, gc=False):
    """Whoever is to act has taken a box, and chooses."""

    square: int
    rarity: Rarity
    powers: Offer


class PowerChessState(msgspec.Struct, frozen=True, dict=True):
    """Beside its fields it has the position that was worked out for it (`translation.position_of`)."""

    board: str
    """The pieces as they act: an awakened one is a queen."""
    turn: Seat | None = Seat(0)
    """Who is to act; None when the game is over."""
    choice: Choice | None = None
    ply: int = 0
    castling: str = "KQkq"
    """The rights that are left, in the letters of chess."""
    passed: int | None = None
    boxes: tuple[Box, ...] = ()
    holes: tuple[Hole, ...] = ()
    marks: tuple[Marks, ...] = ()
    energized: tuple[int, int] = (0, 0)
    """When Energize ends for each side; 0: it is not running."""
    graves: tuple[str, str] = ("", "")
    """The pieces that each side has lost by capture, in order."""
    relocations: Relocations = (None, None)
    """Each side's latest."""
    waiting_since: int | None = 0
    """After which MOVE the wait for the next box began; None: none comes."""
    ending: Ended | None = None
