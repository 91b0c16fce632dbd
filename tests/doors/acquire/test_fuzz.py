"""Whatever is said at the Acquire door, by whomever and in whatever order: an answer, never a fault, nothing broken."""

from typing import Any

import msgspec
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.doors.support.acquire_inn import AcquireInn, Client, acquire_inn
from tests.doors.support.inn import Message
from tests.doors.test_fuzz import check, json_values, leaves, with_change, without

_KINDS = {
    *("Initial", "LoginResult", "Lobby", "GameCreated", "GameChanged", "GameRemoved", "GameBoardChanged"),
    *("GameSetup", "GameSetupChanged", "GameStarted", "GameState", "GameActionDone", "PlayerForfeited"),
    *("UserEnteredGame", "UserExitedGame", "ChatMessage", "GameReview", "Ok", "Error"),
}
_SETUP: list[dict[str, Any]] = [
    {"type": "JoinGame"},
    {"type": "UnjoinGame"},
    {"type": "ApproveOfGameSetup"},
    {"type": "ChangeGameMode", "gameMode": 7},
    {"type": "ChangePlayerArrangementMode", "playerArrangementMode": 3},
    {"type": "ChangeTimeControl", "startingAmount": 60, "incrementAmount": 1},
    {"type": "SwapPositions", "position1": 0, "position2": 1},
    {"type": "KickUser", "userId": 1},
    {"type": "CancelGame"},
]
_ACTIONS: list[tuple[str, list[Any]]] = [
    ("StartGame", []),
    ("PlayTile", [5]),
    ("SelectNewChain", [0]),
    ("SelectMergerSurvivor", [1]),
    ("SelectChainToDisposeOfNext", [2]),
    ("DisposeOfShares", [0, 1]),
    ("PurchaseShares", [[0, 0, 6], 0]),
]
VALID: list[dict[str, Any]] = [
    {"type": "Login", "username": "Ann", "password": "a good password"},
    {"type": "CreateUserAndLogin", "username": "Dot", "password": "a good password"},
    {"type": "Logout"},
    {"type": "LobbyConnect", "lastEventIndex": 0},
    {"type": "CreateGame", "gameMode": 2, "timeControlStartingAmount": 5, "timeControlIncrementAmount": 0},
    *({"type": "EnterGame", "gameNumber": number, "gameStateHistorySize": 1} for number in (1, 2)),
    *({"type": "ExitGame", "gameNumber": number} for number in (1, 2)),
    *({"type": "DoGameSetupAction", "gameNumber": 2, "action": action} for action in _SETUP),
    *(
        {"type": "DoGameAction", "gameNumber": 1, "gameStateHistorySize": 1, "action": name, "params": params}
        for name, params in _ACTIONS
    ),
    {"type": "Forfeit", "gameNumber": 1},
    {"type": "SendChatMessage", "gameNumber": None, "message": "hello"},
    {"type": "SendChatMessage", "gameNumber": 1, "message": "hello"},
    {"type": "GetGameReview", "gameNumber": 1},
]
"""One of each message of this door, right in every respect."""


def cast(inn: AcquireInn) -> list[Client]:
    """Two who play game 1, the host of game 2, somebody who is known, and somebody who is not."""
    _, players = inn.playing(2, "Ann", "Bob")
    host, known = inn.clients("Cy", "Eve")
    host.create(4)
    known.ok("LobbyConnect", lastEventIndex=0)
    return [*players, host, known, inn.somebody()]


def sound(heard: list[Message]) -> None:
    for message in heard:
        assert message["type"] in _KINDS
        if message["type"] == "Error":
            assert message["code"]
            assert message["message"]


def all_sound(people: list[Client]) -> None:
    for person in people:
        sound(person.read())


@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=80), place=st.integers(0, 4))
@example(b"\xff" * 10, 0)
@example(b'{"type":"Login","username":"\xed\xa0\x80","password":"x"}', 4)
def test_arbitrary_bytes_are_answered_and_change_nothing(data: bytes, place: int) -> None:
    with acquire_inn() as inn:
        people = cast(inn)
        before = {table: inn.bytes_of(table) for table in inn.hall.live}
        heard = people[place].raw_say(data)
        assert heard[0]["code"] == "invalid_message"
        assert {table: inn.bytes_of(table) for table in before} == before
        all_sound(people)
        check(inn)


@settings(max_examples=150, deadline=None)
@given(value=json_values, place=st.integers(0, 4))
def test_arbitrary_json_is_answered_and_changes_nothing(value: Any, place: int) -> None:
    with acquire_inn() as inn:
        people = cast(inn)
        before = {table: inn.bytes_of(table) for table in inn.hall.live}
        (error,) = people[place].raw_say(msgspec.json.encode(value))
        assert error["code"] == "invalid_message"
        assert {table: inn.bytes_of(table) for table in before} == before
        check(inn)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_message_with_one_thing_wrong_is_answered(data: st.DataObject) -> None:
    message = data.draw(st.sampled_from(VALID))
    path = data.draw(st.sampled_from(list(leaves(message))[1:]))
    change = data.draw(json_values | st.just(without))
    changed = without(message, path) if change is without else with_change(message, path, change)
    with acquire_inn() as inn:
        people = cast(inn)
        person = people[data.draw(st.integers(0, 4))]
        heard = person.raw_say(
            msgspec.json.encode({"id": 7, **changed} if isinstance(changed, dict) else changed)
        )
        sound(heard)
        assert heard[-1]["type"] in ("Ok", "Error")
        all_sound(people)
        check(inn)


@settings(max_examples=60, deadline=None)
@given(
    script=st.lists(
        st.tuples(st.integers(0, 4), st.sampled_from(VALID) | st.sampled_from(["gone", "later"])), max_size=25
    )
)
def test_whatever_is_said_in_whatever_order_nothing_breaks(script: list[tuple[int, Any]]) -> None:
    with acquire_inn() as inn:
        people = cast(inn)
        for place, said in script:
            person = people[place]
            if said == "later":
                inn.advance(7_000)
            elif said == "gone" or person.closed:
                person.hang_up()
                people[place] = inn.somebody()
            else:
                heard = person.raw_say(msgspec.json.encode({"id": 7, **said}))
                sound(heard)
                assert heard[-1]["type"] in ("Ok", "Error"), said
            all_sound(people)
        check(inn)
        for person in people:
            person.hang_up()
        assert not inn.hall.connected
        assert not any(live.listeners for live in inn.hall.live.values())
        assert not inn.acquire.lobby.followers
