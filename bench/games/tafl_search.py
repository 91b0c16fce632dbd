"""How quickly Tafl's rules are played and its strong bot looks ahead, for each variant; on one core, in CPU time.

Perft plays every sequence of so many moves. The search is the strong bot's, from the start and from a few positions
into a game; a node is a position that was reached by making a move.
"""

from collections.abc import Iterator
from random import Random
from time import thread_time

import msgspec

from bench.games.tafl_perft import perft
from bench.pace import Pace, say
from gamut.games.budget import Budget
from gamut.games.tafl.bots import AT_ONCE
from gamut.games.tafl.compiled import Compiled, compiled
from gamut.games.tafl.endings import ending
from gamut.games.tafl.play import after, moves
from gamut.games.tafl.position import Position
from gamut.games.tafl.search import Search
from gamut.games.tafl.variants import VARIANTS

TARGETS = {"brandub": 50_000, "copenhagen": 15_000}
"""Nodes of search a second."""
_DEPTH = 2
_PLIES = (0, 8, 16)
_NODES = 10_000
"""Of each search: about what a bot has for a move."""


class Searching(msgspec.Struct, frozen=True):
    variant: str
    perft_per_second: int
    nodes_per_second: int
    depth: float
    """How many moves ahead all was looked at, on average."""


def _positions(on: Compiled) -> Iterator[Position]:
    """The start, and positions some random moves into a game."""
    for plies in _PLIES:
        chance, position = Random(f"{on.written.title} {plies}"), on.start()
        for _ in range(plies):
            following = after(on, position, chance.choice(moves(on, position)))
            if ending(on, following) is not None:
                break
            position = following
        yield position


def measured(name: str, rules: str, seconds: float) -> Searching:
    on = compiled(rules)
    began, counted = thread_time(), 0
    while (spent := thread_time() - began) < seconds:
        counted += perft(on, on.start(), _DEPTH)[0]
    per_second = round(counted / spent)
    nodes, depths, searches = 0, 0, 0
    began = thread_time()
    while (spent := thread_time() - began) < seconds:
        for position in _positions(on):
            search = Search(on, Budget(nodes=_NODES).work(0, AT_ONCE))
            depths += search.best(position, Random(1)).depth
            nodes += search.nodes
            searches += 1
    return Searching(name, per_second, round(nodes / spent), round(depths / searches, 1))


async def run(pace: Pace) -> list[Searching]:
    say("Tafl: perft and search, variant by variant")
    return [measured(variant.name, variant.rules, pace.cascade_seconds) for variant in VARIANTS]
