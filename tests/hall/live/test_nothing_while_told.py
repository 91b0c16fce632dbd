"""Nothing is done at a table while it is being told: every door hears what happened in the order in which it did."""

from collections.abc import Callable, Collection
from typing import Any

import pytest
from tests.conftest import Contained
from tests.hall.support.inmemory import FakeDoor, FakeListener, House, make_hall

from gamut.hall.ids import PersonId
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable, StillBeingTold
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table import events as e

ANN, BOB, CID = map(PersonId, ("ann", "bob", "cid"))


class MeddlingDoor(FakeDoor):
    """Does something because of what it was told, before the doors after it have heard of that."""

    name = "meddling"

    def __init__(self, meddle: Callable[[LiveTable, FakeListener], None]) -> None:
        self._meddle = meddle

    def tell(self, live: LiveTable, news: News, listeners: Collection[FakeListener]) -> None:
        super().tell(live, news, listeners)
        for listener in listeners:
            if type(news.events[0]) is e.Said:
                self._meddle(live, listener)

    def move(self, old: LiveTable, new: LiveTable, listeners: Collection[FakeListener]) -> None:
        super().move(old, new, listeners)
        for listener in listeners:
            self._meddle(new, listener)


def scene(meddle: Callable[[House], Callable[[LiveTable, FakeListener], Any]]) -> Any:
    """A table with Ann at a meddling door, which is told first, and Bob at another one."""
    house = make_hall()
    live = house.open(Opening(game="tower"), "ann", "ann", "bob", "cid")
    ann = FakeListener(MeddlingDoor(meddle(house)), ANN)
    house.hall.attendance.attend(live, ann)
    bob = house.attend(live, "bob")
    return house, live, ann, bob


@pytest.mark.faults
@pytest.mark.parametrize(
    "command", [c.Say(ANN, "ann", "me too", "table"), c.Leave(ANN), c.Pause(ANN), c.Tick(), c.Drop(ANN)]
)
def test_a_door_cannot_do_anything_at_a_table_of_which_it_is_being_told(
    command: c.Command, contained: Contained
) -> None:
    house, live, ann, _ = scene(lambda house: lambda live, listener: house.hall.do(live, command))
    house.do(live, c.Say(BOB, "bob", "hello", "table"))
    assert [fault["error"] for fault in contained.faults] == [repr(StillBeingTold(live.id))]
    assert ann.wire.failed, "the door has not told what it was told"
    assert type(live.whole_log[-1]) is e.Said
    assert sum(type(event) is e.Said for event in live.whole_log) == 1
    house.do(live, c.Pause(ANN))
    assert live.table.phase == "paused", "the table goes on"


def test_a_door_may_do_something_at_another_table() -> None:
    house, live, _, _ = scene(
        lambda house: lambda told, listener: house.hall.open(Opening(game="tower"), ANN)
    )
    house.do(live, c.Say(BOB, "bob", "hello", "table"))
    assert len(house.hall.live) == 2


def test_what_a_door_wants_to_do_is_done_when_all_doors_have_been_told() -> None:
    house, live, ann, bob = scene(
        lambda house: lambda live, listener: live.when_told(lambda: house.hall.do(live, c.Pause(ANN)))
    )
    house.do(live, c.Say(BOB, "bob", "hello", "table"))
    assert [type(event) for event in bob.events[-2:]] == [e.Said, e.Paused]
    assert [type(event) for event in ann.events[-2:]] == [e.Said, e.Paused]


def test_whoever_a_door_lets_go_while_telling_is_missed_after_all_have_been_told() -> None:
    house, live, ann, bob = scene(
        lambda house: lambda live, listener: house.hall.attendance.depart(live, listener)
    )
    house.do(live, c.Say(BOB, "bob", "hello", "table"))
    assert [type(event) for event in bob.events[-2:]] == [e.Said, e.Dropped]
    assert type(ann.events[-1]) is e.Said
    assert live.table.is_away(ANN)


def test_whoever_comes_back_before_all_have_been_told_was_never_away() -> None:
    def in_and_out(house: House) -> Callable[[LiveTable, FakeListener], None]:
        def meddle(live: LiveTable, listener: FakeListener) -> None:
            house.hall.attendance.depart(live, listener)
            live.attend(listener)

        return meddle

    house, live, _, bob = scene(in_and_out)
    house.do(live, c.Say(BOB, "bob", "hello", "table"))
    assert not live.table.is_away(ANN)
    assert not any(type(event) is e.Dropped for event in bob.events)


@pytest.mark.faults
def test_nothing_is_done_at_a_table_to_which_people_are_just_being_taken(contained: Contained) -> None:
    house, live, _, _ = scene(lambda house: lambda live, listener: house.hall.do(live, c.Leave(ANN)))
    while live.table.phase != "over":
        house.act(live)
    for person in (ANN, BOB):
        house.do(live, c.Rematch(person))
    house.do(live, c.Rematch(CID))
    following = house.hall.here(live.table.successor)
    assert contained.faults == [
        {
            "kind": "move",
            "table": following.id,
            "door": "meddling",
            "error": repr(StillBeingTold(following.id)),
        }
    ]
    assert following.table.seat_of(ANN) is not None


@pytest.mark.faults
def test_what_could_not_be_told_leaves_the_table_open_for_what_comes_next() -> None:
    def fail(live: LiveTable, listener: FakeListener) -> None:
        raise ZeroDivisionError

    house, live, _, _ = scene(lambda house: fail)
    house.do(live, c.Say(BOB, "bob", "hello", "table"))
    house.do(live, c.Pause(ANN))
    assert live.table.phase == "paused"
