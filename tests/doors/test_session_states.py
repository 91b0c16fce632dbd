"""What a door keeps for one connection is one Struct that can be written down, in whatever it is doing."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.doors.support.inn import Visitor
from tests.doors.support.topple_inn import Client, ToppleInn, topple_inn
from tests.doors.topple.test_exports import exported, imported

from gamut.doors.base_session import BaseSession, SessionState
from gamut.doors.topple.entering import AwaitsSavedSeat
from gamut.doors.topple.session import ToppleSession
from gamut.doors.tower.session import TowerSession
from gamut.doors.web.session import WebSession


@pytest.fixture(name="inn")
def _inn() -> Iterator[ToppleInn]:
    with topple_inn() as house:
        yield house


def written(who: Visitor | Client) -> Any:
    """The state of a connection as JSON; read again it is the same."""
    session: Any = who.session
    state: SessionState = session.state
    data = msgspec.json.encode(state)
    again = msgspec.json.decode(data, type=type(state))
    assert again == state
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=type(state)) == state
    return msgspec.json.decode(data)


def test_a_tower_session_is_a_person_and_a_room(inn: ToppleInn) -> None:
    player = inn.player()
    assert set(written(player)) == {"person", "address", "arrived"}
    player.join("den", "Ann")
    state = written(player)
    live = inn.hall.here(state["table"])
    assert live is not None
    assert live.table.seat_of(state["person"]) == 0
    player.hang_up()
    assert written(player)["ended"] is True
    assert "table" not in written(player)


def test_a_session_of_the_page_is_somebody_and_the_tables_they_follow(inn: ToppleInn) -> None:
    stranger = inn.stranger()
    assert "known" not in written(stranger)
    ann, ben = inn.guest("Ann"), inn.guest("Ben")
    one, two = ann.open("tower"), ann.open("topple")
    ben.sure("watch", table=one)
    ben.sure("watch", table=two, glance=True)
    state = written(ben)
    assert state["known"]["name"] == "Ben"
    assert state["following"] == {one: False, two: True}
    ben.sure("watch", table=two)
    ben.sure("unwatch", table=one)
    assert written(ben)["following"] == {two: False}


def test_who_only_glanced_at_a_table_hears_nothing_more_when_it_becomes_private(inn: ToppleInn) -> None:
    ann, ben, cyd = inn.guest("Ann"), inn.guest("Ben"), inn.guest("Cyd")
    table = ann.open("topple")
    ben.sure("watch", table=table, glance=True)
    cyd.sure("watch", table=table)
    ann.sure("configure", table=table, private=True)
    assert written(ben).get("following", {}) == {}
    assert written(cyd)["following"] == {table: False}, "who was there stays"
    assert ben.refused("watch", table=table) == "no_such_table"


def test_who_goes_on_to_another_table_follows_that_one(inn: ToppleInn) -> None:
    people = [inn.guest(name) for name in ("Ann", "Ben", "Cyd")]
    watcher = inn.guest("Dan")
    table = people[0].open("tower")
    for person in people[1:]:
        person.sure("sit", table=table)
    watcher.sure("watch", table=table, glance=True)
    for number, tile in enumerate((0, 8, 16, 1, 9, 17, 2)):
        people[number % 3].sure("act", table=table, action={"type": "place", "tile": tile})
    known = people[0].session.state.known
    assert known is not None
    inn.web.renamed(replace(known, name="Anna"))
    for person in people:
        person.sure("rematch", table=table)
    ((next_table, glance),) = written(watcher)["following"].items()
    assert next_table != table
    names = [[holder.name for holder in inn.load(id).table.seats if holder] for id in (table, next_table)]
    assert names == [["Ann", "Ben", "Cyd"], ["Ben", "Cyd", "Anna"]], "the game that is over keeps its names"
    assert glance is True
    assert written(people[0])["following"] == {next_table: False}


def test_a_topple_session_knows_how_far_it_has_come(inn: ToppleInn) -> None:
    creator = inn.connect("t=1&d=0,3,3&p=3&s=1&pw=secret")
    assert written(creator)["entering"]["type"] == "rules"
    creator.say("game:rules")
    state = written(creator)
    assert "entering" not in state
    room = inn.hall.here(state["table"])
    assert room is not None
    guest = inn.connect(f"t=0&g={room.table.room}")
    assert written(guest)["entering"] == {"type": "password", "room": room.id}
    assert "table" not in written(guest)
    guest.say("game:password", pw="secret")
    assert written(guest)["table"] == room.id
    watcher = inn.watch(str(room.table.room))
    assert written(watcher)["spectator"] == watcher.payload("spectator:ownid")["n"]
    guest.hang_up()
    assert written(guest)["ended"] is True


def test_a_suspended_game_that_was_brought_is_part_of_it(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    one.say("game:move", n=0)
    two.read()
    file = exported([one, two])
    assert written(inn.connect("t=1&res=1&p=1"))["entering"]["type"] == "file"
    client, _ = imported(inn, file)
    state = client.session.state
    assert isinstance(state.entering, AwaitsSavedSeat)
    assert state.entering.file == file
    written(client)
    client.say("resjoin:select", n=1)
    assert "entering" not in written(client)
    live = client.session.live
    assert live is not None
    other = inn.connect(f"t=0&g={live.table.room}")
    assert written(other)["entering"] == {"type": "seat", "room": live.id}


def sessions(inn: ToppleInn) -> list[tuple[str, BaseSession[Any, Any]]]:
    player, guest, client = inn.player(), inn.guest("Ann"), inn.create()
    player.join("den", "Ben")
    found: list[Any] = [("tower_", player.session), ("", guest.session), ("topple_", client.session)]
    return found


def test_a_connection_ends_once_whoever_ends_it(inn: ToppleInn) -> None:
    for _, session in sessions(inn):
        assert inn.hall.connected[session.person] == 1
        person = session.person
        inn.hall.arrived(person, "192.0.2.9")
        session.closed()
        session.closed()
        assert inn.hall.connected[person] == 1, "the other connection of the same person is still there"
        assert session.is_deaf


def test_refusals_are_counted_with_the_name_of_the_door(inn: ToppleInn) -> None:
    for prefix, session in sessions(inn):
        assert isinstance(session, TowerSession | WebSession | ToppleSession)
        before = dict(inn.hall.refusals)
        session.rate_limited()
        (counted,) = [code for code, count in inn.hall.refusals.items() if count != before.get(code, 0)]
        assert counted.startswith(prefix)
        assert prefix or not counted.startswith(("tower_", "topple_"))


def test_what_is_said_after_the_end_is_not_heard(inn: ToppleInn) -> None:
    for _, session in sessions(inn):
        assert isinstance(session, TowerSession | WebSession | ToppleSession)
        session.closed()
        inn.settle()
        before = dict(inn.hall.refusals)
        assert session.text(b"no message of any protocol") is None
        assert dict(inn.hall.refusals) == before
