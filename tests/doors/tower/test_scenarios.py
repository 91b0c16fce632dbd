"""The recorded conversations of the Tower protocol, word for word: without sockets, and through both real ports."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.doors.support.inn import Inn, Player
from tests.net.support.clients import Callers, TowerClient, calling
from tests.net.support.process import ServerProcess

Message = dict[str, Any]

_VECTORS = Path(__file__).parents[2] / "vectors" / "tower"
SCENARIOS: list[dict[str, Any]] = json.loads((_VECTORS / "scenarios.json").read_text())["scenarios"]
INVALID_POSITIONS: list[Any] = json.loads((_VECTORS / "tiles.json").read_text())["invalid_positions"]


def matching(heard: list[Message], expected: list[Message]) -> bool:
    return len(heard) == len(expected) and all(map(_same, heard, expected))


def _same(heard: Message, expected: Message) -> bool:
    if expected["type"] == "error" and expected["data"]["data"] is None:
        said = heard["data"]
        return (
            heard["type"] == "error"
            and said.keys() == {"type", "data"}
            and said["type"] == expected["data"]["type"]
            and isinstance(said["data"], str)
            and bool(said["data"])
        )
    # Compared as text, since in Python True == 1 == 1.0.
    return json.dumps(heard, sort_keys=True) == json.dumps(expected, sort_keys=True)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: str(scenario["name"]))
def test_a_recorded_conversation(inn: Inn, scenario: dict[str, Any]) -> None:
    clients: dict[str, Player] = {}
    for number, step in enumerate(scenario["steps"]):
        name = step["client"]
        if name not in clients:
            clients[name] = inn.player()
        client = clients[name]
        if "close" in step:
            client.hang_up()
        else:
            client.send(step["raw"].encode() if "raw" in step else json.dumps(step["send"]).encode())
        for listener, connection in clients.items():
            heard, expected = connection.read(), step["expect"].get(listener, [])
            assert matching(heard, expected), (number, listener, heard, expected)
        assert all(connection.wire.closed is None for connection in clients.values())


def test_every_recorded_conversation_through_both_real_ports(tmp_path: Path) -> None:
    async def talk(callers: Callers, path: str, prefix: str) -> None:
        await asyncio.gather(*(converse(callers, path, prefix, scenario) for scenario in SCENARIOS))

    async def run() -> None:
        async with calling(server.url) as callers:
            await talk(callers, "/tower", "main ")
            await talk(callers, f"http://127.0.0.1:{server.tower_port}/", "own ")

    with ServerProcess(tmp_path / "data", tower=True) as server:
        asyncio.run(run())


async def converse(callers: Callers, path: str, prefix: str, scenario: dict[str, Any]) -> None:
    """All scenarios run at once, each in rooms of its own."""
    clients: dict[str, TowerClient] = {}
    for number, step in enumerate(scenario["steps"]):
        name = step["client"]
        if name not in clients:
            clients[name] = await callers.tower(path)
        if "close" in step:
            await clients.pop(name).close()
        elif "raw" in step:
            await clients[name].socket.send_str(step["raw"])
        else:
            await clients[name].send(_in_own_room(step["send"], f"{prefix}{scenario['name']} "))
        for listener, expected in step["expect"].items():
            heard = [await clients[listener].receive() for _ in expected]
            assert matching(heard, expected), (scenario["name"], number, listener, heard, expected)
    for name, client in clients.items():
        # A message that nobody may answer but with an error: whatever came before it was not expected.
        await client.socket.send_str("?")
        last = await client.receive()
        assert last["type"] == "error", (scenario["name"], name, last)
        assert last["data"]["type"] == 5
    # The rooms' names have their own limits: what was too long must stay so.
    for client in clients.values():
        await client.close()


def _in_own_room(message: Any, prefix: str) -> Any:
    room = message.get("data", {}).get("room") if isinstance(message.get("data"), dict) else None
    if not isinstance(room, str) or not 0 < len(room.strip()) <= 10:
        return message
    return {**message, "data": {**message["data"], "room": prefix + room}}


@pytest.mark.parametrize("position", INVALID_POSITIONS, ids=repr)
def test_a_position_that_is_none_is_refused_and_changes_nothing(inn: Inn, position: Any) -> None:
    players = [inn.player() for _ in range(3)]
    for number, player in enumerate(players):
        player.join("r1", f"P{number}")
    for player in players:
        player.read()
    (table,) = inn.hall.live
    before = inn.bytes_of(table)
    (error,) = players[0].place(position)
    assert error["type"] == "error"
    assert error["data"]["type"] == 2
    assert players[1].read() == players[2].read() == []
    assert inn.bytes_of(table) == before
    assert players[0].place({"x": 0, "y": 0, "z": 0})[0]["type"] == "mark_placed"
