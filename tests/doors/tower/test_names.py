"""What players and rooms may be called at the Tower door: the rule of all doors, with the errors of this one."""

import pytest
from tests.doors.support.inn import Inn, Message

ROOM_FULL, NAME_TAKEN, COORDINATE, ROOM_NAME, MESSAGE, PARSE, GENERAL = range(7)
CYRILLIC_ANNA = "\u0410nn\u0430"


def error_of(heard: list[Message]) -> int:
    (message,) = heard
    assert message["type"] == "error"
    assert message["data"]["data"].endswith(".") or message["data"]["data"].islower()
    return int(message["data"]["type"])


@pytest.mark.parametrize(
    "name",
    [
        "admin",
        "\u0430dmin",
        "[Server]",
        "An\u202ena",
        "An\u200bna",
        "\u2066Anna\u2069",
        "Anna\u00ad",
        "\u3164",
        "\u2800\u2800",
        "a" + "\u0301" * 31,
        "\u0301" * 32,
        "'''",
        "x" * 3000,
        "\ufdfa" * 400,
    ],
)
def test_names_that_nobody_has_anywhere_are_invalid_here(inn: Inn, name: str) -> None:
    player = inn.player()
    assert error_of(player.join("r1", name)) == MESSAGE
    assert not inn.hall.live
    assert player.join("r1", "Ann")[0]["type"] == "room_joined", "and nothing has changed"


@pytest.mark.parametrize(
    "room",
    ["r\u202e1", "r\u200b1", "\u200b", "\u3164", "a" + "\u0301" * 20, "\u0301a", "\ufeffr1", "r1\ue000"],
)
def test_rooms_have_names_that_can_be_seen(inn: Inn, room: str) -> None:
    assert error_of(inn.player().join(room, "Ann")) == ROOM_NAME
    assert not inn.hall.live


@pytest.mark.parametrize("room", ["!!!", "❤", "Комната", "部屋", "admin", "a b"])
def test_rooms_may_be_called_anything_that_can(inn: Inn, room: str) -> None:
    assert inn.player().join(room, "Ann")[0]["type"] == "room_joined"


@pytest.mark.parametrize("name", ["Anna", "ANNA", " anna ", CYRILLIC_ANNA, "An'na", "<Anna>", "\uff21nna"])
def test_the_name_of_an_account_is_taken(inn: Inn, name: str) -> None:
    inn.people.add("Anna", guest=False)
    player = inn.player()
    assert error_of(player.join("r1", name)) == NAME_TAKEN
    assert not inn.hall.live, "not even a room was opened"
    inn.player().join("r1", "Bob")
    assert error_of(player.join("r1", name)) == NAME_TAKEN
    assert player.join("r1", "Anne")[0]["type"] == "room_joined"


def test_a_full_room_is_full_before_a_name_is_taken(inn: Inn) -> None:
    inn.people.add("Anna", guest=False)
    for name in ("Ann", "Bob", "Cy"):
        inn.player().join("r1", name)
    assert error_of(inn.player().join("r1", "Anna")) == ROOM_FULL


def test_names_without_an_account_are_nobodys(inn: Inn) -> None:
    inn.guest("Bob")
    for room in ("r1", "r2"):
        assert inn.player().join(room, "Bob")[0]["type"] == "room_joined"


def test_in_one_room_nobody_looks_like_another(inn: Inn) -> None:
    inn.player().join("r1", "Anna")
    player = inn.player()
    for name in (CYRILLIC_ANNA, "An'na", "<Anna>", "Anna"):
        assert error_of(player.join("r1", name)) == NAME_TAKEN
    assert player.join("r1", "anna")[0]["type"] == "room_joined", "names differ by case"


def test_who_comes_back_after_a_restart_keeps_the_name_even_if_somebody_has_registered_it(inn: Inn) -> None:
    for name in ("Ann", "Bob"):
        inn.player().join("r1", name)
    inn.people.add("Bob", guest=False)
    inn.restart()
    assert inn.player().join("r1", "Bob")[0] == {"type": "room_joined", "data": {"id": 1}}
    assert error_of(inn.player().join("r2", "Bob")) == NAME_TAKEN


def test_who_was_sent_off_is_not_heard_any_more(inn: Inn) -> None:
    gil = inn.guest("Gil")
    table = gil.open()
    ann = inn.player()
    ann.join(table, "Ann")
    gil.sure("unseat", table=table, seat=1)
    assert ann.wire.closed == 1008
    ann.join("r2", "Ann")
    assert len(inn.hall.live) == 1, "no room was opened after the end"
    ann.hang_up()
    assert list(inn.hall.connected) == [gil.person]
