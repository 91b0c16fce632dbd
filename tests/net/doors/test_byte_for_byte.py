"""Whether a server holds its sockets itself or at a gateway: clients of all doors get the very same bytes."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.doors.support.inn import coordinate
from tests.doors.support.tafl_inn import BRANDUB, RECORDS, TIMED, guid
from tests.net.support.recorded import (
    BINARY,
    PING,
    Frames,
    House,
    Story,
    alone,
    assert_same_bytes,
    at_gateway,
    recorded,
)

from gamut.doors.tafl.dialects import EXTENDED
from gamut.hall.people.prehash import prehashed


async def web(house: House) -> None:
    ann, bob = await house.frames("/hall"), await house.frames("/hall")
    for client, name in ((ann, "Ann"), (bob, "Bob")):
        await client.say({"type": "hello", "name": name})
        await client.hears(b'"welcome"')
    await bob.say({"type": "lobby", "id": 1})
    await bob.hears(b'"lobby"')
    await ann.say({"type": "open", "id": 1, "game": "tafl", "options": {"rules": BRANDUB}})
    await ann.hears(b'"opened"')
    await ann.hears(b'"table"')
    table = ann.between(b'"opened","table":"', b'"').decode()
    house.a_moment_passes()
    await bob.hears(table.encode())
    await bob.say({"type": "watch", "id": 2, "table": table}, {"type": "sit", "id": 3, "table": table})
    await bob.hears(b'"id":3')
    await ann.hears(b'"started"')
    await ann.say({"type": "act", "id": 2, "table": table, "action": {"type": "move", "start": 3, "end": 2}})
    await ann.hears(b'"id":2')
    await bob.hears(b'"played"')
    await bob.say({"type": "say", "id": 4, "table": table, "text": "well played"}, b"{", {"type": "ping"})
    await bob.hears(b'"pong"')
    await ann.hears(b"well played")
    await ann.frame(PING, b"there?")
    await ann.hears(b"there?")
    await ann.bye()
    await bob.say(b" " * 100_000)
    await bob.hung_up()


async def tower(house: House) -> None:
    players = [await house.frames("/tower") for _ in range(3)]
    for number, player in enumerate(players):
        await player.say({"type": "join_room", "data": {"room": "den", "name": f"P{number}"}})
        await player.hears(b"P%d" % number)
    for player in players:
        await player.hears(b"player_turn")
    for mover, tile in zip(players, (0, 8, 16), strict=True):
        await mover.say({"type": "place_mark", "data": {"position": coordinate(tile)}})
        for player in players:
            await player.hears(b"mark_placed")
            await player.hears(b"player_turn")
    await players[0].say({"type": "place_mark", "data": {"position": coordinate(0)}}, {"type": "nothing"})
    await players[0].hears(b"must be join_room")
    while players:
        await players.pop().bye()
        for player in players:
            await player.hears(b"player_left")


async def topple(house: House) -> None:
    ann = await house.frames("/ws/?t=1&d=0,4,4&p=2")
    await ann.hears(b"game:roomid")
    await ann.say({"type": "game:rules", "payload": {}})
    await ann.hears(b'"game:rules"')
    room = ann.between(b'"g":"', b'"').decode()
    bob = await house.frames(f"/topple?t=0&g={room}")
    await bob.hears(b'"game:rules"')
    await ann.say({"type": "waiting:start", "payload": {}})
    for mover, other, tile in ((ann, bob, 5), (bob, ann, 10)):
        await mover.hears(b"game:turn")
        await other.hears(b"game:turn")
        await mover.say({"type": "game:move", "payload": {"n": tile}})
        for player in (mover, other):
            await player.hears(b'"game:move"')
    watcher = await house.frames(f"/ws/?t=4&g={room}")
    await watcher.hears(b"game:turn")
    await ann.say({"type": "game:move", "payload": {"n": 99}}, b"nonsense", b" " * 70_000)
    await ann.hears(b"too_much" if b"too_much" in ann.heard else b"at most")
    await ann.say(b" " * 70_000)
    await ann.hung_up()
    await watcher.bye()
    await bob.hears(b"spectator:leave")
    await bob.bye()


async def acquire(house: House) -> None:
    ann = await house.frames("/acquire")
    await ann.hears(b"Initial")

    async def ask(client: Frames, number: int, type: str, **fields: Any) -> None:
        await client.say({"type": type, "id": number, **fields})
        await client.hears(b'"id":%d' % number)

    await ask(ann, 1001, "CreateUserAndLogin", username="Ann", password="a good password")
    await ask(ann, 1002, "LobbyConnect", lastEventIndex=-1)
    await ask(ann, 1003, "CreateGame", gameMode=1)
    await ask(ann, 1004, "EnterGame", gameNumber=1, gameStateHistorySize=0)
    await ask(ann, 1005, "EnterGame", gameNumber=7, gameStateHistorySize=0)
    await ask(ann, 1006, "DoGameSetupAction", gameNumber=1, action={"type": "ApproveOfGameSetup"})
    await ask(ann, 1007, "Nonsense")
    await ann.bye()


async def play_and_home(house: House) -> None:
    home, ann, bob = await house.frames("/home"), await house.frames("/play"), await house.frames("/play")
    await home.hears(b'"type":0')
    await ann.say({"type": 0, "name": "Ann", "color": True, "timeControl": 0, "public": True})
    await ann.hears(b'"gameId"')
    house.a_moment_passes()
    await home.hears(b'"Ann"')
    game = int(ann.between(b'"gameId":', b",").strip(b'"} ') or 0)
    await bob.say({"type": 1, "gameId": str(game), "name": "Bob"})
    await bob.hears(b'"Ann"')
    await ann.hears(b'"Bob"')
    await bob.say(b"no message")
    await bob.hears(b'"type":7')
    await ann.frame(BINARY, b"\x00")
    await ann.hung_up()
    await bob.say(b'"' + b"x" * 5000 + b'"')
    await bob.hung_up()
    await home.bye()


async def _tafl(house: House, kind: str, words: str, move: str) -> None:
    ann, bob = await house.lines(), await house.lines()
    for client, name in ((ann, "Ann"), (bob, "Bob")):
        await client.send(f'login "{name}" {prehashed(name, "secret")} {kind}'.strip().encode() + b"\n")
        await client.hears(b"success")
        house.a_moment_passes()
    await ann.hears(b"Bob has connected.")
    await ann.send(f"create-game {guid(1)} {words}\n".encode())
    await ann.hears(b"success")
    await bob.send(f"join-game {guid(1)}{' false none' if kind == '7' else ''}\n".encode())
    await bob.hears(b"success")
    if kind != "7":
        for client in (ann, bob):
            await client.send(b"ready-for-game\n")
            await client.hears(b"waiting-for-opponent" if client is ann else b"start-game")
    await ann.hears(b"await-move")
    for number, record in enumerate(RECORDS[:4]):
        mover, other = (ann, bob) if number % 2 == 0 else (bob, ann)
        await mover.send(f"{move} {record}\n".encode())
        await mover.hears(b"move-result")
        await other.hears(record.encode())
    await bob.send(b"nonsense\nlobby-chat \xff\n" + b"x" * 70_000 + b"\n")
    await bob.rest()
    await ann.hears(b"opponent-left" if kind == "7" else b"end-game")
    # Whoever has said all still gets every answer.
    await ann.send(b"client-list\nnonsense\nanother\nand the last\nbegun and never")
    await ann.finish()


async def tafl_plain(house: House) -> None:
    await _tafl(house, "", f"attackers open {TIMED} {BRANDUB}", "move")


async def tafl_extended(house: House) -> None:
    await _tafl(house, EXTENDED, f"attackers open {TIMED} {BRANDUB}", "move")


async def tafl_old(house: House) -> None:
    words = f"combinechat:false allowreplay:false attackers none {TIMED} {BRANDUB}"
    await _tafl(house, "7", words, "move-record")


async def everybody_when_the_server_stops(house: House) -> None:
    clients: list[Frames] = []
    for path, greeting, heard in (
        ("/hall", {"type": "hello", "name": "Ann"}, b"welcome"),
        ("/tower", {"type": "join_room", "data": {"room": "den", "name": "P"}}, b"player_joined"),
        # Not Topple, which has another word for a gateway that stops than for a server (test_topple_gateways.py).
        ("/acquire", {"type": "LobbyConnect", "id": 1, "lastEventIndex": -1}, b'"id":1'),
        ("/play", {"type": 0, "name": "Ann", "color": True, "timeControl": 0, "public": True}, b"gameId"),
        ("/home", None, b'"type":0'),
    ):
        client = await house.frames(path)
        if greeting is not None:
            await client.say(greeting)
        await client.hears(heard)
        clients.append(client)
    lines = await house.lines()
    await lines.send(f'login "Tom" {prehashed("Tom", "secret")}\n'.encode())
    await lines.hears(b"success")
    stopping = asyncio.ensure_future(house.stop())
    for client in clients:
        await client.hung_up()
    await lines.rest()
    await stopping


async def those_who_break_rules(house: House) -> None:
    for path, first in (
        ("/hall", b""),
        ("/tower", b""),
        ("/ws/?t=1&d=0,4,4&p=2", b"game:roomid"),
        ("/acquire", b"Initial"),
        ("/play", b""),
        ("/home", b'"type":0'),
    ):
        fast = await house.frames(path)
        for _ in range(150):
            await fast.say(b"{")
        await fast.hung_up()
        wrong = await house.frames(path)
        # What the server says first comes from the owner; the end comes from whoever has the socket.
        await wrong.hears(first)
        await wrong.frame(3)
        await wrong.hung_up()
    lines = await house.lines()
    await lines.send(b"nonsense\n" * 400)
    await lines.rest()


@pytest.mark.parametrize(
    "story",
    [
        web,
        tower,
        topple,
        acquire,
        play_and_home,
        tafl_plain,
        tafl_extended,
        tafl_old,
        everybody_when_the_server_stops,
        those_who_break_rules,
    ],
)
def test_a_client_gets_the_same_bytes_through_a_gateway(story: Story, tmp_path: Path) -> None:
    direct = recorded(tmp_path / "direct", story, alone)
    through = recorded(tmp_path / "through", story, at_gateway)
    assert_same_bytes(through, direct)
