"""Clients of Power Chess on real sockets, and a server in which no boxes come unless somebody asks for them."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import uvloop
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType
from tests.net.support.closed_ports import CLOSED
from tests.net.support.inside import running, url_of
from tests.net.support.process import PATIENCE

from gamut.doors.powerchess.offer import HomeSettings, PowerChessSettings
from gamut.games.game import AnyGame, Seat
from gamut.games.powerchess.debugging import Arrangement, arranged
from gamut.games.powerchess.decide import decided
from gamut.games.powerchess.draws import ChanceDraws
from gamut.games.powerchess.options import PowerChessOptions
from gamut.games.powerchess.powers import PowerName
from gamut.games.powerchess.rules import PowerChess
from gamut.games.powerchess.state import Action, Event, Offer, PowerChessState
from gamut.net.server import Server

Message = dict[str, Any]
FOREIGN = "http://sako.localtunnel.me"
"""The page of the existing client is not ours."""


class FirstPowers(ChanceDraws):
    def offer(self, powers: Sequence[PowerName]) -> Offer:
        return powers[0], powers[1]


class WithoutBoxes(PowerChess):
    """Boxes come only as somebody who tries a client wants them to, and offer the first powers of their kind."""

    def decide(
        self, state: PowerChessState, seat: Seat, action: Action | Arrangement, chance: Random
    ) -> Sequence[Event]:
        if isinstance(action, Arrangement):
            return arranged(state, action)
        return decided(state, seat, action, FirstPowers(chance))

    def begin(self, options: PowerChessOptions, seats: int, chance: Random) -> Sequence[Event]:
        return super().begin(PowerChessOptions(boxes=False), seats, chance)


def without_boxes() -> dict[str, AnyGame]:
    return {"powerchess": WithoutBoxes()}


def point(name: str) -> Message:
    return {"row": int(name[1]) - 1, "col": "abcdefgh".index(name[0])}


def way(move: str) -> Message:
    return {"from": point(move[:2]), "to": point(move[2:4])}


class PowerClient:
    """One WebSocket. Every wait ends after a generous while."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.socket = socket
        self.game = self.player = 0
        self.key = ""

    async def raw(self, text: str) -> None:
        await self.socket.send_str(text)

    async def send(self, message: Any) -> None:
        await self.raw(msgspec.json.encode(message).decode())

    async def receive(self) -> Message:
        async with asyncio.timeout(PATIENCE):
            frame = await self.socket.receive()
        assert frame.type is WSMsgType.TEXT, (frame, self.socket.close_code)
        message: Message = msgspec.json.decode(frame.data, type=dict[str, Any])
        for name, known in (("gameId", "game"), ("playerId", "player"), ("key", "key")):
            setattr(self, known, message.get(name, getattr(self, known)))
        return message

    async def hears(self, kind: int, **fields: Any) -> Message:
        """The next message, which is of this type and has these values."""
        message = await self.receive()
        assert message["type"] == kind, message
        assert {name: message.get(name) for name in fields} == fields, message
        return message

    async def hears_nothing(self) -> None:
        """Nothing has come, and nothing is on its way: what is no message is answered at once, and first."""
        await self.raw("no message")
        await self.hears(7)

    async def closed(self) -> int | None:
        async with asyncio.timeout(PATIENCE):
            frame = await self.socket.receive()
        assert frame.type in (WSMsgType.CLOSE, WSMsgType.CLOSED, WSMsgType.CLOSING), frame
        return self.socket.close_code

    async def rest(self) -> list[Message]:
        """All that still comes before the connection ends."""
        async with asyncio.timeout(PATIENCE):
            return [msgspec.json.decode(frame.data) async for frame in self.socket]

    # What a client says

    async def create(self, name: str = "Ann", **fields: Any) -> Message:
        wish = {"type": 0, "name": name, "color": True, "timeControl": 0, "public": False}
        await self.send(wish | fields)
        return await self.hears(0)

    async def join(self, game: int, name: str = "Bob") -> None:
        await self.send({"type": 1, "gameId": str(game), "name": name})
        self.game = game

    async def resume(self, game: int, player: int, key: str) -> None:
        await self.send({"type": 1, "gameId": game, "playerId": player, "key": key})
        self.game = game

    async def say(self, kind: int, **fields: Any) -> None:
        """Something in the own game."""
        await self.send({"type": kind, "gameId": self.game, "playerId": self.player, **fields})

    async def move(self, move: str) -> None:
        await self.say(4, action=1, move=way(move))

    async def choose(self, selection: Any, follow_up: Any = None) -> None:
        more = {} if follow_up is None else {"followUp": follow_up}
        await self.say(4, action=2, selection=selection, **more)


class Club:
    """A running server and those who come to it."""

    def __init__(self, server: Server, http: ClientSession) -> None:
        self.server = server
        self.http = http
        self._clients: list[PowerClient] = []

    async def leave(self) -> None:
        """Whoever still has a connection hangs up."""
        for client in self._clients:
            await client.socket.close()

    async def client(self, path: str = "/play", **options: Any) -> PowerClient:
        socket = await self.http.ws_connect(path, max_msg_size=0, headers={"Origin": FOREIGN}, **options)
        client = PowerClient(socket)
        self._clients.append(client)
        return client

    async def pair(self, **fields: Any) -> tuple[PowerClient, PowerClient]:
        """Ann is White and has created the game that Bob has joined."""
        ann, bob = await self.client(), await self.client()
        await ann.create(**fields)
        await bob.join(ann.game)
        await ann.hears(1, name="Bob")
        await bob.hears(1, name="Ann")
        return ann, bob


def in_a_club(
    data: Path, story: Callable[[Club], Awaitable[None]], *, debug: bool = False, bots: bool = False
) -> None:
    settings: Any = {
        **CLOSED,
        "powerchess": PowerChessSettings(powerchess_debug=debug),
        "powerchess_home": HomeSettings(powerchess_bots=bots),
    }

    async def run() -> None:
        async with (
            running(data, without_boxes, message_rate=0, doors=settings) as server,
            ClientSession(url_of(server)) as http,
        ):
            club = Club(server, http)
            try:
                await story(club)
            finally:
                await club.leave()

    uvloop.run(run())


async def moved(mover: PowerClient, other: PowerClient, move: str) -> None:
    """A move that changes nothing else."""
    await mover.move(move)
    await mover.hears(5, updates=[], action=0)
    await other.hears(5, move=way(move), updates=[], action=1)
