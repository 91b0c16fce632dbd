"""Clients on real sockets: one for the web door, one for Tower."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from aiohttp import ClientSession, ClientWebSocketResponse, CookieJar, TCPConnector, WSMsgType
from tests.net.support.process import PATIENCE

Message = dict[str, Any]


class Hung(Exception):
    """The connection was ended; the code says how."""

    def __init__(self, code: int | None) -> None:
        super().__init__(code)
        self.code = code


class Client:
    """One WebSocket. Every wait ends after a generous while."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.socket = socket

    async def send(self, message: Any) -> None:
        await self.socket.send_str(msgspec.json.encode(message).decode())

    async def receive(self) -> Message:
        async with asyncio.timeout(PATIENCE):
            frame = await self.socket.receive()
        if frame.type is not WSMsgType.TEXT:
            raise Hung(self.socket.close_code)
        return msgspec.json.decode(frame.data, type=Message)

    async def until(self, kind: str, **fields: Any) -> Message:
        """The next message of this type with these values; what comes before it is skipped."""
        while True:
            message = await self.receive()
            if message["type"] == kind and all(message.get(name) == value for name, value in fields.items()):
                return message

    async def hung_up(self, heard: list[Message] | None = None) -> int | None:
        """Read to the end; the code with which the server closed."""
        try:
            while True:
                message = await self.receive()
                if heard is not None:
                    heard.append(message)
        except Hung as hung:
            return hung.code

    async def close(self) -> None:
        await self.socket.close()

    @property
    def _transport(self) -> asyncio.Transport | None:
        connection = self.socket._conn
        return None if connection is None else connection.transport

    def stop_reading(self) -> None:
        assert self._transport is not None
        self._transport.pause_reading()

    def read_on(self) -> None:
        assert self._transport is not None
        self._transport.resume_reading()

    async def abort(self) -> None:
        """Be gone without a word."""
        if self._transport is not None:
            self._transport.abort()
        await self.socket.close()


class WebClient(Client):
    person = ""
    token = ""
    _asked = 0

    async def hello(self, name: str) -> Message:
        return await self._greet({"name": name})

    async def again(self, token: str) -> Message:
        return await self._greet({"token": token})

    async def _greet(self, who: Message) -> Message:
        await self.send({"type": "hello", **who})
        welcome = await self.until("welcome")
        self.person = welcome["person"]
        self.token = welcome.get("token") or who.get("token", "")
        return welcome

    async def ask(self, kind: str, **fields: Any) -> Message:
        """Say something and wait for its answer, whatever is told meanwhile."""
        self._asked += 1
        await self.send({"type": kind, "id": self._asked, **fields})
        while True:
            message = await self.receive()
            if message.get("id") == self._asked:
                return message

    async def sure(self, kind: str, **fields: Any) -> Message:
        answer = await self.ask(kind, **fields)
        assert answer["type"] != "error", answer
        return answer

    async def refused(self, kind: str, **fields: Any) -> str:
        answer = await self.ask(kind, **fields)
        assert answer["type"] == "error", answer
        return str(answer["code"])


class TowerClient(Client):
    async def join(self, room: str, name: str) -> None:
        await self.send({"type": "join_room", "data": {"room": room, "name": name}})

    async def place(self, x: int, y: int, z: int) -> None:
        await self.send({"type": "place_mark", "data": {"position": {"x": x, "y": y, "z": z}}})


class Callers:
    """Whoever calls a server from here."""

    def __init__(self, http: ClientSession) -> None:
        self.http = http
        self._clients: list[Client] = []

    async def web(self, name: str | None = None, *, path: str = "/hall", **options: Any) -> WebClient:
        client = WebClient(await self.http.ws_connect(path, max_msg_size=0, **options))
        self._clients.append(client)
        if name is not None:
            await client.hello(name)
        return client

    async def tower(self, path: str = "/tower", **options: Any) -> TowerClient:
        client = TowerClient(await self.http.ws_connect(path, max_msg_size=0, **options))
        self._clients.append(client)
        return client

    async def other(self, path: str) -> Client:
        """Somebody who speaks another protocol."""
        client = Client(await self.http.ws_connect(path, max_msg_size=0))
        self._clients.append(client)
        return client

    async def leave(self) -> None:
        """Whoever still has a connection hangs up."""
        for client in self._clients:
            await client.abort()

    async def json(self, path: str, status: int | None = 200, **options: Any) -> Any:
        """What is answered; with this status, or None for any."""
        async with self.http.get(path, **options) as response:
            assert status in (None, response.status), await response.text()
            return await response.json()

    async def metric(self, name: str) -> float:
        """One sample of /metrics, by its name and labels as they stand there."""
        samples = await self.metrics()
        return next((value for sample, value in samples.items() if sample.startswith(name)), 0.0)

    async def metrics(self) -> dict[str, float]:
        async with self.http.get("/metrics") as response:
            lines = (await response.text()).splitlines()
        samples = (line.rpartition(" ") for line in lines if not line.startswith("#"))
        return {name: float(value) for name, _, value in samples}


@asynccontextmanager
async def calling(url: str, receive_buffer: int | None = None) -> AsyncIterator[Callers]:
    def made(address: tuple[Any, ...]) -> socket.socket:
        new = socket.socket(*address[:3])
        if receive_buffer is not None:
            # Before it connects, or the other side has already been told of a larger one.
            new.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        return new

    connector = TCPConnector(limit=0, socket_factory=made)
    async with ClientSession(url, connector=connector, cookie_jar=CookieJar(unsafe=True)) as http:
        callers = Callers(http)
        try:
            yield callers
        finally:
            await callers.leave()


def call(url: str, story: Callable[[Callers], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        async with calling(url) as callers:
            await story(callers)

    asyncio.run(run())
