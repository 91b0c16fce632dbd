"""The list of rooms, its pages and filters, and the bots' names."""

from typing import Any

import pytest
from tests.doors.support.topple_inn import ToppleInn, topple_inn
from tests.doors.topple.test_playing import win

from gamut.doors.topple import rooms
from gamut.doors.topple.http import listed_bots
from gamut.games.topple.files import bots
from gamut.games.topple.rules import Topple


@pytest.fixture(name="inn")
def _inn() -> Any:
    with topple_inn() as house:
        yield house


def idents(inn: ToppleInn, filter: str | None = None) -> list[str]:
    return [record.ident for record in rooms.filtered(inn.topple.rooms.listed(), filter)]


def test_a_public_room_is_listed_as_it_is(inn: ToppleInn) -> None:
    host = inn.create("t=1&d=0,2,2&p=3")
    inn.create("t=2&d=0,2,2&p=3")
    assert inn.topple.rooms.listed() == [
        rooms.RoomRecord(host.room, 3, 1, 0, "Grid2D 2x2", True, "wait", False, False)
    ]
    inn.join(host.room), inn.watch(host.room)
    host.say("game:bot", bot="constantine/0")
    host.say("waiting:start")
    host.say("game:pause")
    (record,) = inn.topple.rooms.listed()
    assert (record.playing, record.spectating, record.phase) == (3, 1, "play")
    inn.advance(5)
    locked = inn.create("t=1&d=3,4,5&p=2&pw=x&s=0")
    record = inn.topple.rooms.listed()[1]
    assert record == rooms.RoomRecord(locked.room, 2, 1, 0, "BWrap2D 4x5", False, "wait", False, True)


def test_a_room_whose_game_is_over_is_listed_while_its_people_are_there(inn: ToppleInn) -> None:
    one, two = win(inn)
    assert [record.phase for record in inn.topple.rooms.listed()] == ["over"]
    one.say("player:leave")
    two.say("player:leave")
    assert inn.topple.rooms.listed() == []


def test_a_table_of_the_page_is_listed_by_its_id(inn: ToppleInn) -> None:
    table = inn.guest("Ann").open("topple")
    assert idents(inn) == [table]


def test_pages(inn: ToppleInn) -> None:
    records = inn.topple.rooms.listed()
    inn.create()
    records = inn.topple.rooms.listed() * 120
    for first in (None, "", "0", "1", "x", "1.5"):
        assert len(rooms.page(records, first)) == 50
    assert len(rooms.page(records, "3")) == 20
    assert rooms.page(records, "4") == rooms.page(records, "-1") == rooms.page(records, "9" * 30) == []


def test_the_oldest_room_comes_first(inn: ToppleInn) -> None:
    made = []
    for _ in range(3):
        made.append(inn.create().room)
        inn.advance(10)
    assert idents(inn) == made


def test_filters(inn: ToppleInn) -> None:
    def room(query: str) -> str:
        code = inn.create(query).room
        inn.advance(5)
        return code

    small = room("t=1&d=0,5,5&p=2")
    wide = room("t=1&d=0,9,4&p=4&s=0")
    wrapped = room("t=1&d=3,5,9&p=6")
    inn.join(small)
    assert idents(inn, "full:true") == [small]
    assert idents(inn, "full:false") == [wide, wrapped]
    assert idents(inn, "spectate:false") == [wide]
    assert idents(inn, "phase:wait") == [small, wide, wrapped]
    assert idents(inn, "phase:play") == []
    assert idents(inn, "capacity:4") == [wide]
    assert idents(inn, "capacity:3,6") == [wide, wrapped]
    assert idents(inn, "topo:Grid2D") == [small, wide]
    assert idents(inn, "topo:Grid2D.5q8") == [small]
    assert idents(inn, "topo:Grid2D.5q9") == [small, wide]
    assert idents(inn, "topo:Grid2D.9.4") == [wide]
    assert idents(inn, "topo:Grid2D.9.5") == []
    assert idents(inn, "topo:BWrap2D.5,Grid2D.9") == [wide, wrapped]
    assert idents(inn, "full:false;topo:Grid2D;spectate:false") == [wide]
    everything = [small, wide, wrapped]
    for nonsense in (
        "",
        "colour:red",
        "full",
        "full:maybe",
        "capacity:x",
        "capacity:1,2,3",
        ";;",
        "spectate:1",
    ):
        assert idents(inn, nonsense) == everything
    assert idents(inn, "topo:Hex") == []
    assert idents(inn, "topo:Grid2D.x") == []
    assert idents(inn, "topo:Grid2D,BWrap2D,HWrap2D,VWrap2D") == everything
    with pytest.raises(rooms.TooManySpecs):
        rooms.filtered([], ";".join(["full:false"] * (rooms.MOST_PARTS + 1)))
    for excessive in ("topo:a,b,c,d,e", "topo:Grid2D;topo:Grid2D.5", "phase:wait;full:true;phase:wait"):
        with pytest.raises(rooms.TooManySpecs):
            rooms.filtered([], excessive)
    assert idents(inn, "colour:red;colour:blue") == everything


def test_of_many_rooms_no_more_are_looked_at_than_the_page_has() -> None:
    looked_at = list[str]()

    class Counted(str):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            looked_at.append(self)
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    record = rooms.RoomRecord("A", 2, 1, 0, "Grid2D 5x5", True, Counted("wait"), False, False)
    found = rooms.page(rooms.filtered([record] * 5_000, "phase:wait"), "2")
    assert len(found) == 50
    assert len(looked_at) == 100


def test_bots_have_the_names_that_clients_know() -> None:
    game = Topple()
    assert listed_bots(game) == {
        "Constantine (Trivial)": "constantine/0",
        "Constantine (Beginner)": "constantine/1",
        "Freya (Moderate)": "freya/3",
    }
    levels = [level.name for level in game.traits.levels]
    assert [bots.level_of(resource) for resource in listed_bots(game).values()] == levels
    assert [bots.name_of(level) for level in levels] == list(listed_bots(game))
    assert bots.level_of("terry/0") == levels[0]
    assert bots.level_of("freya/9") is None
