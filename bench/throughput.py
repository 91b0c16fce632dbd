"""How many moves a second, what one costs, and how long players wait for it."""

import msgspec

from bench.load import Figures, Tables, measure
from bench.pace import Pace, say
from bench.scripts import TILES, Repertoire, long_games, short_games
from bench.server import DataFolder, Gamut

SIZES = (1, 100, 2000)
_SETTLING_SECONDS = 60.0


class Throughput(msgspec.Struct, kw_only=True):
    at: dict[int, Figures]
    """By number of tables, in games of 24 marks."""
    short: Figures
    """100 tables in games of seven marks, so with more than three times as many reconnects."""
    half: Figures
    """The largest number of tables at half the rate that they can reach."""
    cpu_us_per_reconnect: float
    cpu_us_per_move_alone: float
    """At 100 tables, the reconnects between the games taken out."""


async def run(pace: Pace) -> Throughput:
    at = {}
    for size in SIZES:
        say(f"throughput: tables: {size}, as fast as they can")
        at[size] = await _load(size, long_games(), pace.seconds)
    say("throughput: 100 tables with short games, for the price of a reconnect")
    short = await _load(100, short_games(), pace.seconds)
    largest = at[SIZES[-1]]
    say(f"throughput: {largest.tables} tables at half load")
    half = await _load(largest.tables, long_games(), pace.seconds, largest.moves_per_second / 2)
    # Two kinds of games with the same moves but different shares of reconnects: two equations, two unknowns.
    steeper, flatter = short.reconnects / short.moves, at[100].reconnects / at[100].moves
    reconnect = (short.cpu_us_per_move - at[100].cpu_us_per_move) / (steeper - flatter)
    return Throughput(
        at=at,
        short=short,
        half=half,
        cpu_us_per_reconnect=reconnect,
        cpu_us_per_move_alone=at[100].cpu_us_per_move - reconnect * flatter,
    )


async def _load(size: int, repertoire: Repertoire, seconds: float, rate: float | None = None) -> Figures:
    with DataFolder() as data, Gamut(data) as server:
        tables = Tables(size, repertoire, server.port)
        try:
            await tables.open()
            tables.start(rate)
            await tables.settle(_SETTLING_SECONDS)
            figures = await measure(tables.tally, size, server.pid, seconds, size * TILES)
        finally:
            tables.close()
    say(f"  {figures.told('move')}")
    return figures
