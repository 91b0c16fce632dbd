"""Run two nodes on one PostgreSQL through kills, freezes, restarts, drains and fail-overs, with games at all doors.

After every fault all that anybody was told is compared with what is stored. With --speed nothing goes wrong: one node
on SQLite and one on PostgreSQL are measured in turns. Nothing is left behind.
"""

import argparse
import signal
import sys
from pathlib import Path
from random import SystemRandom
from typing import Any

import msgspec
import uvloop

from bench import machine
from bench.cluster import figures
from bench.cluster.pair import Pair
from bench.cluster.speed import figures as speed_figures
from bench.cluster.speed import measuring
from bench.cluster.trial import Plan, Trial
from bench.pace import BenchFailed, say
from bench.servers.gamut import DataFolder
from bench.stores.database import Database

_INTERRUPTED = 130
_TERMINATED = 143
_FAULTS = {
    "kills": "kill -9 of the active node",
    "freezes": "SIGSTOP of the active node, until after the standby has taken over",
    "restarts": "immediate restarts of PostgreSQL",
    "drains": "gamut drain",
    "failovers": "the primary of PostgreSQL is killed and its synchronous standby promoted",
}


def _some(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.cluster",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Through make: make cluster ARGS='--games 200 --kills 100 --freezes 50 --restarts 50 --failovers 20'"
        " or make cluster ARGS='--speed'",
    )
    parser.add_argument("--games", type=int, default=30, help="at the same time (30)")
    parser.add_argument("--pause", type=float, default=0.5, help="seconds for which somebody thinks (0.5)")
    parser.add_argument("--seed", type=int, default=None, help="of the players' choices")
    for name, what in _FAULTS.items():
        parser.add_argument(f"--{name}", type=int, default=2, help=f"{what} (2)")
    parser.add_argument(
        "--speed", action="store_true", help="measure both stores; takes --tables and --turns"
    )
    parser.add_argument("--tables", type=_some, default=500, help="of Tower, with --speed (500)")
    parser.add_argument("--turns", type=_some, default=8, help="of each store, with --speed (8)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every figure to this file")
    return parser.parse_args()


def _end(*_: object) -> None:
    sys.exit(_TERMINATED)


async def _tried(plan: Plan, database: Database, data: Path) -> figures.Figures:
    async with Pair(database, data) as pair:
        return await Trial(plan, database, pair).run()


def main() -> int:
    options = _options()
    # Like Ctrl-C: nodes, PostgreSQL and folders go with whoever started them.
    signal.signal(signal.SIGTERM, _end)
    machine.raise_limits()
    try:
        return _speed(options) if options.speed else _faults(options)
    except KeyboardInterrupt:
        say("cluster: interrupted")
        return _INTERRUPTED
    except BenchFailed as failed:
        say(f"cluster: {failed}")
        return 1


def _speed(options: argparse.Namespace) -> int:
    found = uvloop.run(measuring.measure(options.tables, options.turns))
    print(speed_figures.table(found))
    _write(options.json, found)
    # A missed target is a result.
    return 0


def _faults(options: argparse.Namespace) -> int:
    seed = SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
    plan = Plan(
        games=options.games,
        pause=options.pause,
        seed=seed,
        **{name: getattr(options, name) for name in _FAULTS},
    )
    say(f"seed {seed}")
    with DataFolder() as data, Database() as database:
        found = uvloop.run(_tried(plan, database, data))
    print(figures.table(found))
    _write(options.json, found)
    return 1 if found.broken else 0


def _write(path: Path | None, found: Any) -> None:
    if path is not None:
        path.write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")


if __name__ == "__main__":
    sys.exit(main())
