"""What only a hall of several wings has: tables that are elsewhere, and annexes that are told of people."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from itertools import count, islice

import msgspec

from bench.attacks import frames, hops
from bench.attacks.guest import Guest
from bench.attacks.quiet import rooms_in
from bench.attacks.requests import DELETED, JSON, exchange_at, post, request, written
from bench.attacks.sockets import Socket, handshake
from bench.attacks.target import Target, address, anybody, together
from bench.division import wing_of

_RATE = 45
_TABLES = 6
"""In each wing."""
_EYES = 12
_HOSTS = 40
_PASSERS_BY = 40
_WANDERERS = 30
_PIPELINING = 30
_LONG = 30_000
_AT_ONCE = 90
_NAMES = 6
_ERASED = 100
_READERS = 40
_TALKERS = 8
_LINES = 20
_LINE = "\U0001f5ff" * 480
_FROZEN, _AWAKE = 0.4, 0.2
"""Seconds for which an owner stands still, and is there again: it never loses its lease."""
_SETTLING = 4.0
_QUIET = 40
"""Connections of newcomers, and parts that are about to go."""
_NOT_STORED = "not_stored"
_AGAIN = 0.5
_PASSWORD = "a long password"

ON_THE_WAY = "gamut_gateway_closed_on_the_way_total"
BEHIND = "gamut_gateway_closed_behind_total"
FAULTS = "gamut_faults_total"
_LOST = (ON_THE_WAY, BEHIND, FAULTS, hops.LINKS_BROKEN)


def _annexes(target: Target) -> range:
    return range(1, target.wings.count)


@asynccontextmanager
async def _all_find_their_way(target: Target) -> AsyncIterator[None]:
    """Nobody is lost between two wings meanwhile, and of whoever is gone afterwards nothing is left."""
    await target.prepared()
    before = await hops.metrics(target)
    yield
    left = await hops.comes_to(target, hops.DISTANT, before[hops.DISTANT] + _QUIET, _SETTLING)
    more = left - before[hops.DISTANT]
    target.expect(more <= _QUIET, f"owners have none of them any more ({more:.0f} are left)")
    after = await hops.metrics(target)
    for name in _LOST:
        more = after.get(name, 0.0) - before.get(name, 0.0)
        target.expect(not more, f"{name} does not grow (it did by {more:.0f})")


@asynccontextmanager
async def _slow(target: Target, wing: int) -> AsyncIterator[None]:
    """The owner of this wing stands still most of the time."""
    pid = next(owner.pid for owner in target.ways.owners if wing in owner.wings)

    async def freeze() -> None:
        while True:
            os.kill(pid, signal.SIGSTOP)
            await asyncio.sleep(_FROZEN)
            os.kill(pid, signal.SIGCONT)
            await asyncio.sleep(_AWAKE)

    freezing = asyncio.ensure_future(freeze())
    try:
        yield
    finally:
        freezing.cancel()
        await asyncio.wait((freezing,))
        os.kill(pid, signal.SIGCONT)


async def _tables(target: Target, wings: Iterable[int], each: int = _TABLES) -> tuple[list[Guest], list[str]]:
    """Tables in each of these wings, in turn, and their hosts."""
    hosts, tables = [], []
    for number in range(each):
        for wing in wings:
            host = await Guest.come(target, address=address(number))
            table, _key = await host.opens_in(wing, "topple", seats=4, start="host", watchable=True)
            hosts.append(host)
            tables.append(table)
    return hosts, tables


async def watching_everywhere(target: Target) -> None:
    """One person who watches tables of all wings and does not, by twelve connections, some of which hang up."""
    _hosts, tables = await _tables(target, range(target.wings.count))
    first = await Guest.come(target, address=address())
    first.abort()

    async def watch(each: int) -> None:
        one = await first.again(address=address(each))
        async for number in target.ticks(_RATE):
            table = tables[(number // 2 + each) % len(tables)]
            one.tell("unwatch" if number % 2 else "watch", table=table)
            if each % 3 == 0 and number % 20 == 19:
                one.abort()
            if one.closed.is_set():
                one = await first.again(address=address(each))
        one.abort()

    async with _all_find_their_way(target):
        await together([watch(each) for each in range(_EYES)])


async def tables_everywhere(target: Target) -> None:
    """Forty who open tables in all wings, as many as they may, and leave them again: the lobby hears of each."""
    hosts = [await Guest.come(target, address=address(each)) for each in range(_HOSTS)]
    opened = 0

    async def open(host: Guest) -> None:
        nonlocal opened
        mine: list[str] = []
        async for _ in target.ticks(_RATE / 2):
            answer = await host.ask("open", game="tower", start="host")
            if answer["type"] == "opened":
                opened += 1
                mine.append(answer["table"])
            elif mine:
                host.tell("leave", table=mine.pop())
        for table in mine:
            host.tell("leave", table=table)

    async with _all_find_their_way(target):
        before = await _shown(target)
        await together([open(host) for host in hosts])
        await asyncio.sleep(_SETTLING)
        left = await _shown(target) - before
        target.expect(left <= 0, f"the lobby shows no table that everybody has left ({left} are shown)")
        for host in hosts:
            host.abort()
    target.note(f"{opened} tables")


async def _shown(target: Target) -> int:
    """Tables of Tower in the main wing's lobby."""
    guest = await Guest.come(target, address=address(9_999))
    told = guest.next(lambda message: message["type"] == "lobby")
    guest.tell("lobby")
    tables = (await told)["tables"]
    guest.abort()
    return sum(table["game"] == "tower" and table["phase"] != "over" for table in tables)


async def there_and_back(target: Target) -> None:
    """Clients of Tower, Topple and Power Chess who go to rooms and games of all wings, and hang up in the midst."""
    rooms = [list(islice(rooms_in(target.wings, wing), 100, 200)) for wing in range(target.wings.count)]
    gone = [_number_in(target, "powerchess", wing) for wing in range(target.wings.count)]
    came = 0

    async def pass_by(each: int) -> None:
        nonlocal came
        number = each
        while target.going:
            number += 1
            wing = number % target.wings.count
            if each % 2:
                code = _code_in(target, wing, number)
                hello = handshake(f"/ws/?t=0&g={code}", target.port, address(number % 20_000))
            else:
                room = rooms[wing][number % 100]
                join = {"type": "join_room", "data": {"room": room, "name": f"passer-by {each}"}}
                hello = handshake("/tower", target.port, address(number % 20_000))
                hello += frames.text(msgspec.json.encode(join))
            _reader, writer = await asyncio.open_connection("127.0.0.1", target.port)
            writer.write(hello)
            came += 1
            await asyncio.sleep(0.01 * (number % 4))
            writer.transport.abort()

    async def wander(each: int) -> None:
        """From wing to wing on one connection: there is no game of this number in any."""
        one = await Socket.open(target, "/play", address=address(each))
        async for number in target.ticks(_RATE):
            if one.closed.is_set():
                one = await Socket.open(target, "/play", address=address(number * _WANDERERS + each))
            one.say({"type": 1, "gameId": gone[number % len(gone)], "name": anybody()})
        one.abort()

    async with _all_find_their_way(target):
        await together(
            [
                *(pass_by(each) for each in range(_PASSERS_BY)),
                *(wander(each) for each in range(_WANDERERS)),
            ]
        )
    target.note(f"{came} came and went")


def _number_in(target: Target, game: str, wing: int) -> int:
    """The number of a game that nobody has opened, in this wing."""
    return next(number for number in count(900_000_000) if wing_of(target.wings, game, number) == wing)


def _code_in(target: Target, wing: int, first: int) -> str:
    """The same of a room of Topple."""
    codes = (f"{number:08X}" for number in count(first * 1000))
    return next(code for code in codes if wing_of(target.wings, "topple", code) == wing)


def _plain(table: str) -> bytes:
    return b'"table":"%s"' % table.encode()


def _disguised(table: str) -> bytes:
    """The same to whoever reads JSON, and nothing for whoever looks for an id."""
    return b'"table":"\\u%04x%s"' % (ord(table[0]), table[1:].encode())


async def _press(target: Target, tables: list[str], named: Callable[[str], bytes]) -> None:
    """Frames about tables of annexes that are as long as they may be, in one write, by thirty who wait for nothing."""

    async def come(each: int) -> Guest:
        guest = await Guest.come(target, address=address(each))
        for table in tables:
            await guest.must("watch", table=table)
        return guest

    people = [await come(each) for each in range(_PIPELINING)]
    # What an action may be is the game's: so it is sent on however long it is.
    long = [b'{"type":"act",%s,"action":{"x":"%s"}}' % (named(table), b"x" * _LONG) for table in tables]
    block = b"".join(map(frames.text, long)) * (_AT_ONCE // len(long))
    written_bytes = 0

    async def press(guest: Guest, each: int) -> None:
        nonlocal written_bytes
        while target.going:
            if guest.closed.is_set():
                guest = await come(each)
            guest.send(block)
            written_bytes += len(block)
            await guest.flushed()
        guest.abort()

    # At the gateway each part of a session has as much room as a session that has one part.
    bounds = {hops.FROM_CLIENTS: _PIPELINING * (hops.UNREAD + len(long[0])), hops.TO_OWNER: hops.UNDER_WAY}
    await target.prepared()
    async with hops.watched(target, bounds):
        await together([press(guest, each) for each, guest in enumerate(people)])
    target.note(f"{written_bytes >> 20} MB written")


async def frames_for_annexes(target: Target) -> None:
    """Thirty who say ninety long things about tables of annexes in one write, again and again."""
    _hosts, tables = await _tables(target, _annexes(target), 1)
    await _press(target, tables, _plain)


async def disguised_frames(target: Target) -> None:
    """The same in a spelling that only the main wing can read, which has each sent on."""
    _hosts, tables = await _tables(target, _annexes(target), 1)
    await _press(target, tables, _disguised)


async def disguised_frames_for_a_slow_wing(target: Target) -> None:
    """The same, about tables of a wing that stands still most of the time."""
    wing = target.wings.count - 1
    _hosts, tables = await _tables(target, [wing], 1)
    async with _slow(target, wing):
        await _press(target, tables, _disguised)


async def names_everywhere(target: Target) -> None:
    """Guests who sit in all wings and take another name all the time, and accounts that log in and out."""
    cookies, people = [], []
    for each in range(_NAMES):
        made = await post(target, "/api/guest", {"name": anybody()}, address=address(each))
        cookies.append(made.cookie)
        guest = await Guest.come(target, cookie=made.cookie, address=address(each))
        for wing in range(target.wings.count):
            await guest.opens_in(wing, "tower", start="host")
        people.append(guest)
    accounts = [{"name": anybody(), "password": _PASSWORD} for _ in range(_NAMES)]
    for each, account in enumerate(accounts):
        await post(target, "/api/register", account, address=address(each))
    names = [""] * _NAMES

    async def rename(each: int) -> None:
        while target.going:
            name = anybody()
            answer = await post(
                target, "/api/guest", {"name": name}, cookie=cookies[each], address=address(each)
            )
            names[each] = name if answer.status < 300 else names[each]

    async def log_in_and_out(each: int) -> None:
        number = 0
        while target.going:
            number += 1
            came = await post(target, "/api/login", accounts[each], address=address(each + 100 * number))
            if came.cookie:
                guest = await Guest.come(target, cookie=came.cookie, address=address(each))
                for wing in _annexes(target):
                    await guest.opens_in(wing, "tower", start="host")
                out = "/api/logout-everywhere" if number % 2 else "/api/logout"
                await post(target, out, {}, cookie=came.cookie, address=address(each))
                guest.abort()

    async with _all_find_their_way(target):
        await together(
            [
                *(rename(each) for each in range(_NAMES)),
                *(log_in_and_out(each) for each in range(_NAMES)),
            ]
        )
        for guest, name in zip(people, names, strict=True):
            for wing in range(target.wings.count):
                await _is_called(target, guest, wing, name)
            guest.abort()


async def _is_called(target: Target, guest: Guest, wing: int, name: str) -> None:
    """At a table that they open in this wing from now on."""
    if not name or guest.closed.is_set():
        target.expect(not guest.closed.is_set(), "whoever takes another name stays where they are")
        return
    table, _key = await guest.opens_in(wing, "tower", start="host")
    seen = await request(target, "GET", f"/api/tables/{table}", address=address(), count=False)
    target.expect(name.encode() in seen.body, f"wing {wing} knows the last name that somebody took")


async def erasures_in_a_slow_wing(target: Target) -> None:
    """125 who sit in all wings and delete themselves at once, while a wing stands still most of the time."""
    cookies = []
    for each in range(_ERASED + _ERASED // 4):
        made = await post(target, "/api/guest", {"name": anybody()}, address=address(each))
        guest = await Guest.come(target, cookie=made.cookie, address=address(each))
        for wing in range(target.wings.count):
            table, _key = await guest.opens_in(wing, "tower", start="host")
            guest.tell("say", table=table, text="here I am")
        guest.abort()
        cookies.append(made.cookie)

    async def erase(each: int, cookie: str) -> bool:
        data = written(
            target, "DELETE", "/api/me", body=b"{}", headers={**JSON, "Cookie": cookie}, address=address(each)
        )
        while True:
            answer = await exchange_at(target.page_port, data, target.seconds + _SETTLING)
            target.told[f"HTTP {answer.status} {answer.code}".strip()] += 1
            if answer.code != _NOT_STORED or not target.going:
                return answer.status in DELETED
            await asyncio.sleep(_AGAIN)

    async with _all_find_their_way(target), _slow(target, target.wings.count - 1):
        done = await asyncio.gather(*(erase(each, cookie) for each, cookie in enumerate(cookies)))
    target.note(f"{sum(done)} of {len(cookies)} were deleted, with {target.left:.1f} s to spare")
    target.expect(all(done), "whoever wants to be deleted and asks again is")


async def reading_elsewhere(target: Target) -> None:
    """Long tables of annexes read anonymously by forty at once: the table, its log, its picture, its page."""
    hosts, tables = await _tables(target, _annexes(target), 3)
    for each in range(_TALKERS):
        talker = await Guest.come(target, address=address(each))
        for table in tables:
            await talker.must("watch", table=table)
        for number in range(_LINES):
            await talker.must("say", table=tables[number % len(tables)], text=_LINE, room="kibitz")
        talker.abort()
    await target.prepared()
    sizes = []

    async def read(each: int) -> None:
        number = each
        while target.going:
            table = tables[number % len(tables)]
            what = ("", "/log", "/picture.png", "/log?since=1")[number // len(tables) % 4]
            answer = await request(
                target, "GET", f"/api/tables/{table}{what}", address=address(number % 2_000)
            )
            sizes.append(len(answer.body))
            number += _READERS + 1

    await together([read(each) for each in range(_READERS)])
    target.note(f"{len(sizes)} answers, {sum(sizes) >> 20} MB read, {max(sizes, default=0) >> 10} KB at most")
    target.expect(all(not host.closed.is_set() for host in hosts), "whoever sits there stays")
