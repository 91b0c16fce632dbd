"""CPU of the server per move, door by door: `python -m bench.cpu [--door tafl] [--tree ../other]`.

Servers of the two checkouts take turns, a few times each, and of each the middle figure counts: times differ by as
much as 40 % from run to run. `python -m bench.instructions` has figures that hardly differ.
"""

import sys
from pathlib import Path
from statistics import median

from bench import machine
from bench.comparing import compared
from bench.doors.loads import UNDISTURBED, loaded
from bench.load import under_load
from bench.pace import BenchFailed, say

_TABLES = 200
_TURNS = 5
_SECONDS = 2.0


async def _figures(doors: list[str], trees: list[Path | None]) -> dict[str, list[float]]:
    machine.run_on(machine.GENERATOR_CORE)
    found: dict[str, list[float]] = {}
    for door in doors:
        taken: list[list[float]] = [[] for _ in trees]
        for _ in range(_TURNS):
            for figures, tree in zip(taken, trees, strict=True):
                figures.append(await _measured(door, tree))
        found[door] = [median(figures) for figures in taken]
    return found


async def _measured(door: str, tree: Path | None) -> float:
    say(f"{door}{f' in {tree}' if tree else ''}")
    async with loaded(door, _TABLES, UNDISTURBED, tree) as (server, load):
        figures = await under_load(load, _TABLES, server.pid, _SECONDS)
    if figures.failures:
        raise BenchFailed(f"{door}: {figures.first_failures}")
    return figures.cpu_us_per_move


if __name__ == "__main__":
    sys.exit(compared(__doc__, "CPU of the server per move, in microseconds", _figures))
