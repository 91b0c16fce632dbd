"""The same bytes over and over; whoever is hung up on comes again."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from bench.attacks.stream import Stream
from bench.attacks.target import Target

_AGAIN = 0.05


async def flood(
    target: Target, connect: Callable[[], Awaitable[Stream[Any]]], block: bytes, first: bytes = b""
) -> None:
    sent = comings = 0
    while target.going:
        try:
            connection = await connect()
        except (OSError, TimeoutError):
            await asyncio.sleep(_AGAIN)
            continue
        comings += 1
        connection.send(first)
        try:
            while target.going:
                connection.send(block)
                sent += len(block)
                await connection.flushed()
        except OSError:
            await asyncio.sleep(_AGAIN)
        finally:
            connection.abort()
    target.note(f"{sent >> 10} KB in {comings} connections")
