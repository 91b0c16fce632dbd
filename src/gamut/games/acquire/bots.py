"""The bots. They see a position as their seat does, and never more."""

from collections.abc import Callable, Mapping
from itertools import combinations_with_replacement
from random import Random
from types import MappingProxyType

from gamut.games.acquire.actions import SELECTS, Action, DisposeOfShares, PlayTile, PurchaseShares
from gamut.games.acquire.board import CHAINS, PRICES
from gamut.games.acquire.checks import MOST_SHARES
from gamut.games.acquire.kinds import UNPLAYABLE, kind_of
from gamut.games.acquire.lookahead import imagined, lead, played, possible, wins_by_ending
from gamut.games.acquire.search import Search
from gamut.games.acquire.state import AcquireState
from gamut.games.budget import UNLIMITED, Budget, best_of
from gamut.games.game import Seat

Bot = Callable[[AcquireState, Seat, Random, Budget], Action]

AT_ONCE = 1
"""Actions that are looked at between two looks at the clock."""
STRONG_STEPS, STRONG_AT_ONCE = 4_000, 64
"""Actions that the strong bot plays in its thoughts, and how many of them between two looks at the clock."""
_PICKS = tuple(
    tuple(
        pick
        for count in range(MOST_SHARES + 1)
        for pick in combinations_with_replacement(range(chains), count)
    )
    for chains in range(len(CHAINS) + 1)
)
"""By how many chains there are shares of: all that could be bought."""


def casual(state: AcquireState, seat: Seat, chance: Random, budget: Budget = UNLIMITED) -> Action:
    """Anything that is allowed. It ends the game half of the times that it may."""
    awaited = state.next
    match awaited.action:
        case "PlayTile":
            return PlayTile(_tile(state, seat, chance))
        case "PurchaseShares":
            return PurchaseShares(_basket(state, seat, chance), awaited.can_end and chance.random() < 0.5)
        case "DisposeOfShares":
            return _disposal(state, seat, chance)
        case select:
            return SELECTS[select](chance.choice(awaited.chains))


def _tile(state: AcquireState, seat: Seat, chance: Random) -> int:
    """Most tiles can be played, so it is drawn until one can be: quicker than to look at all of them."""
    tiles = [tile for tile in state.racks[seat] if tile is not None]
    while True:
        tile = chance.choice(tiles)
        if kind_of(state.board, tile) not in UNPLAYABLE:
            return tile


def _basket(state: AcquireState, seat: Seat, chance: Random) -> tuple[int, ...]:
    """Every purchase is as likely as the others. Few are too dear, so it is drawn until one is not."""
    cash, left, sizes = state.cash[seat], state.available, state.sizes
    offered = [chain for chain, size in enumerate(sizes) if size and left[chain]]
    picks = _PICKS[len(offered)]
    while True:
        basket = [offered[pick] for pick in chance.choice(picks)]
        cost = 0
        for chain in basket:
            cost += PRICES[chain][sizes[chain]]
            if basket.count(chain) > left[chain]:
                break
        else:
            if cost <= cash:
                return tuple(basket)


def _disposal(state: AcquireState, seat: Seat, chance: Random) -> DisposeOfShares:
    awaited = state.next
    assert awaited.defunct is not None
    assert awaited.survivor is not None
    owned = state.shares[seat][awaited.defunct]
    most = min(owned, 2 * state.available[awaited.survivor])
    trade = 2 * chance.randrange(most // 2 + 1)
    return DisposeOfShares(trade, chance.randrange(owned - trade + 1))


def sensible(state: AcquireState, seat: Seat, chance: Random, budget: Budget = UNLIMITED) -> Action:
    """Does what leaves its team farthest in front of the others, and looks no farther than that."""
    whole = imagined(state, chance)
    choices = possible(state)
    chance.shuffle(choices)
    best, most = best_of(choices, lambda action: lead(played(whole, action, chance), seat), budget, AT_ONCE)
    if isinstance(best, PurchaseShares) and wins_by_ending(state, most):
        return PurchaseShares(best.chains, end=True)
    return best


def strong(state: AcquireState, seat: Seat, chance: Random, budget: Budget = UNLIMITED) -> Action:
    """Tries what it could do in many positions that fit what it sees, some turns ahead."""
    return Search(state, seat, chance, budget.work(STRONG_STEPS, STRONG_AT_ONCE)).best()


LEVELS: Mapping[str, Bot] = MappingProxyType({"casual": casual, "sensible": sensible, "strong": strong})
"""Weakest first."""

NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "casual": ("Quince", "Damson", "Bilberry", "Sloe", "Greengage", "Mirabelle"),
        "sensible": ("Florin", "Ducat", "Guilder", "Groat", "Thaler", "Farthing"),
        "strong": ("Topaz", "Garnet", "Agate", "Zircon", "Spinel", "Citrine"),
    }
)
"""What the bots of each strength are called, in the order in which they are asked to a table."""
