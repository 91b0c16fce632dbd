"""The clocks of a table: a small family, chosen per table, as pure arithmetic on server time.

A clock never looks at the time itself: every function is told what time it is. Charging twice is harmless, and
stopping and starting again neither creates nor loses a millisecond.
"""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec.structs import replace

from gamut.games.game import Seat
from gamut.hall.ids import Millis

DAY = 86_400_000
LONGEST = 30 * DAY
Span = Annotated[int, msgspec.Meta(ge=1, le=LONGEST)]
SpanOrZero = Annotated[int, msgspec.Meta(ge=0, le=LONGEST)]
Lag = Annotated[int, msgspec.Meta(ge=1, le=60_000)]
"""How long after its time is over an action still counts, in each turn: it was on its way, or the client shows more.

Whoever has to act again at once has the increment of that action on top, as clients count it when it is chosen.
"""


class _Kind(msgspec.Struct, frozen=True, gc=False, tag_field="kind", forbid_unknown_fields=True):
    """What all settings of clocks have in common."""


class NoClock(_Kind, frozen=True, tag="none"):
    """Take as long as you like."""


class PerTurn(_Kind, frozen=True, tag="turn"):
    """So long for each turn; what is left over is lost."""

    limit: Span
    lag: Lag | msgspec.UnsetType = msgspec.UNSET


class Bank(_Kind, frozen=True, tag="bank"):
    """So long for the whole game, with something added after each own action."""

    main: Span
    increment: SpanOrZero = 0
    grace: Span | msgspec.UnsetType = msgspec.UNSET
    """How long whoever has run out may still think in each turn, where that does not end the game."""
    lag: Lag | msgspec.UnsetType = msgspec.UNSET


class Overtime(_Kind, frozen=True, tag="overtime"):
    """Main time, then periods that refill each turn; the increment comes as a turn begins."""

    main: SpanOrZero
    length: SpanOrZero
    periods: Annotated[int, msgspec.Meta(ge=0, le=1000)]
    """With none, the game is lost with the main time."""
    increment: SpanOrZero = 0

    def __post_init__(self) -> None:
        if self.main == 0 and (self.length == 0 or self.periods == 0):
            raise ValueError("A clock needs some time on it; to play without one, choose the kind none")


ClockSetting = NoClock | PerTurn | Bank | Overtime


class Time(msgspec.Struct, frozen=True, gc=False):
    """What one seat has left."""

    main: SpanOrZero
    overtime: SpanOrZero = 0
    """Of the period; without periods, the grace or the lag that is allowed after the main time."""
    periods: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0


class Clock(msgspec.Struct, frozen=True, gc=False):
    setting: ClockSetting
    times: tuple[Time, ...]
    running: tuple[Seat, ...] = ()
    since: Millis = Millis(0)
    """The moment up to which the running seats have been charged."""


def fresh(setting: ClockSetting, seats: int, left: tuple[Millis | Time, ...] = ()) -> Clock:
    """A clock as it stands before the game; `left` is what some seats have, if not what the setting says.

    A number is the main time. Periods can only be left where the setting has some.
    """
    match setting:
        case PerTurn(limit=limit):
            time = Time(limit, _lag(setting))
        case Bank(main=main):
            time = Time(main, _lag(setting))
        case Overtime(main=main, length=length, periods=periods):
            time = Time(main, length, periods)
        case _:
            time = Time(0)
    times = [_left(setting, time, given) for given in left[:seats]]
    return Clock(setting, (*times, *(time,) * (seats - len(times))))


def _left(setting: ClockSetting, usual: Time, given: Millis | Time) -> Time:
    if not isinstance(given, Time):
        return replace(usual, main=given)
    return given if isinstance(setting, Overtime) else replace(usual, main=given.main)


def _lag(setting: PerTurn | Bank) -> int:
    return 0 if setting.lag is msgspec.UNSET else setting.lag


def first_span(setting: ClockSetting) -> int:
    """How long somebody may take for a first turn; 0 without a clock, which is as long as one likes."""
    match setting:
        case PerTurn(limit=limit):
            return limit
        case Bank(main=main):
            return main
        case Overtime(main=main, length=length):
            return main + length
        case _:
            return 0


def can_begin(setting: ClockSetting, time: Time) -> bool:
    """Whether there is something on the clock to play with."""
    match setting:
        case NoClock():
            return False
        case Overtime():
            return time.main > 0 or (time.overtime > 0 and time.periods > 0)
        case _:
            return time.main > 0


def _spend(setting: ClockSetting, time: Time, elapsed: int) -> Time:
    main = time.main - elapsed
    if main >= 0:
        return Time(main, time.overtime, time.periods)
    overtime, periods = time.overtime + main, time.periods
    if not isinstance(setting, Overtime):
        return Time(0, max(0, overtime))
    while overtime <= 0 and periods > 0:
        periods -= 1
        overtime += setting.length
    return Time(0, max(0, overtime) if periods > 0 else 0, periods)


def _flags_in(setting: ClockSetting, time: Time) -> int:
    if not isinstance(setting, Overtime):
        return time.main + time.overtime
    if time.periods == 0:
        return time.main
    return time.main + time.overtime + (time.periods - 1) * setting.length


def charge(clock: Clock, now: Millis) -> Clock:
    """Take the time since the last charge from the running seats."""
    if now <= clock.since or not clock.running:
        return clock
    return Clock(clock.setting, tuple(_charged(clock, now)), clock.running, now)


def _charged(clock: Clock, now: Millis) -> list[Time]:
    """What each seat has left by now."""
    times, elapsed = list(clock.times), now - clock.since
    if elapsed > 0:
        for seat in clock.running:
            times[seat] = _spend(clock.setting, times[seat], elapsed)
    return times


def _turn_begins(setting: ClockSetting, time: Time, *, again: bool) -> Time:
    if isinstance(setting, Overtime):
        if time.main > 0:
            return Time(time.main + setting.increment, time.overtime, time.periods)
        return Time(0, setting.length + setting.increment, time.periods) if time.periods > 0 else time
    match setting:
        case PerTurn(limit=limit):
            return Time(limit, _lag(setting))
        case Bank(grace=int(grace)) if time.main == 0:
            return Time(0, grace + _lag(setting))
        case Bank(lag=int(lag), increment=increment):
            return Time(time.main, lag + increment if again else lag)
        case _:
            return time


def pressed(clock: Clock, actor: Seat | None, awaited: tuple[Seat, ...], now: Millis) -> Clock:
    """The actor has acted (None: the game has just begun) and the awaited seats' time begins to run."""
    setting = clock.setting
    if isinstance(setting, NoClock):
        return clock
    times = _charged(clock, now)
    if actor is not None and isinstance(setting, Bank):
        times[actor] = Time(times[actor].main + setting.increment, _lag(setting))
    for seat in awaited:
        # Whoever was already thinking goes on thinking: only the actor's turn is over.
        if seat == actor or seat not in clock.running:
            times[seat] = _turn_begins(setting, times[seat], again=seat == actor)
    return Clock(setting, tuple(times), awaited, now)


def added(clock: Clock, seats: Sequence[Seat]) -> Clock:
    """The increment for actions that these seats did not do themselves, once for each: no time of theirs was taken."""
    if not seats or not isinstance(clock.setting, Bank):
        return clock
    times = list(clock.times)
    for seat in seats:
        times[seat] = replace(times[seat], main=times[seat].main + clock.setting.increment)
    return replace(clock, times=tuple(times))


def stopped(clock: Clock, now: Millis) -> Clock:
    if not clock.running:
        return clock
    return replace(charge(clock, now), running=())


def started(clock: Clock, awaited: tuple[Seat, ...], now: Millis) -> Clock:
    """Go on from where it was stopped: no turn begins, nothing is added."""
    if isinstance(clock.setting, NoClock):
        return clock
    return replace(clock, running=awaited, since=now)


def rebased(clock: Clock, now: Millis) -> Clock:
    """Nobody is charged for the time since the last charge: the server was away."""
    return replace(clock, since=now) if clock.running else clock


def handed(clock: Clock, charged: Millis, now: Millis) -> Clock:
    """It ran up to `charged` and goes on now: nobody is charged for the time between."""
    return rebased(charge(clock, charged), now)


def is_used_up(clock: Clock, seat: Seat, now: Millis) -> bool:
    """Whether a seat has no time left by now, though what comes within its lag or grace would still count."""
    return not can_begin(clock.setting, charge(clock, now).times[seat])


def next_flag(clock: Clock) -> tuple[Millis, Seat] | None:
    """When the first of the running seats runs out, and which it is."""
    if not clock.running:
        return None
    if len(clock.running) == 1:
        left, seat = _flags_in(clock.setting, clock.times[clock.running[0]]), clock.running[0]
    else:
        left, seat = min((_flags_in(clock.setting, clock.times[seat]), seat) for seat in clock.running)
    return Millis(clock.since + left), seat


def next_change(clock: Clock) -> Millis | None:
    """When the first of the running seats goes on to another period, with time left: the end itself is the flag's."""
    running = [clock.times[seat] for seat in clock.running]
    changes = [_changes_in(time) for time in running if _changes_in(time) < _flags_in(clock.setting, time)]
    return Millis(clock.since + min(changes)) if changes else None


def changes_within(clock: Clock, now: Millis, span: int) -> bool:
    """Whether a running seat may go on to another period, or run out, before so much time has passed."""
    times = charge(clock, now).times
    if len(clock.running) == 1:
        return _changes_in(times[clock.running[0]]) < span
    return any(_changes_in(times[seat]) < span for seat in clock.running)


def _changes_in(time: Time) -> int:
    return time.main if time.main > 0 else time.overtime
