"""All chance in a game of Power Chess. Tests and recorded games bring their own."""

from collections.abc import Sequence
from random import Random
from typing import Protocol

from gamut.games.powerchess.powers import RARITIES, PowerName, Rarity
from gamut.games.powerchess.state import Offer

_UP_TO_PERCENT = (70, 95, 100)
"""Of every hundred boxes, so many are of this rarity or a lesser one."""
_RANKS = (16, 24, 32, 40)
"""The first squares of those on which boxes come: the third to the sixth."""
_OUTER, _INNER = (40, 70, 70, 40), (50, 80, 80, 50)
"""Weights by rank: of the two outer files on each side, and of the four inner ones."""
_WEIGHTS = {
    rank | file: (_INNER if 2 <= file <= 5 else _OUTER)[place]
    for place, rank in enumerate(_RANKS)
    for file in range(8)
}
_FILES_IN = tuple(tuple(file for file in range(8) if bits >> file & 1) for bits in range(256))
"""By the bits of a rank."""


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
        (square,) = self._chance.choices(squares, list(map(_WEIGHTS.__getitem__, squares)))
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
    return [rank | file for rank in _RANKS for file in _FILES_IN[vacant >> rank & 255]]
