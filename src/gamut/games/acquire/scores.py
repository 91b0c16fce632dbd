"""Bonuses, what everybody is worth, and who is in front. Money is counted in hundreds of dollars."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gamut.games.acquire.board import LETTERS, PRICES

if TYPE_CHECKING:
    from gamut.games.acquire.state import AcquireState


def bonuses(shares: Sequence[int], price: int) -> list[tuple[int, int]]:
    """Who gets how much when a chain of this price is swallowed, in the order of payment.

    Equals share what they are due, and are paid whole units: the bank rounds up for each of them.
    """
    most = max(shares)
    if most == 0:
        return []
    count = shares.count(most)
    if count > 1:
        share = -(-15 * price // count)
        return [(seat, share) for seat, held in enumerate(shares) if held == most]
    first = shares.index(most)
    second = max([*shares[:first], *shares[first + 1 :]], default=0)
    if second == 0:
        return [(first, 15 * price)]
    share = -(-5 * price // shares.count(second))
    return [(first, 10 * price), *[(seat, share) for seat, held in enumerate(shares) if held == second]]


def nets(state: "AcquireState") -> list[int]:
    """Cash, shares at their price, and the bonuses there would be if every chain on the board were wound up now."""
    worth = list(state.cash)
    for chain, size in enumerate(state.sizes):
        if size:
            for seat, value in enumerate(_values(state, chain)):
                worth[seat] += value
    return worth


def _values(state: "AcquireState", chain: int) -> list[int]:
    """What everybody's shares of a chain are worth, with the bonuses.

    The bonus of a chain that was swallowed has been paid, though its shares still have their price.
    """
    held = [shares[chain] for shares in state.shares]
    price = PRICES[chain][state.sizes[chain]]
    values = [count * price for count in held]
    if price and LETTERS[chain] in state.board:
        for seat, bonus in bonuses(held, price):
            values[seat] += bonus
    return values


def team_of(seat: int, teams: int) -> int:
    """Partners sit as far from each other as they can."""
    return seat % teams


def team_scores(worth: Sequence[int], teams: int) -> list[int]:
    """What the members of each team are worth together; alone everybody is a team."""
    return [sum(worth[team::teams]) for team in range(teams)]


def places(scores: Sequence[int]) -> list[int]:
    """1 for the first; equals share a place, and the next one after them is left out."""
    return [1 + sum(other > own for other in scores) for own in scores]
