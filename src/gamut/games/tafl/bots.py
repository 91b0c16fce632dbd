"""A bot that looks one move ahead: it wins if it can, captures if it may, and else moves at random."""

from random import Random

from gamut.games.tafl.compiled import Compiled
from gamut.games.tafl.endings import ending
from gamut.games.tafl.play import after, moves
from gamut.games.tafl.position import Position

LEVELS = ("easy",)


def choose(on: Compiled, position: Position, chance: Random) -> int:
    possible = moves(on, position)
    chance.shuffle(possible)
    best, worth = possible[0], -2
    for move in possible:
        following = after(on, position, move)
        end = ending(on, following)
        if end is not None and end.winner == position.turn:
            return move
        value = -1 if end is not None and end.winner is not None else int(following.captured != 0)
        if value > worth:
            best, worth = move, value
    return best
