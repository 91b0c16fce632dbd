"""Topple: how many cascades a second; how many moves in whole rooms, what one costs, and what it costs a bare relay."""

import asyncio

import msgspec

from bench import cascades, node, topple_scripts
from bench.cascades import Cascades
from bench.load import Figures, measure
from bench.pace import BenchFailed, Pace, say
from bench.server import DataFolder, Gamut, Process
from bench.topple_client import RelayRoom, Room, Rooms
from bench.topple_scripts import MOVES, Script

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
    node_version: str


async def run(pace: Pace) -> ToppleFigures:
    say("topple: cascades")
    toppled = cascades.run(pace.cascade_seconds)
    at, opened = {}, 0.0
    for size in SIZES:
        say(f"topple: rooms: {size}, as fast as they can")
        with DataFolder() as data, Gamut(data) as server:
            most = _GAMUT_AT_MOST if size > 1 else _ONE_ROOM_AT_MOST
            at[size], opened = await _load(
                server, server.main_port, size, most, Room, topple_scripts.games(), pace.seconds
            )
    node.install()
    relay = {}
    for size in COMPARED:
        say(f"topple: rooms: {size}, at a relay")
        with node.Script("relay.mjs", "topple") as server:
            relay[size], _ = await _load(
                server, server.port, size, _RELAY_AT_MOST, RelayRoom, topple_scripts.relayed(), pace.seconds
            )
    return ToppleFigures(
        cascades=toppled,
        at=at,
        rooms_opened_per_second=opened,
        relay=relay,
        node_version=node.version(),
    )


async def _load(
    server: Process,
    port: int,
    size: int,
    most: int,
    kind: type[Room],
    games: list[Script],
    seconds: float,
) -> tuple[Figures, float]:
    """The figures, and how many rooms a second were opened before."""
    spare = int((_SETTLING_SECONDS + seconds) * most) // MOVES - (size - 1) // 2
    rooms = Rooms(size, max(spare, 1), kind, games, port)
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
