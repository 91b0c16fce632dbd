"""Rooms in a hall of several servers: the code of a new one is waited for, and anything may happen meanwhile."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.doors.support.topple_inn import Client, ToppleInn
from tests.doors.support.waiting_inn import WaitingInn, opened
from tests.doors.topple.test_coming_in import fatal
from tests.doors.topple.test_exports import exported, imported, places

from gamut.hall.settings import HallSettings

CREATE = "t=1&s=1&d=0,3,3&p=3"
NO_CAPACITY = "Servers Are Unable To Process That Request At This Time"


class Inn(WaitingInn, ToppleInn):
    pass


@pytest.fixture(name="inn")
def _inn() -> Iterator[Inn]:
    with opened(Inn()) as inn:
        yield inn


def is_inside(client: Client) -> bool:
    return "game:roomid" in kinds(client.read())


def kinds(heard: list[Any]) -> list[str]:
    return [each["type"] for each in heard if isinstance(each, dict)]


def room(inn: Inn) -> str:
    """The code of the only one there is."""
    ((_, code),) = inn.hall.register.rooms
    return code


@pytest.mark.parametrize("query", [CREATE, CREATE + "&pw=secret", CREATE + "&S=1"])
def test_whoever_creates_a_room_waits_for_its_code(inn: Inn, query: str) -> None:
    client = inn.connect(query)
    assert client.read() == []
    assert not inn.hall.register.unfinished
    assert not client.session.can_be_packed
    (asked,) = inn.names.asked
    inn.let_go()
    assert is_inside(client)
    assert client.session.can_be_packed
    assert asked == ("topple", room(inn))
    assert inn.names.ours == {asked}


def test_a_code_that_is_taken_elsewhere_is_drawn_anew(inn: Inn) -> None:
    client = inn.connect(CREATE)
    taken = inn.names.asked[0]
    inn.names.elsewhere.add(taken)
    inn.let_go()
    assert client.read() == []
    (another,) = inn.names.asked
    assert another != taken
    inn.let_go()
    assert is_inside(client)
    assert inn.names.ours == {another}


def test_two_who_have_drawn_the_same_code_are_not_in_one_room(
    inn: Inn, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = iter("AABBBC")
    monkeypatch.setattr("gamut.doors.topple.door.new_room_code", lambda *_: next(drawn))
    one, other = inn.connect(CREATE), inn.connect(CREATE)
    assert inn.names.asked == [("topple", "A"), ("topple", "B")]
    inn.names.ours.add(("topple", "B"))
    third = inn.connect(CREATE)
    assert is_inside(third), "whoever comes now need not wait"
    inn.let_go()
    inn.let_go()
    assert is_inside(one)
    assert is_inside(other)
    assert set(inn.hall.register.rooms) == inn.names.ours == {("topple", code) for code in "ABC"}


def test_where_every_code_is_taken_elsewhere_there_is_no_room(inn: Inn) -> None:
    client = inn.connect(CREATE)
    for _ in range(100):
        inn.names.elsewhere.update(inn.names.asked)
        inn.let_go()
    fatal(client, "Unable to generate room code")
    assert not inn.names.ours


@pytest.mark.parametrize("query", [CREATE, CREATE + "&pw=secret"])
def test_a_creator_who_hangs_up_while_they_wait_leaves_no_room_and_no_code(inn: Inn, query: str) -> None:
    client = inn.connect(query)
    client.session.closed()
    inn.let_go()
    assert client.read() == []
    assert not inn.hall.register.unfinished
    assert not inn.names.ours


def test_no_room_is_opened_when_the_server_has_begun_to_stop(inn: Inn) -> None:
    client = inn.connect(CREATE)
    client.session.closing()
    inn.let_go()
    assert not inn.hall.register.unfinished
    assert not inn.names.ours


def test_a_hall_that_is_full_by_then_says_so() -> None:
    with opened(Inn(settings=HallSettings(most_tables=1))) as inn:
        first, second = inn.connect(CREATE), inn.connect(CREATE)
        inn.let_go()
        assert is_inside(first)
        fatal(second, NO_CAPACITY)
        assert inn.names.ours == {("topple", room(inn))}
        fatal(inn.connect(CREATE), NO_CAPACITY)
        assert not inn.names.asked, "a full hall says so before anything is waited for"


def suspended(inn: Inn) -> bytes:
    host = inn.seated(CREATE)
    inn.let_go()
    host.heard += host.read()
    guest = inn.join(host.room)
    host.say("waiting:start")
    people = [host, guest]
    for person in people:
        person.read()
    return exported(people)


@pytest.mark.parametrize("moved", [False, True])
def test_a_suspended_game_goes_on_when_the_new_room_has_its_code(inn: Inn, moved: bool) -> None:
    client, heard = imported(inn, suspended(inn))
    assert not inn.names.ours, "the room was closed for the export"
    if moved:
        client.move_to_another_node()
    seat = places(heard)[0]
    assert client.say("resjoin:select", n=seat) == []
    assert not inn.hall.register.unfinished
    inn.let_go()
    assert is_inside(client)
    assert inn.names.ours == {("topple", room(inn))}


def test_whoever_hangs_up_before_a_suspended_game_goes_on_leaves_nothing_behind(inn: Inn) -> None:
    client, heard = imported(inn, suspended(inn))
    client.say("resjoin:select", n=places(heard)[0])
    client.session.closed()
    inn.let_go()
    assert not inn.hall.register.unfinished
    assert not inn.names.ours
