"""A load for each door by its name, where two servers are compared: so many tables, each in the middle of a game."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from bench.clients import acquire, powerchess, tafl, topple, tower
from bench.load import Load
from bench.pace import BenchFailed
from bench.scripts import topple as topple_scripts
from bench.scripts.tower import long_games_from_the_start
from bench.servers import accounts
from bench.servers.gamut import DataFolder, Gamut


async def _tower(server: Gamut, tables: int, first: int) -> Load:
    return tower.Tables(tables, long_games_from_the_start(), server.port, first=first)


async def _topple(server: Gamut, tables: int, first: int) -> Load:
    # They are opened beforehand, and a new one begins when one is through.
    return topple.Rooms(tables, 2 * tables, topple.Room, topple_scripts.games(), server.main_port)


async def _tafl(server: Gamut, tables: int, first: int) -> Load:
    return tafl.Pairs(tables, server.tafl_port, first=first)


async def _timed_tafl(server: Gamut, tables: int, first: int) -> Load:
    return tafl.Pairs(tables, server.tafl_port, timed=True, first=first)


async def _powerchess(server: Gamut, tables: int, first: int) -> Load:
    return powerchess.Pairs(tables, server.main_port)


async def _acquire(server: Gamut, tables: int, first: int) -> Load:
    names = [f"Player {first + seat}" for seat in range(acquire.SEATS)]
    return acquire.Tables(tables, await acquire.registered(server.main_port, names), server.main_port)


DOORS: dict[str, Callable[[Gamut, int, int], Awaitable[Load]]] = {
    "tower": _tower,
    "topple": _topple,
    "tafl": _tafl,
    "tafl with clocks": _timed_tafl,
    "powerchess": _powerchess,
    "acquire": _acquire,
}
_WITH_ACCOUNTS = ("tafl", "tafl with clocks")
UNDISTURBED = {"heartbeat": "86400", "log-level": "error"}
"""Flags with which a server says nothing of its own accord."""


_BEFORE_TABLES, _BEFORE_MOVES = 12, 3000
"""More than a whole game of each table at each door."""
_TICK = 0.05


@asynccontextmanager
async def loaded(
    door: str,
    tables: int,
    flags: dict[str, str] | None = None,
    tree: Path | None = None,
    around: Callable[[list[str]], list[str]] | None = None,
    *,
    warm: bool = False,
) -> AsyncIterator[tuple[Gamut, Load]]:
    """A server of this checkout or of another one, and the tables at one of its doors, which nobody has opened yet.

    `warm`: others have played whole games before, so that what the server works out once and keeps is there.
    """
    with DataFolder() as data:
        if door in _WITH_ACCOUNTS:
            names = [accounts.player(number) for number in range(2 * (tables + _BEFORE_TABLES))]
            await accounts.write(data, names, accounts.CHEAP)
        with Gamut(data, flags, tree=tree, around=around) as server:
            loads: list[Load] = []
            try:
                if warm:
                    loads.append(await DOORS[door](server, _BEFORE_TABLES, tables))
                    await _play(loads[0])
                loads.append(await DOORS[door](server, tables, 0))
                yield server, loads[-1]
            finally:
                for load in loads:
                    load.close()


async def _play(load: Load) -> None:
    """Let them play for a while. Then they stay where they are, and say nothing more."""
    await load.open()
    load.start()
    tally = load.tally
    while tally.moves < _BEFORE_MOVES:
        if tally.failures:
            raise BenchFailed(f"Those who play before: {tally.failures[:3]}")
        await asyncio.sleep(_TICK)
    tally.held = []
