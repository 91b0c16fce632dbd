"""Hidden information over real sockets: every byte that anybody got in whole games is what they may know.

What each viewer must have been told is worked out from the review of the finished game, and not by the door. All that
was received is compared with it: an action is told exactly so, and nothing else tells of tiles.
"""

import asyncio
import re
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.doors.support.acquire_inn import Mirror, choice
from tests.net.support.acquire_clients import AcquireClient, Club, Message, open_server

from gamut.games.acquire.files.array import parsed
from gamut.games.acquire.files.playback import steps
from gamut.games.acquire.files.showing import beside, shown
from gamut.games.acquire.state import Forfeited

_TILE = re.compile(r"\b1?[0-9][A-I]\b")
_WITHOUT_TILES = {
    "Initial",
    "LoginResult",
    "GameSetup",
    "GameSetupChanged",
    "GameStarted",
    "UserEnteredGame",
    "UserExitedGame",
    "PlayerForfeited",
    "ChatMessage",
    "Ok",
}
_MODES = {3: 3, 7: 4, 9: 6}
"""With how many players."""


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def cells(rows: list[str]) -> dict[int, str]:
    return {column * 9 + row: rows[row][column] for column in range(12) for row in range(9)}


def counts(position: Any) -> list[int]:
    return [6 - rack.count(None) for rack in position["racks"]]


def allowed(number: int, review: bytes, viewer: int | None) -> list[Message]:
    """The actions of a game exactly as this viewer may be told of them, without their times."""
    found: list[Message] = []
    blank = {"board": ["." * 12] * 9, "scores": [], "racks": [], "rackTypes": [], "chainSize": [0] * 7}
    last: Any = {**blank, "available": [25] * 7, "price": [0] * 7}
    for step in steps(parsed(review)):
        if isinstance(step.event, Forfeited):
            continue
        now, told = plain(shown(step.state)), plain(beside(step))
        own = None if viewer is None else (now["racks"][viewer], now["rackTypes"][viewer])
        before = (last["racks"][viewer], last["rackTypes"][viewer]) if last["racks"] and own else None
        rack, kinds = own if own is not None and own != before else (None, None)
        old, new = cells(last["board"]), cells(now["board"])
        chains = [
            [chain, now["chainSize"][chain], now["price"][chain], now["available"][chain]]
            for chain in range(7)
            if any(now[field][chain] != last[field][chain] for field in ("chainSize", "available"))
        ]
        over = now["next"]["action"] == "GameOver"
        found.append(
            {
                "type": "GameActionDone",
                "gameNumber": number,
                "gameStateHistorySize": len(found) + 1,
                "playerID": told["player"],
                "action": told["action"],
                "params": told["params"],
                "autoPlayed": told.get("autoPlayed", False),
                "history": [m for m in told["history"] if m[0] != "DrewTile" or m[1] == viewer],
                "boardChanges": [[tile, cell] for tile, cell in new.items() if old[tile] != cell],
                "scoreBoard": [
                    [player, row]
                    for player, row in enumerate(now["scores"])
                    if not last["scores"] or last["scores"][player] != row
                ],
                "chains": chains,
                "rackCounts": counts(now) if counts(now) != counts(last) else None,
                "rack": rack,
                "rackTypes": kinds,
                "turnPlayer": now["turnPlayer"],
                "next": {"player": None, "action": "GameOver"} if over else now["next"],
                "clocks": None,
            }
        )
        last = now
    return found


def check_all_that_was_heard(client: AcquireClient, number: int, review: bytes, viewer: int | None) -> None:
    expected = allowed(number, review, viewer)
    told = 0
    for frame in client.frames:
        message = msgspec.json.decode(frame)
        kind = message["type"]
        if kind == "GameActionDone":
            assert isinstance(message.pop("timestamp"), int)
            assert message == expected[told], (viewer, told)
            told += 1
        elif kind == "GameState":
            check_state(message, expected[: message["gameStateHistorySize"]], viewer)
        elif kind == "Error":
            assert not _TILE.search(message["message"]), "who is not to act learns of no tile"
        else:
            assert kind in _WITHOUT_TILES, kind
    assert told == len(expected)


def check_state(state: Message, done: list[Message], viewer: int | None) -> None:
    """A whole position of a game that is on says no more than all the actions before it."""
    assert not state["over"]
    assert state["history"] == [message["history"] for message in done]
    racks = [(message["rack"], message["rackTypes"]) for message in done if message["rack"] is not None]
    assert (state["rack"], state["rackTypes"]) == (racks[-1] if racks else (None, None))
    assert state["playerID"] == viewer
    fields = {
        *("type", "gameNumber", "gameStateHistorySize", "gameMode", "userIds", "usernames", "hostUserId"),
        *("playerID", "board", "scoreBoard", "available", "chainSize", "price", "rackCounts", "rack"),
        *("rackTypes", "turnPlayer", "next", "clocks", "forfeits", "history", "over"),
    }
    assert set(state) == fields


async def play(
    number: int, clients: list[AcquireClient], mirrors: list[Mirror], watchers: list[AcquireClient]
) -> None:
    chance = Random(number)
    while (awaited := mirrors[0].state["next"])["action"] != "GameOver":
        player, size = awaited["player"], mirrors[0].state["gameStateHistorySize"]
        own = mirrors[player].state
        params = choice(own, own["rack"], own["rackTypes"], chance)
        if chance.random() < 0.1:
            # Whoever guesses learns nothing from the answer.
            other = clients[(player + 1) % len(clients)]
            tile = chance.randrange(108)
            code = await other.refused(
                "DoGameAction",
                gameNumber=number,
                gameStateHistorySize=size,
                action="PlayTile",
                params=[tile],
            )
            assert code == "not_your_turn"
        heard = await clients[player].act(number, size, awaited["action"], params)
        mirrors[player].hear(heard[-2])
        for client, mirror in zip(clients, mirrors, strict=True):
            if client is not clients[player]:
                mirror.hear(await client.done(size + 1))
        for watcher in watchers:
            await watcher.done(size + 1)
        if size % 25 == 0 and mirrors[0].state["next"]["action"] != "GameOver":
            for client in (*clients, *watchers):
                await client.enter(number)


@pytest.mark.parametrize("mode", _MODES)
def test_everybody_gets_exactly_what_they_may_know_and_nobody_anything_else(
    mode: int, tmp_path: Path
) -> None:
    async def story(house: Club) -> None:
        names = [f"Player {place}" for place in range(_MODES[mode])]
        number, clients = await house.seated(mode, *names)
        # One looks from the first, and one is known; neither plays.
        watchers = [await house.somebody(), await house.client("Watcher")]
        for watcher in watchers:
            await watcher.enter(number)
        for client in clients:
            await client.setup(number, "ApproveOfGameSetup")
        mirrors = [Mirror(await client.enter(number)) for client in clients]
        await play(number, clients, mirrors, watchers)
        heard = [len(client.frames) for client in (*clients, *watchers)]
        late = await house.client("Late")
        review = (await late.ok("GetGameReview", gameNumber=number))[0]["review"]
        data = msgspec.json.encode(review)
        for (client, viewer), frames in zip(
            [*zip(clients, range(len(clients)), strict=True), *((watcher, None) for watcher in watchers)],
            heard,
            strict=True,
        ):
            client.frames = client.frames[:frames]
            check_all_that_was_heard(client, number, data, viewer)

    async def run() -> None:
        async with open_server(tmp_path / "data") as (_, house):
            await story(house)

    asyncio.run(run())
