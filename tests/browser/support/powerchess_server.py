"""The server with a Power Chess in which chance is written down: `gamut serve` in all else."""

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from random import Random

import uvloop

from gamut.cli import read_settings
from gamut.games.game import AnyGame, Seat
from gamut.games.powerchess.arranging import Arrangement
from gamut.games.powerchess.decide import decided
from gamut.games.powerchess.draws import ChanceDraws
from gamut.games.powerchess.powers import PowerName, Rarity
from gamut.games.powerchess.rules import PowerChess
from gamut.games.powerchess.squares import square_named
from gamut.games.powerchess.state import Action, Event, Offer, PowerChessState
from gamut.games.registry import all_games
from gamut.net import logs
from gamut.net.server import Server

BOXES: dict[int, tuple[str, Rarity]] = {
    2: ("e5", "common"),
    6: ("d4", "rare"),
    8: ("f3", "legendary"),
}
"""With which moves a box comes, where, and which."""
OFFERS: dict[str, Offer] = {
    "shield": ("shield", "swap"),
    "energize": ("energize", "black_hole"),
    "awaken": ("awaken", "armageddon"),
}
"""Which two powers are offered, if this one is among those that could be used."""


class WrittenDraws(ChanceDraws):
    """Boxes and offers are as above; all else is chance."""

    def __init__(self, ply: int, chance: Random) -> None:
        super().__init__(chance)
        self._ply = ply

    def box_is_due(self, waited: int) -> bool:
        return self._ply in BOXES

    def box(self, squares: Sequence[int]) -> tuple[int, Rarity]:
        name, rarity = BOXES[self._ply]
        return square_named(name), rarity

    def offer(self, powers: Sequence[PowerName]) -> Offer:
        return next(offer for power, offer in OFFERS.items() if power in powers)


class WrittenPowerChess(PowerChess):
    def decide(
        self, state: PowerChessState, seat: Seat, action: Action | Arrangement, chance: Random
    ) -> Sequence[Event]:
        assert not isinstance(action, Arrangement)
        return decided(state, seat, action, WrittenDraws(state.ply + 1, chance))


def games() -> dict[str, AnyGame]:
    return {**all_games(), "powerchess": WrittenPowerChess()}


async def serve(flags: dict[str, str]) -> None:
    settings = read_settings(flags, os.environ)
    logs.set_up(settings.log_level)
    server = Server(settings, games=games)
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
    from tests.browser.support.powerchess_server import main as started

    sys.exit(started())
