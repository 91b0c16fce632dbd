"""Somebody who may speak on NATS, and should not be there: garbage on the subjects of a cluster."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from random import Random

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg

from bench.attacks import hops
from bench.attacks.guest import Guest
from bench.attacks.target import Target, address
from gamut.cluster.link import Link
from gamut.cluster.messages import (
    NODES,
    NONSENSE,
    PROTOCOL,
    After,
    AllAttached,
    Frame,
    GatewayHere,
    Go,
    Hello,
    LetOut,
    OwnerHere,
    Point,
    Say,
    StandbyHere,
    encode,
    here,
)
from gamut.cluster.nats_address import NatsAddress
from gamut.hall.wings import MAIN

_RATE = 50
_AT_A_TIME = 20
_LARGE = 60_000
_KEPT = 4_000
_HUGE = 2**63 - 1
_SECONDS_TO_LISTEN = 1.0
_COMES_BACK_WITHIN = 4.5
"""Seconds: two of silence until an owner is given up, and the next sign of life of the real one."""


class _Spy:
    """Somebody on NATS who hears everything, and speaks as well."""

    def __init__(self, client: Client, prefix: str) -> None:
        self._client = client
        self._prefix = prefix
        self.heard: deque[tuple[str, bytes]] = deque(maxlen=_KEPT)
        """The latest packets, with their subjects."""
        self.deaf = False
        self.owner = 0
        """Of the main wing."""
        self.said = 0

    @classmethod
    async def come(cls, target: Target) -> "_Spy":
        address = NatsAddress.read(target.ways.nats)
        spy = cls(await nats.connect(f"nats://{address.places[0]}"), f"gamut.{address.name}.")
        await spy._client.subscribe(f"{spy._prefix}>", cb=spy._hear)
        await asyncio.sleep(_SECONDS_TO_LISTEN)
        return spy

    async def _hear(self, message: Msg) -> None:
        if self.deaf:
            return
        subject = message.subject.removeprefix(self._prefix)
        self.heard.append((subject, message.data))
        # Others may speak nonsense here as we do.
        with suppress(*NONSENSE):
            if subject == NODES and type(who := here(message.data)) is OwnerHere and who.wing == MAIN:
                self.owner = who.node

    @property
    def subjects(self) -> list[str]:
        """Those on which somebody was heard."""
        return sorted({subject for subject, _ in self.heard})

    async def say(self, subject: str, data: bytes) -> None:
        self.said += 1
        await self._client.publish(f"{self._prefix}{subject}", data)

    async def close(self) -> None:
        await self._client.close()


@asynccontextmanager
async def _speaking(target: Target, *, harmless: bool) -> AsyncIterator[_Spy]:
    """If it is harmless no link breaks meanwhile; in any case everybody is served afterwards."""
    spy = await _Spy.come(target)
    await target.prepared()
    before = await hops.metrics(target)
    try:
        yield spy
    finally:
        await spy.close()
    target.note(f"{spy.said} packets said on {len(spy.subjects)} subjects")
    if harmless:
        after = await hops.metrics(target)
        for name in (hops.LINKS_BROKEN, hops.ATTACHINGS):
            target.expect(after[name] == before[name], f"{name} stays {before[name]:.0f} ({after[name]:.0f})")
    target.expect((await hops.metrics(target))[hops.ATTACHED] == 1, "the gateway is attached afterwards")
    try:
        guest = await Guest.come(target, address=address(1))
        await guest.opens("tower")
        guest.abort()
    except (OSError, TimeoutError) as error:
        target.expect(False, f"a table is opened through the gateway afterwards ({error})")


async def _say_on(target: Target, spy: _Spy, subjects: list[str], data: Callable[[], bytes]) -> None:
    number = 0
    async for _ in target.ticks(_RATE):
        for _ in range(_AT_A_TIME):
            number += 1
            await spy.say(subjects[number % len(subjects)], data())


async def random_bytes_on_the_bus(target: Target) -> None:
    """Random bytes on every subject of the cluster, short and long, a thousand a second."""
    chance = Random(1)
    async with _speaking(target, harmless=True) as spy:
        sizes = (0, 1, 7, 24, 25, 40, 300, _LARGE)
        await _say_on(target, spy, spy.subjects, lambda: chance.randbytes(chance.choice(sizes)))


async def packets_again(target: Target) -> None:
    """Packets of the links, heard on NATS and said again, whole and in part, in any order."""
    chance = Random(1)
    async with _speaking(target, harmless=True) as spy:
        spy.deaf = True
        packets = list(spy.heard)
        async for _ in target.ticks(_RATE):
            for subject, packet in chance.choices(packets, k=_AT_A_TIME):
                if subject == NODES:
                    continue  # to say that somebody is there who is there is no attack
                cut = packet[: chance.randrange(len(packet))] if chance.random() < 0.5 else packet
                await spy.say(subject, cut)


async def wrong_units(target: Target) -> None:
    """Links that begin with something that is no greeting: nothing, what owners say, nests, enormous counts."""
    units = (
        b"",
        encode([]),
        encode(None),
        encode([None]),
        encode([Say(b"x", [1]), LetOut(3)]),
        encode([After(1), Go()]),
        encode([Point(1, 1)]),
        encode([AllAttached()]),
        encode([Frame(1, 1, 0, b"x" * _LARGE)]),
        encode([GatewayHere("g", "x", PROTOCOL)]),
        b"\xdd\xff\xff\xff\xff",
        b"\x91" * _LARGE,
    )
    chance = Random(1)

    def packet() -> bytes:
        link = Link(chance.getrandbits(64), 0.0)
        link.say(chance.choice(units))
        return link.packets()[0]

    async with _speaking(target, harmless=True) as spy:
        await _say_on(target, spy, [f"to.owner.{spy.owner}"], packet)


async def made_up_gateways(target: Target) -> None:
    """A thousand gateways a second that say they are there, and one in ten that begins a link; never the same twice."""
    chance = Random(1)
    async with _speaking(target, harmless=False) as spy:
        async for _ in target.ticks(_RATE):
            for number in range(_AT_A_TIME):
                id = f"{chance.getrandbits(64):x}"
                await spy.say(NODES, encode(GatewayHere(id, "x" * 100, PROTOCOL)))
                if number % 10 == 0:
                    link = Link(chance.getrandbits(63), 0.0)
                    link.say(encode([Hello(id), AllAttached()]))
                    await spy.say(f"to.owner.{spy.owner}", link.packets()[0])
    attachings = (await hops.metrics(target))[hops.ATTACHINGS]
    target.expect(
        attachings == target.wings.count,
        f"the real gateway was attached once to each owner ({attachings:.0f})",
    )


async def made_up_nodes(target: Target) -> None:
    """A thousand nodes a second that say they stand by, or are owners of another version; never the same twice."""
    chance = Random(1)

    def packet() -> bytes:
        if chance.random() < 0.5:
            return encode(StandbyHere(f"{chance.getrandbits(64):x}", "x"))
        return encode(OwnerHere(chance.getrandbits(63), "x", PROTOCOL + 1))

    async with _speaking(target, harmless=True) as spy:
        await _say_on(target, spy, [NODES], packet)


async def made_up_owner(target: Target) -> None:
    """Once somebody says to be an owner, with the highest number that there is: the gateway must find back."""
    async with _speaking(target, harmless=False) as spy:
        await spy.say(NODES, encode(OwnerHere(_HUGE, "x", PROTOCOL, wings=target.wings.count)))
        lost = await hops.comes_to(target, hops.ATTACHED, 0, 1)
        target.expect(lost == 0, "it believes so at first")
        began = asyncio.get_running_loop().time()
        while (await hops.metrics(target))[hops.ATTACHED] != 1:
            if asyncio.get_running_loop().time() - began > _COMES_BACK_WITHIN:
                break
            await asyncio.sleep(0.1)
        target.note(f"attached again after {asyncio.get_running_loop().time() - began:.1f} s")
        await target.rest()
