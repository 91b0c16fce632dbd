"""Gamut's benchmarks: `make bench`, or `python -m bench` from the root of the repository."""

import argparse
import signal
import sys
from pathlib import Path

import msgspec
import uvloop

from bench import machine, throughput
from bench.report import Pace


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="shorter measurements, noisier figures")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every figure to this file")
    return parser.parse_args()


def _end(*_: object) -> None:
    sys.exit(143)


def main() -> None:
    options = _options()
    # So that the servers and folders of a bench that is told to end go with it.
    signal.signal(signal.SIGTERM, _end)
    machine.raise_limits()
    machine.run_on(machine.GENERATOR_CORE)
    figures = uvloop.run(throughput.run(Pace(2.0 if options.quick else 6.0)))
    text = msgspec.json.format(msgspec.json.encode(figures))
    print(text.decode())
    if options.json:
        options.json.write_bytes(text)


if __name__ == "__main__":
    main()
