"""The doors of Acquire and Power Chess: garbage, log-ins, and readers who do not read."""

import asyncio
from typing import Any

from bench.attacks.flood import guesses, wrong_messages
from bench.attacks.sockets import Refused, Socket
from bench.attacks.target import Target, address, anybody, together

_AGAIN = 0.05
_SLOW = 60
_PASSWORD = "a long password"
_HOME = "198.51.100.40"
_DOORS = ("/acquire", "/play", "/home")


async def _garbage(target: Target, path: str, wrong: tuple[bytes, ...]) -> None:
    await wrong_messages(
        target,
        lambda: Socket.open(target, path, address=address()),
        lambda socket, number: socket.text(wrong[number % len(wrong)]),
    )


async def garbage_at_acquire(target: Target) -> None:
    """Texts at /acquire that are no message, or one of enormous fields, as fast as is allowed."""
    await target.prepared()
    long = b"9" * 50_000
    await _garbage(
        target,
        "/acquire",
        (
            b"{",
            b'{"type":"EnterGame","id":1,"gameNumber":' + long + b',"gameStateHistorySize":0}',
            b'{"type":"DoGameAction","id":1,"params":' + b"[" * 20_000 + b"]" * 20_000 + b"}",
            b'{"type":"CreateUserAndLogin","id":1,"username":"' + long + b'","password":"x"}',
            b'{"type":"Login","id":1,"username":"x","password":"' + long + b'"}',
            b'{"type":"SendChatMessage","id":1,"gameNumber":null,"message":"' + long + b'"}',
            b"\xff" * 100,
        ),
    )


async def garbage_at_power_chess(target: Target) -> None:
    """The same at /play, and at /home, where nobody listens."""
    await target.prepared()
    wrong = (
        b"{",
        b'{"type":' + b"9" * 3_000 + b"}",
        b'{"type":1,"gameId":"' + b"9" * 3_000 + b'","name":"x"}',
        b'{"type":0,"name":"' + b"\\ud800" * 600 + b'","color":true,"timeControl":0,"public":true}',
        b'{"type":4,"move":' + b"[" * 1_900 + b"]" * 1_900 + b"}",
        b"\xff" * 100,
    )
    await together([_garbage(target, path, wrong) for path in ("/play", "/home")])


async def games_that_nobody_joins(target: Target) -> None:
    """Games of Power Chess that are created and given up at once, before three hundred who follow the list."""
    followers = [await Socket.open(target, "/home", address=address(each % 9)) for each in range(300)]
    await target.prepared()
    made = 0

    async def create(each: int) -> None:
        nonlocal made
        while target.going:
            play = await Socket.open(target, "/play", address=address(each))
            wish = {"type": 0, "name": "x", "color": True, "timeControl": 0, "public": True}
            try:
                created = play.next(lambda message: message["type"] in (0, 7))
                play.say(wish)
                made += (await created)["type"] == 0
            finally:
                play.abort()
            await asyncio.sleep(_AGAIN)

    await together([create(each) for each in range(20)])
    told = sum(follower.heard_bytes for follower in followers)
    target.note(f"{made} games created, {told >> 10} KB told to those who follow the list")


async def _ask(socket: Socket, type: str, **fields: Any) -> None:
    answer = socket.next(lambda message: message["type"] in ("Ok", "Error") and message["id"] == 1)
    socket.say({"type": type, "id": 1, **fields})
    if (told := await answer)["type"] == "Error":
        raise Refused(f"{type}: {told['code']}")


async def acquire_log_ins(target: Target) -> None:
    """Log-ins at /acquire, from many addresses, with new names and wrong passwords; somebody else still gets in."""
    name = anybody()[:20]
    first = await Socket.open(target, "/acquire", address=_HOME)
    await _ask(first, "CreateUserAndLogin", username=name, password=_PASSWORD)
    first.abort()
    await target.prepared()

    async def guess(socket: Socket, number: int) -> None:
        if number % 2:
            await _ask(socket, "Login", username=name, password=f"wrong {number}")
        else:
            await _ask(socket, "CreateUserAndLogin", username=anybody()[:20], password=_PASSWORD)

    async def owner() -> None:
        await asyncio.sleep(target.left / 2)
        socket = await Socket.open(target, "/acquire", address=_HOME)
        try:
            await _ask(socket, "Login", username=name, password=_PASSWORD)
        except (OSError, TimeoutError) as error:
            target.expect(False, f"others log in meanwhile ({error})")
        finally:
            socket.abort()

    await guesses(target, lambda where: Socket.open(target, "/acquire", address=where), guess, owner())


async def slow_readers_at_game_doors(target: Target) -> None:
    """Sixty at /acquire and /home who follow the lobby and the list, and never read, while tables come and go."""
    people = [
        await Socket.open(target, _DOORS[each % 3], address=address(each % 5), receive_buffer=4096)
        for each in range(_SLOW)
    ]
    for one in people:
        one.say({"type": "LobbyConnect", "id": 1, "lastEventIndex": 0})
        one.stop_reading()
    await target.prepared()

    async def create(each: int) -> None:
        async for _ in target.ticks(10):
            play = await Socket.open(target, "/play", address=address(each))
            play.say({"type": 0, "name": "x", "color": True, "timeControl": 0, "public": True})
            await play.flushed()
            play.abort()

    async def ask() -> None:
        async for _ in target.ticks(2):
            for one in people:
                one.say({"type": "LobbyConnect", "id": 1, "lastEventIndex": 0})

    await together([*(create(each) for each in range(5)), ask()])
    target.note(f"{sum(one.closed.is_set() for one in people)} of {_SLOW} noticed that they were let go")
