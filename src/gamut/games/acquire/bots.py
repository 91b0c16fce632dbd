"""The bots. They see a position as their seat does, and never more.

A position of which a viewer does not know everything becomes a whole one with `imagined`: the tiles that the viewer
has not seen are dealt to the other racks by chance, and what is left is the bag. `played` goes on from there.
Positions are values: whoever looks ahead keeps the one they began with, and never has to copy or take back anything.
"""

from collections.abc import Callable, Mapping
from itertools import combinations_with_replacement
from math import inf
from random import Random
from types import MappingProxyType

from msgspec.structs import replace

from gamut.games.acquire.actions import (
    Action,
    DisposeOfShares,
    PlayTile,
    PurchaseShares,
    SelectChainToDisposeOfNext,
    SelectMergerSurvivor,
    SelectNewChain,
)
from gamut.games.acquire.bag import by_chance
from gamut.games.acquire.board import CHAINS, LETTERS, PRICES
from gamut.games.acquire.checks import MOST_SHARES, baskets, legal
from gamut.games.acquire.course import Course
from gamut.games.acquire.evolve import evolve
from gamut.games.acquire.kinds import UNPLAYABLE, UNSEEN, Rack, kind_of
from gamut.games.acquire.scores import nets, team_of, team_scores
from gamut.games.acquire.state import AcquireState
from gamut.games.budget import UNLIMITED, Budget
from gamut.games.game import Seat

Bot = Callable[[AcquireState, Seat, Random, Budget], Action]

AT_ONCE = 1
"""Actions that are looked at between two looks at the clock."""
_PICKS = tuple(
    tuple(
        pick
        for count in range(MOST_SHARES + 1)
        for pick in combinations_with_replacement(range(chains), count)
    )
    for chains in range(len(CHAINS) + 1)
)
"""By how many chains there are shares of: all that could be bought."""


# Looking ahead


def imagined(state: AcquireState, chance: Random) -> AcquireState:
    """A whole position that looks like this one to whoever sees it."""
    hidden = sum(rack.count(UNSEEN) for rack in state.racks)
    if not hidden:
        return state
    dealt = chance.sample(state.unseen, hidden)
    bag = set(state.unseen).difference(dealt)
    racks: list[Rack] = [
        tuple([dealt.pop() if tile == UNSEEN else tile for tile in rack]) if UNSEEN in rack else rack
        for rack in state.racks
    ]
    return replace(state, racks=tuple(racks), unseen=tuple(sorted(bag)))


def played(state: AcquireState, action: Action, chance: Random) -> AcquireState:
    """The position after an action that is allowed, of a position of which everything is known."""
    return evolve(state, Course(state, by_chance(chance)).run(state.next.seat, action))


# The levels


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
        case "SelectNewChain":
            return SelectNewChain(chance.choice(awaited.chains))
        case "SelectMergerSurvivor":
            return SelectMergerSurvivor(chance.choice(awaited.chains))
        case _:
            return SelectChainToDisposeOfNext(chance.choice(awaited.chains))


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
    if state.next.action == "PurchaseShares":
        choices: list[Action] = [PurchaseShares(basket) for basket in baskets(state, seat)]
    else:
        choices = list(legal(state))
    chance.shuffle(choices)
    best, lead = choices[0], -inf
    looked_at, work = 0, budget.work(len(choices), AT_ONCE)
    while steps := work.next():
        for action in choices[looked_at : looked_at + steps]:
            found = _lead(played(whole, action, chance), seat)
            if found > lead:
                best, lead = action, found
        looked_at += steps
    if isinstance(best, PurchaseShares) and state.next.can_end and lead > 0:
        return PurchaseShares(best.chains, end=True)
    return best


def _lead(state: AcquireState, seat: Seat) -> int:
    """How far the seat's team is in front of the next one. Shares of chains that were swallowed count for nothing."""
    worth = nets(state)
    for chain, size in enumerate(state.sizes):
        if size and LETTERS[chain] not in state.board:
            price = PRICES[chain][size]
            for player, shares in enumerate(state.shares):
                worth[player] -= shares[chain] * price
    scores = team_scores(worth, state.teams)
    own = scores.pop(team_of(seat, state.teams))
    return own - max(scores, default=0)


LEVELS: Mapping[str, Bot] = MappingProxyType({"casual": casual, "sensible": sensible})
"""Weakest first."""
