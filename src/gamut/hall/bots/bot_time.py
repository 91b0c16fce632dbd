"""How long a bot may think, by its clock: it must not lose on time because it wanted to be clever."""

from gamut.games.budget import UNLIMITED, Budget
from gamut.games.game import Seat
from gamut.hall.ids import Millis
from gamut.hall.table import clock as clocks

_ACTIONS_TO_COME = 25
"""Time for a whole game is spent as if there were so many actions still to come."""
_MARGIN = 50
"""Milliseconds between a bot's answer and its being counted; a tenth of what there is comes on top of it."""


def budget_for(clock: clocks.Clock, seat: Seat, now: Millis) -> Budget:
    if seat not in clock.running:
        return UNLIMITED
    setting, time = clock.setting, clocks.charge(clock, now).times[seat]
    left = time.main or time.overtime
    share = left
    if isinstance(setting, clocks.Bank | clocks.Overtime) and time.main:
        share = time.main // _ACTIONS_TO_COME + setting.increment
    return Budget(millis=max(1, min(share, left - left // 10 - _MARGIN)))
