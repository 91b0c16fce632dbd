"""Saying one thing and then the other, as fast as is allowed: sit and leave, ready and not, this option and that."""

from collections.abc import Callable
from typing import Any

from bench.attacks.guest import Guest
from bench.attacks.requests import post
from bench.attacks.sockets import Socket
from bench.attacks.target import Target, address, anybody, together

_RATE = 45
_WATCHERS = 100


async def _crowded_table(target: Target, **fields: Any) -> tuple[Guest, str, str]:
    """A table with a hundred watchers, to each of whom everything is told."""
    host = await Guest.come(target, address=address())
    table, key = await host.opens("topple", seats=4, start="host", **fields)
    for each in range(_WATCHERS):
        watcher = await Guest.come(target, address=address(1 + each % 10))
        watcher.tell("watch", table=table)
    return host, table, key


async def _back_and_forth(target: Target, guest: Guest, say: Callable[[Guest, int], None]) -> None:
    async for number in target.ticks(_RATE):
        if guest.closed.is_set():
            guest = await guest.again(address=address())
        say(guest, number)


async def configure_back_and_forth(target: Target) -> None:
    """`configure` back and forth, at a table with a hundred watchers."""
    host, table, _key = await _crowded_table(target)
    await target.prepared()

    def say(guest: Guest, number: int) -> None:
        guest.tell("configure", table=table, options={"x": 15 if number % 2 else 6, "y": 15})

    await _back_and_forth(target, host, say)


async def ready_back_and_forth(target: Target) -> None:
    """`ready` and not ready, at a table with a hundred watchers."""
    host, table, _key = await _crowded_table(target)
    await target.prepared()
    await _back_and_forth(
        target, host, lambda guest, number: guest.tell("ready", table=table, ready=number % 2 == 0)
    )


async def sit_and_leave(target: Target) -> None:
    """Sitting down and leaving, by three at once, at a table with a hundred watchers."""
    _host, table, key = await _crowded_table(target)
    three = [await Guest.come(target, address=address(each)) for each in range(3)]
    await target.prepared()

    def say(guest: Guest, number: int) -> None:
        if number % 2:
            guest.tell("leave", table=table)
        else:
            guest.tell("sit", table=table, key=key)

    await together([_back_and_forth(target, guest, say) for guest in three])


async def pause_and_resume(target: Target) -> None:
    """A game paused and resumed, back and forth."""
    host = await Guest.come(target, address=address())
    table, _key = await host.opens("topple", seats=2, start="full", bots=["casual"])
    await target.prepared()
    await _back_and_forth(
        target, host, lambda guest, number: guest.tell("resume" if number % 2 else "pause", table=table)
    )


async def decorate_back_and_forth(target: Target) -> None:
    """The colours of a table, back and forth, with a hundred watchers."""
    host, table, _key = await _crowded_table(target)
    await target.prepared()

    def say(guest: Guest, number: int) -> None:
        colours = [(number * 7919 + each) & 0xFFFFFF for each in range(7)] if number % 2 else None
        guest.tell("decorate", table=table, decor={"colours": colours})

    await _back_and_forth(target, host, say)


async def bots_sit_and_go(target: Target) -> None:
    """Bots seated and sent off, at a table with a hundred watchers."""
    host, table, _key = await _crowded_table(target)
    await target.prepared()

    def say(guest: Guest, number: int) -> None:
        if number % 2:
            guest.tell("unseat", table=table, seat=3)
        else:
            guest.tell("bot", table=table, seat=3, level="strong")

    await _back_and_forth(target, host, say)


async def new_names(target: Target) -> None:
    """Guests who take another name by HTTP again and again, while they sit at tables."""
    first = await post(target, "/api/guest", {"name": anybody()}, address=address())
    guest = await Guest.come(target, cookie=first.cookie, address=address())
    await guest.opens("tower", start="host")
    await target.prepared()

    async def rename() -> None:
        while target.going:
            await post(target, "/api/guest", {"name": anybody()}, cookie=first.cookie, address=address())

    await together([rename() for _ in range(10)])


async def tower_rooms(target: Target) -> None:
    """Tower rooms made by whoever connects, and forgotten when they hang up."""
    await target.prepared()
    made = 0

    async def make(each: int) -> None:
        nonlocal made
        while target.going:
            player = await Socket.open(target, "/tower", address=address(each))
            joined = player.next(lambda message: message["type"] in ("room_joined", "error"))
            player.say({"type": "join_room", "data": {"room": anybody(), "name": "somebody"}})
            answer = await joined
            made += answer["type"] != "error"
            player.abort()

    await together([make(each) for each in range(30)])
    target.note(f"{made} rooms")


async def topple_rooms(target: Target) -> None:
    """Topple rooms made and dropped without a word: each waits for its player for half a minute."""
    await target.prepared()
    made = 0

    async def make(each: int) -> None:
        nonlocal made
        while target.going:
            player = await Socket.open(target, "/ws/?t=1&d=3,15,15&p=10&s=1", address=address(each))
            answer = await player.hears(lambda message: message["type"] in ("game:roomid", "error"))
            made += answer["type"] != "error"
            player.abort()

    await together([make(each) for each in range(30)])
    target.note(f"{made} rooms")


async def topple_flood(target: Target) -> None:
    """A Topple client is dismissed for flooding in mid-game: the other hears that it has left."""
    first = await Socket.open(target, "/ws/?t=1&d=0,6,6&p=2", address=address())
    room = (await first.hears(lambda message: message["type"] == "game:roomid"))["payload"]["g"]
    first.say({"type": "game:rules", "payload": {}})
    await first.hears(lambda message: message["type"] == "game:config")
    second = await Socket.open(target, f"/ws/?t=0&g={room}", address=address(1))
    await second.hears(lambda message: message["type"] == "game:rules")
    first.say({"type": "waiting:start", "payload": {}})
    await first.hears(lambda message: message["type"] == "game:turn")
    await target.prepared()
    left = first.next(lambda message: message["type"] == "player:leave", target.seconds + 2)
    for number in range(1000):
        second.say({"type": "ping", "payload": {"n": 1, "kind": number % 3}})
    try:
        await left
    except (TimeoutError, OSError):
        target.expect(
            False,
            "whoever is dismissed for flooding has left the table (the server waits half a second here)",
        )
    await target.rest()
