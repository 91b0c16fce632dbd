"""All chance in a game of Power Chess. Tests and recorded games bring their own."""

from collections.abc import Sequence
from random import Random
from typing import Protocol

from gamut.games.powerchess.powers import RARITIES, PowerName, Rarity
from gamut.games.powerchess.squares import RANK, squares_in
from gamut.games.powerchess.state import Offer

_UP_TO_PERCENT = (70, 95, 100)
"""Of every hundred boxes, so many are of this rarity or a lesser one."""
_SPAWN_RANKS = RANK[2] | RANK[3] | RANK[4] | RANK[5]
_OUTER, _INNER = (40, 70, 70, 40), (50, 80, 80, 50)
"""Weights by rank, from the third to the sixth: of the two outer files on each side, and of the four inner ones."""
_WEIGHTS = tuple(
    0 if not _SPAWN_RANKS >> square & 1 else (_INNER if 2 <= square & 7 <= 5 else _OUTER)[(square >> 3) - 2]
    for square in range(64)
)


class Draws(Protocol):
    def box_is_due(self, waited: int) -> bool:
        """Whether a box comes with this MOVE, so many MOVEs after the wait began."""

    def box(self, squares: Sequence[int]) -> tuple[int, Rarity]:
        """On which of these squares, and which."""

    def offer(self, powers: Sequence[PowerName]) -> Offer:
        """Two of the powers that could be used."""

    def square(self, squares: Sequence[int]) -> int:
        """One of the vacant squares of a back rank."""

    def grave(self, buried: str) -> str:
        """Which of the pieces comes back."""


class ChanceDraws:
    """As the rules say."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def box_is_due(self, waited: int) -> bool:
        # A box comes with the second, third or fourth MOVE, each as likely as the others. Drawn anew with every MOVE,
        # that is a third, then a half, then certain: nobody knows it beforehand, not even the server.
        return waited >= 2 and (waited >= 4 or self._chance.random() * (5 - waited) < 1)

    def box(self, squares: Sequence[int]) -> tuple[int, Rarity]:
        weights = [_WEIGHTS[square] for square in squares]
        (square,) = self._chance.choices(squares, weights)
        (rarity,) = self._chance.choices(RARITIES, cum_weights=_UP_TO_PERCENT)
        return square, rarity

    def offer(self, powers: Sequence[PowerName]) -> Offer:
        first, second = self._chance.sample(powers, 2)
        return first, second

    def square(self, squares: Sequence[int]) -> int:
        return self._chance.choice(squares)

    def grave(self, buried: str) -> str:
        return self._chance.choice(buried)


def spawn_squares(vacant: int) -> list[int]:
    """The squares, of those that are vacant, on which a box can come."""
    return squares_in(vacant & _SPAWN_RANKS)
