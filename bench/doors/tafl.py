"""Tafl over TCP: how many moves a second in whole games, what one costs, and how soon the opponent has it."""

from pathlib import Path

import msgspec

from bench.clients.tafl import Pairs
from bench.doors.relay import relayed
from bench.load import Figures, measure
from bench.pace import Pace, say
from bench.scripts.recorded import GAMES, Game, record
from bench.scripts.tafl import moves_in_a_game
from bench.servers import accounts
from bench.servers.gamut import DataFolder, Gamut

SIZES = (1, 100, 1000)
_ROUNDS = 100
"""Moves of which a relay has to pass on the messages; most recorded games are over by then."""
TIMED = 100
"""So many games with clocks, of which everybody is told with every move."""


class TaflFigures(msgspec.Struct, kw_only=True):
    at: dict[int, Figures]
    """By number of games at once."""
    relay: dict[int, Figures]
    """A plain Node server that passes on the same messages, by number of games."""
    timed: Figures
    moves_in_a_game: int


async def run(pace: Pace) -> TaflFigures:
    say("tafl: games are recorded")
    games = await _recorded()
    at, relay = {}, {}
    for size in SIZES:
        say(f"tafl: games: {size}, as fast as they can")
        at[size] = await _load(size, pace.seconds)
        if size > 1:
            relay[size] = await relayed(games, size, pace.seconds, lines=True)
    say(f"tafl: games: {TIMED}, with clocks")
    timed = await _load(TIMED, pace.seconds, timed=True)
    return TaflFigures(at=at, relay=relay, timed=timed, moves_in_a_game=moves_in_a_game())


async def _recorded() -> list[Game]:
    with DataFolder() as data:
        await _members(data, GAMES)
        with Gamut(data) as server:
            return await record(Pairs(GAMES, server.tafl_port), 2, _ROUNDS, server.pid)


async def _members(data: Path, games: int) -> None:
    await accounts.write(data, [accounts.player(number) for number in range(2 * games)], accounts.CHEAP)


async def _load(size: int, seconds: float, *, timed: bool = False) -> Figures:
    with DataFolder() as data:
        await _members(data, size)
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
