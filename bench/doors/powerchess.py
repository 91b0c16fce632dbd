"""Power Chess over its door: whole games with boxes and powers, from creating one to its end, many at the same time."""

import asyncio

import msgspec

from bench.clients.powerchess import MOVES, Pairs
from bench.doors.relay import relayed
from bench.load import Figures, measure
from bench.pace import Pace, say
from bench.scripts.recorded import GAMES, Game, record
from bench.servers.gamut import DataFolder, Gamut

SIZES = (1, 200, 2000)
_SETTLING_SECONDS = 0.5


class PowerChessFigures(msgspec.Struct, kw_only=True):
    at: dict[int, Figures]
    """By number of games that are played at the same time; an action is a move or a power."""
    relay: dict[int, Figures]
    """A plain Node server that passes on the same messages, by number of games."""
    games_per_second: dict[int, float]
    """Played to the end, with the next one created and joined."""
    powers_per_move: float


async def run(pace: Pace) -> PowerChessFigures:
    say("powerchess: games are recorded")
    games = await _recorded()
    at, relay, ended, powers = {}, {}, {}, 0.0
    for size in SIZES:
        say(f"powerchess: games: {size}, as fast as they can")
        with DataFolder() as data, Gamut(data) as server:
            pairs = Pairs(size, server.main_port)
            try:
                await pairs.open()
                pairs.start()
                await asyncio.sleep(_SETTLING_SECONDS)
                before = pairs.games
                figures = at[size] = await measure(pairs.tally, size, server.pid, pace.seconds)
                ended[size] = (pairs.games - before) / figures.seconds
                powers = pairs.powers / max(1, pairs.tally.moves)
            finally:
                pairs.close()
        say(f"  {figures.told('action')}")
        if size > 1:
            relay[size] = await relayed(games, size, pace.seconds)
    return PowerChessFigures(at=at, relay=relay, games_per_second=ended, powers_per_move=powers)


async def _recorded() -> list[Game]:
    with DataFolder() as data, Gamut(data) as server:
        return await record(Pairs(GAMES, server.main_port, in_step=True), 2, MOVES, server.pid)
