"""The list of a game's public tables, for any door that has one: asked for as a whole, and followed."""

from collections.abc import Collection
from typing import Any

import pytest
from tests.hall.support.inmemory import FakeDoor, FakeListener, House, make_hall

from gamut.doors.public_rooms import PublicRoom, PublicRooms, RoomChanges
from gamut.hall.ids import PersonId
from gamut.hall.live.audience import LobbyNews
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c

Told = RoomChanges[tuple[str, int]]


class ListingDoor(FakeDoor):
    """A door whose clients follow the list of Tower rooms that wait for players: names, and seats taken."""

    name = "listing"

    def __init__(self, house: House) -> None:
        self.rooms = PublicRooms(
            house.hall,
            "tower",
            lambda room: (room.name, room.taken),
            lambda room: room.summary.phase == "setup",
        )
        self.told: list[Told] = []

    def tell_lobby(self, news: LobbyNews, listeners: Collection[Any]) -> None:
        changes = self.rooms.changes(news)
        if any(changes):
            self.told.append(changes)


@pytest.fixture(name="house")
def _house() -> House:
    return make_hall()


@pytest.fixture(name="door")
def _door(house: House) -> ListingDoor:
    return ListingDoor(house)


def follow(house: House, door: ListingDoor, name: str = "Eve") -> list[tuple[str, int]]:
    listener = FakeListener(door, PersonId(name))
    house.hall.lobby.attend(listener)
    return list(door.rooms.followed(door).values())


def named(name: str, **fields: Any) -> Opening:
    return Opening(game="tower", room=name, **fields)


def latest(house: House, door: ListingDoor) -> tuple[list[Any], list[Any], list[Any]]:
    """What the followers have been told since the last look."""
    house.advance(200)
    told, door.told = door.told, []
    assert len(told) <= 1, "one telling, however many changes"
    if not told:
        return [], [], []
    (changes,) = told
    return list(changes.added.values()), list(changes.changed.values()), list(changes.removed.values())


def test_public_rooms_of_the_game_are_listed_oldest_first(house: House, door: ListingDoor) -> None:
    house.open(named("one"), "Ann", "Ann")
    house.advance(5)
    house.open(named("two"), "Ben", "Ben", "Cyd")
    house.open(named("secret", private=True), "Dan", "Dan")
    house.open(Opening(game="parlour", room="cards", seats=3), "Eli", "Eli")
    table = house.open(Opening(game="tower"), "Fay", "Fay")
    assert door.rooms.listed() == [("one", 1), ("two", 2), (table.id, 1)]


def test_a_follower_gets_the_list_and_then_what_is_added_changed_and_removed(
    house: House, door: ListingDoor
) -> None:
    one = house.open(named("one"), "Ann", "Ann")
    assert follow(house, door) == [("one", 1)]
    two = house.open(named("two"), "Ben", "Ben")
    assert latest(house, door) == ([("two", 1)], [], [])
    house.sit(one, "Cyd")
    assert latest(house, door) == ([], [("one", 2)], [])
    house.sit(one, "Dan")
    assert latest(house, door) == ([], [], [("one", 2)]), "its game has begun"
    house.do(two, c.Configure(PersonId("Ben"), private=True))
    assert latest(house, door) == ([], [], [("two", 1)]), "a private table does not exist for others"
    house.do(two, c.Configure(PersonId("Ben"), private=False))
    assert latest(house, door) == ([("two", 1)], [], [])


def test_what_comes_and_goes_within_a_moment_is_not_told(house: House, door: ListingDoor) -> None:
    follow(house, door)
    live = house.open(named("brief"), "Ann", "Ann")
    house.do(live, c.Leave(PersonId("Ann")))
    assert latest(house, door) == ([], [], [])


def test_tables_of_other_games_and_moves_are_no_news(house: House, door: ListingDoor) -> None:
    follow(house, door)
    house.open(Opening(game="parlour", seats=2), "Ann", "Ann", "Ben")
    playing = house.open(named("one"), "Cyd", "Cyd", "Dan", "Eli")
    latest(house, door)
    house.act(playing)
    assert latest(house, door) == ([], [], [])


def test_whoever_follows_later_knows_what_the_others_know(house: House, door: ListingDoor) -> None:
    follow(house, door)
    live = house.open(named("one"), "Ann", "Ann")
    assert follow(house, door, "Fay") == [("one", 1)]
    assert latest(house, door)[0] == [("one", 1)], "the others were told just before"
    house.sit(live, "Ben")
    assert latest(house, door)[1] == [("one", 2)]


def test_who_comes_after_nobody_followed_gets_the_list_of_now(house: House, door: ListingDoor) -> None:
    listener = FakeListener(door, PersonId("Eve"))
    house.hall.lobby.attend(listener)
    door.rooms.followed(door)
    house.hall.lobby.depart(listener)
    live = house.open(named("one"), "Ann", "Ann")
    house.advance(200)
    assert door.told == []
    assert follow(house, door) == [("one", 1)]
    house.sit(live, "Ben")
    assert latest(house, door) == ([], [("one", 2)], [])


def test_a_door_that_does_not_wait_for_news_looks_at_one_table(house: House, door: ListingDoor) -> None:
    follow(house, door)
    live = house.open(named("one"), "Ann", "Ann")
    assert door.rooms.look_at(live.id) == ({live.id: ("one", 1)}, {}, {})
    assert door.rooms.told == {live.id: ("one", 1)}
    house.sit(live, "Ben")
    assert door.rooms.look_at(live.id) == ({}, {live.id: ("one", 2)}, {})
    assert latest(house, door) == ([], [], []), "that is known already when the news come"
    house.do(live, c.Configure(PersonId("Ann"), private=True))
    assert door.rooms.look_at(live.id) == ({}, {}, {live.id: ("one", 2)})
    assert door.rooms.look_at(live.id) == ({}, {}, {})


def test_the_lobby_knows_the_tables_of_each_game(house: House) -> None:
    one, two = house.open(named("one"), "Ann", "Ann"), house.open(named("two"), "Ben", "Ben")
    house.open(Opening(game="parlour", seats=3), "Cyd", "Cyd")
    lobby = house.hall.lobby
    assert set(lobby.tables_of("tower")) == {one.id, two.id}
    house.do(one, c.Configure(PersonId("Ann"), private=True))
    house.do(two, c.Leave(PersonId("Ben")))
    assert not lobby.tables_of("tower")
    assert len(lobby.tables) == len(lobby.tables_of("parlour")) == 1
    assert not lobby.tables_of("chess")


def test_coming_and_going_alone_makes_no_list_anew(house: House) -> None:
    """A list of thousands takes long to make, and anybody can come and go a hundred times a second."""
    made = list[str]()

    def shown(room: PublicRoom) -> tuple[str, int]:
        made.append(room.name)
        return room.name, room.taken

    door = ListingDoor(house)
    door.rooms = PublicRooms(house.hall, "tower", shown)
    house.open(named("one"), "Ann", "Ann")
    assert follow(house, door) == [("one", 1)]
    for _ in range(10):
        (listener,) = house.hall.lobby.listeners[door]
        house.hall.lobby.depart(listener)
        house.advance(200)
        assert follow(house, door) == [("one", 1)]
    assert made == ["one"]
    house.hall.lobby.depart(*house.hall.lobby.listeners[door])
    house.open(named("two"), "Ben", "Ben")
    house.advance(200)
    assert follow(house, door) == [("one", 1), ("two", 1)]
    assert made == ["one", "two"], "only what is new"


def test_a_crowded_list_may_be_a_second_old(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[str]()

    def shown(room: PublicRoom) -> str:
        made.append(room.name)
        return room.name

    rooms = PublicRooms(house.hall, "tower", shown)
    monkeypatch.setattr("gamut.doors.public_rooms._CROWDED", 2)
    house.open(named("one"), "Ann", "Ann")
    assert rooms.listed() == ["one"]
    house.open(named("two"), "Ben", "Ben")
    assert rooms.listed() == ["one", "two"], "a short list is always made anew"
    house.open(named("three"), "Cyd", "Cyd")
    count = len(made)
    assert rooms.listed() == ["one", "two"]
    assert len(made) == count
    house.time.advance(1_001)
    assert rooms.listed() == ["one", "two", "three"]
