"""How quickly the rules of Acquire are played: `python -m bench.games.acquire_games`.

Complete games of random players on one core: each action is chosen, checked and decided into an event, and the event
makes the next position, as at a table. The rate is by the time of the CPU.
"""

import argparse
from random import Random
from time import thread_time

import msgspec

from bench.pace import Pace, say
from gamut.games.acquire.options import MODES, AcquireOptions, ModeName
from gamut.games.acquire.rules import Acquire
from gamut.games.acquire.state import AcquireState, Event

TARGET = 40_000
"""Actions a second, whatever the mode."""


class Playing(msgspec.Struct, frozen=True):
    mode: str
    games_per_second: int
    actions_per_second: int
    actions_each: int


def _played(game: Acquire, options: AcquireOptions, chance: Random) -> int:
    """The number of actions in one game."""
    state: AcquireState | None = None
    events: list[Event] = list(game.begin(options, options.rules.seats, chance))
    while True:
        for event in events:
            state = game.evolve(state, event)
        assert state is not None
        if game.outcome(state) is not None:
            return state.actions
        seat = state.next.seat
        events = list(game.decide(state, seat, game.choose(state, seat, "casual", chance), chance))


def measured(mode: ModeName, seconds: float) -> Playing:
    game, options, chance = Acquire(), AcquireOptions(mode=mode), Random(mode)
    games = actions = 0
    began = thread_time()
    while (spent := thread_time() - began) < seconds:
        actions += _played(game, options, chance)
        games += 1
    return Playing(mode, round(games / spent), round(actions / spent), round(actions / games))


async def run(pace: Pace) -> list[Playing]:
    say("Acquire: complete random games, mode by mode")
    return [measured(mode, pace.cascade_seconds) for mode in MODES]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.games.acquire_games", description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="of CPU for each mode")
    options = parser.parse_args()
    for mode in MODES:
        found = measured(mode, options.seconds)
        print(
            f"{mode:<18} {found.games_per_second:>6} games/s {found.actions_per_second:>8} actions/s"
            f" {found.actions_each:>5} actions in a game"
        )


if __name__ == "__main__":
    main()
