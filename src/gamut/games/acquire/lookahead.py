"""What may come: whole positions that fit what a seat sees, what actions make of them, and who is in front there.

Positions are values: whoever looks ahead keeps the one they began with, and never has to copy or take back anything.
"""

from random import Random

from msgspec.structs import replace

from gamut.games.acquire.actions import Action, PurchaseShares
from gamut.games.acquire.bag import by_chance
from gamut.games.acquire.board import LETTERS, PRICES
from gamut.games.acquire.checks import baskets, legal
from gamut.games.acquire.course import Course
from gamut.games.acquire.evolve import evolve
from gamut.games.acquire.kinds import UNSEEN, Rack
from gamut.games.acquire.scores import nets, team_of, team_scores
from gamut.games.acquire.state import AcquireState
from gamut.games.game import Seat


def imagined(state: AcquireState, chance: Random) -> AcquireState:
    """A whole position that looks like this one to whoever sees it.

    The tiles that the viewer has not seen are dealt to the other racks by chance, and what is left is the bag.
    """
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


def possible(state: AcquireState) -> list[Action]:
    """All that may be done, with the game going on."""
    if state.next.action == "PurchaseShares":
        return [PurchaseShares(basket) for basket in baskets(state, state.next.seat)]
    return list(legal(state))


def played(state: AcquireState, action: Action, chance: Random) -> AcquireState:
    """The position after an action that is allowed, of a position of which everything is known."""
    return evolve(state, Course(state, by_chance(chance)).run(state.next.seat, action))


def lead(state: AcquireState, seat: Seat) -> int:
    """How far the seat's team is in front of the next one. Shares that were kept in a merger count for nothing."""
    worth, awaited = nets(state), state.next
    for chain, size in enumerate(state.sizes):
        if not size or LETTERS[chain] in state.board or chain in awaited.left:
            continue
        to_be_asked = (awaited.seat, *awaited.queue) if chain == awaited.defunct else ()
        for player, shares in enumerate(state.shares):
            if player not in to_be_asked:
                worth[player] -= shares[chain] * PRICES[chain][size]
    scores = team_scores(worth, state.teams)
    own = scores.pop(team_of(seat, state.teams))
    return own - max(scores, default=0)


def wins_by_ending(state: AcquireState, lead: float) -> bool:
    """Whether a purchase that leaves the buyer so far in front should end the game. Alone there is nobody to beat."""
    return state.next.can_end and lead > 0 and state.teams > 1
