"""The bots: each looks at a position and names a tile. What it draws from chance is all that varies."""

from collections.abc import Callable, Mapping
from math import inf
from random import Random
from types import MappingProxyType

from gamut.games.budget import Budget
from gamut.games.game import Seat
from gamut.games.topple.cascade import cascade
from gamut.games.topple.forecast import Forecast
from gamut.games.topple.prospects import prospects
from gamut.games.topple.search import Position, Search
from gamut.games.topple.state import ToppleState
from gamut.games.topple.topology import field

Bot = Callable[[ToppleState, Seat, Random, Budget], int]


def _allowed(state: ToppleState, team: int) -> list[int]:
    return [tile for tile, owner in enumerate(state.owners) if owner in (0, team)]


def casual(state: ToppleState, seat: Seat, chance: Random, budget: Budget) -> int:
    """Any tile that is allowed."""
    return chance.choice(_allowed(state, state.setup.teams[seat]))


def sensible(state: ToppleState, seat: Seat, chance: Random, budget: Budget) -> int:
    """Wins if it can; else it wants many tiles, full ones among them, and few that can be taken at once."""
    setup, team = state.setup, state.setup.teams[seat]
    on = field(setup.topology, setup.x, setup.y)

    def worth(tile: int) -> float:
        board, owners, owned = bytearray(state.board), bytearray(state.owners), list(state.owned)
        cascade(on, board, owners, owned, tile, team)
        return inf if owned[team] == on.tiles else prospects(on, board, owners, owned, team)

    worths = {tile: worth(tile) for tile in _allowed(state, team)}
    most = max(worths.values())
    return chance.choice([tile for tile, value in worths.items() if value == most])


def strong(state: ToppleState, seat: Seat, chance: Random, budget: Budget) -> int:
    """Looks several moves ahead."""
    setup = state.setup
    players = [setup.teams[seat]]
    following = state.after(seat)
    while following is not None and following != seat:
        players.append(setup.teams[following])
        following = state.after(following)
    on = field(setup.topology, setup.x, setup.y)
    start = Position(bytearray(state.board), bytearray(state.owners), list(state.owned))
    search = Search(on, players, budget) if len(set(players)) <= 2 else Forecast(on, players, budget)
    return search.best(start, chance)


LEVELS: Mapping[str, Bot] = MappingProxyType({"casual": casual, "sensible": sensible, "strong": strong})
"""Weakest first."""

NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "casual": ("Clover", "Tansy", "Fennel", "Bramble", "Borage", "Vetch", "Sorrel", "Catkin", "Teasel"),
        "sensible": (
            "Yarrow",
            "Lovage",
            "Betony",
            "Comfrey",
            "Campion",
            "Burdock",
            "Bracken",
            "Sedge",
            "Mallow",
        ),
        "strong": (
            "Nettle",
            "Thistle",
            "Hawthorn",
            "Hemlock",
            "Samphire",
            "Wormwood",
            "Foxglove",
            "Medlar",
            "Gorse",
        ),
    }
)
"""What the bots of each strength are called, in the order in which they are asked to a table."""
