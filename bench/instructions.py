"""Instructions of the server per move, door by door: `python -m bench.instructions [--door tafl] [--tree ../other]`.

What is counted are moves in the middle of games, at a server that has seen whole games before. A few tables of a door
play in step: the server is stopped while all moves of a round are sent, so that each round is one commit in each run.
What chance draws is seeded. The first rounds are not counted. The server's pings are off.
"""

import sys
from functools import partial
from pathlib import Path
from time import perf_counter

import msgspec

from bench.clients.in_step import InStep
from bench.comparing import compared
from bench.doors.loads import DOORS, UNDISTURBED, loaded
from bench.pace import BenchFailed, Pace, say
from bench.servers.counters import Counter, counter

TABLES = 40
_FIRST_ROUNDS, _ROUNDS = 4, 16
"""Before it is counted, and counted. The shortest game of all doors has 24 moves."""
_SEEDED = str(Path(__file__).parent / "servers" / "seeded.py")


class Instructions(msgspec.Struct, kw_only=True):
    counted_by: str
    per_move: dict[str, float]
    """By door."""


async def run(pace: Pace) -> Instructions:
    by = counter()
    with by.ready():
        return Instructions(
            counted_by=by.name, per_move={door: await _counted(door, by, None) for door in DOORS}
        )


async def _figures(doors: list[str], trees: list[Path | None]) -> dict[str, list[float]]:
    by = counter()
    with by.ready():
        return {door: [await _counted(door, by, tree) for tree in trees] for door in doors}


async def _counted(door: str, by: Counter, tree: Path | None) -> float:
    """At a server of its own, which does nothing but what is counted."""
    began = perf_counter()
    around = partial(_around, by)
    async with loaded(door, TABLES, UNDISTURBED, tree, around, warm=True) as (server, load):
        tally = load.tally
        tables = InStep(load, TABLES, server.pid)
        await tables.open()
        await tables.start()
        for _ in range(_FIRST_ROUNDS):
            await tables.round()
        moves = tally.moves
        with by.counting(server.pid) as count:
            for _ in range(_ROUNDS):
                await tables.round()
        moves = tally.moves - moves
    if tally.failures or not moves:
        raise BenchFailed(f"{door}: {moves} moves, {tally.failures[:3]}")
    found = count.instructions / moves
    where = f" in {tree}" if tree else ""
    say(f"instructions: {door}{where}: {found:,.0f} per move by {by.name}, {perf_counter() - began:.0f} s")
    return found


def _around(by: Counter, command: list[str]) -> list[str]:
    """With the same draws, and the same order of sets, in each run."""
    python, _, *words = command
    return ["env", "PYTHONHASHSEED=0", *by.around([python, _SEEDED, *words])]


if __name__ == "__main__":
    sys.exit(compared(__doc__, "Instructions of the server per move", _figures))
