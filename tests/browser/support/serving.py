"""`gamut serve` with other games or another page than the product's."""

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import uvloop

from gamut.cli import read_settings
from gamut.games.game import AnyGame
from gamut.net import logs
from gamut.net.http.pages import built_page
from gamut.net.server import Server

Games = Callable[[], Mapping[str, AnyGame]]


async def _serve(flags: dict[str, str], games: Games, page: Path | None) -> None:
    settings = read_settings(flags, os.environ)
    logs.set_up(settings.log_level)
    server = Server(settings, games, built_page(page))
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, server.stopped.set)
    try:
        await server.start()
        sys.stdout.write(f"Gamut is open at http://127.0.0.1:{server.ports['main']}\n")
        sys.stdout.flush()
        await server.stopped.wait()
    finally:
        await server.stop()


def serve(games: Games, page: Path | None = None) -> None:
    """With these games: a function of some module, where the processes of the bots find it, too."""
    parser = argparse.ArgumentParser()
    for flag in ("--data", "--port", "--tower-port"):
        parser.add_argument(flag, required=True)
    uvloop.run(_serve(vars(parser.parse_args()), games, page))
