"""Many connections: that say nothing, that do not read, that come and go."""

import asyncio

import msgspec

from bench.attacks.guest import Guest, guests
from bench.attacks.requests import request
from bench.attacks.sockets import Socket, handshake
from bench.attacks.target import Target, address, together

_ONE_BYTE = 1700
_ACROSS = 300
_SLOW = 100
_LINE = "\U0001f5ff" * 480
_GUESTS = 10_000
_DOORS = ("/hall", "/ws/?t=0&g=AAAAAAAA", "/tower", "/acquire", "/play", "/home")


async def one_byte_each(target: Target) -> None:
    """1,700 connections that send one byte, to a server with 1,500 descriptors."""
    await target.prepared()

    async def hold(each: int) -> None:
        while target.going:
            reader, writer = await asyncio.open_connection("127.0.0.1", target.port)
            writer.write(b"G")
            try:
                async with asyncio.timeout(target.left):
                    await reader.read(1)
                target.told["cut off"] += 1
                await asyncio.sleep(0.5)
            except TimeoutError:
                return
            finally:
                writer.transport.abort()

    await together([hold(each) for each in range(_ONE_BYTE)])


async def one_byte_each_at_the_tower_port(target: Target) -> None:
    """The same at the port of Tower clients."""
    ways = msgspec.structs.replace(target.ways, main=target.tower_port)
    at_the_tower = Target(ways, target.seconds, target.prepared)
    at_the_tower.told = target.told
    await one_byte_each(at_the_tower)


async def silent_sockets(target: Target) -> None:
    """1,700 WebSockets that come in and say nothing, to a server with 1,500 descriptors."""
    await target.prepared()

    async def hold(each: int) -> None:
        while target.going:
            socket = await Socket.open(target, "/hall", address=address(each % 3))
            try:
                async with asyncio.timeout(target.left):
                    await socket.closed.wait()
                await asyncio.sleep(0.5)
            except TimeoutError:
                return
            finally:
                socket.abort()

    await together([hold(each) for each in range(_ONE_BYTE)])


async def come_and_go(target: Target) -> None:
    """Sockets that connect and go, 300 at once, some in the middle of the handshake."""
    await target.prepared()
    comings = 0
    half = handshake("/hall", target.port, address())[:80]

    async def knock(each: int) -> None:
        nonlocal comings
        while target.going:
            _reader, writer = await asyncio.open_connection("127.0.0.1", target.port)
            if each % 2:
                writer.write(half)
            comings += 1
            writer.transport.abort()
            await asyncio.sleep(0.02)

    await together([knock(each) for each in range(_ACROSS)])
    target.note(f"{comings} came and went")


async def handshakes(target: Target) -> None:
    """WebSockets that come in and go at once, 40 at a time."""
    await target.prepared()
    comings = 0

    async def knock(each: int) -> None:
        nonlocal comings
        while target.going:
            socket = await Socket.open(target, _DOORS[each % len(_DOORS)], address=address(each))
            comings += 1
            socket.abort()

    await together([knock(each) for each in range(40)])
    target.note(f"{comings} came and went")


async def slow_readers(target: Target) -> None:
    """A hundred who follow the lobby and a table full of talk, and never read."""
    host = await Guest.come(target, address=address())
    table, _key = await host.opens("tower")
    people = []
    for each in range(_SLOW):
        one = await Guest.come(target, address=address(each % 5), receive_buffer=4096)
        await one.must("lobby")
        one.tell("watch", table=table)
        people.append(one)
    mouths = [host, *[await host.again(address=address()) for _ in range(5)]]
    for mouth in mouths:
        await mouth.must("watch", table=table)
    for one in people:
        one.stop_reading()
    await target.prepared()

    async def speak(mouth: Guest) -> None:
        async for number in target.ticks(45):
            mouth.tell("say", table=table, text=f"{number} {_LINE[:470]}")

    async def ask() -> None:
        async for _ in target.ticks(5):
            for one in people:
                one.tell("watch", table=table, since=0)

    await together([*(speak(mouth) for mouth in mouths), ask()])
    target.note(f"{sum(one.closed.is_set() for one in people)} of {_SLOW} noticed that they were let go")


async def many_guests(target: Target) -> None:
    """Guests made by `hello`, as many as come in, each on a connection of its own, from a thousand addresses."""
    await target.prepared()
    made = 0

    async def come(each: int) -> None:
        nonlocal made
        while target.going and made < _GUESTS:
            guest = await Guest.come(target, address=address((each * 251 + made) % 1000))
            made += 1
            guest.abort()

    await together([come(each) for each in range(60)])
    target.note(f"{made} guests made")


async def many_guests_by_http(target: Target) -> None:
    """Guests made by HTTP, from one address."""
    await target.prepared()
    made = 0

    async def come() -> None:
        nonlocal made
        while target.going and made < _GUESTS:
            body = b'{"name":"Anna","numbered":true}'
            headers = {"Content-Type": "application/json"}
            answer = await request(
                target, "POST", "/api/guest", body=body, headers=headers, address=address()
            )
            made += answer.status == 201

    await together([come() for _ in range(40)])
    target.note(f"{made} guests made")


async def watchers_come_and_go(target: Target) -> None:
    """Two hundred who watch a table and turn away, again and again, while others look on."""
    host = await Guest.come(target, address=address())
    table, _key = await host.opens("tower")
    people = await guests(target, 200, address())
    await target.prepared()

    async def look(one: Guest) -> None:
        async for number in target.ticks(20):
            one.tell("unwatch" if number % 2 else "watch", table=table)

    await together([look(one) for one in people])
    target.note(f"{sum(one.heard_bytes for one in people) >> 20} MB heard")


async def lobby_crowd(target: Target) -> None:
    """Three hundred follow the lobby while ten guests open and leave tables."""
    followers = await guests(target, 300, address(9))
    for follower in followers:
        follower.tell("lobby")
    ten = await guests(target, 10, address())
    await target.prepared()

    async def open_and_leave(one: Guest) -> None:
        async for _ in target.ticks(20):
            answer = await one.ask("open", game="tower", start="host")
            if answer["type"] == "opened":
                one.tell("leave", table=answer["table"])

    await together([open_and_leave(one) for one in ten])
    gone = sum(follower.closed.is_set() for follower in followers)
    target.note(f"{sum(follower.heard_bytes for follower in followers) >> 20} MB told to the lobby")
    target.expect(not gone, "whoever follows the lobby is not dropped for what others open")
