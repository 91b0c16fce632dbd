"""How answers leave over HTTP: never before what they tell is durable, and piece by piece if they are long."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any

import msgspec
from aiohttp import web

from gamut.doors.http import JSON
from gamut.games.game import Seat
from gamut.hall.ids import Seq
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table.eyes import seen_through

_EVENTS = 500
"""Others get their turn after so many."""
_BYTES = 65_536

_encode = msgspec.json.Encoder().encode


Durable = Callable[[], Awaitable[None]]
"""Waits until all that has happened so far is stored."""

_DURABLE: web.AppKey[Durable] = web.AppKey("durable")


def never_before_it_is_durable(app: web.Application, durable: Durable) -> None:
    """No answer leaves before what it may tell of is stored: the one rule for everything that goes out over HTTP."""
    app[_DURABLE] = durable
    app.on_response_prepare.append(_durable_first)


class OwnState(web.Response):
    """An answer about this process and nothing that happened in the hall: it comes also when nothing can be stored."""


async def _durable_first(request: web.Request, response: web.StreamResponse) -> None:
    if not isinstance(response, OwnState):
        await request.app[_DURABLE]()


async def streamed(request: web.Request, pieces: AsyncIterator[bytes], **headers: str) -> web.StreamResponse:
    """An answer whose body is these pieces of JSON."""
    response = web.StreamResponse(headers={"Content-Type": JSON, "Cache-Control": "no-store", **headers})
    await response.prepare(request)
    waiting = bytearray()
    async for piece in pieces:
        waiting += piece
        if len(waiting) >= _BYTES:
            await request.app[_DURABLE]()
            await response.write(bytes(waiting))
            waiting.clear()
    await request.app[_DURABLE]()
    await response.write(bytes(waiting))
    await response.write_eof()
    return response


async def joined(items: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """A JSON array of these."""
    opening = b"["
    async for item in items:
        yield opening + item
        opening = b","
    yield b"[]" if opening == b"[" else b"]"


async def log_of(
    live: LiveTable, viewer: Seat | None, fields: Iterable[tuple[str, Any]], eyes: Seat | None = None
) -> AsyncIterator[bytes]:
    """A JSON object with these fields and, as `events`, all that this viewer may see of a table's log.

    `eyes`: the game itself as that seat saw it while it was played.
    """
    yield (
        b"{"
        + b"".join(_encode(name) + b":" + _encode(value) + b"," for name, value in fields)
        + b'"events":['
    )
    seq, revealed, comma = live.table.seq, not live.hides, b""
    for after in range(0, seq, _EVENTS):
        upto = Seq(min(after + _EVENTS, seq))
        if eyes is None:
            seen = live.visible(viewer, Seq(after), upto, revealed=revealed)
        else:
            looked = (seen_through(live.game, event, eyes, viewer) for event in live.log[after:upto])
            seen = [event for event in looked if event is not None]
        if seen:
            yield comma + _encode(seen)[1:-1]
            comma = b","
        await asyncio.sleep(0)
    yield b"]}"
