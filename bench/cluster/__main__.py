"""Run two nodes on one PostgreSQL through kills, freezes, restarts, drains and fail-overs, with games at all doors.

After every fault all that anybody was told is compared with what is stored. With --speed nothing goes wrong: one node
on SQLite and one on PostgreSQL are measured in turns. Nothing is left behind.
"""

import argparse
import asyncio
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
from bench.cluster.netns.namespaces import Namespaces
from bench.cluster.network import Network
from bench.cluster.options import (
    FAULT_OF_OWNERS,
    FAULT_OF_WINGS,
    FAULTS,
    FAULTS_OF_GATEWAYS,
    FAULTS_OF_NAMESPACES,
    asked,
)
from bench.cluster.pair import Pair
from bench.cluster.speed import figures as speed_figures
from bench.cluster.speed import measuring
from bench.cluster.trial import Plan, Trial
from bench.pace import BenchFailed, say
from bench.servers.gamut import DataFolder
from bench.stores.database import Database

_INTERRUPTED = 130
_ALL_FAULTS = FAULTS, FAULTS_OF_GATEWAYS, FAULT_OF_OWNERS, FAULT_OF_WINGS, FAULTS_OF_NAMESPACES
_TERMINATED = 143


def _end(*_: object) -> None:
    sys.exit(_TERMINATED)


async def _tried(plan: Plan, database: Database, pair: Pair) -> figures.Figures:
    this = asyncio.current_task()
    assert this is not None
    # What a callback raises, uvloop keeps to itself.
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)
    async with pair:
        return await Trial(plan, database, pair).run()


def main() -> int:
    options = asked(__doc__)
    # Like Ctrl-C: nodes, PostgreSQL and folders go with whoever started them.
    signal.signal(signal.SIGTERM, _end)
    machine.raise_limits()
    try:
        return _speed(options) if options.speed else _faults(options)
    except KeyboardInterrupt:
        say("cluster: interrupted")
        return _INTERRUPTED
    except asyncio.CancelledError:
        return _TERMINATED
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
        chaos=options.chaos,
        every=options.every,
        **{name: getattr(options, name) for faults in _ALL_FAULTS for name in faults},
    )
    say(f"seed {seed}")
    with ExitStack() as stack:
        network = stack.enter_context(_namespaces(options, seed)) if options.netns else Network()
        # Threads that this one starts are there, too.
        stack.enter_context(network.players.entered())
        data, database = stack.enter_context(DataFolder()), stack.enter_context(Database(network.postgres))
        if options.gateways or options.both:
            with network.nats.entered():
                nats = stack.enter_context(Nats(settings={"host": network.nats.address}))
            pair: Pair = Gateways(
                database,
                data,
                nats,
                owners=options.owners,
                gateways=options.gateways,
                both=options.both,
                wings=options.wings,
                cuts=bool(options.netns or options.chaos or options.cuts or options.owner_cuts),
                network=network,
            )
        else:
            pair = Pair(database, data)
        found = uvloop.run(_tried(plan, database, pair))
    print(figures.table(found))
    _write(options.json, found)
    return 1 if found.broken else 0


def _namespaces(options: argparse.Namespace, seed: int) -> Namespaces:
    return Namespaces(options.both, delay_ms=options.delay_ms, loss=options.loss, seed=seed)


def _write(path: Path | None, found: Any) -> None:
    if path is not None:
        path.write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")


if __name__ == "__main__":
    sys.exit(main())
