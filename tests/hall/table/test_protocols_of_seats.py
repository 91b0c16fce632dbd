"""What a protocol makes of a seat: whether one comes back to it, what rests meanwhile, whose list the game is in."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.hall.support.inmemory import House, make_hall, sitter
from tests.hall.support.restarts import restarted, told

from gamut.games.game import Refused, Seat
from gamut.games.topple.rules import Topple
from gamut.hall.ids import Millis, PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.clock import Bank, NoClock
from gamut.hall.table.deciding.draft import Timeouts
from gamut.hall.table.seats import Sitter

ANN, BOB, CID = (PersonId(name) for name in ("ann", "bob", "cid"))
GRACE = Timeouts().room_grace
TIMED = Opening(game="tower", clock=Bank(60_000), room="attic")


def by_login(name: str) -> Sitter:
    """Somebody who comes back by logging in: play waits for them, the game does not renew itself."""
    return replace(sitter(name), guest=False, rests=True, kept_for=GRACE)


def playing(house: House, made: Any = by_login, opening: Opening = TIMED) -> LiveTable:
    live = house.hall.open(opening, ANN)
    for name in ("ann", "bob", "cid"):
        house.do(live, c.Sit(made(name)))
    assert live.table.phase == "playing"
    return live


def waiting(live: LiveTable) -> tuple[Seat, ...]:
    return live.table.waiting


def running(live: LiveTable) -> tuple[Seat, ...]:
    return live.table.clock.running


def test_what_is_not_said_follows_from_whether_there_is_a_way_back() -> None:
    known, passing = Sitter(ANN, "ann"), Sitter(ANN, "ann", returns=False)
    assert (known.rests, known.listed, known.renews) == (False, True, False)
    assert (passing.rests, passing.listed, passing.renews) == (True, False, True)
    assert (known.cannot, passing.cannot) == ((), ("ready", "start", "rematch"))
    lonely = Sitter(ANN, "ann", returns=False, rests=False, listed=True, renews=False)
    assert (lonely.rests, lonely.listed, lonely.renews) == (True, True, False), "a free seat cannot play on"


@told
async def test_play_rests_after_a_restart_until_those_it_rests_for_are_back() -> None:
    house = make_hall()
    live = playing(house)
    again = await restarted(house, after=1_000_000)
    back = again.hall.live[live.id]
    assert waiting(back) == (0, 1, 2)
    assert running(back) == ()
    again.advance(100_000)
    assert [time.main for time in back.table.clock.times] == [60_000] * 3
    for name in ("ann", "bob"):
        again.attend(back, name)
    assert waiting(back) == (2,)
    again.attend(back, "cid")
    assert waiting(back) == ()
    assert running(back) == (0,)
    again.act(back)
    assert running(back) == (1,)


@told
async def test_nobody_else_takes_a_seat_that_play_rests_for() -> None:
    house = make_hall()
    live = playing(house)
    again = await restarted(house)
    back = again.hall.live[live.id]
    for seat in (None, Seat(1)):
        with pytest.raises(Refused) as refusal:
            again.do(back, c.Sit(sitter("dot"), seat, back.table.key))
        assert refusal.value.code == "full"
    assert back.table.seat_of(BOB) == 1


@told
async def test_play_goes_on_without_somebody_who_was_waited_for_long_enough_and_their_clock_runs() -> None:
    house = make_hall()
    live = playing(house)
    again = await restarted(house)
    back = again.hall.live[live.id]
    again.attend(back, "ann")
    again.attend(back, "bob")
    again.advance(GRACE - 1)
    assert (waiting(back), running(back)) == ((2,), ())
    again.advance(1)
    assert (waiting(back), running(back)) == ((), (0,))
    again.act(back)
    again.act(back)
    assert running(back) == (2,)
    again.advance(59_999)
    assert back.table.state.turn == 2
    again.advance(1)
    assert back.table.state.turn != 2, "the flag fell"
    assert (await restarted(again)).hall.live[live.id].table.seq > back.table.seq


@told
async def test_without_a_clock_whoever_does_not_come_back_in_time_gives_the_seat_up() -> None:
    house = make_hall()
    live = playing(house, opening=replace(TIMED, clock=NoClock()))
    again = await restarted(house)
    back = again.hall.live[live.id]
    again.attend(back, "ann")
    again.attend(back, "bob")
    again.advance(GRACE - 1)
    assert back.table.seat_of(CID) == 2
    again.advance(1)
    assert back.table.seats[2] is None


@told
async def test_a_table_that_rests_and_nobody_comes_back_to_is_closed_when_the_house_has_waited_enough() -> (
    None
):
    house = make_hall()
    live = playing(house, lambda name: replace(sitter(name), rests=True))
    again = await restarted(house)
    back = again.hall.live[live.id]
    again.advance(GRACE)
    assert back.table.phase == "over"


@told
async def test_of_those_with_a_way_back_for_whom_play_rests_nobody_is_waited_for_longer_than_a_table() -> (
    None
):
    house = make_hall()
    live = playing(
        house, lambda name: replace(sitter(name), rests=True), opening=replace(TIMED, clock=NoClock())
    )
    again = await restarted(house)
    back = again.hall.live[live.id]
    again.attend(back, "ann")
    again.attend(back, "bob")
    again.advance(GRACE)
    assert back.table.seat_of(CID) == 2
    again.advance(1)
    assert back.table.seats[2] is None


def test_a_table_that_nobody_is_at_is_not_closed_while_a_clock_runs() -> None:
    house = make_hall()
    live = house.hall.open(replace(TIMED, clock=Bank(3 * GRACE)), ANN)
    for name in ("ann", "bob", "cid"):
        house.do(live, c.Sit(replace(sitter(name), rests=True)))
        house.depart(live, house.attend(live, name))
    house.advance(2 * GRACE)
    assert live.table.phase == "playing"
    assert live.table.seat_of(ANN) == 0
    assert running(live) == (0,)


def test_a_lost_connection_alone_lets_nothing_rest() -> None:
    house = make_hall()
    live = playing(house)
    ann = house.attend(live, "ann")
    house.depart(live, ann)
    assert waiting(live) == ()
    assert running(live) == (0,)


def test_a_game_that_does_not_renew_itself_stays_over_when_somebody_stands_up() -> None:
    house = make_hall()
    live = playing(house)
    while live.table.phase != "over":
        house.act(live)
    house.do(live, c.Leave(BOB))
    assert live.table.successor is None
    assert len(house.hall.register.unfinished) == 0
    assert ("tower", "attic") not in house.hall.register.rooms


def test_a_room_renews_itself_for_people_who_come_back_as_well_if_their_protocol_has_no_rematch() -> None:
    house = make_hall()
    live = playing(house, lambda name: replace(sitter(name), renews=True))
    while live.table.phase != "over":
        house.act(live)
    house.do(live, c.Leave(BOB))
    assert live.table.successor is not None
    assert house.hall.register.rooms["tower", "attic"] == live.table.successor


def test_a_game_is_in_the_lists_of_those_who_can_ask_for_one() -> None:
    house = make_hall()
    live = house.hall.open(TIMED, ANN)
    house.do(live, c.Sit(by_login("ann")))
    house.do(live, c.Sit(replace(sitter("bob"), listed=False)))
    house.do(live, c.Sit(sitter("cid", returns=False)))
    house.settle()
    listed = [bool(house.storage.played_by(person, 10)) for person in (ANN, BOB, CID)]
    assert listed == [True, False, False]
    assert house.hall.register.seated[BOB] == {live.id}, "in a list or not, that is a seat"


def test_a_seat_is_kept_for_as_long_as_was_said() -> None:
    house = make_hall()
    live = playing(house, lambda name: replace(sitter(name), kept_for=Millis(5_000)))
    house.attend(live, "ann")
    house.depart(live, house.attend(live, "bob"))
    house.advance(4_999)
    assert live.table.seat_of(BOB) is not None
    house.advance(1)
    assert live.table.seat_of(BOB) is None


def test_who_cannot_say_ready_does_not_make_up_for_empty_seats_where_all_must_approve() -> None:
    house = make_hall(played={"topple": Topple()})
    live = house.hall.open(Opening(game="topple", seats=4, start="approval"), ANN)
    for name in ("ann", "bob"):
        house.do(live, c.Sit(Sitter(PersonId(name), name, cannot=("ready",))))
    with pytest.raises(Refused) as refused:
        house.do(live, c.Start(ANN))
    assert refused.value.code == "not_full"
    assert live.table.phase == "setup"
