"""What the bench tells: progress on stderr, the table on stdout."""

import sys

import msgspec


class Pace(msgspec.Struct, frozen=True):
    """How long to look."""

    seconds: float


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
