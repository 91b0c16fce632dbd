"""Whether an action is allowed, and if not, why. The order of the checks is part of the protocol."""

from collections.abc import Iterator
from typing import Any

from gamut.games.acquire.actions import (
    NAMES,
    SELECTS,
    Action,
    DisposeOfShares,
    PlayTile,
    PurchaseShares,
    Select,
    SelectChainToDisposeOfNext,
    SelectMergerSurvivor,
    SelectNewChain,
    action_of,
)
from gamut.games.acquire.board import CHAINS, PRICES, TILES, tile_name
from gamut.games.acquire.kinds import NEVER, UNPLAYABLE, kind_of, playable
from gamut.games.acquire.state import AcquireState
from gamut.games.game import Refused, Seat

MOST_SHARES = 3

_WHAT = {
    "PlayTile": "A tile is to be played.",
    "SelectNewChain": "The new chain is to be chosen.",
    "SelectMergerSurvivor": "The chain that survives is to be chosen.",
    "SelectChainToDisposeOfNext": "The chain to dispose of next is to be chosen.",
    "DisposeOfShares": "Shares of the swallowed chain are to be traded, sold or kept.",
    "PurchaseShares": "Shares are to be bought.",
}


def asked(state: AcquireState, name: str, params: Any) -> Action:
    """The action that somebody names, with its parameters; Refused where that is not what is awaited."""
    awaited = state.next.action
    if awaited == "GameOver":
        raise Refused("game_over", "The game is over.")
    if name != awaited:
        raise Refused("wrong_action", _WHAT[awaited])
    return action_of(awaited, params)


def check(state: AcquireState, seat: Seat, action: Action) -> None:
    """Raise Refused unless the seat may do that now."""
    awaited = state.next
    if awaited.action == "GameOver":
        raise Refused("game_over", "The game is over.")
    if seat != awaited.seat:
        raise Refused("not_your_turn", "Somebody else is to act.")
    if NAMES[type(action)] != awaited.action:
        raise Refused("wrong_action", _WHAT[awaited.action])
    if type(action) is PlayTile:
        _check_tile(state, seat, action.tile)
    elif type(action) is PurchaseShares:
        _check_purchase(state, seat, action.chains)
    elif type(action) is DisposeOfShares:
        _check_disposal(state, seat, action.trade, action.sell)
    else:
        assert not isinstance(action, PlayTile | PurchaseShares | DisposeOfShares)
        _check_choice(state, action)


def _check_tile(state: AcquireState, seat: Seat, tile: int) -> None:
    if not 0 <= tile < TILES:
        raise Refused("invalid_tile", "A tile is a number from 0 to 107.")
    if tile not in state.racks[seat]:
        raise Refused("tile_not_in_rack", f"You do not hold {tile_name(tile)}.")
    kind = kind_of(state.board, tile)
    if kind in UNPLAYABLE:
        why = "it would merge safe chains" if kind == NEVER else "all seven chains are on the board"
        raise Refused("tile_not_playable", f"{tile_name(tile)} cannot be played: {why}.")


_NOT_TO_CHOOSE = {
    SelectNewChain: ("chain_not_free", "is on the board already"),
    SelectMergerSurvivor: ("chain_not_largest", "is not one of the largest that meet"),
    SelectChainToDisposeOfNext: ("chain_not_in_group", "is not one of those that come next"),
}


def _check_choice(state: AcquireState, action: Select) -> None:
    _check_chain(action.chain)
    if action.chain not in state.next.chains:
        code, why = _NOT_TO_CHOOSE[type(action)]
        raise Refused(code, f"{CHAINS[action.chain]} {why}.")


def _check_chain(chain: int) -> None:
    if not 0 <= chain < len(CHAINS):
        raise Refused("invalid_chain", "A chain is a number from 0 to 6.")


def _check_disposal(state: AcquireState, seat: Seat, trade: int, sell: int) -> None:
    survivor, defunct = state.next.survivor, state.next.defunct
    assert survivor is not None
    assert defunct is not None
    if trade < 0:
        raise Refused("invalid_trade_amount", "The number of shares to trade is 0 or more.")
    if sell < 0:
        raise Refused("invalid_sell_amount", "The number of shares to sell is 0 or more.")
    if trade % 2:
        raise Refused("odd_trade_amount", "Shares are traded two for one.")
    if trade // 2 > state.available[survivor]:
        raise Refused(
            "trade_exceeds_available", f"There are not so many shares of {CHAINS[survivor]} to be had."
        )
    if trade + sell > state.shares[seat][defunct]:
        raise Refused("exceeds_owned", f"You do not hold so many shares of {CHAINS[defunct]}.")


def _check_purchase(state: AcquireState, seat: Seat, chains: tuple[int, ...]) -> None:
    if not chains:
        return
    if len(chains) > MOST_SHARES:
        raise Refused("too_many_shares", "At most three shares are bought in a turn.")
    for chain in chains:
        _check_chain(chain)
    cost = 0
    for chain in sorted(set(chains)):
        count = chains.count(chain)
        if state.sizes[chain] == 0:
            raise Refused("chain_not_on_board", f"{CHAINS[chain]} is not on the board.")
        if count > state.available[chain]:
            raise Refused("exceeds_available", f"There are not so many shares of {CHAINS[chain]} to be had.")
        cost += count * PRICES[chain][state.sizes[chain]]
    if cost > state.cash[seat]:
        raise Refused("not_enough_cash", "You do not have the money for these shares.")


# What is allowed


class Purchases(tuple[PurchaseShares, ...]):
    """What may be bought. The shares are listed in the order of their chains, but may be named in any."""

    __slots__ = ()

    def __contains__(self, action: object) -> bool:
        return isinstance(action, PurchaseShares) and super().__contains__(
            PurchaseShares(tuple(sorted(action.chains)), action.end)
        )


def baskets(state: AcquireState, seat: Seat) -> Iterator[tuple[int, ...]]:
    """All that the seat could buy now, whatever is awaited."""
    left, sizes = state.available, state.sizes
    offered = [
        (chain, PRICES[chain][size], left[chain]) for chain, size in enumerate(sizes) if size and left[chain]
    ]
    bought: list[tuple[tuple[int, ...], int, int, int]] = [((), state.cash[seat], 0, 0)]
    for basket, cash, first, held in bought:
        yield basket
        if len(basket) == MOST_SHARES:
            continue
        # One more share of the last chain, or of one that comes after it.
        for place in range(first, len(offered)):
            chain, price, available = offered[place]
            count = held + 1 if place == first else 1
            if price <= cash and count <= available:
                bought.append(((*basket, chain), cash - price, place, count))


def legal(state: AcquireState) -> tuple[Action, ...]:
    """Everything that the awaited seat may do."""
    awaited = state.next
    seat = awaited.seat
    match awaited.action:
        case "PlayTile":
            return tuple(map(PlayTile, playable(state.board, state.racks[seat])))
        case "PurchaseShares":
            # Whoever asks for an end that is not allowed yet buys all the same.
            return Purchases(
                PurchaseShares(basket, end) for end in (False, True) for basket in baskets(state, seat)
            )
        case "DisposeOfShares":
            assert awaited.survivor is not None
            assert awaited.defunct is not None
            owned = state.shares[seat][awaited.defunct]
            most = min(owned, 2 * state.available[awaited.survivor])
            return tuple(
                DisposeOfShares(trade, sell)
                for trade in range(0, most + 1, 2)
                for sell in range(owned - trade + 1)
            )
        case "GameOver":
            return ()
        case select:
            return tuple(map(SELECTS[select], awaited.chains))
