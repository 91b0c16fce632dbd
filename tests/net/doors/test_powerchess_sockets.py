"""Power Chess through real sockets: one table and many doors, secrets, and kill -9."""

import asyncio
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiohttp import ClientSession
from tests.games.support.powerchess_tables import from_fen, played
from tests.net.support.clients import WebClient, calling
from tests.net.support.powerchess_clients import (
    FOREIGN,
    Club,
    Message,
    PowerClient,
    in_a_club,
    point,
    way,
)
from tests.net.support.process import ServerProcess

from gamut.games.powerchess.fen import START
from gamut.games.powerchess.rules import PowerChess
from gamut.games.powerchess.squares import square_named
from gamut.games.powerchess.state import Event, PowerChessState


class OnThePage:
    """Somebody on the page, whose board is made of the events that the page is told."""

    def __init__(self, web: WebClient, table: str) -> None:
        self.web = web
        self.table = table
        self.state: PowerChessState | None = None
        self.heard: list[Any] = []

    async def hears(self, kind: str) -> Message:
        """What happens in the game, up to and including the next thing of this kind."""
        while True:
            for number, happened in enumerate(self.heard):
                if happened["type"] == kind:
                    del self.heard[: number + 1]
                    return dict(happened)
            message = await self.web.until("events", table=self.table)
            for happening in message["events"]:
                for happened in happening.get("events", ()):
                    event: Event = msgspec.convert(happened, Event)
                    self.state = PowerChess().evolve(self.state, event)
                    self.heard.append(happened)
                if happening["type"] == "draw_offered":
                    self.heard.append(happening)

    async def act(self, **action: Any) -> None:
        await self.web.send({"type": "act", "table": self.table, "action": action})

    async def move(self, move: str) -> None:
        await self.act(type="move", start=square_named(move[:2]), end=square_named(move[2:]))


def test_one_table_the_old_protocol_on_one_side_the_page_on_the_other_and_watchers_there(
    tmp_path: Path,
) -> None:
    async def story(club: Club) -> None:
        async with calling(str(club.http._base_url)) as callers:
            ann = await club.client()
            await ann.create(public="true")
            pat, will = [await callers.web(name) for name in ("Pat", "Will")]
            await will.send({"type": "lobby"})
            (listed,) = (await will.until("lobby"))["tables"]
            assert listed["room"] == str(ann.game)
            table = listed["id"]
            await will.sure("watch", table=table)
            await pat.sure("watch", table=table)
            await pat.send({"type": "sit", "table": table})
            page, watcher = OnThePage(pat, table), OnThePage(will, table)
            await ann.hears(1, name="Pat")
            for person in (page, watcher):
                await person.hears("began")
            # A move on each side.
            await ann.move("e2e4")
            await ann.hears(5, updates=[], action=0)
            await page.hears("moved")
            await page.move("d7d5")
            await ann.hears(5, move=way("d7d5"), updates=[], action=1)
            # A box, which Ann takes: what she is offered is her own business until she uses it.
            await ann.send({"type": 8, "gameId": ann.game, **point("d4"), "rarity": 0})
            await ann.hears(5, updates=[{**point("d4"), "state": 2, "rarity": 0}], action=1)
            await ann.move("d2d4")
            await ann.hears(5, updates=[], action=2, options={"rarity": 0, "id1": 0, "id2": 1})
            for person in (page, watcher):
                assert (await person.hears("offered"))["powers"] == ["unseen", "unseen"]
            await ann.choose(True, way("d4d5"))
            await ann.hears(6)
            await ann.choose(True, way("d4c4"))
            await ann.hears(5, updates=[], action=0)
            for person in (page, watcher):
                used = await person.hears("used")
                assert (used["power"], used["target"]) == ("adjust", square_named("c4"))
            # And one that the page takes.
            await ann.send({"type": 8, "gameId": ann.game, **point("a5"), "rarity": 1})
            await ann.hears(5, updates=[{**point("a5"), "state": 2, "rarity": 1}], action=0)
            await page.move("a7a5")
            await ann.hears(5, move=way("a7a5"), updates=[], action=0)
            assert (await page.hears("offered"))["powers"] == ["black_hole", "energize"]
            assert (await watcher.hears("offered"))["powers"] == ["unseen", "unseen"]
            await page.act(type="use", power="black_hole", target=square_named("h4"))
            hole = {**point("h4"), "state": 3, "other": 0}
            told = await ann.hears(5, updates=[hole], action=1, rarity=1, power=0)
            assert told["effects"] == [{"kind": "black_hole", **point("h4"), "plies": 12}]
            for person in (page, watcher):
                await person.hears("used")
            # A draw, offered by one and taken by the other.
            await pat.send({"type": "draw", "table": table})
            await ann.hears(3)
            await ann.say(3)
            await ann.hears(2, reason=3, result=2)
            for person in (page, watcher):
                ended = await person.hears("ended")
                assert (ended["winner"], ended["reason"]) == (None, "agreed")
            assert page.state is not None
            assert watcher.state is not None
            assert page.state.board == watcher.state.board

    in_a_club(tmp_path / "data", story, debug=True)


# As an operator starts it


@pytest.mark.parametrize("debug", ["true", "false"])
def test_boxes_and_offers_come_on_demand_only_if_the_operator_says_so(tmp_path: Path, debug: str) -> None:
    async def story() -> None:
        async with ClientSession(server.url) as http:
            ann, bob = await come(http), await come(http)
            await ann.create()
            await bob.join(ann.game)
            await ann.hears(1)
            await bob.hears(1)
            await ann.send({"type": 8, "gameId": ann.game, **point("d4"), "rarity": 2})
            if debug == "true":
                for client in (ann, bob):
                    await client.hears(5, updates=[{**point("d4"), "state": 2, "rarity": 2}])
            else:
                await ann.hears(7)
                await bob.hears_nothing()
            for client in (ann, bob):
                await client.socket.close()

    with ServerProcess(tmp_path / "data", "--powerchess-debug", debug) as server:
        asyncio.run(story())


# kill -9

MOVES = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "d2d3", "d7d6", "c1e3", "c8e6", "b1c3", "d8d7")
GAMES, KILLS = 20, 4
MORE = 30
"""So many moves in all are told before the next kill."""


def pieces_after(moves: int) -> dict[tuple[int, int], tuple[bool, int]]:
    board = played(from_fen(START), *MOVES[:moves]).board
    return {
        (square >> 3, square & 7): (letter.isupper(), "KQRBNP".index(letter.upper()))
        for square, letter in enumerate(board)
        if letter != "."
    }


class Remembered:
    """A game, and what its two players were told of it."""

    def __init__(self) -> None:
        self.players: list[PowerClient] = []
        self.ways_back: list[tuple[int, int, str]] = []
        self.told = 0
        """Up to which move somebody knows."""
        self.left = False
        """A box was taken, and they leave it at that."""

    async def begin(self, http: ClientSession) -> None:
        ann, bob = self.players = [await come(http), await come(http)]
        await ann.create()
        await bob.join(ann.game)
        await ann.hears(1)
        await bob.hears(1)
        self._remember()

    async def come_back(self, http: ClientSession) -> None:
        self.players = [await come(http), await come(http)]
        for client, way_back in zip(self.players, self.ways_back, strict=True):
            await client.resume(*way_back)
            await client.hears(1)
            self._compare(await client.hears(5))
        # Whoever came first is told that both are there.
        await self.players[0].hears(5, updates=[])
        self._remember()

    def _remember(self) -> None:
        self.ways_back = [(client.game, client.player, client.key) for client in self.players]

    def _compare(self, picture: Message) -> None:
        shown = {
            (entry["row"], entry["col"]): (entry["color"], entry["piece"])
            for entry in picture["updates"]
            if entry["state"] == 1
        }
        # The last move may have been made without anybody hearing of it.
        found = [moves for moves in (self.told, self.told + 1) if shown == pieces_after(moves)]
        assert found, (self.told, shown)
        self.told = found[0]
        self.left = self.left or picture["action"] == 2

    @property
    def done(self) -> bool:
        return self.left or self.told == len(MOVES)

    async def play(self, noted: Callable[[], None]) -> None:
        while not self.done:
            at = self.told
            mover, other = self.players[at % 2], self.players[1 - at % 2]
            await mover.move(MOVES[at])
            for client in (mover, other):
                message = await client.receive()
                assert message["type"] == 5, message
                self.told = at + 1
                self.left = self.left or message["action"] == 2
            noted()
        noted()


async def come(http: ClientSession) -> PowerClient:
    return PowerClient(await http.ws_connect("/play", headers={"Origin": FOREIGN}))


def test_nothing_that_a_client_was_told_is_lost_by_kill_9(tmp_path: Path) -> None:
    games = [Remembered() for _ in range(GAMES)]

    def noted(moves: int, enough: asyncio.Event) -> None:
        if sum(game.told for game in games) >= moves or all(game.done for game in games):
            enough.set()

    async def run() -> None:
        for kill in range(KILLS + 1):
            await asyncio.to_thread(server.start)
            async with ClientSession(server.url) as http:
                for game in games:
                    await (game.begin(http) if kill == 0 else game.come_back(http))
                enough = asyncio.Event()

                note = partial(noted, (kill + 1) * MORE, enough)
                playing = [asyncio.create_task(game.play(note)) for game in games]
                if kill < KILLS:
                    await enough.wait()
                    server.signal(signal.SIGKILL)
                await asyncio.gather(*playing, return_exceptions=kill < KILLS)
                for client in (player for game in games for player in game.players):
                    await client.socket.close()
            server.kill()

    server = ServerProcess(tmp_path / "data", message_rate=0, stored_per_second=0)
    try:
        asyncio.run(run())
    finally:
        server.kill()
    assert all(game.done for game in games)
