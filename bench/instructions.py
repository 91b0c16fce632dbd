"""Instructions of the server per move, door by door: `python -m bench.instructions [--door tafl] [--tree ../other]`.

A few tables of each door play in step: the server is stopped while all moves of a round are sent, so that each round is
one commit in each run. What chance draws is seeded. The first rounds are not counted. The server's pings are off.
"""

import argparse
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import perf_counter

import msgspec
import uvloop

from bench import machine
from bench.clients import acquire as acquire_client
from bench.clients import powerchess as powerchess_client
from bench.clients import tafl as tafl_client
from bench.clients import topple as topple_client
from bench.clients.in_step import InStep, Load
from bench.clients.tower import Tables
from bench.pace import BenchFailed, Pace, say
from bench.scripts import topple as topple_scripts
from bench.scripts.tower import long_games_from_the_start
from bench.servers import accounts
from bench.servers.counters import Counter, counter
from bench.servers.gamut import DataFolder, Gamut

TABLES = 40
_FIRST_ROUNDS, _ROUNDS = 4, 16
"""Before it is counted, and counted. The shortest game of all doors has 24 moves."""
_SEEDED = str(Path(__file__).parent / "servers" / "seeded.py")
_FLAGS = {"heartbeat": "86400", "tables-per-person": "10000", "log-level": "error"}


async def _tower(server: Gamut) -> Load:
    return Tables(TABLES, long_games_from_the_start(), server.port)


async def _topple(server: Gamut) -> Load:
    return topple_client.Rooms(TABLES, 1, topple_client.Room, topple_scripts.games(), server.main_port)


async def _tafl(server: Gamut) -> Load:
    return tafl_client.Pairs(TABLES, server.tafl_port)


async def _timed_tafl(server: Gamut) -> Load:
    return tafl_client.Pairs(TABLES, server.tafl_port, timed=True)


async def _powerchess(server: Gamut) -> Load:
    return powerchess_client.Pairs(TABLES, server.main_port, in_step=True)


async def _acquire(server: Gamut) -> Load:
    names = [f"Investor {number}" for number in range(acquire_client.SEATS)]
    users = await acquire_client.registered(server.main_port, names)
    return acquire_client.Tables(TABLES, users, server.main_port)


DOORS: dict[str, Callable[[Gamut], Awaitable[Load]]] = {
    "tower": _tower,
    "topple": _topple,
    "tafl": _tafl,
    "tafl with clocks": _timed_tafl,
    "powerchess": _powerchess,
    "acquire": _acquire,
}
_WITH_ACCOUNTS = ("tafl", "tafl with clocks")


class Instructions(msgspec.Struct, kw_only=True):
    counted_by: str
    per_move: dict[str, float]
    """By door."""


async def run(pace: Pace) -> Instructions:
    by = counter()
    with by.ready():
        return Instructions(counted_by=by.name, per_move=await counted([*DOORS], by))


async def counted(doors: list[str], by: Counter, tree: Path | None = None) -> dict[str, float]:
    """Instructions per move at these doors, in this checkout or in another one."""
    where = f" in {tree}" if tree else ""
    say(f"instructions{where}, counted by {by.name}")
    found = {}
    for door in doors:
        # Each has a server of its own: it does nothing but what is counted.
        with DataFolder() as data:
            if door in _WITH_ACCOUNTS:
                names = [accounts.player(number) for number in range(2 * TABLES)]
                await accounts.write(data, names, accounts.CHEAP)
            with Gamut(data, _FLAGS, tree=tree, around=lambda command: _around(by, command)) as server:
                found[door] = await _at(door, server, by)
    return found


async def _at(door: str, server: Gamut, by: Counter) -> float:
    began = perf_counter()
    load = await DOORS[door](server)
    tally = load.tally
    tables = InStep(load, TABLES, server.pid)
    try:
        await tables.open()
        await tables.start()
        for _ in range(_FIRST_ROUNDS):
            await tables.round()
        moves = tally.moves
        with by.counting(server.pid) as count:
            for _ in range(_ROUNDS):
                await tables.round()
        moves = tally.moves - moves
    finally:
        load.close()
    if tally.failures or not moves:
        raise BenchFailed(f"{door}: {moves} moves, {tally.failures[:3]}")
    found = count.instructions / moves
    say(f"  {door}: {found:,.0f} per move, {moves} moves, {perf_counter() - began:.0f} s")
    return found


def _around(by: Counter, command: list[str]) -> list[str]:
    python, _, *words = command
    return by.around([python, _SEEDED, *words])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.instructions",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--door", action="append", choices=[*DOORS], help="only this one; may be repeated")
    parser.add_argument(
        "--tree",
        type=Path,
        metavar="CHECKOUT",
        help="another checkout of Gamut, with its own .venv, whose server is counted first",
    )
    return parser.parse_args()


async def _compare(doors: list[str], tree: Path | None) -> None:
    by = counter()
    with by.ready():
        before = {} if tree is None else await counted(doors, by, tree)
        here = await counted(doors, by)
    print(f"Instructions per move, counted by {by.name}")
    for door, figure in here.items():
        old = before.get(door)
        compared = "" if old is None else f"{old:>11,.0f} -> "
        change = "" if old is None else f"  {figure / old - 1:+.1%}"
        print(f"{door:<18}{compared}{figure:>11,.0f}{change}")


def main() -> int:
    options = _options()
    machine.raise_limits()
    # The same order of sets and dictionaries in each run.
    os.environ["PYTHONHASHSEED"] = "0"
    try:
        uvloop.run(_compare(options.door or [*DOORS], options.tree))
    except BenchFailed as failed:
        say(f"NOT MEASURED: {failed}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
