"""Somebody who comes alone to a server as it is set up from the first: over real sockets, against real bots."""

import asyncio
from pathlib import Path

from aiohttp import ClientSession
from tests.net.support.powerchess_clients import PowerClient
from tests.net.support.process import ServerProcess, free_port
from tests.net.support.tafl_clients import parlour


def test_a_lone_client_of_each_kind_finds_a_bot_and_plays_it(tmp_path: Path) -> None:
    tafl_port = free_port()

    async def tafl() -> None:
        async with parlour(tafl_port) as house:
            ann = await house.client("Ann", "7")
            await ann.say("game-list")
            listed = (await ann.until("game-list ")).removeprefix("game-list ")
            assert listed.count(" bot") == 6
            assert await ann.ask(f"join-game {listed.split()[0]} false none") == "success defenders"
            await ann.until("move-record")
            assert ann.records == 1

    async def powerchess(url: str) -> None:
        async with ClientSession(url) as http:
            home = PowerClient(await http.ws_connect("/home"))
            number, *_ = (await home.hears(0))["games"]
            ann = PowerClient(await http.ws_connect("/play"))
            await ann.join(int(number), "Ann")
            assert str((await ann.hears(1, color=True))["name"]).endswith(" bot")
            await ann.move("e2e4")
            await ann.hears(5, action=0)
            await ann.hears(5)

    with ServerProcess(tmp_path / "data", "--tafl-port", str(tafl_port), bot_delay=0.02) as server:
        asyncio.run(tafl())
        asyncio.run(powerchess(server.url))


def test_bots_need_not_wait(tmp_path: Path) -> None:
    tafl_port = free_port()

    async def story(url: str) -> None:
        async with parlour(tafl_port) as house, ClientSession(url) as http:
            ann = await house.client("Ann")
            await ann.say("get-game-list")
            assert await ann.until("game-list") == "game-list"
            home = PowerClient(await http.ws_connect("/home"))
            await home.hears(0, games={})

    off = ("--tafl-bots", "false", "--powerchess-bots", "false")
    with ServerProcess(tmp_path / "data", "--tafl-port", str(tafl_port), *off) as server:
        asyncio.run(story(server.url))
