"""Bots that are awaited at the same time think at the same time, and by their clocks."""

from typing import Any

import pytest
from tests.games.support.parlour import Lay, Trade
from tests.hall.support.inmemory import House, PonderingBots, Thought, make_hall

from gamut.games.budget import UNLIMITED
from gamut.games.game import Seat
from gamut.hall.bots.bot_time import budget_for
from gamut.hall.ids import Millis, PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.settings import HallSettings
from gamut.hall.table import clock as clocks
from gamut.hall.table import commands as c
from gamut.hall.table.clock import Bank, ClockSetting, NoClock, Overtime, PerTurn

ANN = PersonId("ann")
UNTIMED = NoClock()


def with_two_bots(
    clock: ClockSetting = UNTIMED, settings: Any = None
) -> tuple[House, LiveTable, PonderingBots]:
    bots = PonderingBots()
    house = make_hall(bots=bots, **({} if settings is None else {"settings": settings}))
    live = house.open(Opening(game="parlour", seats=3, clock=clock), "ann", "ann")
    for _ in range(2):
        house.do(live, c.SeatBot(ANN, "careful"))
    return house, live, bots


def seats(thoughts: list[Thought]) -> list[int]:
    return [thought.seat for thought in thoughts]


def test_every_bot_that_is_awaited_thinks_at_once() -> None:
    _, live, bots = with_two_bots()
    assert seats(bots.thoughts) == [1, 2]
    assert set(live.thinking) == {1, 2}


def test_what_others_do_in_the_meantime_does_not_make_a_thought_worthless() -> None:
    house, live, bots = with_two_bots()
    house.act(live, 0)
    first, second = bots.thoughts
    second.answer()
    assert live.awaited == (1,)
    assert len(bots.thoughts) == 2, "nobody was asked again"
    first.answer()
    assert live.whole.state.chooser is not None
    assert house.hall._thinking.failures == 0


def test_a_bot_is_asked_once_for_each_turn_of_its_own() -> None:
    house, live, bots = with_two_bots()
    house.act(live, 0)
    house.do(live, c.Say(ANN, "ann", "hurry up", "table"))
    house.do(live, c.Pause(ANN))
    house.do(live, c.Resume(ANN))
    assert seats(bots.thoughts) == [1, 2]


def test_a_bot_whose_turn_has_passed_is_not_listened_to() -> None:
    house, live, bots = with_two_bots(PerTurn(10_000))
    house.act(live, 0)
    late, _ = bots.thoughts
    house.advance(10_000)
    record = list(live.whole_log)
    late.answer()
    assert live.whole_log == record
    assert house.hall._thinking.failures == 0


def test_a_bot_whose_answer_has_become_impossible_meanwhile_thinks_again() -> None:
    house, live, bots = with_two_bots()
    first, second = bots.thoughts
    second.answer()
    first.answer(Trade(1))
    assert seats(bots.thoughts[2:]) == [1], "something has happened since it was asked"
    assert house.hall._thinking.failures == 0
    bots.thoughts[-1].answer(Lay(99))
    assert house.hall._thinking.failures == 1, "nothing has happened since: that was just wrong"
    assert live.awaited == (0,), "and something legal was played"


def clock_of(setting: ClockSetting, left: int | None = None) -> clocks.Clock:
    clock = clocks.fresh(setting, 2, () if left is None else (Millis(left),))
    return clocks.pressed(clock, None, (Seat(0),), Millis(0))


@pytest.mark.parametrize(
    ("setting", "left", "now", "most", "least"),
    [
        (PerTurn(1_000), None, 0, 900, 700),
        (PerTurn(1_000), None, 600, 350, 200),
        (PerTurn(100), None, 0, 50, 1),
        (Bank(600_000), None, 0, 30_000, 5_000),
        (Bank(60_000, 2_000), None, 0, 6_000, 2_000),
        (Bank(60_000, 10_000), 500, 0, 450, 300),
        (Bank(60_000), 10, 0, 1, 1),
        (Overtime(60_000, 30_000, 3), None, 0, 5_000, 1_000),
        (Overtime(0, 30_000, 3), None, 0, 27_000, 20_000),
    ],
)
def test_a_bot_has_a_share_of_its_time_and_a_margin(
    setting: ClockSetting, left: int | None, now: int, most: int, least: int
) -> None:
    millis = budget_for(clock_of(setting, left), Seat(0), Millis(now)).millis
    assert millis is not None
    assert least <= millis <= most


def test_a_bot_without_a_clock_has_no_limit_but_its_own() -> None:
    assert budget_for(clock_of(UNTIMED), Seat(0), Millis(0)) == UNLIMITED
    assert budget_for(clock_of(PerTurn(5)), Seat(1), Millis(0)) == UNLIMITED
    _, _, bots = with_two_bots()
    assert bots.thoughts[0].question.budget == UNLIMITED


def test_bots_are_told_how_much_time_they_have() -> None:
    _, _, bots = with_two_bots(PerTurn(2_000))
    budgets = [thought.question.budget.millis for thought in bots.thoughts]
    assert all(millis is not None and 0 < millis < 2_000 for millis in budgets)


def test_a_bot_does_not_lose_on_time_in_order_to_seem_thoughtful() -> None:
    house, live, bots = with_two_bots(PerTurn(200), HallSettings(bot_delay=Millis(1_000)))
    for thought in bots.thoughts:
        thought.answer()
    house.advance(199)
    acted = [event.seat for event in live.whole_log if getattr(event, "why", None) == "acted"]
    assert acted == [1, 2]
