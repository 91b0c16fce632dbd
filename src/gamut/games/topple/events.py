"""What players may do in Topple, and what can happen."""

from typing import Annotated, Literal

import msgspec

from gamut.games.game import Seat
from gamut.games.topple.state import Setup
from gamut.games.topple.topology import LONGEST_SIDE


class Place(msgspec.Struct, frozen=True, gc=False, tag="place"):
    """Put a piece on a tile that is neutral or one's own team's."""

    tile: Annotated[int, msgspec.Meta(ge=0, lt=LONGEST_SIDE * LONGEST_SIDE)]


class Began(msgspec.Struct, frozen=True, gc=False, tag="began"):
    """Every tile is neutral and has one piece; the first seat that is taken has the first turn."""

    setup: Setup


class Resumed(msgspec.Struct, frozen=True, gc=False, tag="resumed"):
    """A suspended game goes on."""

    setup: Setup
    board: bytes
    owners: bytes
    alive: tuple[bool, ...]
    turn: Seat | None
    scores: tuple[int | None, ...]


class Moved(msgspec.Struct, frozen=True, gc=False, tag="moved"):
    """A piece was placed. What toppled, who was captured out and who won follow from it."""

    seat: Seat
    tile: int


class Skipped(msgspec.Struct, frozen=True, gc=False, tag="skipped"):
    """A turn passed without a move."""

    seat: Seat


class Removed(msgspec.Struct, frozen=True, gc=False, tag="removed"):
    """Somebody is out of the turn order. The tiles stay with the team and can still be captured."""

    seat: Seat
    why: Literal["left", "lost", "resigned"]


Event = Began | Resumed | Moved | Skipped | Removed
