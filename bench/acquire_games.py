"""How quickly the rules of Acquire are played: `python -m bench.acquire_games`.

Complete games of random players on one core: each action is chosen, checked, decided into an event, and the event makes
the next position, as at a table. The rate is by the time of the CPU.
"""

import argparse
from random import Random
from time import process_time
from typing import NamedTuple

from gamut.games.acquire.bag import by_chance
from gamut.games.acquire.bots import casual
from gamut.games.acquire.decide import begun, decided
from gamut.games.acquire.evolve import evolve
from gamut.games.acquire.options import MODES
from gamut.games.game import Seat


class Rate(NamedTuple):
    mode: str
    games: int
    actions: int
    seconds: float

    @property
    def games_per_second(self) -> int:
        return round(self.games / max(self.seconds, 1e-9))

    @property
    def actions_per_second(self) -> int:
        return round(self.actions / max(self.seconds, 1e-9))


def played(seats: int, teams: int, chance: Random) -> int:
    """The number of actions in one game."""
    draw = by_chance(chance)
    state = evolve(None, begun(seats, teams, Seat(0), draw))
    while state.next.action != "GameOver":
        seat = state.next.seat
        for event in decided(state, seat, casual(state, seat, chance), draw):
            state = evolve(state, event)
    return state.actions


def measure(mode: str, games: int, seed: int = 1) -> Rate:
    chance = Random(seed)
    rules = MODES[mode]
    began = process_time()
    actions = sum(played(rules.seats, rules.teams, chance) for _ in range(games))
    return Rate(mode, games, actions, process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.acquire_games", description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="of each mode")
    options = parser.parse_args()
    for mode in MODES:
        rate = measure(mode, options.games)
        print(
            f"{mode:<20} {rate.games_per_second:>6} games/s {rate.actions_per_second:>8} actions/s"
            f" {rate.actions / rate.games:>6.0f} actions in a game"
        )


if __name__ == "__main__":
    main()
