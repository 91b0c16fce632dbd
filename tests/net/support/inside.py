"""The server in this process, so that a test can look into it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

from tests.net.support import sockets
from tests.net.support.clients import Callers, calling
from tests.net.support.closed_ports import CLOSED
from tests.net.support.through_gateway import ServerThroughGateway

from gamut.doors.registry import Doors, all_doors
from gamut.games.game import AnyGame
from gamut.games.registry import all_games
from gamut.net.server import Server
from gamut.net.settings import Settings


def new_server(
    settings: Settings, games: Callable[[], Mapping[str, AnyGame]] = all_games, *, doors: Doors = all_doors
) -> Server:
    """It holds its sockets itself, or at a gateway (`--through gateway`)."""
    if sockets.at_gateways:
        return cast(Server, ServerThroughGateway(settings, games, doors=doors))
    return Server(settings, games, doors=doors)


def url_of(server: Server) -> str:
    return f"http://127.0.0.1:{server.ports['main']}"


@asynccontextmanager
async def running(
    data: Path, games: Callable[[], Mapping[str, AnyGame]] = all_games, **settings: Any
) -> AsyncIterator[Server]:
    server = new_server(Settings(data=data, port=0, **{"doors": CLOSED, **settings}), games)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


def at_a_server(
    data: Path,
    story: Callable[[Callers], Coroutine[Any, Any, None]],
    games: Callable[[], Mapping[str, AnyGame]],
) -> None:
    async def run() -> None:
        async with running(data, games, message_rate=0) as server, calling(url_of(server)) as callers:
            await story(callers)

    asyncio.run(run())
