"""A load for each door by its name, where two servers are compared: so many tables, each in the middle of a game."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from bench.clients import acquire, powerchess, tafl, topple, tower
from bench.load import Load
from bench.scripts import topple as topple_scripts
from bench.scripts.tower import long_games_from_the_start
from bench.servers import accounts
from bench.servers.gamut import DataFolder, Gamut


async def _tower(server: Gamut, tables: int) -> Load:
    return tower.Tables(tables, long_games_from_the_start(), server.port)


async def _topple(server: Gamut, tables: int) -> Load:
    # They are opened beforehand, and a new one begins when one is through.
    return topple.Rooms(tables, 2 * tables, topple.Room, topple_scripts.games(), server.main_port)


async def _tafl(server: Gamut, tables: int) -> Load:
    return tafl.Pairs(tables, server.tafl_port)


async def _timed_tafl(server: Gamut, tables: int) -> Load:
    return tafl.Pairs(tables, server.tafl_port, timed=True)


async def _powerchess(server: Gamut, tables: int) -> Load:
    return powerchess.Pairs(tables, server.main_port)


async def _acquire(server: Gamut, tables: int) -> Load:
    users = await acquire.registered(server.main_port, [f"Player {seat}" for seat in range(acquire.SEATS)])
    return acquire.Tables(tables, users, server.main_port)


DOORS: dict[str, Callable[[Gamut, int], Awaitable[Load]]] = {
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


@asynccontextmanager
async def loaded(
    door: str,
    tables: int,
    flags: dict[str, str] | None = None,
    tree: Path | None = None,
    around: Callable[[list[str]], list[str]] | None = None,
) -> AsyncIterator[tuple[Gamut, Load]]:
    """A server of this checkout or of another one, and the tables at one of its doors, which nobody has opened yet."""
    with DataFolder() as data:
        if door in _WITH_ACCOUNTS:
            names = [accounts.player(number) for number in range(2 * tables)]
            await accounts.write(data, names, accounts.CHEAP)
        with Gamut(data, flags, tree=tree, around=around) as server:
            load = await DOORS[door](server, tables)
            try:
                yield server, load
            finally:
                load.close()
