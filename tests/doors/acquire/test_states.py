"""What the Acquire door keeps for one connection is one Struct that can be written down, in whatever it is doing."""

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest
from tests.doors.acquire.test_crowded_lobby import MANY, connect, open_games
from tests.doors.support.acquire_inn import AcquireInn, Client, Mirror, acquire_inn, choice
from tests.doors.support.inn import Message

from gamut.doors.acquire.session import AcquireSessionState
from gamut.doors.pieces import MOMENT


def written(client: Client) -> Any:
    """The state of a connection as JSON; read again it is the same."""
    state = client.session.state
    data = msgspec.json.encode(state)
    assert msgspec.json.decode(data, type=AcquireSessionState) == state
    return msgspec.json.decode(data)


def test_a_session_is_somebody_and_the_games_they_are_at() -> None:
    with acquire_inn() as inn:
        client = inn.somebody()
        assert set(written(client)) == {"address", "arrived", "stranger"}
        client.log_in("Ann")
        first, second = client.create(2), client.create(3)
        state = written(client)
        assert state["known"]["name"] == "Ann"
        assert state["games"] == {str(first): inn.table(first).id, str(second): inn.table(second).id}
        client.ok("ExitGame", gameNumber=first)
        assert set(written(client)["games"]) == {str(second)}
        client.hang_up()
        assert written(client)["ended"] is True
        assert "games" not in written(client)


# On another node


class Evening:
    """People at one inn, of whom all or none go to another node before something happens; all that they hear."""

    def __init__(self, inn: AcquireInn, clients: list[Client], *, moves: bool) -> None:
        self.inn = inn
        self.clients = clients
        self.heard: list[list[Message]] = [[] for _ in clients]
        self._moves = moves

    def move(self) -> None:
        self.hear()
        if self._moves:
            for client in self.clients:
                client.move_to_another_node()
                assert [other.read() for other in self.clients] == [[]] * len(self.clients), "nobody is told"

    def hear(self) -> None:
        for log, client in zip(self.heard, self.clients, strict=True):
            log += client.read()

    def say(self, who: int, type: str, **fields: Any) -> list[Message]:
        said = self.clients[who].say(type, **fields)
        self.heard[who] += said
        self.hear()
        return said


def in_mid_game(inn: AcquireInn, moves: bool) -> Evening:
    """Three who play, one who watches unknown, one who plays and follows the lobby, and one who sets up a game."""
    number, players = inn.playing(3, "Ann", "Bob", "Cyd", timeControlStartingAmount=600)
    watcher, follower, host = inn.somebody(), inn.client("Eve"), inn.client("Fay")
    watcher.enter(number)
    follower.ok("LobbyConnect", lastEventIndex=0)
    setup = host.create(2)
    evening = Evening(inn, [*players, watcher, follower, host], moves=moves)
    mirrors = [Mirror(client.enter(number)) for client in players]
    chance = Random(7)

    def play(actions: int) -> None:
        for _ in range(actions):
            own = mirrors[mirrors[0].state["next"]["player"]].state
            awaited, size = own["next"], own["gameStateHistorySize"]
            params = choice(own, own["rack"], own["rackTypes"], chance)
            before = [len(heard) for heard in evening.heard]
            evening.say(
                awaited["player"],
                "DoGameAction",
                gameNumber=number,
                gameStateHistorySize=size,
                action=awaited["action"],
                params=params,
            )
            for mirror, heard, known in zip(mirrors, evening.heard, before, strict=False):
                for message in heard[known:]:
                    if message["type"] == "GameActionDone":
                        mirror.hear(message)

    evening.hear()
    play(9)
    evening.move()
    play(9)
    evening.move()
    evening.say(0, "SendChatMessage", gameNumber=number, message="hello")
    evening.say(4, "DoGameSetupAction", gameNumber=setup, action={"type": "JoinGame"})
    evening.say(4, "SendChatMessage", gameNumber=None, message="hello")
    evening.move()
    evening.say(5, "DoGameSetupAction", gameNumber=setup, action={"type": "ApproveOfGameSetup"})
    inn.advance(500)
    evening.say(2, "Forfeit", gameNumber=number)
    evening.move()
    inn.advance(600_000)
    evening.hear()
    evening.say(3, "ExitGame", gameNumber=number)
    evening.say(1, "EnterGame", gameNumber=number, gameStateHistorySize=0)
    assert all(inn.hall.connected[client.session.person] == 1 for client in evening.clients)
    return evening


def in_the_middle_of_a_crowded_lobby(inn: AcquireInn, moves: bool) -> Evening:
    ann = inn.client("Ann")
    numbers = [ann.create(2)]
    open_games(inn, MANY)
    numbers.append(ann.create(2))
    client = inn.somebody()
    evening = Evening(inn, [client, ann], moves=moves)
    evening.heard[0] += connect(client)
    for _ in range(4):
        evening.move()
        inn.advance(MOMENT)
        evening.hear()
    evening.say(1, "DoGameSetupAction", gameNumber=numbers[1], action={"type": "CancelGame"})
    evening.move()
    inn.advance(1_000)
    evening.hear()
    assert evening.heard[0][-1] == {"type": "Ok", "id": 99}
    evening.say(1, "DoGameSetupAction", gameNumber=numbers[0], action={"type": "CancelGame"})
    assert evening.heard[0][-1]["type"] == "GameRemoved"
    return evening


def before_a_last_chance(inn: AcquireInn, moves: bool) -> Evening:
    """What a connection has done wrong so far counts on."""
    evening = Evening(inn, [inn.somebody(), inn.somebody()], moves=moves)
    first, second = evening.clients
    large = b'{"type":"Logout","x":"' + b"x" * 65_536 + b'"}'
    for _ in range(2):
        evening.heard[1] += second.raw_say(large)
        for _ in range(5):
            evening.heard[0] += first.raw_say(b"nonsense")
        closed = [client.closed for client in evening.clients]
        if not any(closed):
            evening.move()
    assert all(closed)
    return evening


@pytest.mark.parametrize("of", [in_mid_game, in_the_middle_of_a_crowded_lobby, before_a_last_chance])
def test_a_session_goes_on_from_its_state_with_nothing_repeated_or_missed(
    of: Callable[[AcquireInn, bool], Evening],
) -> None:
    with acquire_inn() as inn:
        stayed = of(inn, False).heard
    with acquire_inn() as inn:
        moved = of(inn, True).heard
    for place, (one, other) in enumerate(zip(stayed, moved, strict=True)):
        assert other == one, place
    assert all(stayed)
