"""The time control of a game: seconds at first, and seconds after each action."""

import msgspec

from gamut.games.game import Refused
from gamut.hall.ids import Millis
from gamut.hall.table import clock as clocks
from gamut.hall.table.clock import Bank, Clock, ClockSetting, NoClock, Overtime, PerTurn

LONGEST_START = 86_400
LONGEST_INCREMENT = 3_600


class TimeControl(msgspec.Struct, frozen=True):
    starting: int | None
    """None: as long as one likes."""
    increment: int


def control_of(setting: ClockSetting) -> TimeControl:
    """As clients know it: in whole seconds, of which a begun one counts. They know of no time for each turn."""
    match setting:
        case Bank(main=main, increment=increment) | Overtime(main=main, increment=increment) if main:
            return TimeControl(-(-main // 1000), -(-increment // 1000))
    return TimeControl(None, 0)


def setting_of(starting: int | None, increment: int) -> ClockSetting:
    """Raises Refused if that is no time control."""
    if not 0 <= increment <= LONGEST_INCREMENT:
        raise _invalid()
    if starting is None:
        return NoClock()
    if not 1 <= starting <= LONGEST_START:
        raise _invalid()
    return Bank(main=starting * 1000, increment=increment * 1000)


def _invalid() -> Refused:
    return Refused(
        "invalid_time_control",
        f"A time control is 1 to {LONGEST_START} seconds, or null, and 0 to {LONGEST_INCREMENT} more for each action.",
    )


def left(clock: Clock, now: Millis) -> list[int] | None:
    """Milliseconds that each player has at this moment; None without time control."""
    setting = clock.setting
    if isinstance(setting, NoClock):
        return None
    times = clocks.charge(clock, now).times
    if isinstance(setting, PerTurn | Bank):
        return [time.main for time in times]
    return [time.main + time.overtime + max(0, time.periods - 1) * setting.length for time in times]
