"""Attack a server from outside, in every way we know, and see what its quiet players feel of it.

For each attack a fresh server is started, on free ports of the loopback interface and with a data folder of its own.
A table of every door plays, first in peace, then while the attack runs in another process. Nothing is left behind.
An attack that is refused is a success of the server.
"""

import argparse
import signal
import sys

import msgspec
import uvloop

from bench import machine
from bench.attacks import report, siege
from bench.attacks.catalogue import ATTACKS, Attack
from bench.attacks.siege import Result
from bench.cluster.options import some
from bench.pace import BenchFailed, say

_INTERRUPTED = 130
_TERMINATED = 143


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.attacks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Through make: make attacks ARGS='pings pongs --seconds 4'. Attacks:\n"
        + "\n".join(f"  {attack.name}: {attack.about}" for attack in ATTACKS.values()),
    )
    parser.add_argument("names", nargs="*", metavar="NAMES", help="these attacks only")
    parser.add_argument("--seconds", type=float, default=8.0, help="how long each attack goes on (8)")
    parser.add_argument("--postgres", action="store_true", help="each server on a PostgreSQL of its own")
    parser.add_argument(
        "--gateway",
        action="store_true",
        help="each on a cluster of its own: an owner, and a gateway before it",
    )
    parser.add_argument(
        "--wings",
        type=some,
        default=1,
        help="of the hall behind the gateway, each with an owner of its own (1; more imply --gateway)",
    )
    parser.add_argument("--json", action="store_true", help="print every figure as JSON instead of the table")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in ATTACKS]
    if unknown:
        parser.error(f"no such attack: {', '.join(unknown)}; --help names them")
    options.gateway = options.gateway or options.wings > 1
    for name in options.names:
        if missing := _missing(ATTACKS[name], options):
            parser.error(f"{name}: only with {missing}")
    options.names = options.names or [name for name in ATTACKS if not _missing(ATTACKS[name], options)]
    return options


def _missing(attack: Attack, options: argparse.Namespace) -> str:
    """What has to be there for this attack, and is not."""
    if attack.wings and options.wings == 1:
        return "--wings 2 or more"
    return "--gateway" if attack.cluster and not options.gateway else ""


def _end(*_: object) -> None:
    sys.exit(_TERMINATED)


async def _run(
    names: list[str], seconds: float, *, postgres: bool, gateway: bool, wings: int
) -> tuple[list[Result], dict[str, str]]:
    results, skipped = [], {}
    for number, name in enumerate(names, 1):
        say(f"{number}/{len(names)} {name}: {ATTACKS[name].about}")
        try:
            result = await siege.lay(name, seconds, postgres=postgres, gateway=gateway, wings=wings)
        except (BenchFailed, OSError, TimeoutError) as failed:
            skipped[name] = f"{type(failed).__name__} {failed}"
            say(f"  NOT MEASURED: {failed}")
            continue
        results.append(result)
        say(f"  {report.row(result)}")
    return results, skipped


def main() -> int:
    options = _options()
    # Like Ctrl-C: the servers and folders go with whoever started them.
    signal.signal(signal.SIGTERM, _end)
    machine.raise_limits()
    try:
        results, skipped = uvloop.run(
            _run(
                options.names,
                options.seconds,
                postgres=options.postgres,
                gateway=options.gateway,
                wings=options.wings,
            )
        )
    except KeyboardInterrupt:
        say("attacks: interrupted")
        return _INTERRUPTED
    if options.json:
        print(msgspec.json.format(msgspec.json.encode({"results": results, "skipped": skipped})).decode())
    else:
        print(report.table(results, skipped))
    return 1 if skipped or any(result.verdicts for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
