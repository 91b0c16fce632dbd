"""What Tafl's door keeps for one connection is one Struct that can be written down, and a connection ends once."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from tests.doors.support.tafl_inn import Client, TaflInn, create, join, tafl_inn

from gamut.doors.tafl.session import TaflSessionState


@pytest.fixture(name="inn")
def _inn() -> Iterator[TaflInn]:
    with tafl_inn() as house:
        yield house


def written(client: Client) -> dict[str, Any]:
    state = client.session.state
    data = msgspec.json.encode(state)
    assert msgspec.json.decode(data, type=TaflSessionState) == state
    found: dict[str, Any] = msgspec.json.decode(data)
    return found


def test_a_session_is_somebody_with_a_dialect_and_perhaps_a_game(inn: TaflInn) -> None:
    stranger = Client(inn)
    assert set(written(stranger)) == {"person", "address"}
    ann = inn.client("Ann", "ext")
    assert written(ann)["dialect"] == "S+"
    assert written(ann)["name"] == "Ann"
    create(ann)
    assert written(ann)["table"] == inn.table().id
    assert "ready" not in written(ann)
    ann.say("ready-for-game")
    assert written(ann)["ready"] is True
    ann.hang_up()
    assert "table" not in written(ann)
    assert written(ann)["ended"] is True


def test_what_waits_for_somebody_is_part_of_the_session() -> None:
    with tafl_inn(waiting=True) as inn:
        ann = inn.client("Ann", "ext")
        assert "bot_games" not in written(ann)
        ann.say("get-game-list")
        waiting = written(ann)["bot_games"]
        assert len(waiting) == 6
        ann.say(f"join-game {waiting[0]['guid']}")
        assert written(ann)["bot_games"][0]["joined"] == waiting[0]["guid"]
        assert written(ann)["bot_games"][0]["seat"] == 1
        assert written(ann)["bot_games"][1:] == waiting[1:]


def test_a_connection_ends_once_and_hears_nothing_after_it(inn: TaflInn) -> None:
    ann, bob = inn.playing()
    person = ann.session.person
    assert inn.hall.connected[person] == 1
    ann.hang_up()
    ann.hang_up()
    assert person not in inn.hall.connected
    assert ann.say("get-game-list") == []
    assert bob.read().count("end-game") == 1


def test_refusals_are_counted_with_the_name_of_the_door(inn: TaflInn) -> None:
    ann = inn.client("Ann")
    ann.say("nonsense")
    ann.session.rate_limited()
    assert inn.hall.refusals["tafl_unknown_command"] == inn.hall.refusals["tafl_rate_limited"] == 1


def test_a_flood_is_a_lost_connection(inn: TaflInn) -> None:
    ann, bob = inn.playing()
    ann.session.flooded()
    inn.settle()
    assert ann.closed
    assert bob.read() == ["error game-canceled", "end-game"]


def test_who_logs_in_while_the_connection_is_lost_is_not_there(inn: TaflInn) -> None:
    client = Client(inn)
    waiting = client.session.text(b'login "Ann" ' + b"A" * 86 + b"==")
    client.session.closed()
    inn.run(waiting)
    assert not inn.hall.connected
    assert not list(inn.tafl.sessions)


def test_games_that_end_while_a_client_looks_for_them_are_not_there(inn: TaflInn) -> None:
    ann, bob = inn.client("Ann"), inn.client("Bob")
    create(ann)
    guid = str(inn.table().table.room)
    waiting = bob.session.text(f"join-game {guid}".encode())
    ann.hang_up()
    inn.run(waiting)
    inn.settle()
    assert bob.read() == ["error game-canceled"]
    assert join(bob) == ["error game-canceled"]
