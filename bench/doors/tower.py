"""How many moves a second, what one costs, and how long players wait for it."""

from collections.abc import Callable, Sequence
from time import perf_counter

import msgspec

from bench import machine
from bench.clients.tower import Tables
from bench.load import Figures, measure, under_load
from bench.pace import Pace, say
from bench.scripts.tower import TILES, Relayed, Repertoire, long_games, long_games_from_the_start, short_games
from bench.servers import node
from bench.servers.gamut import DataFolder, Gamut

MOVES_PER_SECOND = 15_000
"""What is wanted at the largest number of tables."""
SIZES = (1, 100, 2000)
_COMPARED = SIZES[1:]
_SETTLING_SECONDS = 60.0
_RELAY_SETTLING_SECONDS = 2.0
_FIRST_LOOK, _LAST_LOOK = 2, 22
"""From which mark of a game to which the moves alone are looked at."""
_MOVES_ALONE = 40_000
"""How many are looked at, at least."""


class Alone(msgspec.Struct, kw_only=True):
    """Moves in the middle of games: nobody comes or goes meanwhile."""

    moves_per_second: float
    cpu_us_per_move: float


class Throughput(msgspec.Struct, kw_only=True):
    at: dict[int, Figures]
    """By number of tables, in games of 24 marks."""
    short: Figures
    """100 tables in games of seven marks, so with more than three times as many reconnects."""
    half: Figures
    """The largest number of tables at half the rate that is wanted of them."""
    alone: dict[int, Alone]
    """By number of tables."""
    relay: Figures
    """A plain Node server that passes on the same messages, at the largest number of tables."""
    cpu_us_per_reconnect: float
    """At 100 tables."""


async def run(pace: Pace) -> Throughput:
    at = {}
    for size in SIZES:
        say(f"throughput: tables: {size}, as fast as they can")
        at[size] = await _load(size, long_games(), pace.seconds)
    say("throughput: 100 tables with short games, for the price of a reconnect")
    short = await _load(100, short_games(), pace.seconds)
    alone = {}
    for size in _COMPARED:
        say(f"throughput: tables: {size}, moves alone")
        alone[size] = await _moves_alone(size)
    largest = SIZES[-1]
    # At once, so that both meet the machine in the same mood.
    say(f"throughput: tables: {largest}, at a relay")
    relay = await _relay(largest, pace.seconds)
    say(f"throughput: {largest} tables at half load")
    half = await _load(largest, long_games(), pace.seconds, MOVES_PER_SECOND / 2)
    # Two kinds of games with the same moves but different shares of reconnects: two equations, two unknowns.
    steeper, flatter = short.reconnects / short.moves, at[100].reconnects / at[100].moves
    reconnect = (short.cpu_us_per_move - at[100].cpu_us_per_move) / (steeper - flatter)
    return Throughput(
        at=at,
        short=short,
        half=half,
        alone=alone,
        relay=relay,
        cpu_us_per_reconnect=reconnect,
    )


async def _moves_alone(size: int) -> Alone:
    moves, seconds, cpu = 0, 0.0, 0.0
    with DataFolder() as data, Gamut(data) as server:
        for first in range(0, _MOVES_ALONE // (_LAST_LOOK - _FIRST_LOOK), size):
            made, (lasted, spent) = await middle_of_games(
                size, server.port, first, lambda: (perf_counter(), machine.cpu_seconds(server.pid))
            )
            moves, seconds, cpu = moves + made, seconds + lasted, cpu + spent
    alone = Alone(moves_per_second=moves / seconds, cpu_us_per_move=1e6 * cpu / moves)
    say(f"  {alone.moves_per_second:,.0f} moves/s, {alone.cpu_us_per_move:.1f} us of CPU per move")
    return alone


async def middle_of_games(
    size: int, port: int, first: int, meters: Callable[[], Sequence[float]]
) -> tuple[int, list[float]]:
    """One game at each of so many new tables: the moves in its middle, and by how much the meters rose meanwhile."""
    tables = Tables(size, long_games_from_the_start(), port, first=first)
    try:
        await tables.open()
        tables.start()
        await tables.played(_FIRST_LOOK * size)
        before, made = meters(), tables.tally.moves
        await tables.played(_LAST_LOOK * size)
        after, moves = meters(), tables.tally.moves - made
    finally:
        tables.close()
    return moves, [late - early for early, late in zip(before, after, strict=True)]


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


async def _relay(size: int, seconds: float) -> Figures:
    node.install()
    with node.Script("relay.mjs", "tower") as server:
        tables = Tables(size, Relayed(), server.port)
        return await under_load(tables, size, server.pid, seconds, settling=_RELAY_SETTLING_SECONDS)
