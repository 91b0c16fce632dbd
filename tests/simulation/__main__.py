"""python -m tests.simulation: crash the server thousands of times in one process, and look for anything lost."""

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic

from tests.simulation.disk import MemoryMedium, SqliteMedium
from tests.simulation.gateway_world import GatewayWorld, world_of
from tests.simulation.noticing import find
from tests.simulation.wings_world import WingsWorld
from tests.simulation.world import Failed, World, run

PER_WORLD = 12
"""Crashes."""


def one_world(
    seed: int,
    disk: str,
    trace: Callable[[str], None] | None = None,
    *,
    faults: bool = False,
    gateways: bool = False,
    wings: bool = False,
) -> World:
    of = WingsWorld if wings else GatewayWorld if gateways else world_of(seed, faults=faults)
    if disk == "memory":
        return run(seed, MemoryMedium(), PER_WORLD, trace, faults=faults, of=of)
    with tempfile.TemporaryDirectory() as folder:
        medium = SqliteMedium(Path(folder))
        try:
            return run(seed, medium, PER_WORLD, trace, faults=faults, of=of)
        finally:
            medium.close()


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--crashes", type=int, default=1_000, help="how many in all")
    parser.add_argument("--first", type=int, default=1, help="the seed of the first world")
    parser.add_argument("--seed", type=int, help="only the world of this seed")
    parser.add_argument("--disk", choices=("memory", "sqlite"), default="memory")
    parser.add_argument("--faults", action="store_true", help="the server fails now and then, too")
    parser.add_argument("--gateways", action="store_true", help="only worlds in which people are at gateways")
    parser.add_argument(
        "--wings", action="store_true", help="and only those in which the hall has several wings"
    )
    parser.add_argument(
        "--find", metavar="NAME", help="store a seed that shows that this broken server is broken"
    )
    parser.add_argument("--trace", action="store_true", help="show all that is said and done")
    asked = parser.parse_args(arguments)
    if asked.find is not None:
        return find(asked.find)
    if asked.wings and (asked.faults or asked.disk != "memory"):
        parser.error("servers of several wings share what is in memory, and have no faults of their own")
    kinds = {"faults": asked.faults, "gateways": asked.gateways, "wings": asked.wings}
    first = asked.first if asked.seed is None else asked.seed
    wanted = asked.crashes if asked.seed is None else 1
    began, crashes, told, worlds, faults, stayed, closed = monotonic(), 0, 0, 0, 0, 0, 0
    while crashes < wanted:
        seed = first + worlds
        try:
            trace = _say if asked.trace else None
            world = one_world(seed, asked.disk, trace, **kinds)
        except Failed as failed:
            _say(str(failed))
            flags = "".join(f" --{kind}" for kind, is_asked in kinds.items() if is_asked)
            _say(f"See it again: python -m tests.simulation --disk {asked.disk} --seed {seed}{flags} --trace")
            return 1
        worlds += 1
        told += world.told.count
        crashes += world.crashes
        faults += 0 if world.faulty is None else world.faulty.count
        if isinstance(world, GatewayWorld):
            stayed, closed = stayed + world.stayed, closed + world.closed
        if crashes // 1_000 > (crashes - world.crashes) // 1_000:
            _say(f"{crashes} crashes, {told} things told")
    minutes = (monotonic() - began) / 60
    contained = f"{faults} faults contained, " if asked.faults else ""
    if stayed:
        contained += f"at gateways {stayed} connections stayed and {closed} were closed, "
    _say(
        f"{crashes} crashes in {worlds} worlds, {told} things told, {contained}nothing lost; "
        f"{crashes / minutes:.0f} crashes a minute"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
