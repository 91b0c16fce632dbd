"""Time never goes back for a table: a node whose clock is behind gives a few milliseconds, and takes none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hall.support.inmemory import House, make_hall

from gamut.games.game import Refused
from gamut.games.registry import all_games
from gamut.hall.ids import PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import clock as clocks
from gamut.hall.table import commands as c
from gamut.hall.table.clock import Bank, Overtime, PerTurn

GAMES = all_games()
ANN = PersonId("ann")


def tafl(house: House, clock: clocks.ClockSetting) -> LiveTable:
    return house.open(Opening(game="tafl", clock=clock), "ann", "ann", "bob")


def test_a_move_that_comes_while_the_clock_is_behind_costs_nothing() -> None:
    house = make_hall(played=GAMES)
    live = tafl(house, Bank(60_000))
    house.advance(5_000)
    house.do(live, c.Say(ANN, "ann", "hm", "table"))
    then, mover = live.table.at, live.awaited[0]
    house.time.set_back(200)
    house.act(live)
    assert live.table.at == then
    assert live.table.clock.times[mover].main == 55_000
    house.advance(150)
    house.act(live)
    assert live.table.at == then
    assert live.table.clock.times[1 - mover].main == 60_000
    house.advance(1_050)
    house.act(live)
    assert live.table.at == then + 1_000
    assert live.table.clock.times[mover].main == 54_000


def test_what_is_due_by_the_time_of_the_table_comes_before_a_move() -> None:
    house = make_hall(played=GAMES)
    live = tafl(house, Bank(10_000))
    house.time.late = 500  # the flag is about to fall
    house.advance(10_100)
    house.hall.carry_out(live, c.Say(ANN, "ann", "am I too late?", "table"))
    house.time.set_back(200)
    with pytest.raises(Refused, match="over"):
        house.act(live)
    assert live.table.outcome is not None
    assert live.table.outcome.reason == "time"


@settings(deadline=None)
@given(
    clock=st.sampled_from([PerTurn(3_000), Bank(9_000, 100, lag=300), Overtime(2_000, 1_000, 3)]),
    steps=st.lists(st.tuples(st.sampled_from(("passes", "back", "acts", "talks")), st.integers(0, 1_500))),
)
def test_whatever_the_clock_does_no_event_is_before_another_and_nobody_pays_for_more_than_passed(
    clock: clocks.ClockSetting, steps: list[tuple[str, int]]
) -> None:
    house = make_hall(played=GAMES)
    live = tafl(house, clock)
    passed = 0
    for what, span in steps:
        if live.table.phase == "over":
            break
        if what == "passes":
            house.advance(span)  # and no timer is set for now again and again
            passed += span
        elif what == "back":
            house.time.set_back(min(span, 250))
        elif what == "acts":
            house.act(live)
        else:
            house.hall.carry_out(live, c.Say(ANN, "ann", "hm", "table"))
    moments = [event.at for event in live.whole_log]
    assert moments == sorted(moments)
    assert moments[-1] - moments[0] <= passed, "time that was gone through twice counts once"
    if live.table.phase == "playing":
        house.advance(60_000)
        assert live.table.outcome is not None, "whoever does not act is late at last"
