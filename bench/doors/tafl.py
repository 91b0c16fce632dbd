"""Tafl over TCP: how many moves a second in whole games, what one costs, and how soon the opponent has it."""

import msgspec

from bench.clients.tafl import Pairs
from bench.load import Figures, measure
from bench.pace import Pace, say
from bench.scripts.tafl import moves_in_a_game
from bench.servers import accounts
from bench.servers.gamut import DataFolder, Gamut

SIZES = (1, 100, 1000)
TIMED = 100
"""So many games with clocks, of which everybody is told with every move."""


class TaflFigures(msgspec.Struct, kw_only=True):
    at: dict[int, Figures]
    """By number of games at once."""
    timed: Figures
    moves_in_a_game: int


async def run(pace: Pace) -> TaflFigures:
    at = {}
    for size in SIZES:
        say(f"tafl: games: {size}, as fast as they can")
        at[size] = await _load(size, pace.seconds)
    say(f"tafl: games: {TIMED}, with clocks")
    timed = await _load(TIMED, pace.seconds, timed=True)
    return TaflFigures(at=at, timed=timed, moves_in_a_game=moves_in_a_game())


async def _load(size: int, seconds: float, *, timed: bool = False) -> Figures:
    with DataFolder() as data:
        await accounts.write(data, [accounts.player(number) for number in range(2 * size)], accounts.CHEAP)
        with Gamut(data) as server:
            pairs = Pairs(size, server.tafl_port, timed=timed)
            try:
                await pairs.open()
                pairs.start()
                figures = await measure(pairs.tally, size, server.pid, seconds, size * moves_in_a_game())
            finally:
                pairs.close()
    say(f"  {figures.told('move')}")
    return figures
