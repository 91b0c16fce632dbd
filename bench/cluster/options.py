"""What is asked of `make cluster`."""

import argparse
from collections.abc import Iterable
from pathlib import Path

FAULTS = {
    "kills": "kill -9 of the active node",
    "freezes": "SIGSTOP of the active node, until after the standby has taken over",
    "restarts": "immediate restarts of PostgreSQL",
    "drains": "gamut drain",
    "failovers": "the primary of PostgreSQL is killed and its synchronous standby promoted",
    "rollings": "all nodes that may have the hall are restarted, one after the other",
}
FAULTS_OF_GATEWAYS = {
    "gateway_kills": "kill -9 of a gateway",
    "gateway_stops": "SIGTERM to a gateway",
    "nats_restarts": "kill -9 of NATS, which is back after up to 3 s",
    "cuts": "the way between a gateway and NATS is cut for up to 3 s",
}
FAULT_OF_OWNERS = {"owner_cuts": "the way between the active node and NATS is cut until it has handed over"}
FAULT_OF_WINGS = {"moves": "gamut drain --wing: one wing goes to another node, and its own goes on"}

FAULTS_OF_NAMESPACES = {
    "isolations": "a node is cut off from everything for up to 4 s",
    "nats_partitions": "a node is cut off from NATS for up to 3 s",
    "postgres_partitions": "a node is cut off from PostgreSQL for up to 4 s",
}


def some(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def some_time(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError("more than 0")
    return number


def asked(description: str | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.cluster",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Through make: make cluster ARGS='--games 200 --kills 100 --freezes 50 --restarts 50 --failovers 20'"
        " or make cluster ARGS='--speed'",
    )
    parser.add_argument("--games", type=some, default=30, help="at the same time (30)")
    parser.add_argument("--pause", type=float, default=0.5, help="seconds for which somebody thinks (0.5)")
    parser.add_argument(
        "--peace", type=float, default=3.5, help="seconds before each fault, at the least (3.5)"
    )
    parser.add_argument("--seed", type=int, default=None, help="of the players' choices, and of chaos")
    for name, what in FAULTS.items():
        parser.add_argument(f"--{name}", type=int, default=2, help=f"{what} (2)")
    for name, what in (FAULTS_OF_GATEWAYS | FAULT_OF_OWNERS).items():
        flag = name.replace("_", "-")
        parser.add_argument(f"--{flag}", type=int, default=None, help=f"{what} (2 where there are gateways)")
    for name, what in FAULT_OF_WINGS.items():
        parser.add_argument(f"--{name}", type=int, default=None, help=f"{what} (2 where there are --wings)")
    for name, what in FAULTS_OF_NAMESPACES.items():
        flag = name.replace("_", "-")
        parser.add_argument(f"--{flag}", type=int, default=None, help=f"{what} (2 with --netns)")
    parser.add_argument(
        "--chaos",
        type=some_time,
        default=0.0,
        metavar="MINUTES",
        help="faults of any kind, by chance, for so long; numbers of faults are not looked at",
    )
    parser.add_argument("--every", type=some_time, default=5.0, metavar="SECONDS", help="one of these (5)")
    nodes = parser.add_mutually_exclusive_group()
    nodes.add_argument("--gateways", type=int, default=0, help="hold the sockets of the owners (0)")
    nodes.add_argument("--both", type=int, default=0, help="so many nodes that are owners and gateways (0)")
    parser.add_argument("--owners", type=int, default=None, help="behind gateways (2)")
    parser.add_argument(
        "--wings", type=some, default=1, help="of the hall, where there are --gateways or --both (1)"
    )
    parser.add_argument(
        "--netns",
        action="store_true",
        help="three nodes that are both (or --both), each in a network namespace, and so are all others; as root",
    )
    parser.add_argument(
        "--delay-ms", type=float, default=0.0, help="of the links of nodes with --netns, each way (0)"
    )
    parser.add_argument("--loss", type=float, default=0.0, help="of the packets on these links, of 100 (0)")
    parser.add_argument(
        "--speed",
        action="store_true",
        help="measure both stores, and with --gateways 1 an owner with a gateway; takes --tables and --turns",
    )
    parser.add_argument("--tables", type=some, default=500, help="of Tower, with --speed (500)")
    parser.add_argument("--turns", type=some, default=8, help="of each, with --speed (8)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every figure to this file")
    options = parser.parse_args()
    _check(parser, options)
    return options


def _check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    if options.netns and options.gateways:
        parser.error("--netns: takes nodes that are both")
    if options.netns:
        options.both = options.both or 3
    elif options.delay_ms or options.loss:
        parser.error("--delay-ms and --loss: with --netns")
    if options.delay_ms < 0 or not 0 <= options.loss < 100:
        parser.error("--delay-ms: at least 0; --loss: from 0 to less than 100")
    clustered = bool(options.gateways or options.both)
    if options.both == 1:
        parser.error("--both: one node has nobody who stands by")
    if options.owners is None:
        options.owners = 2
    elif not options.gateways:
        parser.error("--owners: where there are --gateways")
    elif options.owners < 2:
        parser.error("--owners: one owner has nobody who stands by")
    if options.wings > 1 and (options.speed or not clustered):
        parser.error("--wings: where there are --gateways or --both, and not with --speed")
    _only_where(parser, options, FAULTS_OF_GATEWAYS, clustered, "where there are --gateways or --both")
    _only_where(parser, options, FAULT_OF_WINGS, options.wings > 1, "where there are --wings")
    _only_where(parser, options, FAULTS_OF_NAMESPACES, options.netns, "with --netns")
    # Of two nodes that are both, the other one has only its own gateway to go by.
    unheard = clustered and options.both != 2 and not options.netns
    _only_where(
        parser, options, FAULT_OF_OWNERS, unheard, "where there are --gateways, or three that are --both"
    )
    if options.netns:
        # These are nats_partitions there.
        options.cuts = 0
    if options.speed and (options.both or options.gateways > 1):
        parser.error("--speed: takes one gateway")


def _only_where(
    parser: argparse.ArgumentParser, options: argparse.Namespace, faults: Iterable[str], so: bool, where: str
) -> None:
    for name in faults:
        if getattr(options, name) is None:
            setattr(options, name, 2 if so else 0)
        elif getattr(options, name) and not so:
            parser.error(f"--{name.replace('_', '-')}: {where}")
