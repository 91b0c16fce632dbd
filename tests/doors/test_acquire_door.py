"""The Acquire door: who is there, the lobby, setting games up, playing them, and coming back."""

from collections.abc import Iterator
from random import Random

import pytest
from tests.doors.acquire_inn import AcquireInn, Client, Mirror, acquire_inn, choice
from tests.doors.inn import Message


@pytest.fixture
def inn() -> Iterator[AcquireInn]:
    with acquire_inn() as house:
        yield house


def types(messages: list[Message]) -> list[str]:
    return [message["type"] for message in messages]


def play_on(
    number: int, clients: list[Client], mirrors: list[Mirror], chance: Random, steps: int = 10_000
) -> None:
    """Everybody acts in turn, from what they know, until the game is over; all keep up with it."""
    for _ in range(steps):
        awaited = mirrors[0].state["next"]
        if awaited["action"] == "GameOver":
            return
        player = awaited["player"]
        own = mirrors[player].state
        params = choice(own, own["rack"], own["rackTypes"], chance)
        heard = clients[player].act(number, own["gameStateHistorySize"], awaited["action"], *params)
        for client, mirror in zip(clients, mirrors, strict=True):
            for message in heard if client is clients[player] else client.read():
                mirror.hear(message)


def test_a_whole_game_is_followed_from_messages_alone_and_agrees_with_the_position(inn: AcquireInn) -> None:
    number, clients = inn.playing(3, "Ann", "Bob", "Cy")
    mirrors = [Mirror(client.enter(number)) for client in clients]
    for client in clients:
        client.read()
    chance = Random(5)
    for _ in range(20):
        play_on(number, clients, mirrors, chance, 10)
        for client, mirror in zip(clients, mirrors, strict=True):
            told = client.enter(number)
            if told["over"]:
                break
            assert mirror.agrees_with(told)
    play_on(number, clients, mirrors, chance)
    assert clients[0].enter(number)["over"]
