"""A table's clock in the terms of recorded games, and back."""

import msgspec

from gamut.games.files import TimeControl
from gamut.hall.table.clock import Bank, ClockSetting, NoClock, Overtime, PerTurn


def control_of(setting: ClockSetting) -> TimeControl | None:
    match setting:
        case PerTurn(limit=limit):
            return TimeControl(style="turn", main=limit)
        case Bank(main=main, increment=increment, grace=grace):
            still = 0 if grace is msgspec.UNSET else grace
            return TimeControl(style="bank", main=main, increment=increment, grace=still)
        case Overtime(main=main, length=length, periods=periods, increment=increment):
            return TimeControl(
                style="overtime", main=main, increment=increment, length=length, periods=periods
            )
    return None


def setting_of(control: TimeControl | None) -> ClockSetting:
    if control is None:
        return NoClock()
    match control.style:
        case "turn":
            return PerTurn(control.main)
        case "bank":
            return Bank(control.main, control.increment, control.grace or msgspec.UNSET)
        case "overtime":
            return Overtime(control.main, control.length, control.periods, control.increment)
