"""A bot that looks one move ahead: it wins if it can, captures if it may, and else moves at random."""

from random import Random

from gamut.games.budget import UNLIMITED, Budget
from gamut.games.tafl.compiled import Compiled
from gamut.games.tafl.endings import ending
from gamut.games.tafl.play import after, moves
from gamut.games.tafl.position import Position

LEVELS = ("easy",)
_AT_ONCE = 8
"""Moves that are looked at between two looks at the clock."""


def choose(on: Compiled, position: Position, chance: Random, budget: Budget = UNLIMITED) -> int:
    possible = moves(on, position)
    chance.shuffle(possible)
    best, most = possible[0], -1
    work = budget.work(len(possible), _AT_ONCE)
    looked_at = 0
    while steps := work.next():
        for move in possible[looked_at : looked_at + steps]:
            worth = _worth(on, position, move)
            if worth > most:
                best, most = move, worth
        looked_at += steps
    return best


def _worth(on: Compiled, position: Position, move: int) -> int:
    following = after(on, position, move)
    end = ending(on, following)
    if end is not None and end.winner is not None:
        return 2 if end.winner == position.turn else -1
    return int(following.captured != 0)
