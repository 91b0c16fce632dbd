"""The server with Parlour, the card game of the tests, and the page that can show it: `gamut serve` in all else."""

import argparse
import asyncio
import os
import signal
import sys
from pathlib import Path

import uvloop
from tests.games.support.parlour import Parlour

from gamut.cli import read_settings
from gamut.games.game import AnyGame
from gamut.games.registry import all_games
from gamut.net import logs
from gamut.net.server import Server

PAGE = Path(__file__).parents[3] / "build" / "page-with-test-games"
"""Where `web/build.py` puts the page with the games of the tests."""


def games() -> dict[str, AnyGame]:
    return {**all_games(), "parlour": Parlour()}


async def serve(flags: dict[str, str]) -> None:
    settings = read_settings(flags, os.environ)
    logs.set_up(settings.log_level)
    server = Server(settings, games=games, page=PAGE)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, server.stopped.set)
    try:
        await server.start()
        sys.stdout.write(f"Gamut is open at http://127.0.0.1:{server.ports['main']}\n")
        sys.stdout.flush()
        await server.stopped.wait()
    finally:
        await server.stop()


def main() -> int:
    parser = argparse.ArgumentParser()
    for flag in ("--data", "--port", "--tower-port"):
        parser.add_argument(flag, required=True)
    uvloop.run(serve(vars(parser.parse_args())))
    return 0


if __name__ == "__main__":
    # Under its own name, by which the processes of the bots find `games` again.
    from tests.browser.support.parlour_server import main as started

    sys.exit(started())
