"""Run a real server for an evening: people through all doors, attacks beside them, faults at random moments.

After every start what it tells is compared with all that anybody was ever told. Nothing is left behind.
"""

import argparse
import signal
import sys
from contextlib import nullcontext
from random import SystemRandom

import msgspec
import uvloop
from tests.support.nats import Nats

from bench import machine
from bench.attacks.catalogue import ATTACKS
from bench.cluster.options import some
from bench.pace import say
from bench.servers.gamut import DataFolder
from bench.soak import figures
from bench.soak.evening import Plan, Soak
from bench.stores.database import Database

_INTERRUPTED = 130
_TERMINATED = 143


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.soak", description=__doc__, epilog="Through make: make soak ARGS='--minutes 60'"
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="how long it goes on (10)")
    parser.add_argument("--seed", type=int, default=None, help="of the people's and the faults' choices")
    parser.add_argument("--crowd", type=int, default=2, help="so many parties of each kind (2)")
    parser.add_argument("--attacks", default="all", help="names joined by commas, all, or none (all)")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL, which is restarted, too")
    parser.add_argument(
        "--wings", type=some, default=1, help="of the hall of a cluster on PostgreSQL, with 2 or more (1)"
    )
    options = parser.parse_args()
    every = tuple(
        name
        for name, attack in ATTACKS.items()
        if attack.past is None and not (attack.flags or attack.cluster or attack.wings)
    )
    chosen = {"all": every, "none": ()}.get(options.attacks, tuple(options.attacks.split(",")))
    if unknown := [name for name in chosen if name not in ATTACKS]:
        parser.error(f"no such attack: {', '.join(unknown)}; python -m bench.attacks --help names them")
    options.attacks = chosen
    return options


def _end(*_: object) -> None:
    sys.exit(_TERMINATED)


def main() -> int:
    options = _options()
    # Like Ctrl-C: the server and its folder go with whoever started them.
    signal.signal(signal.SIGTERM, _end)
    machine.raise_limits()
    seed = SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
    say(f"seed {seed}")
    is_cluster = options.wings > 1
    plan = Plan(seconds=options.minutes * 60, seed=seed, crowd=options.crowd, attacks=options.attacks)
    if is_cluster:
        plan = msgspec.structs.replace(plan, wings=options.wings, passing=1.0, clock_steps=0.0)
    try:
        with (
            DataFolder() as data,
            Database() if options.postgres or is_cluster else nullcontext() as database,
            Nats() if is_cluster else nullcontext() as nats,
        ):
            found = uvloop.run(Soak(plan, data, database, nats).run())
    except KeyboardInterrupt:
        say(f"soak: interrupted; the seed was {seed}")
        return _INTERRUPTED
    print(figures.table(found))
    return 1 if found.failed else 0


if __name__ == "__main__":
    sys.exit(main())
