"""Bonuses, what everybody is worth, and who is in front. Money is counted in hundreds of dollars."""

from collections.abc import Sequence

from gamut.games.acquire.board import LETTERS, PRICES
from gamut.games.acquire.state import AcquireState


def bonuses(shares: Sequence[int], price: int) -> list[tuple[int, int]]:
    """Who gets how much when a chain of this price is swallowed, in the order of payment.

    Equals share what they are due, and are paid whole units: the bank rounds up for each of them.
    """
    most = max(shares)
    if most == 0:
        return []
    first = [seat for seat, held in enumerate(shares) if held == most]
    if len(first) > 1:
        return [(seat, -(-15 * price // len(first))) for seat in first]
    second = max([held for held in shares if held != most], default=0)
    if second == 0:
        return [(first[0], 15 * price)]
    runners_up = [seat for seat, held in enumerate(shares) if held == second]
    share = -(-5 * price // len(runners_up))
    return [(first[0], 10 * price), *((seat, share) for seat in runners_up)]


def nets(state: AcquireState) -> list[int]:
    """Cash, shares at their price, and the bonuses there would be if every chain on the board were wound up now.

    The bonus of a chain that was swallowed has been paid, though its shares still have their price.
    """
    worth = list(state.cash)
    for chain, size in enumerate(state.sizes):
        if size == 0:
            continue
        price = PRICES[chain][size]
        held = [shares[chain] for shares in state.shares]
        for seat, count in enumerate(held):
            worth[seat] += count * price
        if LETTERS[chain] in state.board:
            for seat, bonus in bonuses(held, price):
                worth[seat] += bonus
    return worth


def team_of(seat: int, teams: int) -> int:
    """Partners sit as far from each other as they can."""
    return seat % teams


def team_scores(worth: Sequence[int], teams: int) -> list[int]:
    """What the members of each team are worth together; alone everybody is a team."""
    return [sum(worth[team::teams]) for team in range(teams)]


def places(scores: Sequence[int]) -> list[int]:
    """1 for the first; equals share a place, and the next one after them is left out."""
    return [1 + sum(other > own for other in scores) for own in scores]
