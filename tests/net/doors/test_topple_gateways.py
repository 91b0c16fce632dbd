"""A game of Topple at two gateways, of which one stops in the middle of it."""

import asyncio
from pathlib import Path
from typing import Any

from aiohttp import ClientSession
from tests.net.doors.test_topple_sockets import ToppleClient
from tests.net.support.several_nodes import Cluster, cluster


async def follow(place: Cluster, http: ClientSession, left: ToppleClient, switch: Any) -> ToppleClient:
    """What the protocol asks for: hang up, come with `P`, and say each of `D` at once."""
    await left.socket.close()
    there = ToppleClient(await place.come(http, switch["P"]))
    for text in switch["D"]:
        await there.socket.send_str(text)
    return there


async def created(place: Cluster, http: ClientSession) -> ToppleClient:
    client = ToppleClient(await place.come(http, "t=1&d=0,4,4&p=2"))
    await client.until("game:roomid")
    await client.say("game:rules", turnTime={"style": "chess", "limit": 60_000, "penalty": "lose"})
    await client.until("game:rules")
    return client


def test_players_follow_to_another_gateway_and_play_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with cluster(tmp_path / "data") as place, ClientSession() as http:
            one = await created(place, http)
            two = ToppleClient(await place.come(http, f"t=0&g={one.room}", 1))
            await two.until("game:rules")
            watcher = ToppleClient(await place.come(http, f"t=4&g={one.room}"))
            await watcher.until("game:rules")
            await one.say("waiting:start")
            for client in (one, two, watcher):
                await client.until("game:turn", n=1)
            await one.say("game:move", n=5)
            await two.until("game:turn", n=2)
            stopping = asyncio.ensure_future(place.gateways[0].stop())
            for client in (one, watcher):
                await client.until("CONN:HOLD")
            # It does what is not asked of it: nothing comes of that here.
            await one.say("game:pause")
            await two.say("game:move", n=10)
            switch = await one.until("CONN:SWCH")
            assert switch["P"] == one.back
            assert len(switch["D"]) == 1
            assert await one.receive() is None
            assert one.socket.close_code == 1001
            back = await follow(place, http, one, switch)
            await back.until("game:reconnected")
            await back.until("game:turn", n=1)
            await back.until("CONN:CONT")
            await back.until("game:pause")
            there = await follow(place, http, watcher, await watcher.until("CONN:SWCH"))
            await there.until("CONN:CONT")
            assert await two.receive() == {"type": "game:move", "payload": {"n": 10, "t": 2}}
            assert await two.receive() == {"type": "game:turn", "payload": {"n": 1, "t": True}}
            heard = [(await two.receive())["type"] for _ in range(4)]
            assert sorted(heard) == ["game:pause", "spectator:join", "spectator:leave", "sync"], (
                "nothing of one"
            )
            await back.say("game:resume")
            await back.say("game:move", n=5)
            for client in (two, there, back):
                await client.until("game:move", n=5)
            await stopping

    asyncio.run(story())


def test_a_gateway_that_stops_lets_nobody_in_so_that_a_proxy_tries_another_one(tmp_path: Path) -> None:
    async def story() -> None:
        async with cluster(tmp_path / "data") as place, ClientSession() as http:
            one = await created(place, http)
            port = place.gateways[0].ports["main"]
            stopping = asyncio.ensure_future(place.gateways[0].stop())
            await one.until("CONN:HOLD")
            assert not await listens(port)
            assert not one.socket.closed
            await stopping

    asyncio.run(story())


async def listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except ConnectionRefusedError:
        return False
    writer.close()
    return True
