"""Measure Gamut on this machine: how many moves, at what price, how soon, how much memory, how fast a start.

Starts servers of its own on free ports with data in a folder of its own, puts a load on them, and prints a table.
Nothing is left behind. It needs Linux, and two cores to be of use: one for the server, one for the load.
Takes about eight minutes; do nothing else with the machine meanwhile.
"""

import argparse
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from bench import instructions, machine, memory, report, startup
from bench.doors import acquire, powerchess, tafl, tafl_logins, topple
from bench.doors import tower as throughput
from bench.games import acquire_games, powerchess_perft, tafl_search
from bench.pace import QUICK, THOROUGH, BenchFailed, Pace, say
from bench.servers import node

_PARTS: dict[str, Callable[[Pace], Awaitable[Any]]] = {
    "throughput": throughput.run,
    "memory": memory.run,
    "startup": startup.run,
    "node": node.run,
    "topple": topple.run,
    "tafl": tafl.run,
    "tafl_logins": tafl_logins.run,
    "tafl_search": tafl_search.run,
    "acquire_games": acquire_games.run,
    "acquire": acquire.run,
    "powerchess_perft": powerchess_perft.run,
    "powerchess": powerchess.run,
    "instructions": instructions.run,
}
_INTERRUPTED = 130
_TERMINATED = 143


def _parts(text: str) -> list[str]:
    parts = [part.strip() for part in text.split(",")]
    unknown = [part for part in parts if part not in _PARTS]
    if unknown:
        raise argparse.ArgumentTypeError(f"no such part: {', '.join(unknown)}; there are {', '.join(_PARTS)}")
    return parts


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Through make: make bench ARGS='--quick --only memory'. bench/README.md says how it is measured.",
    )
    parser.add_argument(
        "--only",
        type=_parts,
        default=list(_PARTS),
        metavar="PARTS",
        help=f"measure these parts only, separated by commas: {', '.join(_PARTS)}",
    )
    parser.add_argument(
        "--quick", action="store_true", help="shorter and with smaller crowds; noisier figures"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every figure to this file")
    return parser.parse_args()


def _end(*_: object) -> None:
    sys.exit(_TERMINATED)


async def _run(parts: list[str], pace: Pace) -> report.Results:
    results = report.Results(machine=report.about_machine())
    for part in parts:
        try:
            setattr(results, part, await _PARTS[part](pace))
        except BenchFailed as failed:
            results.skipped[part] = str(failed)
            say(f"  NOT MEASURED: {failed}")
    return results


def main() -> int:
    options = _options()
    # Like Ctrl-C: the servers and folders of a bench that is told to end go with it.
    signal.signal(signal.SIGTERM, _end)
    machine.raise_limits()
    machine.run_on(machine.GENERATOR_CORE)
    try:
        results = uvloop.run(_run(options.only, QUICK if options.quick else THOROUGH))
    except KeyboardInterrupt:
        say("bench: interrupted")
        return _INTERRUPTED
    print(report.table(results))
    if options.json is not None:
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode(results)) + b"\n")
    # A missed target is a result. A wrong message is a failure.
    return 1 if results.failures or results.skipped else 0


if __name__ == "__main__":
    sys.exit(main())
