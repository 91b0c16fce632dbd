"""The same over and over: bytes, wrong messages, guesses. Whoever is hung up on comes again."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from bench.attacks.stream import Refused, Stream
from bench.attacks.target import Target, address, together

Speaker = TypeVar("Speaker", bound=Stream[Any])

_AGAIN = 0.05
_ALLOWED = 45
"""Messages a second that the server takes of one connection."""
_GUESSERS = 60
_FROM_ADDRESSES = 100
"""Each of them."""


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


async def wrong_messages(
    target: Target, connect: Callable[[], Awaitable[Speaker]], say: Callable[[Speaker, int], None]
) -> None:
    """One after the other, as fast as is allowed."""
    connection = await connect()
    async for number in target.ticks(_ALLOWED):
        if connection.closed.is_set():
            connection = await connect()
        say(connection, number)


async def guesses(
    target: Target,
    connect: Callable[[str], Awaitable[Speaker]],
    guess: Callable[[Speaker, int], Awaitable[None]],
    owner: Awaitable[None],
) -> None:
    """Log-ins from many addresses that mostly fail, while the owner of an account comes, too."""

    async def go_on(each: int) -> None:
        number = 0
        while target.going:
            number += 1
            connection = await connect(address(each * _FROM_ADDRESSES + number % _FROM_ADDRESSES))
            try:
                await guess(connection, number)
            except Refused:
                await asyncio.sleep(_AGAIN)
            finally:
                connection.abort()

    await together([*(go_on(each) for each in range(_GUESSERS)), owner])
