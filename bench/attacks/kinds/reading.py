"""Asking for what is costly to tell: pictures, logs, lists, legal moves."""

import asyncio
from pathlib import Path

from bench import startup
from bench.attacks.guest import Guest, guests
from bench.attacks.kinds.suspended import crafted, options
from bench.attacks.requests import request
from bench.attacks.sockets import Socket
from bench.attacks.target import Target, address, together

_RATE = 45
_AT_ONCE = 40
_FINISHED, _UNFINISHED = 9000, 1000
_LINE = "\U0001f5ff" * 480


def past(folder: Path) -> None:
    """A ledger with thousands of finished games."""
    startup.write(folder, _FINISHED, _UNFINISHED)


async def _large_table(guest: Guest) -> str:
    """A Topple game on the largest board, against a bot."""
    table, _key = await guest.opens(
        "topple", seats=2, start="full", bots=["casual"], options={"topology": "bwrap", "x": 15, "y": 15}
    )
    return table


async def legal_moves(target: Target) -> None:
    """`legal` on the largest board, again and again, by four connections of one person."""
    guest = await Guest.come(target, address=address())
    table = await _large_table(guest)
    four = [guest, *[await guest.again(address=address()) for _ in range(3)]]
    await target.prepared()

    async def ask(one: Guest) -> None:
        async for _ in target.ticks(_RATE):
            one.tell("legal", table=table)

    await together([ask(one) for one in four])
    target.note(f"{sum(one.heard_bytes for one in four) >> 20} MB heard")


async def pictures(target: Target) -> None:
    """Pictures of a table with much talk and long options, asked for again and again by eight connections."""
    guest = await Guest.come(target, address=address())
    opened = await guest.ask("open", game="topple", seats=2, start="host", options=options(crafted(47_000)))
    table = opened["table"] if opened["type"] == "opened" else await _large_table(guest)
    for _ in range(300):
        guest.tell("say", table=table, text=_LINE)
        await asyncio.sleep(1 / _RATE)
    eight = [await Guest.come(target, address=address(each)) for each in range(8)]
    await target.prepared()

    async def ask(one: Guest) -> None:
        async for _ in target.ticks(_RATE):
            one.tell("watch", table=table)

    await together([ask(one) for one in eight])
    target.note(f"{sum(one.heard_bytes for one in eight) >> 20} MB heard")


async def glances(target: Target) -> None:
    """A hundred old tables glanced at and let go again, by four connections."""
    tables = await _finished(target, 100)
    four = await guests(target, 4, address())
    await target.prepared()

    async def look(one: Guest) -> None:
        async for number in target.ticks(_RATE):
            table = tables[number // 2 % len(tables)]
            if number % 2:
                one.tell("unwatch", table=table)
            else:
                one.tell("watch", table=table, glance=True)

    await together([look(one) for one in four])


async def _finished(target: Target, count: int) -> list[str]:
    found = await request(target, "GET", f"/api/tables?state=finished&limit={count}")
    tables = [part.split(b'"')[0].decode() for part in found.body.split(b'{"id":"')[1:]]
    if not tables:
        target.note("no finished tables were found")
        tables = ["AAAAAAAAAAA"]
    return tables


async def old_logs(target: Target) -> None:
    """Old games read anonymously, another one each time, 40 at once."""
    tables: list[str] = []
    before = ""
    for _ in range(40):
        page = await request(target, "GET", f"/api/tables?state=finished&limit=100{before}", count=False)
        found = [part.split(b'"')[0].decode() for part in page.body.split(b'{"id":"')[1:]]
        if not found:
            break
        tables += found
        before = f"&before={found[-1]}"
    target.note(f"{len(tables)} tables to choose from")
    await target.prepared()

    async def read(each: int) -> None:
        number = each
        while target.going:
            await request(
                target, "GET", f"/api/tables/{tables[number % len(tables)]}/log", address=address(each)
            )
            number += _AT_ONCE

    if tables:
        await together([read(each) for each in range(_AT_ONCE)])


async def long_logs(target: Target) -> None:
    """Twelve tables grown by talk, their logs read anonymously by 40 at once."""
    people = [await Guest.come(target, address=address(each)) for each in range(12)]
    tables = [(await one.opens("tower"))[0] for one in people]
    for _ in range(12 * _RATE):
        for one, table in zip(people, tables, strict=True):
            one.tell("say", table=table, text=_LINE)
        await asyncio.sleep(1 / _RATE)
    for one in people:
        one.abort()
    await target.prepared()
    sizes = []

    async def read(each: int) -> None:
        while target.going:
            answer = await request(
                target, "GET", f"/api/tables/{tables[each % len(tables)]}/log", address=address(each)
            )
            sizes.append(len(answer.body))

    await together([read(each) for each in range(_AT_ONCE)])
    target.note(f"{sum(sizes) >> 20} MB read, {max(sizes, default=0) >> 10} KB at most")


async def finished_of_no_game(target: Target) -> None:
    """The finished tables of a game that does not exist, 40 at once, in a ledger of 10,000 tables."""
    await target.prepared()

    async def ask(each: int) -> None:
        while target.going:
            query = "state=finished&game=nosuch" if each % 2 else "state=finished&game=topple&limit=100"
            await request(target, "GET", f"/api/tables?{query}", address=address(each))

    await together([ask(each) for each in range(_AT_ONCE)])


async def open_lists(target: Target) -> None:
    """The lists of open tables and rooms, page after page, 40 at once, with 1,000 tables in them."""
    await target.prepared()
    paths = (
        "/api/tables?state=open",
        "/serverlist",
        "/serverlist?page=0&filter=topo:Grid2D.1q36.1q36;capacity:2,10",
    )

    async def ask(each: int) -> None:
        while target.going:
            await request(target, "GET", paths[each % len(paths)], address=address(each))

    await together([ask(each) for each in range(_AT_ONCE)])


async def lobby_on_and_off(target: Target) -> None:
    """Following the lobby and not, with 1,000 tables in it, by eight connections."""
    eight = await guests(target, 8, address())
    await target.prepared()

    async def ask(one: Guest) -> None:
        async for number in target.ticks(_RATE):
            one.tell("lobby", follow=number % 2 == 0)

    await together([ask(one) for one in eight])
    target.note(f"{sum(one.heard_bytes for one in eight) >> 20} MB heard")


async def downloads(target: Target) -> None:
    """A finished game's file asked for by Topple clients, and by HTTP, again and again."""
    first = await Socket.open(target, "/ws/?t=1&d=0,1,1&p=2", address=address())
    room = (await first.hears(lambda message: message["type"] == "game:roomid"))["payload"]["g"]
    first.say({"type": "game:rules", "payload": {}})
    await first.hears(lambda message: message["type"] == "game:config")
    second = await Socket.open(target, f"/ws/?t=0&g={room}", address=address())
    await second.hears(lambda message: message["type"] == "game:rules")
    won = first.next(lambda message: message["type"] == "game:win")
    first.say({"type": "waiting:start", "payload": {}})
    await first.hears(lambda message: message["type"] == "game:turn")
    first.say({"type": "game:move", "payload": {"n": 0}})
    await won
    await target.prepared()

    async def ask(one: Socket) -> None:
        async for _ in target.ticks(_RATE):
            one.say({"type": "game:download", "payload": {}})

    async def fetch(each: int) -> None:
        while target.going:
            await request(target, "GET", f"/replays/{room}.topl", address=address(each))

    await together([ask(first), ask(second), *(fetch(each) for each in range(8))])
