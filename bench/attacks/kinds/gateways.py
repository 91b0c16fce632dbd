"""What only a cluster has: a gateway between clients and the owner of their tables, and a link between the two."""

import asyncio

import msgspec

from bench.attacks import frames, hops
from bench.attacks.guest import Guest
from bench.attacks.kinds import bodies
from bench.attacks.sockets import handshake
from bench.attacks.target import Target, address, together

_PASSERS_BY = 150
_NETWORKS = 20_000
"""Addresses from which they come: what one of them may do is no limit."""
_SETTLING = 4.0
_SLOW = 120
_TALKERS = 25
_LINES = 20
_LINE = "\U0001f5ff" * 480
"""Four bytes for each character: as long as a line of talk may be."""
_PIPELINING = 40
_FRAME = 30_000
_AT_ONCE = 90
_QUIET = 35
"""Connections of the quiet people of each wing, and a few more."""
_HELLO = frames.text(b'{"type":"hello","name":"passer-by"}')


async def passers_by(target: Target) -> None:
    """Connections that come in at the gateway and are gone at once, 150 at a time, from ever new addresses."""
    before = (await hops.metrics(target)).get(hops.DISTANT, 0.0)
    await target.prepared()
    comings = 0

    async def pass_by(each: int) -> None:
        nonlocal comings
        number = each
        while target.going:
            number = (number + _PASSERS_BY) % _NETWORKS
            hello = handshake("/hall", target.port, address(number)) + (_HELLO if each % 2 else b"")
            _reader, writer = await asyncio.open_connection("127.0.0.1", target.port)
            writer.write(hello)
            comings += 1
            await asyncio.sleep(0.005 * (each % 5))
            writer.transport.abort()

    bounds = {hops.TO_OWNER: hops.UNDER_WAY, hops.TO_GATEWAYS: hops.WAITING}
    async with hops.watched(target, bounds):
        await together([pass_by(each) for each in range(_PASSERS_BY)])
    target.note(f"{comings} came and went")
    most = before + _QUIET * target.wings.count
    left = await hops.comes_to(target, hops.DISTANT, most, _SETTLING)
    target.expect(left <= most, f"the owner has none of them any more (it has {left - before:.0f})")


async def slow_readers_of_long_logs(target: Target) -> None:
    """A hundred and twenty who ask three times for a log of a megabyte, all at once, never read, and come again."""
    host = await Guest.come(target, address=address())
    table, _key = await host.opens("tower", watchable=True)
    for each in range(_TALKERS):
        talker = await Guest.come(target, address=address(each))
        await talker.must("watch", table=table)
        for _ in range(_LINES):
            await talker.must("say", table=table, text=_LINE, room="kibitz")
        talker.abort()
    people = [await Guest.come(target, address=address(each)) for each in range(_SLOW)]
    asks = frames.text(b'{"type":"watch","table":"%s","since":0}' % table.encode()) * 3
    await target.prepared()
    asked = dropped = 0

    async def again(one: Guest) -> Guest:
        return await Guest.come(target, token=one.token, address=address(asked % 500), receive_buffer=4096)

    bounds = {
        hops.TO_CLIENTS: 2 * _SLOW * hops.SEND_QUEUE,
        hops.TO_GATEWAYS: hops.WAITING,
        hops.TO_OWNER: hops.UNDER_WAY,
    }
    before = await hops.metrics(target)
    async with hops.watched(target, bounds):
        while target.going:
            come = await asyncio.gather(*map(again, people), return_exceptions=True)
            here = [one for one in come if isinstance(one, Guest)]
            for one in here:
                one.stop_reading()
            for one in here:
                one.send(asks)
                asked += 3
            await asyncio.sleep(0.5)
            for one in here:
                one.read_on()
            await asyncio.sleep(0.05)
            dropped += sum(one.closed.is_set() for one in here)
            for one in here:
                one.abort()
    target.note(f"asked {asked} times for the log; {dropped} times somebody was let go")
    after = await hops.metrics(target)
    broken = after[hops.LINKS_BROKEN] - before[hops.LINKS_BROKEN]
    target.expect(not broken, "the link to the gateway does not break because of slow readers")


async def pipelined_frames(target: Target) -> None:
    """Forty who say ninety long things in one write, again and again, and wait for no answer."""
    come = [await Guest.come(target, address=address(each)) for each in range(_PIPELINING)]
    word = msgspec.json.encode({"type": "say", "text": "x" * _FRAME})
    block = frames.text(word) * _AT_ONCE
    await target.prepared()
    written_bytes = 0

    async def press(one: Guest, each: int) -> None:
        nonlocal written_bytes
        while target.going:
            if one.closed.is_set():
                one = await Guest.come(target, address=address(each))
            one.send(block)
            written_bytes += len(block)
            await one.flushed()

    bounds = {
        hops.FROM_CLIENTS: _PIPELINING * (hops.UNREAD + len(word)),
        hops.TO_OWNER: hops.UNDER_WAY,
        hops.TO_GATEWAYS: hops.WAITING,
    }
    async with hops.watched(target, bounds):
        await together([press(one, each) for each, one in enumerate(come)])
    target.note(f"{written_bytes >> 20} MB written")


async def http_at_the_gateway(target: Target) -> None:
    """Bombs, slow headers, endless headers and pipelining at a gateway, as if no proxy was before it."""
    begun: list[asyncio.Task[None]] = []

    async def begin() -> None:
        """All of them at once, as soon as the first is prepared."""
        if not begun:
            begun.append(asyncio.create_task(target.prepared()))
        await begun[0]

    here = Target(msgspec.structs.replace(target.ways, page=target.ways.main), target.seconds, begin)
    here.told, here.notes, here.broken = target.told, target.notes, target.broken
    parts = (bodies.gzip_bombs, bodies.slow_headers, bodies.endless_header, bodies.pipelining)
    await together([part(here) for part in parts])
