"""What waits at each hop between a client and its table, as the nodes of a cluster say it of themselves."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from bench.attacks.requests import exchange_at
from bench.attacks.target import Target

TO_CLIENTS = "gamut_gateway_send_queue_bytes"
FROM_CLIENTS = "gamut_gateway_waiting_bytes"
TO_OWNER = "gamut_gateway_link_bytes"
TO_GATEWAYS = "gamut_link_waiting_bytes"
DISTANT = "gamut_distant_connections"
ATTACHED = "gamut_gateway_attached"
ATTACHINGS = "gamut_gateway_attachings_total"
LINKS_BROKEN = "gamut_links_broken_total"

SEND_QUEUE = 1 << 20
"""Bytes that may wait for one reader: the setting that is anybody's (`send_queue_bytes`)."""
UNREAD = 1 << 16
"""Bytes of a client's frames that nobody has dealt with, beyond which nothing more of it is read."""
UNDER_WAY = (1 << 20) + (1 << 18) + (1 << 16)
"""On the way to the owner: all that may be, and one unit more."""
WAITING = (64 << 20) + (4 << 20)
"""For one gateway: with that the link breaks."""
_EVERY = 0.1
_SECONDS = 5.0
_METRICS = b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


async def metrics(target: Target) -> dict[str, float]:
    """Of all nodes, without labels: what differs in these only is added up."""
    found: Counter[str] = Counter()
    for port in (target.port, *(owner.port for owner in target.ways.owners)):
        answer = await exchange_at(port, _METRICS, _SECONDS)
        for line in answer.body.decode().splitlines():
            name, _, value = line.rpartition(" ")
            if name.startswith("gamut_"):
                found[name.partition("{")[0]] += float(value)  # type: ignore[assignment]
    return dict(found)


@asynccontextmanager
async def watched(target: Target, most: Mapping[str, int]) -> AsyncIterator[None]:
    """While this lasts none of these may be more than that. Each wing of the hall has a link of its own."""
    most = {name: bound * target.wings.count for name, bound in most.items()}
    peaks: Counter[str] = Counter()

    async def look() -> None:
        while True:
            found = await metrics(target)
            for name in most:
                peaks[name] = max(peaks[name], int(found.get(name, 0)))
            await asyncio.sleep(_EVERY)

    looking = asyncio.ensure_future(look())
    try:
        yield
    finally:
        looking.cancel()
        await asyncio.wait((looking,))
    for name, bound in most.items():
        target.note(f"{name} {peaks[name]:,} of {bound:,}")
        target.expect(peaks[name] <= bound, f"{name} stays below {bound:,} (it was {peaks[name]:,})")


async def comes_to(target: Target, name: str, most: float, seconds: float) -> float:
    """Wait until this metric is no more than that, but not for long; what it was last."""
    until = asyncio.get_running_loop().time() + seconds
    while True:
        value = (await metrics(target)).get(name, 0.0)
        if value <= most or asyncio.get_running_loop().time() > until:
            return value
        await asyncio.sleep(_EVERY)
