import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamut.games.game import Seat
from gamut.hall.ids import Millis
from gamut.hall.table.clock import (
    Bank,
    Clock,
    ClockSetting,
    NoClock,
    Overtime,
    PerTurn,
    Time,
    can_begin,
    charge,
    fresh,
    handed,
    next_change,
    next_flag,
    pressed,
    rebased,
    started,
    stopped,
)

A, B, C = Seat(0), Seat(1), Seat(2)
SEATS = (A, B, C)
NOON = Millis(1_700_000_000_000)
VECTORS = Path(__file__).parents[2] / "vectors" / "tafl" / "clocks.json"

quickly = settings(deadline=None, max_examples=150, print_blob=True)


def at(span: int) -> Millis:
    return Millis(NOON + span)


def budget(setting: ClockSetting, time: Time) -> int:
    """How long this seat can go on thinking in one turn, counted without the code under test."""
    if isinstance(setting, Overtime) and time.periods:
        return time.main + time.overtime + (time.periods - 1) * setting.length
    if isinstance(setting, PerTurn | Bank):
        return time.main + time.overtime
    return time.main


spans = st.integers(1, 20_000)
spans_or_zero = st.integers(0, 20_000)
overtimes = st.builds(
    Overtime, main=spans_or_zero, length=spans, periods=st.integers(1, 5), increment=spans_or_zero
) | st.builds(Overtime, main=spans, length=spans_or_zero, periods=st.integers(0, 1), increment=spans_or_zero)
lags = st.just(msgspec.UNSET) | st.integers(1, 2_000)
banks = st.builds(Bank, main=spans, increment=spans_or_zero, lag=lags)
per_turns = st.builds(PerTurn, limit=spans, lag=lags)
timed = st.one_of(per_turns, banks, overtimes)
any_setting = st.one_of(st.just(NoClock()), timed)


@st.composite
def running_clocks(draw: st.DrawFn, setting: st.SearchStrategy[Any] = timed) -> tuple[Clock, Millis]:
    """A clock in the middle of a game, and the time."""
    clock, now = pressed(fresh(draw(setting), 3), None, (A,), NOON), NOON
    awaited: tuple[Seat, ...] = (A,)
    for _ in range(draw(st.integers(0, 6))):
        flag = next_flag(clock)
        left = 20_000 if flag is None else flag[0] - now - 1
        now = Millis(now + draw(st.integers(0, max(0, left))))
        actor = draw(st.sampled_from(awaited))
        awaited = tuple(sorted(draw(st.sets(st.sampled_from(SEATS), min_size=1))))
        clock = pressed(clock, actor, awaited, now)
    return clock, now


# Each family by example


def test_without_a_clock_nothing_runs_and_nobody_is_flagged() -> None:
    clock = pressed(fresh(NoClock(), 2), None, (A,), NOON)
    clock = pressed(clock, A, (B,), at(1_000_000_000))
    assert clock.running == ()
    assert next_flag(clock) is None
    assert started(clock, (A,), NOON) == stopped(clock, NOON) == charge(clock, at(1)) == clock


def test_per_turn_each_turn_has_its_own_time_and_the_rest_of_the_last_is_lost() -> None:
    clock = pressed(fresh(PerTurn(10_000), 2), None, (A,), NOON)
    assert next_flag(clock) == (at(10_000), A)
    clock = pressed(clock, A, (B,), at(9_000))
    assert clock.times[A].main == 1_000
    assert next_flag(clock) == (at(19_000), B)
    clock = pressed(clock, B, (A,), at(10_000))
    assert clock.times[A].main == 10_000


def test_acting_twice_in_a_row_begins_a_new_turn() -> None:
    clock = pressed(fresh(PerTurn(10_000), 2), None, (A,), NOON)
    clock = pressed(clock, A, (A,), at(9_000))
    assert next_flag(clock) == (at(19_000), A)


def test_a_bank_is_for_the_whole_game_and_the_increment_comes_after_ones_own_action() -> None:
    clock = pressed(fresh(Bank(60_000, 2_000), 2), None, (A,), NOON)
    assert clock.times == (Time(60_000), Time(60_000))
    clock = pressed(clock, A, (B,), at(10_000))
    assert clock.times == (Time(52_000), Time(60_000))
    clock = pressed(clock, B, (A,), at(10_500))
    assert clock.times == (Time(52_000), Time(61_500))
    assert next_flag(clock) == (at(62_500), A)


def test_overtime_begins_when_the_main_time_is_gone_and_refills_every_turn() -> None:
    clock = pressed(fresh(Overtime(5_000, 3_000, 2), 2), None, (A,), NOON)
    assert next_flag(clock) == (at(11_000), A)
    clock = charge(clock, at(7_000))
    assert clock.times[A] == Time(0, 1_000, 2)
    clock = charge(clock, at(8_500))
    assert clock.times[A] == Time(0, 2_500, 1), "a period is used up, the next one is begun"
    clock = pressed(clock, A, (B,), at(8_500))
    clock = pressed(clock, B, (A,), at(9_000))
    assert clock.times[A] == Time(0, 3_000, 1), "the period is whole again as the turn begins"
    assert next_flag(clock) == (at(12_000), A)


def test_in_overtime_the_increment_comes_as_the_turn_begins() -> None:
    clock = pressed(fresh(Overtime(5_000, 3_000, 1, 500), 2), None, (A,), NOON)
    assert clock.times == (Time(5_500, 3_000, 1), Time(5_000, 3_000, 1))
    clock = charge(clock, at(6_000))
    clock = pressed(clock, A, (A,), at(6_000))
    assert clock.times[A] == Time(0, 3_500, 1)


def test_without_periods_a_turn_that_begins_as_the_time_is_over_changes_nothing() -> None:
    clock = pressed(fresh(Overtime(5_000, 3_000, 0, 500), 2), None, (A,), NOON)
    clock = charge(clock, at(5_500))
    assert pressed(clock, A, (A,), at(5_500)).times == clock.times


def test_those_who_think_at_the_same_time_are_charged_at_the_same_time() -> None:
    clock = pressed(fresh(PerTurn(10_000), 3), None, SEATS, NOON)
    clock = pressed(clock, B, (A, C), at(4_000))
    assert clock.times == (Time(6_000), Time(6_000), Time(6_000))
    assert clock.running == (A, C)
    assert next_flag(clock) == (at(10_000), A), "B's action gives A and C no new time"
    clock = pressed(clock, A, (C,), at(5_000))
    assert next_flag(clock) == (at(10_000), C)


def test_of_several_running_seats_the_one_with_least_time_is_flagged_first() -> None:
    clock = pressed(fresh(Bank(10_000), 3), None, (C,), NOON)
    clock = pressed(clock, C, SEATS, at(2_000))
    assert next_flag(clock) == (at(10_000), C)


@pytest.mark.parametrize(
    "text",
    [
        '{"kind":"turn","limit":0}',
        '{"kind":"turn","limit":2592000001}',
        '{"kind":"bank","main":0}',
        '{"kind":"bank","main":1000,"increment":-1}',
        '{"kind":"overtime","main":0,"length":0,"periods":3}',
        '{"kind":"overtime","main":0,"length":1000,"periods":0}',
        '{"kind":"overtime","main":0,"length":1000,"periods":1001}',
        '{"kind":"bank","main":1000,"bonus":5}',
        '{"kind":"hourglass","main":1000}',
        '{"main":1000}',
    ],
)
def test_settings_that_make_no_sense_are_not_read(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=ClockSetting)


@given(setting=any_setting)
def test_a_setting_survives_being_written_down(setting: ClockSetting) -> None:
    assert msgspec.json.decode(msgspec.json.encode(setting), type=ClockSetting) == setting


# Claims about all of them


@quickly
@given(clock_now=running_clocks(), steps=st.lists(st.integers(0, 5_000), max_size=8))
def test_charging_in_many_steps_is_charging_once(clock_now: tuple[Clock, Millis], steps: list[int]) -> None:
    clock, now = clock_now
    by_steps = clock
    for step in steps:
        now = Millis(now + step)
        by_steps = charge(by_steps, now)
        assert charge(by_steps, now) == by_steps
    assert by_steps == charge(clock, now)


@quickly
@given(clock_now=running_clocks(), span=st.integers(0, 5_000), pause=st.integers(0, 10**9))
def test_a_pause_neither_makes_nor_takes_time(clock_now: tuple[Clock, Millis], span: int, pause: int) -> None:
    clock, now = clock_now
    halted = stopped(clock, Millis(now + span))
    assert halted.running == ()
    assert next_flag(halted) is None
    assert charge(halted, Millis(now + span + pause)) == halted
    assert stopped(halted, Millis(now + span + pause)) == halted
    again = started(halted, clock.running, Millis(now + span + pause))
    through = charge(clock, Millis(now + span))
    assert again.times == through.times
    before, after = next_flag(through), next_flag(again)
    assert before is not None
    assert after == (before[0] + pause, before[1])


@quickly
@given(clock_now=running_clocks(), away=st.integers(0, 10**9))
def test_nobody_is_charged_for_the_time_the_server_was_away(
    clock_now: tuple[Clock, Millis], away: int
) -> None:
    clock, now = clock_now
    again = rebased(clock, Millis(now + away))
    assert again.times == clock.times
    assert charge(again, Millis(now + away)).times == clock.times
    assert rebased(stopped(clock, now), Millis(now + away)) == stopped(clock, now)


@quickly
@given(
    clock_now=running_clocks(),
    thought=st.integers(0, 25_000),
    pause=st.integers(0, 10**9),
    rest=st.integers(0, 25_000),
    awaited=st.sets(st.sampled_from(SEATS), min_size=1),
)
def test_a_turn_during_which_the_table_is_handed_on_costs_what_it_costs_without_the_pause(
    clock_now: tuple[Clock, Millis], thought: int, pause: int, rest: int, awaited: set[Seat]
) -> None:
    clock, now = clock_now
    charged = Millis(now + thought)
    there, here = Millis(charged + rest), Millis(charged + pause + rest)
    again = handed(clock, charged, Millis(charged + pause))
    assert charge(again, here).times == charge(clock, there).times
    turn = clock.running[0], tuple(sorted(awaited))
    assert pressed(again, *turn, here).times == pressed(clock, *turn, there).times
    before, after = next_flag(clock), next_flag(again)
    assert before is not None
    assert after is not None
    assert after[0] == max(before[0], charged) + pause, "what was over is over at once"


@quickly
@given(clock_now=running_clocks(), early=st.integers(1, 20_000), late=st.integers(0, 10**6))
def test_the_flag_falls_at_the_moment_the_time_is_used_up(
    clock_now: tuple[Clock, Millis], early: int, late: int
) -> None:
    clock, now = clock_now
    flag = next_flag(clock)
    assert flag is not None
    when, seat = flag
    assert when == clock.since + budget(clock.setting, clock.times[seat])
    assert all(budget(clock.setting, clock.times[other]) >= when - clock.since for other in clock.running)
    before = Millis(max(now, when - early))
    charged = charge(clock, before)
    assert next_flag(charged) == flag, "looking at the clock does not move the flag"
    assert budget(clock.setting, charged.times[seat]) == when - before
    fallen = charge(clock, Millis(when + late))
    assert budget(clock.setting, fallen.times[seat]) == 0
    again = next_flag(fallen)
    assert again is not None
    assert again[0] == when + late, "a flag that has fallen stays down"


@quickly
@given(clock_now=running_clocks(), back=st.integers(0, 10**6))
def test_time_that_goes_backwards_charges_nobody(clock_now: tuple[Clock, Millis], back: int) -> None:
    clock, _ = clock_now
    assert charge(clock, Millis(clock.since - back)) == clock


@quickly
@given(setting=timed, data=st.data())
def test_no_time_is_made_or_lost_in_a_whole_game(setting: ClockSetting, data: st.DataObject) -> None:
    """For each seat: what it was given is what it spent, what it has, and what the rules take at a turn's end."""
    clock, now = fresh(setting, 3), NOON
    given_time = [budget(setting, time) for time in clock.times]
    spent, lapsed = [0, 0, 0], [0, 0, 0]
    awaited: tuple[Seat, ...] = ()
    actor: Seat | None = None
    for _ in range(data.draw(st.integers(1, 12))):
        following = tuple(sorted(data.draw(st.sets(st.sampled_from(SEATS), min_size=1))))
        charged = charge(clock, now)
        clock = pressed(clock, actor, following, now)
        for seat in SEATS:
            old, new = charged.times[seat], clock.times[seat]
            begins = seat in following and (seat == actor or seat not in awaited)
            match setting:
                case PerTurn(limit=limit) if begins:
                    given_time[seat] += budget(setting, Time(limit, setting.lag or 0))
                    lapsed[seat] += old.main + old.overtime
                case Bank(increment=increment, lag=int(lag)) if seat == actor or begins:
                    given_time[seat] += lag + increment * ((seat == actor) + (seat == actor and begins))
                    lapsed[seat] += old.overtime
                case Bank(increment=increment) if seat == actor:
                    given_time[seat] += increment
                case Overtime(length=length, increment=increment) if begins and old.main > 0:
                    given_time[seat] += increment
                case Overtime(length=length, increment=increment) if begins and old.periods > 0:
                    given_time[seat] += length + increment
                    lapsed[seat] += old.overtime
                case _:
                    assert new == old, "nobody else's time changes"
        awaited = following
        for _ in range(data.draw(st.integers(0, 2))):
            span = data.draw(st.integers(0, 8_000))
            for seat in clock.running:
                spent[seat] += min(span, budget(setting, charge(clock, now).times[seat]))
            now = Millis(now + span)
            if data.draw(st.booleans()):
                clock = stopped(clock, now)
                now = Millis(now + data.draw(st.integers(0, 10**6)))
                clock = started(clock, awaited, now)
        left = [budget(setting, time) for time in charge(clock, now).times]
        assert [g - s - gone for g, s, gone in zip(given_time, spent, lapsed, strict=True)] == left
        actor = data.draw(st.sampled_from(awaited))


# Times that are given


def test_a_clock_may_begin_with_other_times_than_its_setting_says() -> None:
    bank = Bank(60_000, 1_000, lag=500)
    clock = fresh(bank, 3, (Millis(5_000), Time(7_000)))
    assert clock.times == (Time(5_000, 500), Time(7_000, 500), Time(60_000, 500))
    setting = Overtime(60_000, 10_000, 3)
    clock = fresh(setting, 2, (Millis(5_000), Time(0, 4_000, 2)))
    assert clock.times == (Time(5_000, 10_000, 3), Time(0, 4_000, 2)), "periods, too, where there are some"
    clock = started(clock, (B,), NOON)
    assert next_flag(clock) == (at(14_000), B)


def test_nobody_begins_without_any_time() -> None:
    assert can_begin(Bank(1_000), Time(1))
    assert not can_begin(Bank(1_000), Time(0, 5, 5)), "a bank has no periods"
    assert can_begin(Overtime(1_000, 1_000, 1), Time(0, 1, 1))
    assert not can_begin(Overtime(1_000, 1_000, 1), Time(0, 1, 0))
    assert not can_begin(NoClock(), Time(5))


# Lag


def test_an_action_that_comes_within_the_lag_counts_and_costs_no_more_than_there_was() -> None:
    setting = Bank(10_000, 2_000, lag=1_000)
    clock = pressed(fresh(setting, 2), None, (A,), NOON)
    assert next_flag(clock) == (at(11_000), A)
    clock = pressed(clock, A, (B,), at(10_700))
    assert clock.times[A].main == 2_000, "what was forgiven is not charged"
    assert next_flag(clock) == (at(10_700 + 11_000), B)


def test_lag_is_forgiven_once_in_a_turn_however_often_the_clock_is_looked_at_or_stopped() -> None:
    clock = pressed(fresh(Bank(10_000, lag=1_000), 2), None, (A,), NOON)
    clock = stopped(clock, at(10_400))
    clock = started(clock, (A,), at(90_000))
    assert next_flag(clock) == (at(90_600), A)
    clock = pressed(clock, A, (B,), at(90_500))
    clock = pressed(clock, B, (A,), at(91_000))
    assert next_flag(clock) == (at(92_000), A), "and in the next turn again, although there is no time left"


def test_whoever_has_to_act_again_has_the_increment_of_that_action_ahead() -> None:
    clock = pressed(fresh(Bank(10_000, 2_000, lag=1_000), 2), None, (A,), NOON)
    clock = pressed(clock, A, (A,), at(4_000))
    assert clock.times[A].main == 8_000
    assert next_flag(clock) == (at(4_000 + 8_000 + 2_000 + 1_000), A)
    clock = pressed(clock, A, (B,), at(14_500))
    assert clock.times[A].main == 2_000
    plain = pressed(fresh(Bank(10_000, 2_000), 2), None, (A,), NOON)
    assert next_flag(pressed(plain, A, (A,), at(4_000))) == (at(12_000), A), "only where lag is forgiven"


def test_a_turn_of_its_own_length_forgives_lag_too() -> None:
    clock = pressed(fresh(PerTurn(5_000, lag=300), 2), None, (A,), NOON)
    clock = pressed(clock, A, (B,), at(5_200))
    assert next_flag(clock) == (at(5_200 + 5_300), B)


def test_settings_from_before_there_was_lag_are_written_as_they_were() -> None:
    assert msgspec.to_builtins(Bank(1_000)) == {"kind": "bank", "main": 1_000, "increment": 0}
    assert msgspec.to_builtins(PerTurn(1_000)) == {"kind": "turn", "limit": 1_000}


# Changes of period


def test_the_next_change_is_when_the_main_time_or_a_period_runs_out() -> None:
    setting = Overtime(5_000, 2_000, 3)
    clock = pressed(fresh(setting, 2), None, (A,), NOON)
    changes = []
    while (change := next_change(clock)) is not None:
        before, clock = clock.times[A], charge(clock, change)
        assert before != clock.times[A]
        changes.append(change - NOON)
    assert changes == [5_000, 7_000, 9_000]
    assert next_flag(clock) == (at(11_000), A), "the end of the last period is the flag"


def test_a_clock_that_stands_or_has_one_period_changes_no_more() -> None:
    assert next_change(fresh(Overtime(5_000, 2_000, 3), 2)) is None
    assert next_change(pressed(fresh(Bank(5_000), 2), None, (A,), NOON)) is None
    assert next_change(pressed(fresh(Overtime(5_000, 0, 0), 2), None, (A,), NOON)) is None
    assert next_change(pressed(fresh(NoClock(), 2), None, (A,), NOON)) is None


@quickly
@given(setting=timed, span=st.integers(0, 30_000))
def test_between_two_changes_only_one_figure_of_a_seat_moves(setting: ClockSetting, span: int) -> None:
    clock = charge(pressed(fresh(setting, 2), None, (A,), NOON), at(span))
    change, flag = next_change(clock), next_flag(clock)
    assert flag is not None
    until = flag[0] if change is None else change
    time = clock.times[A]
    later = charge(clock, Millis(max(clock.since, until - 1))).times[A]
    assert later.periods == time.periods
    assert (later.main == time.main) or (later.overtime == time.overtime)
    assert (later.main == 0) == (time.main == 0)


# The rules of Tafl clocks, as recorded


def recorded() -> Iterator[Any]:
    for number, case in enumerate(json.loads(VECTORS.read_text())):
        yield pytest.param(case, id=f"{number}-{case['spec']}")


def written(time: Time) -> str:
    return f"{time.main}|{time.overtime}/{time.periods}|0"


@pytest.mark.parametrize("case", list(recorded()))
def test_overtime_follows_the_recorded_tafl_clocks(case: Any) -> None:
    main, overtime, increment = case["spec"].split("|")
    length, periods = overtime.split("/")
    setting = Overtime(int(main), int(length), int(periods), int(increment))
    assert msgspec.convert(msgspec.to_builtins(setting), ClockSetting) == setting, (
        "a table can be opened with it"
    )
    side = A if case["first"] == "attackers" else B
    clock, now = pressed(fresh(setting, 2), None, (side,), NOON), NOON
    assert [written(time) for time in clock.times] == case["at_start"]
    for event in case["events"]:
        now = Millis(now + event["elapsed"])
        clock = charge(clock, now)
        flag = next_flag(clock)
        assert flag is not None
        assert (flag[0] <= now) == event["flag"]
        if event["event"] != "tick":
            following = side if event["event"] == "berserk-move" else Seat(1 - side)
            clock = pressed(clock, side, (following,), now)
            side = following
        assert [written(time) for time in clock.times] == event["clocks"]
