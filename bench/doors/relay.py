"""What it costs a plain Node server without rules and storage to pass on the messages of a door."""

import asyncio
import tempfile
from pathlib import Path

import msgspec

from bench.clients.recorded import Rooms
from bench.load import Figures, measure
from bench.pace import say
from bench.scripts.recorded import Game, messages
from bench.servers import node

_SETTLING_SECONDS = 0.5


async def relayed(games: list[Game], size: int, seconds: float, *, lines: bool = False) -> Figures:
    """So many rooms at once in which these games are played again and again."""
    node.install()
    with tempfile.TemporaryDirectory(prefix="gamut-relay-") as folder:
        heard = Path(folder) / "games.json"
        heard.write_bytes(_told(games, lines=lines))
        with node.Script("recorded.mjs", str(heard)) as server:
            rooms = Rooms(size, games, server.port, lines=lines)
            try:
                await rooms.open()
                rooms.start()
                await asyncio.sleep(_SETTLING_SECONDS)
                figures = await measure(rooms.tally, size, server.pid, seconds)
            finally:
                rooms.close()
    say(f"  relay: {figures.told('move')}")
    return figures


def _told(games: list[Game], *, lines: bool) -> bytes:
    """By game, step and seat: the messages to send."""
    told = [[[_messages(data, lines=lines) for data in step.heard] for step in game.steps] for game in games]
    return msgspec.json.encode({"games": told, "lines": lines})


def _messages(data: bytes, *, lines: bool) -> list[str]:
    return data.decode().splitlines(keepends=True) if lines else [*messages(data)]
