"""What Power Chess's doors keep for one connection is one Struct that can be written down; a connection ends once."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from tests.doors.support.inn import Visitor
from tests.doors.support.powerchess_inn import PowerInn, power_inn


@pytest.fixture(name="inn")
def _inn() -> Iterator[PowerInn]:
    with power_inn() as house:
        yield house


def written(visitor: Visitor) -> dict[str, Any]:
    session: Any = visitor.session
    state = session.state
    data = msgspec.json.encode(state)
    assert msgspec.json.decode(data, type=type(state)) == state
    found: dict[str, Any] = msgspec.json.decode(data)
    return found


def test_a_session_is_somebody_and_perhaps_a_game(inn: PowerInn) -> None:
    ann, bob, home = inn.client(), inn.client(), inn.home()
    assert set(written(ann)) == set(written(home)) == {"person", "address", "arrived"}
    ann.create()
    state = written(ann)
    assert (state["game"], state["player"], state["created"]) == (ann.game, ann.player, True)
    assert state["table"] == inn.table(ann.game).id
    bob.join(ann.game)
    state = written(bob)
    assert (state["game"], state["player"]) == (ann.game, bob.player)
    assert "created" not in state
    bob.hang_up()
    assert "table" not in written(bob)
    assert written(bob)["ended"] is True


def test_who_has_said_what_they_came_for_has_greeted(inn: PowerInn) -> None:
    ann, home = inn.client(), inn.home()
    assert not ann.session.greeted
    ann.send(b"{}")
    assert not ann.session.greeted
    ann.create()
    assert ann.session.greeted
    assert home.session.greeted, "there is nothing to say"


def test_a_connection_ends_once_and_hears_nothing_after_it(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    person = ann.session.person
    assert inn.hall.connected[person] == 1
    ann.hang_up()
    ann.hang_up()
    assert person not in inn.hall.connected
    assert ann.move("e2e4") == []
    home = inn.home()
    home.hang_up()
    home.hang_up()
    assert set(inn.hall.connected) == {bob.session.person}
    assert not inn.hall.lobby.listeners


def test_who_comes_back_is_counted_as_the_one_they_are(inn: PowerInn) -> None:
    _, bob = inn.pair()
    person = bob.session.person
    bob.hang_up()
    back = inn.client()
    stranger = back.session.person
    back.resume(bob)
    assert inn.hall.connected[person] == 1
    assert stranger not in inn.hall.connected


def test_an_error_that_a_client_reports_is_logged_and_not_answered(
    inn: PowerInn, caplog: pytest.LogCaptureFixture
) -> None:
    ann, bob = inn.pair()
    with caplog.at_level("INFO", "gamut.doors"):
        assert ann.say({"type": 7, "message": "<b>what?</b>"}) == []
    assert bob.read() == []
    assert [record.getMessage() for record in caplog.records] == ["a client reports an error"]


def test_a_flood_is_a_lost_connection(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    for number in range(3):
        ann.session.rate_limited()
        assert inn.hall.refusals["powerchess_rate_limited"] == number + 1
    ann.session.flooded()
    inn.settle()
    assert ann.wire.closed == 1008
    assert bob.read() == []
    assert inn.table(bob.game).table.is_away(ann.session.person)


def test_nobody_leaves_because_the_server_stops(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    waiting, home = inn.client(), inn.home()
    waiting.create(public=True)
    for visitor in (ann, bob, waiting, home):
        visitor.session.closing()
        visitor.hang_up()
        assert visitor.wire.closed == 1001
    table = inn.table(ann.game).table
    assert table.phase == "playing"
    assert not table.away
    assert inn.table(waiting.game).table.seat_of(waiting.session.person) == 0


def _evening(*, moved: bool) -> list[list[dict[str, Any]]]:
    """What two players, one who waits, and one at the list hear, if all or none of them go to other nodes."""
    with power_inn() as inn:
        (ann, bob), home = inn.pair(public=True), inn.home()
        waiting = inn.client()
        waiting.create("Cyd", public=True)
        inn.advance(100)
        everybody = (ann, bob, home, waiting)
        for visitor in everybody:
            visitor.read()
            if moved:
                visitor.move_to_another_node()
        heard: list[list[dict[str, Any]]] = [[] for _ in everybody]

        def hear(*own: list[dict[str, Any]]) -> None:
            for log, own_words, visitor in zip(heard, (*own, *[[]] * 4), everybody, strict=False):
                # Numbers of games are drawn by chance.
                log += [{**said, "gameId": 0} for said in own_words + visitor.read()]

        hear(ann.move("e2e4"))
        hear([], bob.move("e7e5"))
        hear(bob.move("a7a6"), [])
        hear([], bob.tell(3))
        hear([], [], [], waiting.join(ann.game, "Dan"))
        waiting.hang_up()
        inn.advance(100)
        hear(ann.tell(2, reason=1, result=0))
        assert inn.hall.connected[ann.session.person] == 1
        return heard


def test_a_session_goes_on_from_its_state_with_nothing_repeated_or_missed() -> None:
    stayed, moved = _evening(moved=False), _evening(moved=True)
    assert moved == stayed
    assert all(stayed)
