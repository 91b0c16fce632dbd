"""Coming and going in turn: a log does not grow by it, and a bad connection loses nothing."""

from tests.hall.support.inmemory import House, make_hall

from gamut.hall.ids import PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.settings import HallSettings
from gamut.hall.table import commands as c

BOB = PersonId("bob")
SETTINGS = HallSettings()
OFTEN, PATIENCE = SETTINGS.lost_connections.tries, SETTINGS.gone_after


def a_game(house: House) -> LiveTable:
    live = house.open(Opening(game="tower"), "ann", "ann", "bob", "cid")
    for name in ("ann", "cid"):
        house.attend(live, name)
    return live


def flap(house: House, live: LiveTable, times: int, every: int = 0) -> None:
    for _ in range(times):
        house.depart(live, house.attend(live, "bob"))
        house.advance(every)


def test_each_lost_connection_is_told_as_long_as_there_are_few() -> None:
    house = make_hall()
    live = a_game(house)
    seq = live.table.seq
    flap(house, live, OFTEN)
    assert live.table.seq == seq + 2 * OFTEN - 1, "at first he was there"
    assert live.table.is_away(BOB)


def test_coming_and_going_in_a_loop_adds_next_to_nothing_to_the_log() -> None:
    house = make_hall()
    live = a_game(house)
    seq = live.table.seq
    flap(house, live, 2_000, every=20)
    assert live.table.seq <= seq + 2 * (OFTEN + 1)
    assert house.hall.attendance.flapping.delayed > 1_900


def test_an_hour_of_it_adds_no_more_than_one_pair_a_minute() -> None:
    house = make_hall()
    live = a_game(house)
    seq = live.table.seq
    flap(house, live, 36_000, every=100)
    assert live.table.seq - seq <= 2 * (OFTEN + 60)


def test_whoever_stays_away_is_told_to_be_a_moment_later() -> None:
    house = make_hall()
    live = a_game(house)
    flap(house, live, OFTEN)
    connection = house.attend(live, "bob")
    house.depart(live, connection)
    assert not live.table.is_away(BOB), "he has been here and gone ten times"
    house.advance(PATIENCE - 1)
    assert not live.table.is_away(BOB)
    house.advance(1)
    assert live.table.is_away(BOB)
    house.attend(live, "bob")
    assert not live.table.is_away(BOB)
    assert live.table.seat_of(BOB) == 1


def test_whoever_is_back_in_time_was_never_away() -> None:
    house = make_hall()
    live = a_game(house)
    flap(house, live, OFTEN)
    house.attend(live, "bob")
    seq = live.table.seq
    house.depart(live, house.attend(live, "bob"))
    house.advance(10 * PATIENCE)
    assert live.table.seq == seq, "one of two connections was lost"


def test_others_and_other_tables_are_not_meant() -> None:
    house = make_hall()
    live = a_game(house)
    flap(house, live, 3 * OFTEN)
    other = house.open(Opening(game="tower"), "dot", "dot", "bob", "eve")
    house.depart(other, house.attend(other, "bob"))
    assert other.table.is_away(BOB)
    house.depart(live, house.attend(live, "ann"))
    assert not live.table.is_away(PersonId("ann")), "she has another connection"


def test_watchers_come_and_go_as_they_like() -> None:
    house = make_hall()
    live = a_game(house)
    seq = live.table.seq
    for _ in range(100):
        house.depart(live, house.attend(live, "wim"))
    assert live.table.seq == seq
    assert house.hall.attendance.flapping.delayed == 0


def test_the_seat_of_whoever_gave_it_up_meanwhile_stays_empty() -> None:
    house = make_hall()
    live = a_game(house)
    flap(house, live, 2 * OFTEN)
    house.do(live, c.Leave(BOB))
    seq = live.table.seq
    house.advance(2 * PATIENCE)
    assert live.table.seq == seq
