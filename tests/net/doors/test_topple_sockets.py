"""Topple through real sockets: both addresses, the HTTP ones, restarts and crashes."""

import asyncio
import signal
import socket
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, TCPConnector, WSMsgType
from tests.net.support import sockets
from tests.net.support.process import PATIENCE, ServerProcess
from yarl import URL

from gamut.games.topple.files.reader import read

Message = dict[str, Any]

# Behind gateways there may be another one to go to.
_AT_A_STOP = ["CONN:HOLD", "CONN:SWCH"] if sockets.at_gateways else ["CONN:HOLD"]


class ToppleClient:
    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self.socket = socket
        self.room, self.key, self.number = "", "", 0

    async def receive(self) -> Any:
        """A message, the bytes of a binary one, or None when the connection has ended."""
        async with asyncio.timeout(PATIENCE):
            frame = await self.socket.receive()
        if frame.type is WSMsgType.BINARY:
            return frame.data
        if frame.type is not WSMsgType.TEXT:
            return None
        message = msgspec.json.decode(frame.data)
        payload = message["payload"]
        if message["type"] == "key:rejoin":
            self.room, self.key, self.number = payload["g"], payload["key"], payload["p"]
        return message

    async def until(self, kind: str, **fields: Any) -> Message:
        while True:
            message = await self.receive()
            assert message is not None, f"ended before {kind}"
            if isinstance(message, bytes) or message["type"] != kind:
                continue
            if all(message["payload"].get(name) == value for name, value in fields.items()):
                return dict(message["payload"])

    async def say(self, kind: str, /, **payload: Any) -> None:
        await self.socket.send_str(msgspec.json.encode({"type": kind, "payload": payload}).decode())

    @property
    def back(self) -> str:
        return f"t=3&g={self.room}&i={self.number}&k={self.key}"


async def come(
    http: ClientSession, query: str, path: str = "/ws/", await_: str = "game:rules"
) -> ToppleClient:
    client = ToppleClient(await http.ws_connect(f"{path}?{query}", max_msg_size=0))
    if "d=" in query:
        await client.until("game:roomid")
        await client.say("game:rules")
    await client.until(await_)
    return client


async def pair(http: ClientSession, query: str = "t=1&d=0,4,4&p=2") -> tuple[ToppleClient, ToppleClient]:
    one = await come(http, query)
    two = await come(http, f"t=0&g={one.room}", "/topple")
    await one.say("waiting:start")
    for player in (one, two):
        await player.until("game:turn", n=1)
    return one, two


async def move(players: tuple[ToppleClient, ToppleClient], mover: int, tile: int) -> None:
    await players[mover].say("game:move", n=tile)
    for player in players:
        await player.until("game:move", n=tile)
        await player.until("game:turn")


def with_server(tmp_path: Path, story: Callable[[ServerProcess], Coroutine[Any, Any, None]]) -> None:
    with ServerProcess(tmp_path / "data") as server:
        asyncio.run(story(server))


def session(server: ServerProcess) -> ClientSession:
    return ClientSession(server.url)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_after_a_stop_or_a_crash_players_are_back_in_their_seats(tmp_path: Path, how: signal.Signals) -> None:
    async def story(server: ServerProcess) -> None:
        async with session(server) as http:
            players = await pair(http)
            await move(players, 0, 5)
            await move(players, 1, 10)
            server.signal(how)
            for player in players:
                heard = [message async for message in rest(player)]
                assert [m["type"] for m in heard] == (_AT_A_STOP if how is signal.SIGTERM else [])
                if how is signal.SIGTERM:
                    assert player.socket.close_code == 1001
            await asyncio.to_thread(server.wait)
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        async with session(server) as http:
            old = [player.key for player in players]
            back = tuple([await come(http, player.back, await_="game:turn") for player in players])
            assert [player.number for player in back] == [1, 2]
            # They may say now what they have held back.
            for player in back:
                assert await player.receive() == {"type": "CONN:CONT", "payload": {}}
            assert all(player.key not in old for player in back)
            await move((back[0], back[1]), 0, 5)
            watcher = ToppleClient(await http.ws_connect(f"/ws/?t=4&g={back[0].room}"))
            await watcher.until("game:config")
            board = await watcher.receive()
            # Corners have one bit, the others two: the fourth row of bits begins with tile 5, which has 3 pieces.
            assert board[0] == 0
            wrong = ToppleClient(await http.ws_connect(f"/ws/?t=3&g={back[0].room}&i=1&k={old[0][::-1]}"))
            assert (await wrong.until("error"))["message"] == "not disconnected"
            assert [m async for m in rest(wrong)] == []

    with_server(tmp_path, story)


async def rest(player: ToppleClient) -> Any:
    while (message := await player.receive()) is not None:
        yield message


@pytest.mark.sockets_of_its_own("a gateway has no hall to tell newcomers anything while it stops")
def test_who_comes_while_the_server_stops_is_told_so(tmp_path: Path) -> None:
    async def story(server: ServerProcess) -> None:
        async with session(server) as http:
            player = await come(http, "t=1&d=0,4,4&p=2")
            server.signal(signal.SIGTERM)
            assert [m["type"] async for m in rest(player)] == ["CONN:HOLD"]
            late = ToppleClient(await http.ws_connect("/ws/?t=1&d=0,4,4&p=2"))
            assert await late.receive() == {"type": "CONN:DYNG", "payload": {}}
            assert await late.receive() is None
            await asyncio.to_thread(server.wait)

    with_server(tmp_path, story)


def test_what_clients_read_by_http(tmp_path: Path) -> None:
    async def story(server: ServerProcess) -> None:
        async with session(server) as http:
            async with http.get("/bots") as response:
                assert response.content_type == "application/json"
                assert "Freya (Moderate)" in await response.json()
            players = await pair(http, "t=1&d=0,2,2&p=2")
            room = players[0].room
            hidden = await come(http, "t=2&d=0,3,3&p=2")
            async with http.get("/serverlist?page=1&filter=phase:play") as response:
                assert response.content_type == "application/json"
                assert await response.json() == [
                    {
                        "ident": room,
                        "capacity": 2,
                        "playing": 2,
                        "spectating": 0,
                        "dstr": "Grid2D 2x2",
                        "can_spectate": True,
                        "phase": "play",
                        "res": False,
                        "pw": False,
                    }
                ]
            for path, status in (
                ("/serverlist?filter=topo:a,b,c,d,e", 422),
                (f"/d/isres?id={hidden.room.lower()}", 200),
                ("/d/isres?id=NOSUCHRM", 404),
                ("/d/isres", 404),
                (f"/replays/{room}.topl", 404),
                ("/replays/NOSUCHRM.topl", 404),
                ("/replays/..%2f..%2fetc.topl", 404),
                ("/ws/", 426),
                ("/topple", 426),
            ):
                async with http.get(path) as response:
                    assert response.status == status, path
                    if status == 200:
                        assert await response.text() == "0"
            for number, tile in enumerate((0, 3, 0)):
                await move(players, number % 2, tile)
            await players[1].say("game:move", n=3)
            assert await players[0].until("game:win") == {"t": 2, "d": True}
            async with http.get(f"/replays/{room}.topl") as response:
                assert response.status == 200
                file = await response.read()
            assert read(file).room == room
            await players[0].say("game:download")
            assert await players[0].receive() == b"\1" + file
        assert await asyncio.to_thread(server.stop) == 0
        await asyncio.to_thread(server.start)
        async with session(server) as http, http.get(f"/replays/{room}.topl") as response:
            assert await response.read() == file

    with_server(tmp_path, story)


def test_who_asks_for_accounts_hears_that_they_are_guests_and_every_name_has_a_picture(
    tmp_path: Path,
) -> None:
    async def story(server: ServerProcess) -> None:
        async with session(server) as http:
            for path, status in (
                ("/acc/pub/%40self/info", 403),
                ("/acc/pub/%40self/perms", 403),
                ("/acc/pub/%40self/sanction", 403),
                ("/acc/pub/Ann/info", 404),
                ("/acc/pub/logged-in", 400),
                ("/acc/pub/logout", 200),
                ("/acc/play-auth-token", 404),
            ):
                async with http.get(path) as response:
                    assert response.status == status, path
            for path in ("/acc/login", "/acc/reset-password"):
                async with http.post(path, json={"id": "Ann", "pw": "secret"}) as response:
                    assert response.status == 404
            async with http.get("/acc/pub/%40self/sanction") as response:
                assert await response.json() == [], "clients show how many there are, whatever the status"
            async with http.get("/acc/pub/list?page=1&search=.*") as response:
                assert await response.json() == []
            pictures = {}
            for name in ("%40guest", "%40self", "Constantine%20(Trivial)", "a%2Fb", "%3Cscript%3E"):
                async with http.get(URL(f"/acc/pfp/get/{name}", encoded=True)) as response:
                    assert (response.status, response.content_type) == (200, "image/svg+xml")
                    pictures[name] = await response.text()
                    ElementTree.fromstring(pictures[name])
                async with http.get(URL(f"/acc/pfp/get/{name}", encoded=True)) as response:
                    assert await response.text() == pictures[name], "the same name, the same picture"
            assert len(set(pictures.values())) == len(pictures)
            assert "script" not in pictures["%3Cscript%3E"]
            async with http.get("/acc/pfp/info/%40self") as response:
                assert response.status == 200
            async with http.get("/acc/pfp/get?tar=%40self") as response:
                assert await response.text() == pictures["%40self"]

    with_server(tmp_path, story)


def test_an_exported_game_goes_on_after_a_restart(tmp_path: Path) -> None:
    async def story(server: ServerProcess) -> None:
        async with session(server) as http:
            players = await pair(http)
            await move(players, 0, 5)
            await players[0].say("game:export")
            file = await players[0].receive()
            assert file[0] == 2
            assert (await players[1].until("error"))["message"] == "Room closed for export"
            assert [m["type"] async for m in rest(players[1])] == ["game:close"]
        assert await asyncio.to_thread(server.stop) == 0
        await asyncio.to_thread(server.start)
        async with session(server) as http:
            one = ToppleClient(await http.ws_connect("/ws/?t=1&res=1&p=1"))
            await one.socket.send_bytes(b"\x55\x99" + file[1:])
            await one.until("resjoin:available")
            await one.say("resjoin:select", n=1)
            await one.until("sync")
            two = ToppleClient(await http.ws_connect(f"/ws/?t=0&g={one.room}&res=1"))
            await two.until("resjoin:available")
            await two.say("resjoin:select", n=2)
            await two.until("sync")
            async with http.get(f"/d/isres?id={one.room}") as response:
                assert await response.text() == "1"
            await one.say("waiting:start")
            assert await two.until("game:turn") == {"n": 2, "t": False}

    with_server(tmp_path, story)


def test_bots_of_the_real_server_play(tmp_path: Path) -> None:
    async def story(server: ServerProcess) -> None:
        async with session(server) as http:
            host = await come(http, "t=1&d=0,3,3&p=3")
            for bot in ("constantine/1", "freya/3"):
                await host.say("game:bot", bot=bot)
            await host.say("waiting:start")
            await host.say("game:move", n=4)
            for number in (2, 3, 1):
                await host.until("game:turn", n=number)

    with_server(tmp_path, story)


TROUBLES: list[str | bytes] = [
    "hello",
    "{",
    "[" * 50_000,
    '{"type":"game:move"}',
    '{"type":"game:move","payload":null}',
    '{"type":"game:move","payload":{"n":[0]}}',
    '{"type":"game:move","payload":{"n":"0"}}',
    '{"type":"game:move","payload":{"n":-1}}',
    '{"type":"game:rules","payload":{"turnTime":{"limit":700}}}',
    '{"type":"waiting:teamcolors","payload":{"c":["red"]}}',
    "x" * 65_537,
    b"",
    b"\x55\x99",
    bytes(100_000),
]
"""What existing servers died of, or passed on to everybody."""


def test_what_ended_other_servers_ends_nothing_here(tmp_path: Path) -> None:
    async def story(server: ServerProcess) -> None:
        async with session(server) as http:
            neighbours = await pair(http)
            for trouble in TROUBLES:
                host = await come(http, "t=1&d=0,2,2&p=2")
                if isinstance(trouble, str):
                    await host.socket.send_str(trouble)
                else:
                    await host.socket.send_bytes(trouble)
                assert (await host.until("error"))["code"] >= 100
                # It is still a connection like any other.
                await host.say("ping", n=1)
                assert await host.until("ping") == {"kind": "default"}
                await host.say("waiting:leave")
                assert [m async for m in rest(host)] == []
            for file in (b"\x06 nothing of the kind", b"\x06" * 100_000, b"\x06" * 1_000_000):
                importer = ToppleClient(await http.ws_connect("/ws/?t=1&res=1&p=1"))
                await importer.socket.send_bytes(b"\x55\x99" + file)
                assert (await importer.until("error"))["message"] == "not a suspended topple"
                assert [m async for m in rest(importer)] == []
            won = await pair(http, "t=1&d=0,2,2&p=2")
            for number, tile in enumerate((0, 3, 0)):
                await move(won, number % 2, tile)
            await won[1].say("game:move", n=3)
            for player in won:
                await player.until("game:win")
                for _ in range(3):
                    await player.say("game:move", n=3)
                    assert (await player.until("error"))["code"] == 102
            await move(neighbours, 0, 5)
            await move(neighbours, 1, 10)
        assert await asyncio.to_thread(server.stop) == 0
        assert [line for line in server.log() if line["level"] in ("error", "critical")] == []

    with_server(tmp_path, story)


def test_a_client_that_never_reads_is_dropped_and_the_players_play_on(tmp_path: Path) -> None:
    async def story(server: ServerProcess) -> None:
        narrow = TCPConnector(socket_factory=narrow_socket)
        async with session(server) as http, ClientSession(server.url, connector=narrow) as deaf:
            players = await pair(http)
            watcher = ToppleClient(await deaf.ws_connect(f"/ws/?t=4&g={players[0].room}"))
            await watcher.until("game:turn")
            connection = watcher.socket._conn
            assert connection is not None
            assert connection.transport is not None
            connection.transport.pause_reading()
            said = 0
            # The server may hang up while something is being sent to it.
            with suppress(ConnectionResetError):
                while not await dropped(http):
                    for _ in range(200):
                        said += 1
                        await watcher.socket.send_str("nonsense")
                    assert said < 200_000, "whoever never reads is let go some time"
            assert await dropped(http)
            await move(players, 0, 5)

    with ServerProcess(tmp_path / "data", send_queue_bytes=65_536, message_rate=0) as server:
        asyncio.run(story(server))


def test_players_who_are_dismissed_for_flooding_leave_no_room_behind(tmp_path: Path) -> None:
    async def flood(player: ToppleClient) -> int | None:
        with suppress(ConnectionError):
            for _ in range(400):
                await player.say("ping")
        while await player.receive() is not None:
            pass
        return player.socket.close_code

    async def story(server: ServerProcess) -> None:
        async with session(server) as http:
            one, two = await pair(http)
            assert await flood(two) == 1008
            back = await come(http, two.back)
            assert await flood(one) == await flood(back) == 1008
            async with asyncio.timeout(PATIENCE):
                while True:
                    async with http.get("/api/tables") as response:
                        if await response.json() == []:
                            return
                    await asyncio.sleep(0.01)

    with ServerProcess(tmp_path / "data", topple_rejoin=1) as server:
        asyncio.run(story(server))


def narrow_socket(address: Any) -> socket.socket:
    family, kind, protocol, _, _ = address
    made = socket.socket(family, kind, protocol)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    return made


async def dropped(http: ClientSession) -> bool:
    async with http.get("/metrics") as response:
        return 'gamut_limit_hits_total{limit="slow_reader"} 1.0' in await response.text()
