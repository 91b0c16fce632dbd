"""Lines of Power Chess as whoever reviews a game tells them back: who did what, and what chance made of it."""

from random import Random
from typing import Any

from msgspec import to_builtins

from gamut.games.powerchess.rules import PowerChess

_GAMES = 30

Line = list[list[Any]]
"""What `/api/powerchess/position` takes as `actions`."""


def long_line(seed: int) -> Line:
    """The longest of some games that are played at random."""
    chance = Random(seed)
    return max((_played(chance) for _ in range(_GAMES)), key=len)


def _played(chance: Random) -> Line:
    game = PowerChess()
    options = game.options_type()
    state = game.replay(game.begin(options, game.seats_for(options)[-1], Random(0)))
    line: Line = []
    while awaited := game.awaited(state):
        action = chance.choice(game.legal(state, awaited[0]))
        events = game.decide(state, awaited[0], action, chance)
        line.append([awaited[0], *map(to_builtins, (action, events))])
        for event in events:
            state = game.evolve(state, event)
    return line[:-1]
