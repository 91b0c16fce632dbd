"""What a player does who knows the game but does not look ahead: quick enough to play on from a position many times.

Values are in hundreds of dollars, as far as they are anything but a matter of taste.
"""

from collections.abc import Sequence
from random import Random

from gamut.games.acquire.actions import (
    Action,
    DisposeOfShares,
    PlayTile,
    PurchaseShares,
    SelectChainToDisposeOfNext,
    SelectMergerSurvivor,
    SelectNewChain,
)
from gamut.games.acquire.board import CHAIN_OF, PRICES, SAFE
from gamut.games.acquire.checks import MOST_SHARES
from gamut.games.acquire.kinds import FORMS, LONELY, MERGES, UNPLAYABLE, chains_around, kind_of
from gamut.games.acquire.lookahead import lead, wins_by_ending
from gamut.games.acquire.scores import bonuses
from gamut.games.acquire.state import AcquireState
from gamut.games.game import Seat

_OTHERS = 0.5
"""What a bonus for somebody else costs, as a part of it: not all of them are the one to beat."""
_FOUNDING = 30.0
"""What it is worth to found a chain: a free share, and the first shares of something that grows."""
_SOON = 0.3
"""A chain that grows without a new price is nearer to it: so much of a step of the price."""
_SAFE_SOON = 0.1
_TILE_WHIM, _SHARE_WHIM = 6.0, 3.0
"""Among what is worth about the same it is chance that chooses, so that games differ."""
_PLENTY = 25
"""With more cash than that, a dear chain is founded rather than a cheap one."""


def instinct(state: AcquireState, chance: Random) -> Action:
    """For whoever is awaited, from nothing but what that seat sees."""
    awaited = state.next
    seat = awaited.seat
    match awaited.action:
        case "PlayTile":
            return PlayTile(_tile(state, seat, chance))
        case "PurchaseShares":
            end = awaited.can_end and wins_by_ending(state, lead(state, seat))
            return PurchaseShares(_basket(state, seat, chance), end)
        case "DisposeOfShares":
            return _disposal(state, seat)
        case "SelectNewChain":
            return SelectNewChain(_new_chain(state, seat, chance))
        case "SelectMergerSurvivor":
            # What is swallowed pays bonuses, so that should be the others.
            stakes = [(_stake(state, seat, chain), chance.random(), chain) for chain in awaited.chains]
            return SelectMergerSurvivor(min(stakes)[2])
        case _:
            return SelectChainToDisposeOfNext(awaited.chains[0])


def _stake(state: AcquireState, seat: Seat, chain: int) -> float:
    """What it is worth to the seat that a chain is swallowed now: the bonuses of its team, less a part of others'."""
    held = [shares[chain] for shares in state.shares]
    return _share_of(bonuses(held, PRICES[chain][state.sizes[chain]]), seat, state.teams)


def _share_of(paid: Sequence[tuple[int, int]], seat: Seat, teams: int) -> float:
    return sum(bonus if (player - seat) % teams == 0 else -_OTHERS * bonus for player, bonus in paid)


# Tiles


def _tile(state: AcquireState, seat: Seat, chance: Random) -> int:
    best, most = None, 0.0
    for tile in state.racks[seat]:
        if tile is None:
            continue
        kind = kind_of(state.board, tile)
        if kind in UNPLAYABLE:
            continue
        value = _TILE_WHIM * chance.random()
        if kind == FORMS:
            value += _FOUNDING
        elif kind == MERGES:
            value += _merger(state, seat, tile)
        elif kind != LONELY:
            value += _growth(state, seat, CHAIN_OF[kind])
        if best is None or value > most:
            best, most = tile, value
    assert best is not None
    return best


def _merger(state: AcquireState, seat: Seat, tile: int) -> float:
    merging = chains_around(state.board, tile)
    survivor = max(merging, key=state.sizes.__getitem__)
    return sum(_stake(state, seat, chain) for chain in merging if chain != survivor)


def _growth(state: AcquireState, seat: Seat, chain: int) -> float:
    size, held = state.sizes[chain], [shares[chain] for shares in state.shares]
    step = PRICES[chain][size + 1] - PRICES[chain][size] or (_SOON if size < SAFE else _SAFE_SOON)
    return step * (
        sum(held[seat % state.teams :: state.teams]) + _share_of(bonuses(held, 1), seat, state.teams)
    )


# Chains and shares


def _new_chain(state: AcquireState, seat: Seat, chance: Random) -> int:
    """The one of which the player kept most shares; else a dear one if there is money for it."""
    held, sign = state.shares[seat], 1 if state.cash[seat] > _PLENTY else -1
    return max((held[chain], sign * PRICES[chain][2], chance.random(), chain) for chain in state.next.chains)[
        3
    ]


def _disposal(state: AcquireState, seat: Seat) -> DisposeOfShares:
    """Trades where that gives as much as selling, or nearly so and there is money enough; sells the rest."""
    survivor, defunct = state.next.survivor, state.next.defunct
    assert survivor is not None
    assert defunct is not None
    owned = state.shares[seat][defunct]
    old, new = PRICES[defunct][state.sizes[defunct]], PRICES[survivor][state.sizes[survivor]]
    trade = 0
    if new >= 2 * old or (2 * new > 3 * old and state.cash[seat] > _PLENTY):
        trade = 2 * min(owned // 2, state.available[survivor])
    return DisposeOfShares(trade, owned - trade)


def _basket(state: AcquireState, seat: Seat, chance: Random) -> tuple[int, ...]:
    """Share by share what promises most, as long as there is money."""
    cash, teams = state.cash[seat], state.teams
    others = [held for player, held in enumerate(state.shares) if (player - seat) % teams]
    offers = [
        (chain, PRICES[chain][size], state.available[chain], max([held[chain] for held in others], default=0))
        for chain, size in enumerate(state.sizes)
        if size and state.available[chain]
    ]
    basket: list[int] = []
    for _ in range(MOST_SHARES):
        best, most, cost = None, 0.0, 0
        for chain, price, available, rival in offers:
            bought = basket.count(chain)
            if price > cash or bought == available:
                continue
            ahead = state.shares[seat][chain] + bought - rival
            value = _room(state.sizes[chain]) + price * _standing(ahead, available - bought)
            value += _SHARE_WHIM * chance.random()
            if best is None or value > most:
                best, most, cost = chain, value, price
        if best is None:
            break
        basket.append(best)
        cash -= cost
    return tuple(sorted(basket))


def _room(size: int) -> float:
    """How much the price of a share may still rise."""
    return 2.0 if size < 6 else 1.0 if size < SAFE else 0.3


def _standing(ahead: int, available: int) -> float:
    """What another share is worth, in prices, to somebody who holds so many more than the next rival."""
    if ahead < -MOST_SHARES:
        return 0.3
    if ahead <= 0:
        return 5.0 + ahead
    # Whoever cannot be caught up with in a turn needs no more.
    return 0.8 * (4 - ahead) if ahead <= MOST_SHARES and available > ahead else 0.0
