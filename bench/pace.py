"""What the bench tells while it runs, and how long it takes for each thing."""

import sys

import msgspec


class BenchFailed(Exception):
    """There is nothing to measure. The message says why."""


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    seconds: float
    """How long each load is looked at."""
    connections: int
    tables: int
    """How many are weighed."""
    starts: int
    divisor: int
    """By how much smaller the ledger of the start-up is."""
    cascade_seconds: float
    """How long each kind of board is toppled on."""


THOROUGH = Pace(seconds=6.0, connections=4000, tables=2000, starts=3, divisor=1, cascade_seconds=0.5)
QUICK = Pace(seconds=2.0, connections=1500, tables=500, starts=1, divisor=10, cascade_seconds=0.1)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
