"""A position of Topple, and the settings that stay the same throughout a game."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from gamut.games.game import Seat

MOST_PLAYERS = 10
TEAMS = 6
"""Teams are numbered from 1; 0 is neutral."""

Scoring = Literal["elim", "tile", "piece"]
Penalty = Literal["random", "skip", "lose"]
Ending = Literal["everything", "alone", "idle", "resigned"]
"""A team owns every tile; nobody else is left in the turn order; nobody moved for too long; or one of two gave up."""


def usual_team(seat: int) -> int:
    """The team of a seat where nothing else was agreed: from the seventh on they share."""
    return seat % TEAMS + 1


class Setup(msgspec.Struct, frozen=True, gc=False):
    """What was agreed before the game began."""

    topology: int
    x: int
    y: int
    teams: tuple[int, ...]
    """The team of each seat; 0 for a seat that nobody took. Seat 0 is player 1, and so on: see `number`."""
    scoring: Scoring = "elim"
    penalty: Penalty = "random"
    idle_rounds: int = 5

    @property
    def tiles(self) -> int:
        return self.x * self.y


class ToppleState(msgspec.Struct, frozen=True, gc=False):
    """The pieces, whose they are, and who is still in the game."""

    setup: Setup
    board: bytes
    """The pieces on each tile, at least 1."""
    owners: bytes
    """The team that owns each tile; 0 is neutral."""
    owned: tuple[int, ...]
    """How many tiles are neutral, and each team's."""
    alive: tuple[bool, ...]
    """Who is in the turn order."""
    turn: Seat | None
    """Who moves next; None when the game is over."""
    scores: tuple[int | None, ...]
    """Index 0, which is for nobody, and each team's score; None while it has none."""
    first: bool = True
    """Nobody's turn has ended yet. The first turn of a game is not timed."""
    idle: int = 0
    """Turns skipped in a row."""
    fell: tuple[Seat, ...] = ()
    """Who was captured out by the last move, in the order in which it happened."""
    winner: int | None = None
    """The winning team."""
    ending: Ending | None = None

    def living(self) -> Iterator[Seat]:
        return (Seat(seat) for seat, alive in enumerate(self.alive) if alive)

    def after(self, seat: int) -> Seat | None:
        """Who is next in the turn order after this seat; None if there is nobody else."""
        return following(self.alive, seat)


def following(alive: tuple[bool, ...], seat: int) -> Seat | None:
    count = len(alive)
    place = (seat + 1) % count
    while place != seat:
        if alive[place]:
            return Seat(place)
        place = (place + 1) % count
    return None


def number(seat: Seat) -> int:
    """The player number that the protocol and the files use for a seat."""
    return seat + 1


def seat_of(number: int) -> Seat:
    return Seat(number - 1)
