"""Run two nodes on one PostgreSQL through kills, freezes, restarts, drains and fail-overs, with games at all doors.

After every fault all that anybody was told is compared with what is stored. Nothing is left behind.
"""

import argparse
import signal
import sys
from pathlib import Path
from random import SystemRandom

import msgspec
import uvloop

from bench import machine
from bench.cluster import figures
from bench.cluster.database import Database
from bench.cluster.pair import Pair
from bench.cluster.trial import Plan, Trial
from bench.pace import BenchFailed, say
from bench.servers.gamut import DataFolder

_INTERRUPTED = 130
_TERMINATED = 143
_FAULTS = {
    "kills": "kill -9 of the active node",
    "freezes": "SIGSTOP of the active node, until after the standby has taken over",
    "restarts": "immediate restarts of PostgreSQL",
    "drains": "gamut drain",
    "failovers": "the primary of PostgreSQL is killed and its synchronous standby promoted",
}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.cluster",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Through make: make cluster ARGS='--games 200 --kills 100 --freezes 50 --restarts 50 --failovers 20'",
    )
    parser.add_argument("--games", type=int, default=30, help="at the same time (30)")
    parser.add_argument("--pause", type=float, default=0.5, help="seconds for which somebody thinks (0.5)")
    parser.add_argument("--seed", type=int, default=None, help="of the players' choices")
    for name, what in _FAULTS.items():
        parser.add_argument(f"--{name}", type=int, default=2, help=f"{what} (2)")
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
    seed = SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
    plan = Plan(
        games=options.games,
        pause=options.pause,
        seed=seed,
        **{name: getattr(options, name) for name in _FAULTS},
    )
    say(f"seed {seed}")
    try:
        with DataFolder() as data, Database() as database:
            found = uvloop.run(_tried(plan, database, data))
    except KeyboardInterrupt:
        say(f"cluster: interrupted; the seed was {seed}")
        return _INTERRUPTED
    except BenchFailed as failed:
        say(f"cluster: {failed}")
        return 1
    print(figures.table(found))
    if options.json is not None:
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")
    return 1 if found.broken else 0


if __name__ == "__main__":
    sys.exit(main())
