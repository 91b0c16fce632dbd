"""Draw offers that stand or lapse, bots that answer them, players who report their own flag, and one chat for all."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from tests.games.support.parlour import Event, Lay, Parlour, ParlourState, Take
from tests.hall.support.inmemory import House, make_hall
from tests.hall.table.test_table import ANN, BOB, CID, DOT, Stage, playing_parlour, playing_tower

from gamut.games.game import Refused, Seat
from gamut.hall.ids import Millis, Seq
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import Bank, ClockSetting, Overtime, PerTurn

PEOPLE = (ANN, BOB, CID)
TIMED = Bank(60_000, 1_000)


def lay(stage: Stage, seat: int) -> None:
    stage.do(c.Act(PEOPLE[seat], Lay(stage.table.state.hands[seat][0])))


def a_round(stage: Stage) -> Seat:
    """Everybody lays a card; who won the round is to choose."""
    for seat in range(3):
        lay(stage, seat)
    winner: Seat = stage.table.state.chooser
    return winner


# Offers


def test_an_offer_stands_after_some_plays_and_lapses_with_others() -> None:
    stage = playing_parlour()
    winner = a_round(stage)
    other = PEOPLE[(winner + 1) % 3]
    stage.do(c.OfferDraw(other))
    stage.do(c.Act(PEOPLE[winner], Take()))
    assert len(stage.offers()) == 1, "the winner of a round has only chosen"
    lay(stage, (winner + 1) % 3)
    assert len(stage.offers()) == 1, "one's own offer stands when one plays on"
    lay(stage, winner)
    assert stage.offers() == ()


def test_whoever_was_turned_down_offers_again_only_after_a_move_but_may_take_what_is_offered() -> None:
    stage = playing_parlour()
    winner = a_round(stage)
    offerer, other = PEOPLE[winner], PEOPLE[(winner + 1) % 3]
    stage.do(c.OfferDraw(offerer))
    stage.do(c.DeclineDraw(other))
    assert stage.refused(c.OfferDraw(offerer)) == "turned_down"
    stage.do(c.OfferDraw(other))
    stage.do(c.OfferDraw(offerer))
    stage.do(c.DeclineDraw(other))
    assert stage.refused(c.OfferDraw(offerer)) == stage.refused(c.OfferDraw(other)) == "turned_down"
    stage.do(c.Act(offerer, Take()))
    stage.do(c.OfferDraw(offerer))
    stage.do(c.DeclineDraw(other))
    assert stage.refused(c.OfferDraw(other)) == "turned_down", "another's move is not one's own"


def test_whoever_sits_in_has_not_been_turned_down() -> None:
    house = make_hall(played={"parlour": Unyielding()})
    live = house.open(Opening(game="parlour"), "ann", "ann", "bob", "cid")
    house.do(live, c.OfferDraw(BOB))
    house.do(live, c.DeclineDraw(ANN))
    house.do(live, c.Leave(BOB))
    house.sit(live, "dot")
    house.do(live, c.OfferDraw(DOT))
    assert live.table.draw_offers == (1,)


# Bots


def with_bot(house: House, level: str, *, seats: int = 2) -> LiveTable:
    live = house.open(Opening(game="parlour", seats=seats, start="host"), "ann", "ann")
    for _ in range(seats - 1):
        house.do(live, c.SeatBot(ANN, level))
    house.do(live, c.Start(ANN))
    return live


def offered(house: House, live: LiveTable) -> list[str]:
    before = len(live.log)
    house.do(live, c.OfferDraw(ANN))
    return [type(event).__name__ for event in live.log[before:]]


def test_a_bot_takes_a_draw_that_it_likes() -> None:
    house = make_hall()
    live = with_bot(house, "hasty")
    assert offered(house, live) == ["DrawOffered", "DrawOffered", "Played"]
    assert live.table.outcome is not None
    assert live.table.outcome.reason == "agreed"


def test_a_bot_that_wants_to_play_on_says_so_and_never_keeps_silent() -> None:
    house = make_hall()
    live = with_bot(house, "careful")
    assert offered(house, live) == ["DrawOffered", "DrawDeclined"]
    assert live.table.draw_offers == ()


def test_of_several_bots_each_answers_until_one_declines() -> None:
    house = make_hall()
    assert offered(house, with_bot(house, "hasty", seats=3)) == ["DrawOffered"] * 3 + ["Played"]
    assert offered(house, with_bot(house, "careful", seats=3)) == ["DrawOffered", "DrawDeclined"]


def test_a_bot_answers_and_then_people_do() -> None:
    house = make_hall()
    live = house.open(Opening(game="parlour", start="host"), "ann", "ann", "bob")
    house.do(live, c.SeatBot(ANN, "hasty"))
    house.do(live, c.Start(ANN))
    assert offered(house, live) == ["DrawOffered", "DrawOffered"]
    house.do(live, c.OfferDraw(BOB))
    assert live.table.phase == "over"


class Watched(Parlour):
    """Remembers what its bots were shown."""

    def __init__(self) -> None:
        self.shown: list[ParlourState] = []

    def accepts_draw(self, state: ParlourState, seat: Seat, level: str) -> bool:
        self.shown.append(state)
        return False


def test_a_bot_judges_only_what_its_seat_sees() -> None:
    game = Watched()
    house = make_hall(played={"parlour": game})
    offered(house, with_bot(house, "careful"))
    (seen,) = game.shown
    assert not any(seen.hands[0])
    assert all(seen.hands[1])


class Unyielding(Parlour):
    traits = replace(Parlour.traits, bots_answer_draws=False, leaver="waits")

    def accepts_draw(self, state: ParlourState, seat: Seat, level: str) -> bool:
        raise AssertionError("nobody asks")


def test_a_bot_that_sits_in_where_bots_know_no_draws_is_not_asked_about_the_offer_that_stands() -> None:
    house = make_hall(played={"parlour": Unyielding()})
    live = house.open(Opening(game="parlour"), "ann", "ann", "bob", "cid")
    house.do(live, c.OfferDraw(ANN))
    house.do(live, c.Leave(BOB))
    house.do(live, c.SeatBot(ANN, "hasty"))
    assert not any(isinstance(event, e.DrawDeclined) for event in live.log)


def test_only_bots_answer_as_bots_and_only_to_an_offer() -> None:
    stage = Stage(Parlour(), ANN, BOB)
    assert stage.refused(c.BotAnswer(Seat(2), True)) == "not_started"
    stage.do(c.SeatBot(ANN, "hasty"))
    assert stage.refused(c.BotAnswer(Seat(2), True)) == "no_offer"
    stage.do(c.OfferDraw(ANN))
    assert stage.refused(c.BotAnswer(Seat(1), True)) == "not_a_bot"
    assert stage.refused(c.BotAnswer(Seat(7), True)) == "empty_seat"
    stage.do(c.BotAnswer(Seat(2), True))
    assert stage.refused(c.BotAnswer(Seat(2), True)) == "no_offer"


# Flags


class Sudden(Parlour):
    """Whoever runs out of time is out."""

    def flag(self, state: ParlourState, seat: Seat, chance: Random) -> Sequence[Event]:
        return self.quit(state, seat, chance)


LENIENT = Bank(60_000, 1_000, lag=1_000)
"""What was on its way when the time was over still counts."""


def test_a_report_that_the_own_time_is_over_counts_where_the_table_s_clock_says_so_too() -> None:
    stage = Stage(Sudden(), ANN, BOB, CID, clock=LENIENT)
    winner = a_round(stage)
    loser = PEOPLE[(winner + 1) % 3]
    assert stage.refused(c.ReportFlag(loser)) == "not_your_turn"
    assert stage.refused(c.ReportFlag(PEOPLE[winner])) == "time_left"
    stage.now = Millis(stage.now + stage.table.clock.times[winner].main - 1)
    assert stage.refused(c.ReportFlag(PEOPLE[winner])) == "time_left"
    stage.now = Millis(stage.now + 1)
    assert stage.refused(c.ReportFlag(loser)) == "not_your_turn"
    assert stage.do(c.ReportFlag(PEOPLE[winner])) == ["Played"]
    fell: Any = stage.events[-1]
    assert (fell.why, fell.seat) == ("flagged", winner)
    assert stage.table.state.left[winner]


@pytest.mark.parametrize(
    "clock",
    [PerTurn(60_000), PerTurn(60_000, lag=1_000), TIMED, LENIENT, Overtime(1_000, 59_000, 1)],
    ids=["turn", "lenient turn", "bank", "lenient bank", "overtime"],
)
def test_nobody_gets_rid_of_a_turn_by_saying_that_its_time_is_over(clock: ClockSetting) -> None:
    """Where time is not the end of the game that would be a pass, which no game has."""
    stage = playing_tower(clock=clock)
    for moment in (0, 1_000, 59_999):
        stage.now = Millis(stage.table.clock.since + moment)
        assert stage.refused(c.ReportFlag(ANN)) == "time_left"
        assert stage.refused(c.ReportFlag(BOB)) == "not_your_turn"
    stage.now = Millis(stage.table.clock.since + 60_000)
    assert stage.do(c.ReportFlag(ANN)) == ["Played"]
    assert stage.table.state.turn == 1


def test_without_a_clock_or_a_game_there_is_no_flag() -> None:
    assert playing_tower().refused(c.ReportFlag(ANN)) == "no_clock"
    stage = Stage(Sudden(), ANN, BOB, clock=TIMED)
    assert stage.refused(c.ReportFlag(ANN)) == "not_started"
    stage.sit(CID)
    assert stage.refused(c.ReportFlag(DOT)) == "not_seated"
    stage.do(c.Pause(ANN))
    assert stage.refused(c.ReportFlag(ANN)) == "paused"


# One chat


@pytest.mark.parametrize("one_chat", [True, False])
def test_where_there_is_one_chat_watchers_talk_at_the_table(one_chat: bool) -> None:
    house = make_hall()
    live = house.open(Opening(game="tower", one_chat=one_chat), "ann", "ann", "bob", "cid")
    bob = house.attend(live, "bob")
    spoken = c.Say(DOT, "dot", "well played", "table")
    if not one_chat:
        with pytest.raises(Refused) as refusal:
            house.do(live, spoken)
        assert refusal.value.code == "not_seated"
        return
    house.do(live, spoken)
    assert [event.text for event in bob.events if isinstance(event, e.Said)] == ["well played"]
    said = live.visible(Seat(1), Seq(0))
    assert any(isinstance(event, e.Said) for event in said), "players hear it when they come back, too"


def test_a_rematch_has_one_chat_again_and_approval_is_what_the_rematch_was() -> None:
    house = make_hall()
    live = house.open(Opening(game="parlour", seats=2, start="approval", one_chat=True), "ann", "ann", "bob")
    for person in (ANN, BOB):
        house.do(live, c.Ready(person, True))
    while live.table.phase != "over":
        house.act(live)
    for person in (ANN, BOB):
        house.do(live, c.Rematch(person))
    assert live.table.successor is not None
    after = house.hall.live[live.table.successor]
    assert after.table.one_chat
    assert after.table.phase == "playing"
