"""The games this server offers, by name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from gamut.games.acquire.rules import Acquire
from gamut.games.game import AnyGame
from gamut.games.powerchess.rules import PowerChess
from gamut.games.tafl.rules import Tafl
from gamut.games.topple.rules import Topple
from gamut.games.tower.rules import Tower

Games = Callable[[], Mapping[str, AnyGame]]
"""Which games there are; asked once in each process."""


def all_games() -> Mapping[str, AnyGame]:
    """Every registered game. A new one is a folder beside `tower` and a line here."""
    games: list[AnyGame] = [Tower(), Topple(), Tafl(), Acquire(), PowerChess()]
    return MappingProxyType({game.traits.name: game for game in games})
