"""Clocks: the three that this protocol has numbers for, and how all others look there."""

from gamut.games.powerchess.times import ALLOWANCE, CONTROLS
from gamut.hall.table.clock import Bank, ClockSetting

_CONTROLS = tuple(CONTROLS.values())
SLOWEST = len(_CONTROLS) - 1


def setting(number: int) -> Bank:
    """The clock of a game that is created with this number."""
    control = _CONTROLS[number]
    return Bank(main=control.main, increment=control.increment, lag=ALLOWANCE)


def number_of(clock: ClockSetting) -> int:
    """The number that clients are told: of the first control that gives no less time than the table's clock does.

    They show what they know by that number, and report a loss on time when it is over for them.
    """
    if isinstance(clock, Bank):
        for number, control in enumerate(_CONTROLS):
            if control.main >= clock.main and control.increment >= clock.increment:
                return number
    return SLOWEST
