"""Run two nodes on one PostgreSQL through kills, freezes, restarts, drains and fail-overs, with games at all doors.

After every fault all that anybody was told is compared with what is stored. With --speed nothing goes wrong: one node
on SQLite and one on PostgreSQL are measured in turns. Nothing is left behind.
"""

import argparse
import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from random import SystemRandom
from typing import Any

import msgspec
import uvloop
from tests.support.nats import Nats

from bench import machine
from bench.cluster import figures
from bench.cluster.gateways import Gateways
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
_FAULTS_OF_GATEWAYS = {
    "gateway_kills": "kill -9 of a gateway",
    "gateway_stops": "SIGTERM to a gateway",
    "nats_restarts": "kill -9 of NATS, which is back after up to 3 s",
    "cuts": "the way between a gateway and NATS is cut for up to 3 s",
    "owner_cuts": "the way between the active node and NATS is cut until it has handed over",
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
    parser.add_argument(
        "--peace", type=float, default=3.5, help="seconds before each fault, at the least (3.5)"
    )
    parser.add_argument("--seed", type=int, default=None, help="of the players' choices")
    for name, what in _FAULTS.items():
        parser.add_argument(f"--{name}", type=int, default=2, help=f"{what} (2)")
    for name, what in _FAULTS_OF_GATEWAYS.items():
        flag = name.replace("_", "-")
        parser.add_argument(f"--{flag}", type=int, default=None, help=f"{what} (2 where there are gateways)")
    nodes = parser.add_mutually_exclusive_group()
    nodes.add_argument("--gateways", type=int, default=0, help="hold the sockets of two owners (0)")
    nodes.add_argument("--both", type=int, default=0, help="so many nodes that are owners and gateways (0)")
    parser.add_argument(
        "--speed",
        action="store_true",
        help="measure both stores, and with --gateways 1 an owner with a gateway; takes --tables and --turns",
    )
    parser.add_argument("--tables", type=_some, default=500, help="of Tower, with --speed (500)")
    parser.add_argument("--turns", type=_some, default=8, help="of each, with --speed (8)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every figure to this file")
    options = parser.parse_args()
    clustered = bool(options.gateways or options.both)
    if options.both == 1:
        parser.error("--both: one node has nobody who stands by")
    for name in _FAULTS_OF_GATEWAYS:
        # Of two nodes that are both, the other one has only its own gateway to go by.
        possible = clustered and (name != "owner_cuts" or options.both != 2)
        if getattr(options, name) is None:
            setattr(options, name, 2 if possible else 0)
        elif getattr(options, name) and not possible:
            parser.error(f"--{name.replace('_', '-')}: where there are --gateways, or enough that are --both")
    if options.speed and (options.both or options.gateways > 1):
        parser.error("--speed: takes one gateway")
    return options


def _end(*_: object) -> None:
    sys.exit(_TERMINATED)


async def _tried(plan: Plan, database: Database, pair: Pair) -> figures.Figures:
    async with pair:
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
    found = uvloop.run(measuring.measure(options.tables, options.turns, gateway=bool(options.gateways)))
    print(speed_figures.table(found))
    _write(options.json, found)
    # A missed target is a result.
    return 0


def _faults(options: argparse.Namespace) -> int:
    seed = SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
    plan = Plan(
        games=options.games,
        pause=options.pause,
        peace=options.peace,
        seed=seed,
        **{name: getattr(options, name) for name in (*_FAULTS, *_FAULTS_OF_GATEWAYS)},
    )
    say(f"seed {seed}")
    with ExitStack() as stack:
        data, database = stack.enter_context(DataFolder()), stack.enter_context(Database())
        if options.gateways or options.both:
            nats = stack.enter_context(Nats())
            pair: Pair = Gateways(database, data, nats, gateways=options.gateways, both=options.both)
        else:
            pair = Pair(database, data)
        found = uvloop.run(_tried(plan, database, pair))
    print(figures.table(found))
    _write(options.json, found)
    return 1 if found.broken else 0


def _write(path: Path | None, found: Any) -> None:
    if path is not None:
        path.write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")


if __name__ == "__main__":
    sys.exit(main())
