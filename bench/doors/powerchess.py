"""Power Chess over its door: whole games with boxes and powers, from creating one to its end, many at the same time."""

import asyncio

import msgspec

from bench.clients.powerchess import Pairs
from bench.load import Figures, measure
from bench.pace import Pace, say
from bench.servers.gamut import DataFolder, Gamut

SIZES = (1, 200, 2000)
_SETTLING_SECONDS = 0.5


class PowerChessFigures(msgspec.Struct, kw_only=True):
    at: dict[int, Figures]
    """By number of games that are played at the same time; an action is a move or a power."""
    games_per_second: dict[int, float]
    """Played to the end, with the next one created and joined."""
    powers_per_move: float


async def run(pace: Pace) -> PowerChessFigures:
    at, ended, powers = {}, {}, 0.0
    for size in SIZES:
        say(f"powerchess: games: {size}, as fast as they can")
        with DataFolder() as data, Gamut(data) as server:
            pairs = Pairs(size, server.main_port)
            try:
                await pairs.open()
                pairs.start()
                await asyncio.sleep(_SETTLING_SECONDS)
                games = pairs.games
                figures = at[size] = await measure(pairs.tally, size, server.pid, pace.seconds)
                ended[size] = (pairs.games - games) / figures.seconds
                powers = pairs.powers / max(1, pairs.tally.moves)
            finally:
                pairs.close()
        say(f"  {figures.told('action')}")
    return PowerChessFigures(at=at, games_per_second=ended, powers_per_move=powers)
