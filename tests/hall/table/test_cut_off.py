"""Who is cut off by a fault of the server's, and who is still there: what a table makes of it."""

import msgspec
from tests.games.support.parlour import Parlour
from tests.hall.table.test_table import ANN, BOB, CID, DOT, MANNERS, Stage, over_tower, playing_tower, tower

from gamut.games.tower.rules import Tower
from gamut.hall.ids import Millis, PersonId
from gamut.hall.table import clock as clocks
from gamut.hall.table import codec
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import Bank
from gamut.hall.table.deciding.presence import next_deadline
from gamut.hall.table.evolve import evolve
from gamut.hall.table.seats import Away, Sitter

PAUSE = Millis(2_000)


def here(*people: PersonId) -> frozenset[PersonId]:
    return frozenset(people)


def takeover(stage: Stage, *people: PersonId) -> list[str]:
    """The node before was there until now, and these people's connections have lived on."""
    charged = stage.now
    stage.now = Millis(stage.now + PAUSE)
    return stage.do(c.Wake(PAUSE, charged, node=2, here=here(*people)))


def cut_off(stage: Stage, *still_here: PersonId) -> list[str]:
    return stage.do(c.CutOff(here(*still_here)))


def left(stage: Stage, seat: int) -> int:
    return clocks.charge(stage.table.clock, stage.now).times[seat].main


def away(stage: Stage) -> dict[PersonId, Away]:
    return {gone.person: gone for gone in stage.table.away}


# A takeover


def test_where_everybody_is_still_here_a_takeover_is_all_that_happens() -> None:
    stage = playing_tower(clock=Bank(60_000))
    stage.now = Millis(stage.now + 4_000)
    assert takeover(stage, ANN, BOB, CID) == ["Handed"]
    assert stage.table.away == ()
    assert stage.running() == (0,)
    assert left(stage, 0) == 56_000, "the time of the pause is not charged"
    stage.now = Millis(stage.now + 1_000)
    assert left(stage, 0) == 55_000, "and from then on the clock runs"


def test_only_those_who_were_cut_off_become_away() -> None:
    stage = playing_tower(clock=Bank(60_000))
    assert takeover(stage, ANN, CID) == ["Handed", "Woken"]
    assert away(stage) == {BOB: Away(BOB, stage.now, cut_off=True, clock_stands=True)}
    assert stage.running() == (0,), "Ann is here, and it is her turn"
    stage.place(0)
    assert stage.running() == (), "Bob's clock stands until he is back"
    stage.do(c.Return(BOB))
    assert stage.running() == (1,)


def test_the_clock_of_somebody_who_was_cut_off_in_their_turn_stands_and_no_other_clock_is_touched() -> None:
    stage = playing_tower(clock=Bank(60_000))
    stage.now = Millis(stage.now + 4_000)
    takeover(stage, BOB, CID)
    stage.now = Millis(stage.now + 30_000)
    assert (left(stage, 0), stage.running()) == (56_000, ())


def test_play_rests_only_for_people_who_are_not_here() -> None:
    stage = playing_tower(returns=False, clock=Bank(60_000))
    takeover(stage, ANN, BOB, CID)
    assert not stage.table.halted
    assert not stage.table.vacated
    takeover(stage, BOB, CID)
    assert stage.table.waiting == (0,)
    assert stage.table.vacated, "Ann has lost the seat until she takes it anew"
    assert [stage.table.is_lost(seat) for seat, _ in stage.table.sitters()] == [True, False, False]
    stage.sit("new-ann", name="ann", returns=False)
    assert not stage.table.halted


def test_who_was_away_before_a_takeover_is_no_more_away_than_before_and_has_as_much_time_left() -> None:
    stage = playing_tower(returns=False)
    stage.do(c.Drop(BOB))
    since = stage.now
    assert takeover(stage, ANN, CID) == ["Handed", "Woken"]
    assert away(stage) == {BOB: Away(BOB, Millis(since + PAUSE))}
    assert not stage.table.halted, "play did not rest for Bob, and does not now"
    assert takeover(stage) == ["Handed", "Woken"]
    assert stage.table.waiting == (0, 1, 2), "if nobody is left, it rests for all, as ever"


def test_whoever_is_here_is_away_no_more() -> None:
    stage = playing_tower(clock=Bank(60_000))
    stage.do(c.Wake())
    assert takeover(stage, ANN) == ["Handed", "Returned", "Woken"]
    assert set(away(stage)) == {BOB, CID}
    assert stage.running() == (0,)


def test_a_host_who_only_watches_is_one_of_the_people_of_the_table() -> None:
    stage = Stage(Tower(), BOB, CID, host=ANN)
    assert takeover(stage, BOB, CID) == ["Handed", "Woken"]
    assert set(away(stage)) == {ANN}


def test_seats_at_a_table_that_is_being_set_up_are_kept_for_those_who_were_cut_off() -> None:
    stage = tower(ANN, BOB, start="host", returns=True)
    takeover(stage, ANN)
    assert away(stage)[BOB].cut_off
    assert stage.table.phase == "setup"
    assert stage.holders() == ["ann", "bob", None]
    stage.pass_time(MANNERS.setup_grace)
    assert stage.holders() == ["ann", None, None], "for as long as any seat is kept there"


def test_bots_alone_play_on_after_a_takeover() -> None:
    stage = Stage(Parlour(), ANN, seats=3, clock=Bank(60_000))
    for _ in range(2):
        stage.do(c.SeatBot(ANN, "hasty"))
    running = stage.running()
    assert running == (0, 1, 2)
    takeover(stage, ANN)
    assert stage.running() == running
    takeover(stage)
    assert stage.running() == (1, 2)


# While the server lives on


def test_who_was_cut_off_by_a_fault_has_used_the_time_until_then_and_no_more() -> None:
    stage = playing_tower(clock=Bank(60_000))
    stage.now = Millis(stage.now + 4_000)
    assert cut_off(stage, BOB, CID) == ["Woken"]
    assert away(stage) == {ANN: Away(ANN, stage.now, cut_off=True, clock_stands=True)}
    stage.now = Millis(stage.now + 30_000)
    stage.do(c.Return(ANN))
    assert (left(stage, 0), stage.running()) == (56_000, (0,))


def test_the_clock_of_somebody_who_is_still_there_runs_on_and_is_charged() -> None:
    stage = playing_tower(clock=Bank(60_000))
    stage.now = Millis(stage.now + 4_000)
    cut_off(stage, ANN, BOB)
    assert (left(stage, 0), stage.running()) == (56_000, (0,))
    stage.now = Millis(stage.now + 4_000)
    assert left(stage, 0) == 52_000


def test_the_clock_of_somebody_who_was_cut_off_runs_when_the_grace_is_over() -> None:
    stage = playing_tower(clock=Bank(60_000))
    cut_off(stage, BOB, CID)
    assert next_deadline(stage.table, MANNERS) is not None
    stage.pass_time(MANNERS.room_grace - 1)
    assert stage.running() == ()
    assert stage.pass_time(1) == ["WaitedOut"]
    assert stage.running() == (0,)


def test_nobody_is_cut_off_twice_and_nothing_happens_to_those_who_were_gone_before() -> None:
    stage = playing_tower(returns=False)
    stage.now = Millis(stage.now + 1_000)
    stage.do(c.Drop(BOB))
    dropped = stage.table.away
    stage.now = Millis(stage.now + 1_000)
    assert cut_off(stage, CID) == ["Woken"]
    assert dropped[0] in stage.table.away
    assert stage.table.is_lost(stage.table.waiting[0])
    assert cut_off(stage, CID) == []
    assert cut_off(stage) == ["Woken"]
    assert dropped[0] in stage.table.away
    assert stage.table.waiting == (0, 2), "also if nobody is left"


def test_where_everybody_is_there_nobody_is_cut_off() -> None:
    assert cut_off(playing_tower(), ANN, BOB, CID, DOT) == []


def test_a_game_that_is_over_has_nobody_who_could_be_cut_off() -> None:
    assert cut_off(over_tower()) == []


def test_a_seat_that_is_kept_for_half_a_minute_is_kept_for_longer_after_a_fault() -> None:
    for fault, kept in ((False, 30_000), (True, MANNERS.room_grace)):
        stage = Stage(Tower(), host=ANN)
        for person in (ANN, BOB, CID):
            stage.do(c.Sit(Sitter(person, person, kept_for=Millis(30_000)), None))
        if fault:
            cut_off(stage, ANN, BOB)
        else:
            stage.do(c.Drop(CID))
        stage.pass_time(kept - 1)
        assert stage.table.seat_of(CID) == 2
        stage.pass_time(1)
        assert stage.table.seat_of(CID) is None


# What is stored


def test_who_was_cut_off_is_stored_and_nobody_at_all_is_not_the_same_as_everybody() -> None:
    stage = playing_tower()
    decoder = codec.Decoder(stage.game)
    for gone, left in ((None, {ANN, BOB, CID}), ((), set()), ((BOB,), {BOB})):
        woken = e.Woken(at=stage.now, clocks_stand=True, cut_off=gone)
        again = decoder.decode(codec.encode(woken))
        assert again == woken
        assert {gone.person for gone in evolve(stage.game, stage.table, again).away} == left
    assert b"cut_off" not in codec.encode(e.Woken(at=stage.now))
    old = decoder.decode(msgspec.json.encode({"type": "woken", "at": stage.now, "clocks_stand": True}))
    assert {gone.person for gone in evolve(stage.game, stage.table, old).away} == {ANN, BOB, CID}
