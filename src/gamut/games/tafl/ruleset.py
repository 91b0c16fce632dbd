"""Every switch of a game of Tafl."""

from typing import Literal

import msgspec

from gamut.games.tafl.pieces import LETTERS, UNLISTED

SIZES = tuple(range(5, 20, 2))
MOST_PIECES = 254
UNLIMITED = -1
UNNAMED = "Unknown Tafl"

AREAS = ("corner", "centre", "attacker_fort", "defender_fort")

Jump = Literal["never", "restricted", "over", "capturing"]
"""A piece never jumps; from or to a special space only; over an enemy; or over an enemy whom it captures."""


class Area(msgspec.Struct, frozen=True, gc=False):
    """A group of special spaces, and which pieces may do what there. Lists of pieces are in canonical order."""

    spaces: tuple[int, ...]
    passing: str
    stopping: str
    hostile: str
    """To whom; of an occupied centre space only."""
    entering: str
    """Who may come in from outside."""


class Rules(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    size: int
    name: str = UNNAMED
    start: str
    """The board at the start, one letter for each space."""
    corner: Area
    centre: Area
    attacker_fort: Area
    defender_fort: Area
    empty_centre_hostile: str = UNLISTED
    escape: Literal["corner", "edge"] = "corner"
    surround: bool = True
    """Encircled defenders lose."""
    attackers_first: bool = True
    repetition: Literal["draw", "loses", "wins", "ignored"] = "draw"
    """What the third occurrence of a position brings to whoever made it."""
    king_captures: Literal["both", "hammer", "anvil", "neither"] = "both"
    """Whether the king captures by moving (hammer), and others capture against him (anvil)."""
    king_strength: Literal["strong", "centre", "middle", "weak"] = "strong"
    king_jump: Jump = "never"
    knight_jump: Jump = "capturing"
    commander_jump: Jump = "over"
    mercenary_jump: Jump = "never"
    guard_jump: Jump = "never"
    speeds: tuple[int, ...] = (UNLIMITED,) * len(LETTERS)
    """How far each kind of piece moves, in the order of LETTERS; 0 or less: as far as it likes."""
    shieldwall: Literal["none", "weak", "strong"] = "none"
    flanking: bool = True
    """A shieldwall is captured only by a piece that closes one of its ends."""
    edge_forts: bool = False
    linnaean: bool = False
    berserk: Literal["none", "captures", "moves"] = "none"

    @property
    def areas(self) -> tuple[Area, Area, Area, Area]:
        """Where a space is in several of them, the last one counts."""
        return self.corner, self.centre, self.attacker_fort, self.defender_fort

    @property
    def title(self) -> str:
        return titled(self.name, self.size)


def titled(name: str, size: int | str) -> str:
    """How rules are called in lists."""
    return f"{name} {size}x{size}"


def default_areas(size: int) -> tuple[Area, Area, Area, Area]:
    """Corner, centre, attacker fort, defender fort."""
    last = size * size - 1
    return (
        Area((0, size - 1, last - size + 1, last), "K", "K", UNLISTED, UNLISTED),
        Area((last // 2,), UNLISTED, "K", "tcnkm", UNLISTED),
        Area((), UNLISTED, UNLISTED, "TCNKM", UNLISTED),
        Area((), UNLISTED, "TCNKM", "tcnkm", UNLISTED),
    )
