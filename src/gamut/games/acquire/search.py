"""The strong bot's search: it deals the tiles that it does not see in many ways, and plays on from what it could do.

Of all that is allowed it takes what looks best at once, and what it would do by instinct. Each of these is tried in the
same imagined positions; then everybody goes on by instinct for some turns, over mergers and who holds the most, and
what counts is how far in front the bot's team is by then. What does badly is dropped: the rest is tried more often.
"""

from math import tanh
from random import Random

from gamut.games.acquire.actions import Action, DisposeOfShares, PurchaseShares
from gamut.games.acquire.decide import default_action
from gamut.games.acquire.instinct import instinct
from gamut.games.acquire.lookahead import imagined, lead, played, possible, wins_by_ending
from gamut.games.acquire.state import AcquireState
from gamut.games.budget import Work
from gamut.games.game import Seat

_TRIED = 10
"""So many of the actions that look best are tried."""
_TURNS = 8
"""So many turns are played after an action."""
_POSITIONS = 4
"""So many imagined positions are tried before actions are dropped."""
_OVER = 10
_OPEN, _OPEN_PER_TILE = 60, 2
"""A lead of so much is most of a win: once the game is over, and while it goes on with tiles in the bag."""


class Enough(Exception):
    """The work is used up."""


class Search:
    """One bot's thoughts about one action, of a position as its seat sees it."""

    def __init__(self, state: AcquireState, seat: Seat, chance: Random, work: Work) -> None:
        self._state = state
        self._seat = seat
        self._chance = chance
        self._work = work
        self._left = 0
        self._field: list[Action] = []
        """What is still tried, best first."""

    def best(self) -> Action:
        usual = instinct(self._state, self._chance)
        self._field = [usual]
        try:
            self._look(usual)
            self._try_out()
        except Enough:
            pass
        return self._field[0]

    def _look(self, usual: Action) -> None:
        """What looks best at once comes into the field."""
        choices = possible(self._state)
        if len(choices) == 1:
            return
        self._chance.shuffle(choices)
        whole = imagined(self._state, self._chance)
        leads = {action: lead(self._played(whole, action), self._seat) for action in choices}
        choices.sort(key=leads.__getitem__, reverse=True)
        self._field = choices[:_TRIED]
        # Shares that are kept are worth nothing now, and may be worth much when the chain is founded again.
        for other in (usual, DisposeOfShares(0, 0)):
            if other in leads and other not in self._field:
                self._field.append(other)
        best = choices[0]
        if isinstance(best, PurchaseShares) and wins_by_ending(self._state, leads[best]):
            self._field = [PurchaseShares(best.chains, end=True)]

    def _try_out(self) -> None:
        totals = dict.fromkeys(self._field, 0.0)
        while len(self._field) > 1:
            for _ in range(_POSITIONS):
                whole = imagined(self._state, self._chance)
                found = [self._prospects(whole, action) for action in self._field]
                for action, value in zip(self._field, found, strict=True):
                    totals[action] += value
                self._field.sort(key=totals.__getitem__, reverse=True)
            if len(self._field) > 2:
                del self._field[-max(1, len(self._field) // 5) :]

    def _prospects(self, whole: AcquireState, action: Action) -> float:
        """How good it looks for the bot's team some turns after an action: from -1 to 1, unless it plays alone."""
        state, turns = self._played(whole, action), 0
        while state.next.action != "GameOver":
            if state.next.action == "PlayTile":
                turns += 1
                if turns > _TURNS:
                    break
            gone = state.next.seat in state.forfeited
            state = self._played(state, default_action(state) if gone else instinct(state, self._chance))
        ahead = lead(state, self._seat)
        if state.teams == 1:
            return ahead
        if state.next.action == "GameOver":
            return tanh(ahead / _OVER)
        return tanh(ahead / (_OPEN + _OPEN_PER_TILE * state.bag))

    def _played(self, state: AcquireState, action: Action) -> AcquireState:
        """One step of the work."""
        if not self._left:
            self._left = self._work.next()
            if not self._left:
                raise Enough
        self._left -= 1
        return played(state, action, self._chance)
