"""Topple: how many cascades a second; how many moves in whole rooms, what one costs, and what it costs a bare relay."""

import asyncio

import msgspec

from bench.clients.topple import RelayRoom, Room, Rooms
from bench.games import topple_cascades as cascades
from bench.games.topple_cascades import Cascades
from bench.load import Figures, measure
from bench.pace import BenchFailed, Pace, say
from bench.scripts import topple as topple_scripts
from bench.scripts.topple import MOVES
from bench.servers import node
from bench.servers.gamut import DataFolder, Gamut, Process

SIZES = (1, 50, 200, 1000)
COMPARED = SIZES[1:]
"""Where a relay has the same load. With one room both mostly wait."""
_SETTLING_SECONDS = 0.5

# So many moves a second are more than can be hoped for: rooms are opened for them, so that there are always enough.
_GAMUT_AT_MOST = 40_000
_RELAY_AT_MOST = 80_000
_ONE_ROOM_AT_MOST = 12_000


class ToppleFigures(msgspec.Struct, kw_only=True):
    cascades: list[Cascades]
    at: dict[int, Figures]
    """By number of rooms that play at the same time."""
    rooms_opened_per_second: float
    """Created, joined and ready to start, many at once: two connections each."""
    relay: dict[int, Figures]
    """A relay without rules and storage, by number of rooms."""


async def run(pace: Pace) -> ToppleFigures:
    say("topple: cascades")
    toppled = cascades.run(pace.cascade_seconds)
    node.install()
    at, relay, opened = {}, {}, 0.0
    for size in SIZES:
        say(f"topple: rooms: {size}, as fast as they can")
        at[size], opened = await _gamut(size, pace.seconds)
        if size in COMPARED:
            # At once, so that both meet the machine in the same mood.
            say(f"topple: rooms: {size}, at a relay")
            relay[size] = await _relay(size, pace.seconds)
    return ToppleFigures(
        cascades=toppled,
        at=at,
        rooms_opened_per_second=opened,
        relay=relay,
    )


async def _gamut(size: int, seconds: float) -> tuple[Figures, float]:
    """The figures, and how many rooms a second were opened before."""
    most = _GAMUT_AT_MOST if size > 1 else _ONE_ROOM_AT_MOST
    with DataFolder() as data, Gamut(data) as server:
        rooms = Rooms(size, _spare(size, most, seconds), Room, topple_scripts.games(), server.main_port)
        return await _load(rooms, size, server, seconds)


async def _relay(size: int, seconds: float) -> Figures:
    with node.Script("relay.mjs", "topple") as server:
        spare = _spare(size, _RELAY_AT_MOST, seconds)
        rooms = Rooms(size, spare, RelayRoom, topple_scripts.relayed(), server.port)
        figures, _ = await _load(rooms, size, server, seconds)
        return figures


def _spare(size: int, most: int, seconds: float) -> int:
    """How many rooms must wait so that there is always one to begin; those that play have their own moves to make."""
    return max(1, int((_SETTLING_SECONDS + seconds) * most) // MOVES - size // 2)


async def _load(rooms: Rooms, size: int, server: Process, seconds: float) -> tuple[Figures, float]:
    try:
        opening = await rooms.open()
        rooms.start()
        await asyncio.sleep(_SETTLING_SECONDS)
        figures = await measure(rooms.tally, size, server.pid, seconds)
        if not rooms.left and not figures.failures:
            raise BenchFailed(f"There were too few rooms for {size} to play at any time.")
    finally:
        rooms.close()
    say(f"  {figures.told('move')}")
    return figures, rooms.count / opening
