"""Acquire through real sockets: with the page at one table, through restarts, and kill -9 at any instant."""

import asyncio
import signal
from pathlib import Path
from random import Random
from typing import Any

from tests.doors.support.acquire_inn import Mirror, choice
from tests.net.support.acquire_clients import AcquireClient, Club, club
from tests.net.support.clients import calling
from tests.net.support.process import ServerProcess

CRASHES = 4
_NAMES = ("Ann", "Bob", "Cy", "Dot")


class Seated:
    """Somebody with a seat, who remembers all that they were told, from the bytes alone."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.number = number
        self.client: AcquireClient | None = None
        self.mirror: Mirror | None = None
        self._said = 0
        """After how many actions something was said last: once for each turn."""

    async def come(self, house: Club) -> None:
        """Come back: nothing that was told is lost or different, and the seat is the same."""
        self.client, self._said = await house.client(self.name), 0
        told = await self.client.enter(self.number)
        before, self.mirror = self.mirror, Mirror(told)
        if before is not None:
            known = before.state
            size = known["gameStateHistorySize"]
            assert told["gameStateHistorySize"] >= size
            assert told["history"][:size] == known["history"]
            assert told["playerID"] == known["playerID"]
            if told["gameStateHistorySize"] == size:
                assert before.agrees_with(told)
            resumed = await self.client.enter(self.number, size)
            assert resumed["history"] == told["history"][size:]

    async def play(self, chance: Random, wanted: int, far_enough: asyncio.Event) -> None:
        """Act whenever it is this one's turn, until the game is over or the server is gone."""
        assert self.client is not None
        assert self.mirror is not None
        while True:
            state = self.mirror.state
            awaited = state["next"]
            if awaited["action"] == "GameOver" or state["gameStateHistorySize"] >= wanted:
                far_enough.set()
            if awaited["action"] == "GameOver":
                return
            if awaited["player"] == state["playerID"] and self._said != state["gameStateHistorySize"]:
                self._said = state["gameStateHistorySize"]
                params = choice(state, state["rack"], state["rackTypes"], chance)
                await self._say(awaited["action"], params)
            message = await self.client.receive()
            if message is None:
                return
            if message["type"] == "GameActionDone":
                self.mirror.hear(message)
            assert message["type"] != "Error", message

    async def _say(self, action: str, params: list[Any]) -> None:
        assert self.client is not None
        assert self.mirror is not None
        message = {
            "type": "DoGameAction",
            "gameNumber": self.number,
            "gameStateHistorySize": self.mirror.state["gameStateHistorySize"],
            "action": action,
            "params": params,
        }
        if not self.client.socket.closed:
            await self.client.socket.send_json(message)


def test_nothing_that_anybody_was_told_is_lost_and_everybody_gets_their_seat_back(tmp_path: Path) -> None:
    chance = Random(11)
    people: list[Seated] = []

    async def sit_down(house: Club) -> None:
        for group in range(3):
            names = [f"{name} {group}" for name in _NAMES]
            number, _, _ = await house.playing(7, *names)
            people.extend(Seated(name, number) for name in names)

    async def evening(crash: int) -> None:
        async with club(server.url) as house:
            if crash == 0:
                await sit_down(house)
            for person in people:
                await person.come(house)
            # So far along, by what one of them was told, and not by the time that it took.
            wanted, far_enough = 1 + 18 * (crash + 1), asyncio.Event()
            playing = asyncio.gather(
                *(person.play(Random(chance.random()), wanted, far_enough) for person in people)
            )
            if crash < CRASHES:
                await far_enough.wait()
                server.signal(signal.SIGKILL)
            await playing

    server = ServerProcess(tmp_path / "data", message_rate=0)
    try:
        for crash in range(CRASHES + 1):
            server.start()
            asyncio.run(evening(crash))
            if crash < CRASHES:
                server.kill()
        for person in people:
            assert person.mirror is not None
            assert person.mirror.state["next"] == {"player": None, "action": "GameOver"}
    finally:
        server.kill()


def test_who_plays_on_the_page_and_who_plays_here_sit_at_one_table(tmp_path: Path) -> None:
    async def story(server: ServerProcess) -> None:
        async with club(server.url) as house, calling(server.url) as callers:
            ann, page = await house.client("Ann"), await callers.web("Gus")
            await ann.ok("LobbyConnect", lastEventIndex=0)
            options = {"mode": "singles_2", "order": "exact"}
            opened = await page.sure("open", game="acquire", options=options, start="approval")
            created = await ann.until("GameCreated")
            number = created["game"]["gameNumber"]
            assert created["game"]["usernames"] == ["Gus", None]
            await ann.setup(number, "JoinGame")
            await ann.setup(number, "ApproveOfGameSetup")
            await page.sure("ready", table=opened["table"], ready=True)
            await ann.done(1)
            state = Mirror(await ann.enter(number)).state
            while state["next"]["player"] == 0:
                # The first tile may found a chain, which is chosen and bought from in the same turn.
                legal = await page.sure("legal", table=opened["table"])
                await page.sure("act", table=opened["table"], action=legal["actions"][0])
                done = await ann.done(state["gameStateHistorySize"] + 1)
                assert (done["playerID"], done["action"]) == (0, state["next"]["action"])
                state = Mirror(await ann.enter(number)).state
            heard = await ann.act(
                number,
                state["gameStateHistorySize"],
                state["next"]["action"],
                choice(state, state["rack"], state["rackTypes"], Random(1)),
            )
            assert heard[-2]["playerID"] == 1
            await page.until("events")

    with ServerProcess(tmp_path / "data") as server:
        asyncio.run(story(server))


def test_an_account_is_the_same_here_and_on_the_page(tmp_path: Path) -> None:
    async def story(server: ServerProcess) -> None:
        async with club(server.url) as house, calling(server.url) as callers:
            ann = await house.client("Ann")
            login = {"name": "Ann", "password": "a good password"}
            async with callers.http.post("/api/login", json=login) as answer:
                assert answer.status == 200
        async with club(server.url) as house, calling(server.url) as callers:
            made = {"name": "Bob", "password": "a good password"}
            async with callers.http.post("/api/register", json=made) as answer:
                assert answer.status == 201
            bob = await house.somebody()
            heard = await bob.ok("Login", username="Bob", password="a good password")
            assert heard[0]["userId"] > 0
            assert heard[0]["userId"] != ann.user_id

    with ServerProcess(tmp_path / "data") as server:
        asyncio.run(story(server))


def test_a_server_that_stops_says_so_and_nobody_leaves_because_of_it(tmp_path: Path) -> None:
    async def first(server: ServerProcess) -> tuple[int, list[int]]:
        async with club(server.url) as house:
            number, clients, states = await house.playing(2, "Ann", "Bob", timeControlStartingAmount=3_600)
            server.signal(signal.SIGTERM)
            for client in clients:
                while await client.receive() is not None:
                    pass
                assert client.socket.close_code == 1001
            return number, states[0]["clocks"]

    async def second(server: ServerProcess, number: int, clocks: list[int]) -> None:
        async with club(server.url) as house:
            state = await (await house.client("Ann")).enter(number)
            assert (state["playerID"], state["forfeits"], state["over"]) == (0, [], False)
            assert state["clocks"][1] == clocks[1]

    server = ServerProcess(tmp_path / "data")
    try:
        server.start()
        number, clocks = asyncio.run(first(server))
        server.kill()
        server.start()
        asyncio.run(second(server, number, clocks))
    finally:
        server.kill()
