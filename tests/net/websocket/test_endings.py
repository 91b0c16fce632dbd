"""Games that end while everybody leaves, returns, wants another one and looks on, over real sockets."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from tests.net.support.clients import Callers, WebClient, call
from tests.net.support.process import ServerProcess

from gamut.games.tower.board import COORDINATES

GROUPS = 12
GAMES = 15
WINNING = (0, 8, 16, 1, 9, 17, 2)
"""The first player's third mark in a row ends the game."""


async def table_of(host: WebClient, others: list[WebClient]) -> str:
    opened = await host.sure("open", game="tower")
    table: str = opened["table"]
    for other in others:
        await other.sure("sit", table=table)
    return table


async def play(people: list[WebClient], table: str) -> None:
    for number, tile in enumerate(WINNING):
        await people[number % 3].sure("act", table=table, action={"type": "place", "tile": tile})


async def part(chance: Random, people: list[WebClient], watcher: WebClient, table: str) -> None:
    """All at the same moment, each in their own way; some come back to the table that the others have left."""
    ways = [
        ["leave"],
        ["rematch", "leave"],
        ["rematch"],
        ["rematch", "say", "say", "leave"],
        ["rematch", "unwatch", "watch", "say", "unwatch", "watch", "leave"],
        ["unwatch", "watch", "leave"],
    ]
    more: dict[str, dict[str, Any]] = {"say": {"text": "again", "room": "table"}, "watch": {"since": 0}}

    async def go(person: WebClient, way: list[str]) -> None:
        for kind in way:
            await person.send({"type": kind, "table": table, **more.get(kind, {})})
            # Sometimes what comes next comes after a commit, sometimes with the same one.
            for _ in range(chance.randrange(4)):
                await asyncio.sleep(0)

    agreed = chance.random() < 0.7
    chosen = [chance.choice(ways[1:5] if agreed else ways) for _ in people]
    looking_on = ["say", "unwatch", "watch", "say", "unwatch", "watch", "say", "unwatch"]
    more_said: dict[str, dict[str, Any]] = {"say": {"text": "well played", "room": "kibitz"}}

    async def look_on() -> None:
        for kind in looking_on:
            await watcher.send(
                {"type": kind, "table": table, **more.get(kind, {}), **more_said.get(kind, {})}
            )
            await asyncio.sleep(0)

    await asyncio.gather(*(go(*pair) for pair in zip(people, chosen, strict=True)), look_on())


async def evening(callers: Callers, number: int, tables: list[str]) -> None:
    chance = Random(number)
    names = [f"{name} of {number}" for name in ("Ann", "Bob", "Cid", "Wim")]
    clients = [await callers.web(name) for name in names]
    tokens = [client.token for client in clients]
    for _ in range(GAMES):
        *people, watcher = clients
        table = await table_of(people[0], people[1:])
        tables.append(table)
        await watcher.sure("watch", table=table)
        await play(people, table)
        await part(chance, people, watcher, table)
        for at, client in enumerate(clients):
            if chance.random() < 0.5:
                # Gone without a word, and back at once.
                await client.abort()
                clients[at] = await callers.web()
                await clients[at].again(tokens[at])
            else:
                await client.ask("ping")


def test_games_that_end_while_all_leave_return_and_look_on_stop_nothing(tmp_path: Path) -> None:
    tables: list[str] = []

    async def story(callers: Callers) -> None:
        await asyncio.gather(*(evening(callers, number, tables) for number in range(GROUPS)))
        assert len(tables) == GROUPS * GAMES
        over = 0
        for table in tables:
            log: Any = await callers.json(f"/api/tables/{table}/log")
            over += log["table"].get("outcome") is not None
            events = [event["type"] for event in log["events"]]
            assert events[0] == "opened"
        assert over == len(tables)
        assert (await callers.json("/healthz"))["status"] == "ok"

    with ServerProcess(
        tmp_path / "data", message_rate=0, talk_burst=10_000, stored_per_second=0, tables_per_person=1_000
    ) as server:
        call(server.url, story)
        assert server.process.poll() is None
        assert not [line for line in server.log() if line["level"] in ("error", "critical")]


def test_tower_clients_who_finish_and_all_hang_up_at_once_stop_nothing(tmp_path: Path) -> None:
    async def story(callers: Callers) -> None:
        async def room(number: int) -> None:
            for game in range(GAMES):
                players = [await callers.tower() for _ in range(3)]
                for at, player in enumerate(players):
                    await player.join(f"room {number} {game % 3}", f"p{at}")
                    await player.until("room_joined")
                for at, tile in enumerate(WINNING):
                    await players[at % 3].place(*msgspec.structs.astuple(COORDINATES[tile]))
                    await players[at % 3].until("mark_placed")
                await asyncio.gather(*(player.abort() for player in players))
                await asyncio.sleep(0)

        await asyncio.gather(*(room(number) for number in range(GROUPS)))
        assert (await callers.json("/healthz"))["status"] == "ok"

    with ServerProcess(tmp_path / "data", message_rate=0) as server:
        call(server.url, story)
        assert not [line for line in server.log() if line["level"] in ("error", "critical")]
