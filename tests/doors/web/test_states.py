"""Another session goes on from the Struct of one at the web door, with nothing repeated or missed."""

from typing import Any

import pytest
from tests.doors.support.inn import Guest, Inn
from tests.doors.web.test_pieces import MANY, talked
from tests.doors.web.test_tables import place, sitting

from gamut.doors.offer import Newcomer
from gamut.doors.pieces import MOMENT
from gamut.doors.web.session import WebSession


def twin(inn: Inn, guest: Guest) -> Guest:
    """Another connection of the same person."""
    known = guest.session.known
    other = Guest(inn, lambda wire: WebSession.new(inn.web, wire, Newcomer("127.0.0.1", person=known)))
    other.read()
    return other


def placed(guest: Guest, table: str, tile: int) -> list[dict[str, Any]]:
    return guest.sure("act", table=table, action=place(tile))


def heard_alike(stayed: Guest, moved: Guest) -> list[dict[str, Any]]:
    heard = stayed.read()
    assert moved.read() == heard
    return heard


@pytest.mark.parametrize("glance", [False, True])
def test_in_mid_game_and_in_the_lobby(inn: Inn, glance: bool) -> None:
    table, (ann, bob, cyd) = sitting(inn, "Ann Bob Cyd")
    stayed, moved = ann, twin(inn, ann)
    for connection in (stayed, moved):
        connection.sure("watch", table=table, glance=glance)
        connection.sure("lobby")
    inn.advance(1_000)
    stayed.read(), moved.read(), bob.read()
    moved.move_to_another_node()
    inn.advance(1_000)
    assert moved.read() == []
    assert bob.read() == [], "nobody is told of it"
    own = placed(moved, table, 0)
    assert own == stayed.read()
    for person, tile in ((bob, 8), (cyd, 16)):
        placed(person, table, tile)
        heard_alike(stayed, moved)
    bob.sure("say", table=table, text="Good evening.")
    inn.guest("Dan").open("tower")
    inn.advance(1_000)
    assert {said["type"] for said in heard_alike(stayed, moved)} == {"events", "lobby_changed"}
    stayed.hang_up()
    assert inn.hall.connected[moved.person] == 1
    moved.hang_up()
    assert moved.person not in inn.hall.connected


def test_in_the_middle_of_a_long_past(inn: Inn) -> None:
    table, stayed = talked(inn, MANY)
    moved = twin(inn, stayed)
    for connection in (stayed, moved):
        connection.send(b'{"type":"watch","table":"%s","since":0,"id":1}' % table.encode())
    inn.advance(2 * MOMENT)
    before = moved.read()
    assert before
    moved.move_to_another_node()
    inn.advance(100 * MOMENT)
    told, again = stayed.read(), before + moved.read()

    def events(messages: list[dict[str, Any]]) -> list[Any]:
        return [event for said in messages if said["type"] == "events" for event in said["events"]]

    assert events(again) == events(told)
    assert again[-1] == told[-1] == {"type": "ok", "id": 1}


def test_of_a_table_that_goes_on_as_another(inn: Inn) -> None:
    table, people = sitting(inn, "Ann Bob Cyd")
    for number, tile in enumerate((0, 8, 16, 1, 9, 17, 2)):
        placed(people[number % 3], table, tile)
    moved = people[0]
    moved.read()
    moved.move_to_another_node()
    for person in people:
        person.sure("rematch", table=table)
    (following,) = moved.session.state.following
    assert following != table
    assert moved.session.following[following].table.before == table


def test_right_after_coming_to_a_table_that_somebody_watches(inn: Inn) -> None:
    table, (ann,) = sitting(inn, "Ann")
    inn.guest("Wim").sure("watch", table=table)
    inn.advance(1_000)
    moved = twin(inn, ann)
    moved.sure("watch", table=table)
    moved.move_to_another_node()
    inn.advance(1_000)
    assert [message["people"][0]["name"] for message in moved.read()] == ["Wim"]


def test_right_before_the_lobby_tells_something(inn: Inn) -> None:
    ann = inn.guest("Ann")
    ann.sure("lobby")
    inn.advance(1_000)
    ann.read()
    inn.guest("Bob").sure("say", text="Good evening.")
    ann.move_to_another_node()
    inn.advance(1_000)
    assert [said["text"] for message in ann.read() for said in message.get("said", ())] == ["Good evening."]
