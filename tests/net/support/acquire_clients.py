"""Clients of the Acquire door on real sockets. Every byte that one is told is kept."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import ClientSession, ClientWebSocketResponse, CookieJar, TCPConnector, WSMsgType
from tests.net.support.inside import running, url_of
from tests.net.support.process import PATIENCE

from gamut.net.server import Server

Message = dict[str, Any]
PASSWORD = "a good password"


class AcquireClient:
    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.socket = socket
        self.frames: list[bytes] = []
        """As they came."""
        self.user_id = 0
        self.token = ""
        self._ids = count(1)

    async def receive(self) -> Message | None:
        """A message, or None when the connection has ended."""
        async with asyncio.timeout(PATIENCE):
            frame = await self.socket.receive()
        if frame.type is not WSMsgType.TEXT:
            return None
        self.frames.append(frame.data.encode())
        return msgspec.json.decode(frame.data, type=Message)

    async def until(self, kind: str, **fields: Any) -> Message:
        while True:
            message = await self.receive()
            assert message is not None, f"ended before {kind}"
            if message["type"] == kind and all(message.get(name) == value for name, value in fields.items()):
                return message

    async def say(self, type: str, **fields: Any) -> list[Message]:
        """Say something: all that comes up to its answer, which is the last."""
        number = next(self._ids)
        await self.socket.send_str(msgspec.json.encode({"type": type, "id": number, **fields}).decode())
        return await self._answer(number)

    async def _answer(self, number: int) -> list[Message]:
        heard: list[Message] = []
        while True:
            message = await self.receive()
            assert message is not None, "ended before the answer"
            heard.append(message)
            if message["type"] in ("Ok", "Error") and message["id"] == number:
                return heard

    async def ok(self, type: str, **fields: Any) -> list[Message]:
        heard = await self.say(type, **fields)
        assert heard[-1]["type"] == "Ok", heard[-1]
        return heard

    async def refused(self, type: str, **fields: Any) -> str:
        answer = (await self.say(type, **fields))[-1]
        assert answer["type"] == "Error", answer
        assert answer["message"].endswith(".") or answer["code"] == "invalid_message"
        return str(answer["code"])

    async def log_in(self, name: str) -> "AcquireClient":
        heard = await self.say("CreateUserAndLogin", username=name, password=PASSWORD)
        if heard[-1]["type"] == "Error":
            assert heard[-1]["code"] == "user_exists"
            heard = await self.ok("Login", username=name, password=PASSWORD)
        result = next(message for message in heard if message["type"] == "LoginResult")
        self.user_id, self.token = result["userId"], result["token"]
        return self

    async def create(self, mode: int, **fields: Any) -> int:
        return int((await self.ok("CreateGame", gameMode=mode, **fields))[-1]["gameNumber"])

    async def enter(self, number: int, known: int = 0) -> Message:
        return (await self.ok("EnterGame", gameNumber=number, gameStateHistorySize=known))[-2]

    async def setup(self, number: int, type: str, **fields: Any) -> list[Message]:
        return await self.ok("DoGameSetupAction", gameNumber=number, action={"type": type, **fields})

    async def act(self, number: int, size: int, action: str, params: list[Any]) -> list[Message]:
        return await self.ok(
            "DoGameAction", gameNumber=number, gameStateHistorySize=size, action=action, params=params
        )

    async def done(self, size: int) -> Message:
        """The action after which there were so many."""
        return await self.until("GameActionDone", gameStateHistorySize=size)

    async def hears_nothing(self) -> None:
        """What this client says next is answered next."""
        assert len(await self.say("LobbyConnect", lastEventIndex=-1)) == 2

    async def close(self) -> None:
        await self.socket.close()


class Club:
    """Whoever calls a server's Acquire door from here."""

    def __init__(self, http: ClientSession) -> None:
        self.http = http
        self._clients: list[AcquireClient] = []

    async def somebody(self) -> AcquireClient:
        client = AcquireClient(await self.http.ws_connect("/acquire", max_msg_size=0))
        self._clients.append(client)
        initial = await client.receive()
        assert initial is not None
        assert initial["type"] == "Initial"
        return client

    async def client(self, name: str) -> AcquireClient:
        return await (await self.somebody()).log_in(name)

    async def seated(self, mode: int, *names: str, **fields: Any) -> tuple[int, list[AcquireClient]]:
        """People at the positions of a new game in this order, of whom nobody has approved yet."""
        clients = [await self.client(name) for name in names]
        number = await clients[0].create(mode, **fields)
        if len(names) > 1:
            await clients[0].setup(number, "ChangePlayerArrangementMode", playerArrangementMode=2)
        for client in clients[1:]:
            await client.setup(number, "JoinGame")
        return number, clients

    async def playing(
        self, mode: int, *names: str, **fields: Any
    ) -> tuple[int, list[AcquireClient], list[Message]]:
        """A game that has just begun, its players in the order of play, and what each was told of its start."""
        number, clients = await self.seated(mode, *names, **fields)
        for client in clients:
            await client.setup(number, "ApproveOfGameSetup")
        return number, clients, [await client.enter(number) for client in clients]

    async def leave(self) -> None:
        for client in self._clients:
            await client.close()


@asynccontextmanager
async def club(url: str) -> AsyncIterator[Club]:
    connector = TCPConnector(limit=0)
    async with ClientSession(url, connector=connector, cookie_jar=CookieJar(unsafe=True)) as http:
        house = Club(http)
        try:
            yield house
        finally:
            await house.leave()


@asynccontextmanager
async def open_server(data: Path) -> AsyncIterator[tuple[Server, Club]]:
    """A server in this process, whose chance a test may take into its own hands."""
    async with running(data, message_rate=0, talk_burst=1_000) as server, club(url_of(server)) as house:
        yield server, house
