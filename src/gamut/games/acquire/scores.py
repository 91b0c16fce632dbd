"""Bonuses, what everybody is worth, and who is in front. Money is counted in hundreds of dollars."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from gamut.games.acquire.board import LETTERS, PRICES

if TYPE_CHECKING:
    from gamut.games.acquire.state import AcquireState


def bonuses(shares: Sequence[int], price: int) -> list[tuple[int, int]]:
    """Who gets how much when a chain of this price is swallowed, in the order of payment."""
    most, first, second, runner_up = _due(shares, price)
    paid = [(seat, first) for seat, held in enumerate(shares) if held == most > 0]
    return paid + [(seat, runner_up) for seat, held in enumerate(shares) if held == second > 0]


def _due(shares: Sequence[int], price: int) -> tuple[int, int, int, int]:
    """The most shares that somebody holds and what everybody with so many is due, and the same for the second most.

    Equals share what they are due, and are paid whole units: the bank rounds up for each of them. If several hold the
    most, or nobody else holds any, there is no second.
    """
    most = second = holding_most = holding_second = 0
    for held in shares:
        if held > most:
            second, holding_second = most, holding_most
            most, holding_most = held, 1
        elif held == most:
            holding_most += 1
        elif held > second:
            second, holding_second = held, 1
        elif held == second:
            holding_second += 1
    if holding_most > 1 or second == 0:
        return most, -(-15 * price // holding_most), 0, 0
    return most, 10 * price, second, -(-5 * price // holding_second)


def holdings(state: "AcquireState", chain: int) -> Sequence[int]:
    """What the shares of a chain are worth to each player: their price, and the bonus there would be if the chain were
    wound up now.

    The bonus of a chain that was swallowed has been paid, though its shares still have their price.
    """
    price = PRICES[chain][state.sizes[chain]]
    if price == 0:
        return (0,) * len(state.cash)
    shares = [held[chain] for held in state.shares]
    if LETTERS[chain] not in state.board:
        return [held * price for held in shares]
    most, first, second, runner_up = _due(shares, price)
    return [
        held and held * price + (first if held == most else runner_up if held == second else 0)
        for held in shares
    ]


def nets(state: "AcquireState") -> list[int]:
    """Cash, and all shares with their bonuses."""
    return added_up(state.cash, [holdings(state, chain) for chain in range(len(LETTERS))])


def added_up(cash: Sequence[int], by_chain: Iterable[Sequence[int]]) -> list[int]:
    """What everybody is worth who has this cash and these holdings."""
    return list(map(sum, zip(cash, *by_chain, strict=True)))


def team_of(seat: int, teams: int) -> int:
    """Partners sit as far from each other as they can."""
    return seat % teams


def team_scores(worth: Sequence[int], teams: int) -> list[int]:
    """What the members of each team are worth together; alone everybody is a team."""
    return [sum(worth[team::teams]) for team in range(teams)]


def places(scores: Sequence[int]) -> list[int]:
    """1 for the first; equals share a place, and the next one after them is left out."""
    return [1 + sum(other > own for other in scores) for own in scores]
