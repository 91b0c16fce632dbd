"""The server with a Power Chess in which chance is written down."""

from collections.abc import Sequence
from random import Random

from gamut.games.game import AnyGame, Seat
from gamut.games.powerchess.debugging import Arrangement
from gamut.games.powerchess.decide import decided
from gamut.games.powerchess.draws import ChanceDraws
from gamut.games.powerchess.powers import PowerName, Rarity
from gamut.games.powerchess.rules import PowerChess
from gamut.games.powerchess.squares import square_named
from gamut.games.powerchess.state import Action, Event, Offer, PowerChessState
from gamut.games.registry import all_games

BOXES: dict[int, tuple[str, Rarity]] = {
    2: ("e5", "common"),
    6: ("d4", "rare"),
    8: ("f3", "legendary"),
}
"""With which moves a box comes, where, and which."""
OFFERS: dict[str, Offer] = {
    "shield": ("shield", "swap"),
    "energize": ("energize", "black_hole"),
    "awaken": ("awaken", "armageddon"),
}
"""Which two powers are offered, if this one is among those that could be used."""


class WrittenDraws(ChanceDraws):
    """Boxes and offers are as above; all else is chance."""

    def __init__(self, ply: int, chance: Random) -> None:
        super().__init__(chance)
        self._ply = ply

    def box_is_due(self, waited: int) -> bool:
        return self._ply in BOXES

    def box(self, squares: Sequence[int]) -> tuple[int, Rarity]:
        name, rarity = BOXES[self._ply]
        return square_named(name), rarity

    def offer(self, powers: Sequence[PowerName]) -> Offer:
        return next(offer for power, offer in OFFERS.items() if power in powers)


class WrittenPowerChess(PowerChess):
    def decide(
        self, state: PowerChessState, seat: Seat, action: Action | Arrangement, chance: Random
    ) -> Sequence[Event]:
        assert not isinstance(action, Arrangement)
        return decided(state, seat, action, WrittenDraws(state.ply + 1, chance))


def games() -> dict[str, AnyGame]:
    return {**all_games(), "powerchess": WrittenPowerChess()}


if __name__ == "__main__":
    from tests.browser.support import powerchess_server, serving

    serving.serve(powerchess_server.games)
