"""A disk that stands still for seconds while everybody plays and talks: what waits for it stays small."""

import asyncio
from contextlib import AbstractContextManager

from bench.soak.process import Server

_SECONDS = 8.0
"""Less than the server waits for a database that another program holds."""
_MOST_GROWTH = 64 << 20
"""Bytes. What people say in these seconds is not read; what bots find is not played."""


async def stand_still(server: Server, locked: AbstractContextManager[None]) -> str | None:
    """Hold the disk; what the server did not do as it should, if anything."""
    before = server.footprint()
    with locked:
        await asyncio.sleep(_SECONDS)
        after = server.footprint()
    if before is None or after is None or server.died:
        return "a disk that stood still: the server ended"
    if after[0] - before[0] > _MOST_GROWTH:
        return f"a disk that stood still: {(after[0] - before[0]) >> 20} MB more of memory"
    return None
