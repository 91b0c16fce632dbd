"""The process of one attack. It says "ready" when it is prepared, begins at a word on its standard input, and tells
what it was told."""

import asyncio
import os
import sys

import msgspec
import uvloop

from bench import machine
from bench.attacks.catalogue import ATTACKS
from bench.attacks.target import Target, Ways

_AFTERWARDS = 5.0
"""How much longer than it should an attack may take."""
_NICENESS = 10


class Told(msgspec.Struct, kw_only=True):
    told: dict[str, int]
    notes: list[str]
    broken: list[str]
    failed: str = ""
    """What went wrong with the attack itself: it was kept out, mostly."""


async def _attack(name: str, ways: Ways, seconds: float) -> Told:
    attack = ATTACKS[name]
    failed = ""
    limit = asyncio.timeout(attack.preparing)

    async def when_told() -> None:
        limit.reschedule(None)
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        limit.reschedule(asyncio.get_running_loop().time() + seconds + _AFTERWARDS)

    target = Target(ways, seconds, when_told)
    try:
        async with limit:
            await attack.run(target)
    except (OSError, TimeoutError) as error:
        failed = f"{type(error).__name__} {error}".strip()
    return Told(told=dict(target.told), notes=target.notes, broken=target.broken, failed=failed)


def main() -> int:
    name, ways, seconds = sys.argv[1:]
    machine.raise_limits()
    # The quiet players are measured on the same machine: they come first.
    os.nice(_NICENESS)
    told = uvloop.run(_attack(name, msgspec.json.decode(ways, type=Ways), float(seconds)))
    print(msgspec.json.encode(told).decode(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
