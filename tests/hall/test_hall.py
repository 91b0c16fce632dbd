"""The hall: opening tables, what happens at them by itself, bots, and who hears of it."""

from typing import Any

import pytest
from tests.games.support.parlour import Lay
from tests.hall.support.inmemory import (
    NOON,
    HeldCommitter,
    House,
    MemoryStorage,
    PonderingBots,
    make_hall,
    sitter,
)

from gamut.games.game import Refused, Seat
from gamut.games.tower.board import EMPTY
from gamut.games.tower.rules import Place
from gamut.hall.ids import Millis, PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.settings import HallSettings
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import Bank, PerTurn
from gamut.hall.table.deciding.draft import Timeouts

ANN, BOB, CID = PersonId("ann"), PersonId("bob"), PersonId("cid")
TOWER = Opening(game="tower")
MANNERS = Timeouts()


def code_of(refusal: pytest.ExceptionInfo[Refused]) -> str:
    assert refusal.value.reason.endswith((".", "?", "!"))
    return refusal.value.code


def refused(house: House, live: LiveTable, command: c.Command) -> str:
    with pytest.raises(Refused) as refusal:
        house.do(live, command)
    return code_of(refusal)


def cannot_open(house: House, opening: Opening, host: str = "ann") -> str:
    tables = set(house.hall.live)
    with pytest.raises(Refused) as refusal:
        house.open(opening, host)
    assert set(house.hall.live) == tables
    return code_of(refusal)


def names(events: list[Any]) -> list[str]:
    return [type(event).__name__ for event in events]


# Opening tables


def test_a_table_is_opened_as_wished_and_stored() -> None:
    house = make_hall()
    live = house.open(
        Opening(game="parlour", options={"hand": 3}, seats=2, clock=Bank(5_000), start="host", private=True),
        "ann",
    )
    table = live.table
    assert (table.options.hand, len(table.seats), table.clock_setting) == (3, 2, Bank(5_000))
    assert (table.start, table.private, table.host) == ("host", True, "ann")
    assert len(table.key) >= 16
    assert [row.seq for row in house.storage.rows[live.id]] == [1]
    assert house.storage.entries[live.id].phase == "setup"


def test_each_table_has_an_id_and_a_key_of_its_own() -> None:
    house = make_hall()
    tables = [house.open(TOWER, "ann").table for _ in range(50)]
    assert len({table.id for table in tables}) == len({table.key for table in tables}) == 50


def test_ids_ascend_in_time() -> None:
    house = make_hall()
    ids = []
    for _ in range(20):
        ids.append(house.open(TOWER, "ann").id)
        house.advance(1)
    assert ids == sorted(ids)


@pytest.mark.parametrize(
    ("opening", "code"),
    [
        (Opening(game="chess"), "no_such_game"),
        (Opening(game="parlour", options={"hand": 99}), "bad_options"),
        (Opening(game="parlour", options={"nonsense": 1}), "bad_options"),
        (Opening(game="parlour", seats=4), "bad_seats"),
        (Opening(game="tower", seats=2), "bad_seats"),
        (Opening(game="tower", seats=0), "bad_seats"),
    ],
)
def test_a_table_that_cannot_be_is_not_opened(opening: Opening, code: str) -> None:
    house = make_hall()
    assert cannot_open(house, opening) == code
    assert house.storage.rows == {}


def test_the_hall_holds_so_many_tables_private_ones_included() -> None:
    house = make_hall(settings=HallSettings(most_tables=2))
    first = house.open(TOWER, "ann", "ann")
    house.open(Opening(game="tower", private=True), "bob", "bob")
    assert cannot_open(house, TOWER, "cid") == "hall_full"
    house.do(first, c.Leave(ANN))
    assert house.open(TOWER, "cid").table.host == "cid", "a table that is over takes no room"


def test_a_person_sits_at_so_many_tables() -> None:
    house = make_hall(settings=HallSettings(tables_per_person=2))
    first = house.open(TOWER, "ann", "ann")
    house.open(TOWER, "ann", "ann")
    assert cannot_open(house, TOWER, "ann") == "too_many_tables"
    bobs = house.open(TOWER, "bob", "bob")
    assert refused(house, bobs, c.Sit(sitter("ann"))) == "too_many_tables"
    house.do(first, c.Leave(ANN))
    house.sit(bobs, "ann")
    assert house.hall.register.seated[ANN] == {bobs.id, *house.hall.register.seated[ANN]}
    assert len(house.hall.register.seated[ANN]) == 2


def test_a_game_that_is_over_does_not_count_as_sitting_somewhere() -> None:
    house = make_hall()
    live = house.open(TOWER, "ann", "ann", "bob", "cid")
    assert house.hall.register.seated == {ANN: {live.id}, BOB: {live.id}, CID: {live.id}}
    finish(house, live)
    assert house.hall.register.seated == {}


def finish(house: House, live: LiveTable) -> None:
    while live.table.phase != "over":
        house.act(live)


def test_so_many_people_watch_a_table_players_not_counted() -> None:
    house = make_hall(settings=HallSettings(watchers_per_table=2))
    live = house.open(TOWER, "ann", "ann")
    house.attend(live, "wim")
    house.attend(live, "wes")
    with pytest.raises(Refused) as refusal:
        house.attend(live, "wyn")
    assert code_of(refusal) == "too_many_watchers"
    assert live.watchers == 2
    house.attend(live, "ann")
    house.attend(live, "wes")
    assert live.watchers == 2, "a second window is not a second person"


# What is durable, and who hears of it


def test_what_happens_is_in_the_ledger_as_it_is_in_memory() -> None:
    house = make_hall()
    live = house.open(TOWER, "ann", "ann", "bob", "cid")
    house.act(live)
    rows = house.storage.log(live.id)
    assert [row.seq for row in rows] == list(range(1, live.table.seq + 1))
    assert live.checksum == rows[-1].checksum
    assert live.table.seq == len(live.log)


def test_a_refused_command_leaves_no_trace_anywhere() -> None:
    house = make_hall()
    live = house.open(TOWER, "ann", "ann", "bob", "cid")
    listener = house.attend(live, "wim")
    rows, table = len(house.storage.rows[live.id]), live.table
    assert refused(house, live, c.Act(BOB, Place(0))) == "not_your_turn"
    assert live.table is table
    assert len(house.storage.rows[live.id]) == rows
    assert listener.news == []


def test_commands_of_one_moment_are_one_commit() -> None:
    storage = MemoryStorage()
    house = make_hall(committer=HeldCommitter(storage))
    lives = [house.hall.open(TOWER, ANN) for _ in range(10)]
    for live in lives:
        for name in ("ann", "bob", "cid"):
            house.hall.do(live, c.Sit(sitter(name)))
    house.settle()
    assert isinstance(house.committer, HeldCommitter)
    assert len(house.committer.held) == 1
    house.committer.release()
    assert storage.appends == 1
    assert {entry.phase for entry in storage.entries.values()} == {"playing"}


def test_everybody_around_a_table_hears_what_happens_once() -> None:
    house = make_hall()
    live = house.open(TOWER, "ann", "ann", "bob")
    ann, wim = house.attend(live, "ann"), house.attend(live, "wim")
    house.sit(live, "cid")
    assert names(ann.events) == names(wim.events) == ["Sat", "Started"]
    assert ann.news[0].first == 4
    house.depart(live, wim)
    house.act(live)
    assert names(wim.events) == ["Sat", "Started"]
    assert names(ann.events) == ["Sat", "Started", "Played"]


def test_a_person_with_two_connections_drops_with_the_last_of_them() -> None:
    house = make_hall()
    live = house.open(TOWER, "ann", "ann")
    one, two = house.attend(live, "ann"), house.attend(live, "ann")
    house.depart(live, one)
    assert not live.table.is_away(ANN)
    house.depart(live, two)
    house.depart(live, two)
    assert live.table.is_away(ANN)
    house.attend(live, "ann")
    assert not live.table.is_away(ANN)


def test_people_are_counted_once_however_many_connections_they_have() -> None:
    hall = make_hall().hall
    for person in (ANN, ANN, BOB):
        hall.arrived(person, "127.0.0.1")
    assert len(hall.connected) == 2
    hall.gone(ANN)
    assert len(hall.connected) == 2
    hall.gone(ANN)
    assert set(hall.connected) == {BOB}


# Alarms


def test_a_flag_falls_at_its_moment_without_anyone_asking() -> None:
    house = make_hall()
    live = house.open(Opening(game="tower", clock=PerTurn(10_000)), "ann", "ann", "bob", "cid")
    house.advance(9_999)
    assert live.whole.state.turn == 0
    house.advance(1)
    assert live.whole.state.turn == 1
    assert live.table.at == NOON + 10_000
    house.advance(30_000)
    assert live.whole.state.turn == 1, "and the next, and the next"
    assert sum(mark != EMPTY for mark in live.whole.state.marks) == 4


def test_a_move_puts_the_flag_off() -> None:
    house = make_hall()
    live = house.open(Opening(game="tower", clock=PerTurn(10_000)), "ann", "ann", "bob", "cid")
    house.advance(9_000)
    house.act(live)
    house.advance(9_999)
    assert live.whole.state.turn == 1, "the old alarm did not ring"
    house.advance(1)
    assert live.whole.state.turn == 2
    assert live.table.at == NOON + 19_000


def test_a_deadline_that_comes_nearer_rings_in_time() -> None:
    house = make_hall()
    live = house.open(Opening(game="tower", clock=Bank(50_000)), "ann", "ann", "bob", "cid")
    house.advance(40_000)
    house.act(live)
    house.advance(1_000)
    house.act(live)
    house.advance(1_000)
    house.act(live)
    assert live.deadline == house.time.now() + 10_000, "Ann has only ten seconds left"
    house.advance(9_999)
    assert live.whole.state.turn == 0
    house.advance(1)
    assert live.whole.state.turn == 1


def test_a_move_that_comes_after_the_flag_is_too_late_even_if_the_alarm_is_late() -> None:
    house = make_hall()
    live = house.open(Opening(game="tower", clock=PerTurn(10_000)), "ann", "ann", "bob", "cid")
    house.time._now = Millis(NOON + 10_000)
    assert refused(house, live, c.Act(ANN, Place(0))) == "not_your_turn"
    assert live.log[-1].why == "flagged"


def test_when_two_think_at_once_both_flags_fall_before_a_late_move() -> None:
    house = make_hall()
    live = house.open(Opening(game="parlour", seats=2, clock=PerTurn(10_000)), "ann", "ann", "bob")
    card = live.whole.state.hands[1][0]
    house.time._now = Millis(NOON + 10_000)
    assert refused(house, live, c.Act(BOB, Lay(card))) in ("not_your_turn", "not_now", "not_yours")
    assert [(event.seat, event.why) for event in live.log if type(event) is e.Played] == [
        (0, "flagged"),
        (1, "flagged"),
    ]


def test_nobody_has_time_left_and_the_game_plays_itself_out() -> None:
    house = make_hall()
    live = house.open(Opening(game="tower", clock=Bank(1_000)), "ann", "ann", "bob", "cid")
    house.advance(3_000)
    assert live.table.phase == "over"
    assert live.alarm is None


def test_a_pause_keeps_the_flag_up() -> None:
    house = make_hall()
    live = house.open(Opening(game="tower", clock=PerTurn(10_000)), "ann", "ann", "bob", "cid")
    house.advance(5_000)
    house.do(live, c.Pause(ANN))
    house.advance(10**7)
    assert live.whole.state.turn == 0
    house.do(live, c.Resume(ANN))
    house.advance(4_999)
    assert live.whole.state.turn == 0
    house.advance(1)
    assert live.whole.state.turn == 1


def test_a_host_who_stays_away_is_followed_and_an_empty_table_is_closed_by_itself() -> None:
    house = make_hall()
    live = house.open(TOWER, "ann", "ann", "bob")
    ann, bob = house.attend(live, "ann"), house.attend(live, "bob")
    house.depart(live, ann)
    house.advance(MANNERS.host_grace)
    assert live.table.host == "bob"
    house.depart(live, bob)
    house.advance(MANNERS.setup_grace)
    assert live.table.phase == "over"
    assert house.hall.register.seated == {}
    assert house.hall.register.unfinished == {}


# Bots


def against_bots(house: House, level: str = "casual") -> LiveTable:
    live = house.open(TOWER, "ann", "ann")
    house.do(live, c.SeatBot(ANN, level))
    house.do(live, c.SeatBot(ANN, level))
    return live


def test_bots_play_when_it_is_their_turn() -> None:
    house = make_hall()
    live = against_bots(house)
    while live.table.phase != "over":
        assert live.whole.state.turn == 0, "the bots have answered"
        house.act(live, 0)
    assert live.table.outcome is not None


def test_a_bot_that_answers_at_once_seems_to_look_at_the_board() -> None:
    house = make_hall(settings=HallSettings(bot_delay=Millis(300)))
    live = against_bots(house)
    house.act(live, 0)
    house.advance(299)
    assert live.whole.state.turn == 1
    house.advance(1)
    assert live.whole.state.turn == 2
    house.advance(300)
    assert live.whole.state.turn == 0


def test_a_bot_that_thought_long_enough_is_not_held_up() -> None:
    bots = PonderingBots()
    house = make_hall(bots=bots, settings=HallSettings(bot_delay=Millis(300)))
    live = against_bots(house)
    house.act(live, 0)
    house.advance(1_000)
    bots.thoughts.pop().answer()
    assert live.whole.state.turn == 2


def test_a_bot_is_asked_once_for_each_position() -> None:
    bots = PonderingBots()
    house = make_hall(bots=bots)
    live = against_bots(house)
    house.act(live, 0)
    house.do(live, c.Say(ANN, "ann", "hurry up", "table"))
    assert [(thought.seat, thought.level) for thought in bots.thoughts] == [(1, "casual")]


def test_a_late_answer_to_a_position_that_has_passed_is_ignored() -> None:
    bots = PonderingBots()
    house = make_hall(bots=bots)
    live = house.open(Opening(game="tower", clock=PerTurn(10_000)), "ann", "ann")
    for _ in range(2):
        house.do(live, c.SeatBot(ANN, "casual"))
    house.act(live, 0)
    slow = bots.thoughts.pop()
    house.advance(10_000)
    assert live.whole.state.turn == 2, "the bot's flag fell"
    table = live.table
    slow.answer()
    assert live.table is table
    bots.thoughts.pop().answer()
    assert live.whole.state.turn == 0


def test_an_answer_during_a_pause_is_not_played_and_the_bot_is_asked_again() -> None:
    bots = PonderingBots()
    house = make_hall(bots=bots)
    live = against_bots(house)
    house.act(live, 0)
    house.do(live, c.Pause(ANN))
    bots.thoughts.pop().answer()
    assert live.whole.state.turn == 1
    house.do(live, c.Resume(ANN))
    bots.thoughts.pop().answer()
    assert live.whole.state.turn == 2


def test_a_bot_that_was_sent_off_says_nothing_any_more() -> None:
    bots = PonderingBots()
    house = make_hall(bots=bots)
    live = against_bots(house)
    house.act(live, 0)
    house.do(live, c.Unseat(ANN, Seat(1)))
    bots.thoughts.pop().answer()
    assert live.whole.state.turn == 1
    house.sit(live, "bob")
    house.act(live, 1)
    assert live.whole.state.turn == 2


@pytest.mark.parametrize("answer", [RuntimeError("out of memory"), Place(0), Place(77)])
def test_a_bot_that_fails_or_cheats_plays_something_legal(answer: Any) -> None:
    bots = PonderingBots()
    house = make_hall(bots=bots)
    live = against_bots(house)
    house.act(live, 0, Place(0))
    bots.thoughts.pop().answer(answer)
    assert live.whole.state.turn == 2, "the game goes on"
    assert house.hall._thinking.failures == 1


@pytest.mark.parametrize("answer", [RuntimeError("out of memory"), None])
def test_an_answer_in_the_moment_of_the_flag_is_too_late(answer: Any) -> None:
    bots = PonderingBots()
    house = make_hall(bots=bots)
    live = house.open(Opening(game="tower", clock=PerTurn(10_000)), "ann", "ann")
    for _ in range(2):
        house.do(live, c.SeatBot(ANN, "casual"))
    house.act(live, 0)
    house.time._now = Millis(NOON + 10_000)
    bots.thoughts.pop().answer(answer)
    assert live.log[-1].why == "flagged"
    assert live.whole.state.turn == 2


def test_a_bot_sees_what_its_seat_may_see() -> None:
    bots = PonderingBots()
    house = make_hall(bots=bots)
    live = house.open(Opening(game="parlour", seats=2), "ann", "ann")
    house.do(live, c.SeatBot(ANN, "careful"))
    seen = bots.thoughts[0].state
    assert seen.hands[1] == live.whole.state.hands[1]
    assert set(seen.hands[0]) == {0}


def test_bots_that_think_at_the_same_time_as_people_do_not_hold_them_up() -> None:
    bots = PonderingBots()
    house = make_hall(bots=bots)
    live = house.open(Opening(game="parlour", seats=3), "ann", "ann")
    for _ in range(2):
        house.do(live, c.SeatBot(ANN, "careful"))
    house.act(live, 0)
    while live.game.awaited(live.whole.state) and live.whole.state.chooser is None:
        bots.thoughts.pop().answer()
    assert live.whole.state.chooser is not None
