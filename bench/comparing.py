"""This checkout and another one, side by side."""

import argparse
import signal
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import uvloop

from bench import machine
from bench.doors.loads import DOORS
from bench.pace import BenchFailed, say

_TERMINATED = 143


def compared(
    about: str | None,
    title: str,
    figures: Callable[[list[str], list[Path | None]], Coroutine[Any, Any, dict[str, list[float]]]],
) -> int:
    """Print a figure of each door: of this checkout, and before it of another one, if one is named."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--door", action="append", choices=[*DOORS], help="only this one; may be repeated")
    parser.add_argument(
        "--tree", type=Path, metavar="CHECKOUT", help="another checkout of Gamut, with its own .venv"
    )
    options = parser.parse_args()
    machine.raise_limits()
    # Like Ctrl-C: servers and folders go with whoever is told to end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(_TERMINATED))
    trees = [None] if options.tree is None else [options.tree.resolve(), None]
    try:
        found = uvloop.run(figures(options.door or [*DOORS], trees))
    except BenchFailed as failed:
        say(f"NOT MEASURED: {failed}")
        return 1
    print(title)
    for door, row in found.items():
        change = f"  {row[-1] / row[0] - 1:+.1%}" if len(row) > 1 else ""
        print(f"{door:<18}{' -> '.join(f'{figure:>11,.1f}' for figure in row)}{change}")
    return 0
