"""Nobody fills the disk, or talks everybody down, alone."""

import pytest
from tests.hall.support.inmemory import House, make_hall, sitter

from gamut.games.game import Refused
from gamut.hall.ids import Millis, PersonId
from gamut.hall.limits.allowance import Allowance
from gamut.hall.limits.attempts import Limit
from gamut.hall.limits.pace import Pace
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.settings import HallSettings
from gamut.hall.table import commands as c
from gamut.hall.table.deciding.talk import MOST_LINES

ANN, BOB, CID = map(PersonId, ("ann", "bob", "cid"))
READY = Opening(game="tower", start="ready")
SMALL = HallSettings(pace=Pace(by_person=Allowance(4_000, 100), from_address=Allowance(20_000, 1_000)))


def code_of(house: House, live: LiveTable, command: c.Command) -> str | None:
    before = live.table
    try:
        house.do(live, command)
    except Refused as refused:
        assert live.table is before, "nothing has changed"
        return refused.code
    return None


def fidget(house: House, live: LiveTable, person: PersonId) -> int:
    """Change one's mind until it is too much; how often that was."""
    for times in range(1_000):
        if code_of(house, live, c.Ready(person, times % 2 == 0)) == "too_much":
            return times
    raise AssertionError("it goes on for ever")


def test_who_has_had_much_stored_waits_and_nobody_else() -> None:
    house = make_hall(settings=SMALL)
    live = house.open(READY, "ann", "ann", "bob")
    assert 10 < fidget(house, live, ANN) < 100
    assert code_of(house, live, c.Say(ANN, "ann", "hello", "table")) == "too_much"
    with pytest.raises(Refused, match="wait"):
        house.hall.open(READY, ANN)
    with pytest.raises(Refused):
        house.hall.say(ANN, "ann", "hello")
    assert code_of(house, live, c.Ready(BOB, True)) is None
    house.advance(10_000)
    assert code_of(house, live, c.Say(ANN, "ann", "hello", "table")) is None


def test_whoever_wants_to_go_may_go_and_whoever_plays_may_play() -> None:
    house = make_hall(settings=SMALL)
    live = house.open(READY, "ann", "ann", "bob", "cid")
    fidget(house, live, ANN)
    house.advance(5_000)
    for person in (BOB, CID):
        house.do(live, c.Ready(person, True))
    if live.table.phase == "setup":
        house.do(live, c.Ready(ANN, True))
    fidgeted = code_of(house, live, c.Say(ANN, "ann", "x" * 400, "table"))
    while fidgeted is None:
        fidgeted = code_of(house, live, c.Say(ANN, "ann", "x" * 400, "table"))
    assert fidgeted == "too_much"
    house.act(live, 0)
    assert code_of(house, live, c.Resign(ANN)) == "no_resigning", "not because it would be too much"
    assert code_of(house, live, c.Leave(ANN)) is None


def test_people_from_one_address_share_what_may_be_stored_from_it() -> None:
    house = make_hall(settings=SMALL)
    opened = 0
    with pytest.raises(Refused, match="wait"):
        for number in range(1_000):
            person = PersonId(f"p{number}")
            house.hall.arrived(person, f"2001:db8::1:{number}")
            house.hall.open(READY, person)
            opened += 1
    assert opened > 20
    assert house.hall.pace.refusals()["stored_from_address"] == 1
    house.hall.arrived(ANN, "2001:db9::1")
    assert house.hall.open(READY, ANN) is not None, "others come from elsewhere"


def test_talk_has_a_pace_at_tables_and_in_the_lobby_together() -> None:
    house = make_hall(settings=HallSettings(pace=Pace(talk=Limit(4, Millis(4_000)))))
    live = house.open(READY, "ann", "ann", "bob")
    for number in range(2):
        house.hall.say(ANN, "ann", f"line {number}")
        house.do(live, c.Say(ANN, "ann", f"line {number}", "table"))
    with pytest.raises(Refused, match="wait 1 second"):
        house.hall.say(ANN, "ann", "and another thing")
    assert code_of(house, live, c.Say(ANN, "ann", "and another thing", "table")) == "too_talkative"
    assert code_of(house, live, c.Say(BOB, "bob", "thanks", "table")) is None
    house.advance(1_000)
    house.hall.say(ANN, "ann", "and another thing")


def test_a_table_has_room_for_so_many_words_and_no_more() -> None:
    house = make_hall()
    live = house.open(READY, "ann", "ann", "bob")
    for number in range(MOST_LINES):
        house.hall.do(live, c.Say(PersonId(f"w{number % 900}"), "Wim", "hm", "kibitz"))
    assert code_of(house, live, c.Say(ANN, "ann", "me too", "table")) == "talked_out"


def test_a_table_at_which_enough_has_happened_is_only_played_on() -> None:
    house = make_hall(settings=HallSettings(events_per_table=50))
    live = house.open(READY, "ann", "ann", "bob")
    times = 0
    while code_of(house, live, c.Ready(ANN, times % 2 == 0)) is None:
        times += 1
    assert live.table.seq == 50
    assert code_of(house, live, c.Ready(BOB, True)) == "log_full"
    assert code_of(house, live, c.Leave(BOB)) is None


def test_what_is_owed_is_forgotten_once_it_is_paid() -> None:
    house = make_hall(settings=SMALL)
    for number in range(200):
        house.hall.open(READY, PersonId(f"p{number}"))
    assert len(house.hall.pace._by_person) == 200
    house.advance(60_000)
    house.hall.open(READY, ANN)
    assert len(house.hall.pace._by_person) == 1


def test_what_was_allowed_is_done_to_its_end() -> None:
    """Whoever opens a table with the last of their allowance sits down there all the same."""
    house = make_hall(settings=SMALL)
    live = house.open(READY, "ann", "ann", "bob")
    fidget(house, live, ANN)
    house.advance(1_000)
    other = house.hall.open(READY, ANN)
    assert code_of(house, other, c.Sit(sitter("ann"), key=other.table.key)) == "too_much"
    house.hall.do(other, c.Sit(sitter("ann"), key=other.table.key), granted=True)
    assert other.table.seat_of(ANN) == 0
