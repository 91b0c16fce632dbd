"""How quickly Power Chess is played, and whether every recorded count is right.

All sequences of so many moves are counted one position after the other: each is made, also the last ones. The recorded
positions are chess without check. The others have powers on them: boxes, shields, holes, nets, awakened pieces and
Energize, of which some end on the way. There a box that is taken is not opened, and a net takes its piece to the first
vacant square.
"""

import argparse
import json
import sys
from pathlib import Path
from time import thread_time

import msgspec

from bench.pace import Pace, say
from gamut.games.powerchess.effects import Effects
from gamut.games.powerchess.fen import START, parse_fen
from gamut.games.powerchess.moves import moves
from gamut.games.powerchess.pieces import KNIGHT, QUEEN_OF, WHITE
from gamut.games.powerchess.play import after, refuges
from gamut.games.powerchess.position import Position
from gamut.games.powerchess.squares import BIT, NOWHERE, square_named

RECORDED = Path(__file__).parents[2] / "tests" / "vectors" / "powerchess" / "perft.json"
TARGET = 200_000
"""Positions a second by the base rules: what a chess library for Python gets to when it makes every move."""
_DEPTH = 3
_BUSY = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


class Rates(msgspec.Struct, frozen=True):
    base: int
    with_powers: int


def perft(position: Position, depth: int) -> int:
    """Sequences of so many MOVEs; without a king nobody moves."""
    if position.winner is not None:
        return 0
    nodes = 0
    for move in moves(position):
        homes = refuges(position, move)
        following = after(position, move, refuge=homes[0] if homes else NOWHERE)
        if following.chosen_for != NOWHERE:
            following.turn = 0 if position.turn else 1
            following.chosen_for = NOWHERE
        nodes += 1 if depth == 1 else perft(following, depth - 1)
    return nodes


def with_powers(fen: str) -> Position:
    """The same position in the middle of it all."""
    plain = parse_fen(fen)
    at = {name: square_named(name) for name in ("b1", "c3", "e2", "e7", "d7", "a3", "h5", "d4", "c5", "f5")}
    board = bytearray(plain.board)
    knight = at["c3"] if board[at["c3"]] else at["b1"]
    assert board[knight] == KNIGHT
    board[knight] = QUEEN_OF[WHITE]
    effects = Effects(
        shields={at["e7"]: 2, at["e2"]: 6},
        guards={knight: 1},
        awakened={knight: (3, KNIGHT)},
        nets=BIT[at["d7"]],
        holes={at["a3"]: 1, at["h5"]: 12},
        energized=(2, 0),
    )
    boxes = {at["d4"]: 0, at["c5"]: 1, at["f5"]: 2}
    return Position.of(bytes(board), plain.turn, plain.castling, effects=effects, boxes=boxes)


def _rate(positions: list[Position], seconds: float) -> int:
    began, nodes = thread_time(), 0
    while (spent := thread_time() - began) < seconds:
        for position in positions:
            nodes += perft(position, 2)
    return round(nodes / spent)


async def run(pace: Pace) -> Rates:
    say("Power Chess: perft by the base rules, and with powers")
    fens = (START, _BUSY)
    return Rates(
        _rate([parse_fen(fen) for fen in fens], pace.cascade_seconds),
        _rate([with_powers(fen) for fen in fens], pace.cascade_seconds),
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.games.powerchess_perft", description=__doc__)
    parser.parse_args()
    wrong = 0
    for case in json.loads(RECORDED.read_text(encoding="utf-8"))["positions"]:
        nodes, rate = _timed(parse_fen(case["fen"]))
        right = nodes == case["perft"][_DEPTH - 1]
        wrong += not right
        print(f"{case['fen']:<72} {nodes:>9} {rate:>9.0f}/s {'' if right else 'WRONG'}")
    for fen in (START, _BUSY):
        nodes, rate = _timed(with_powers(fen))
        print(f"{fen + ' with powers':<72} {nodes:>9} {rate:>9.0f}/s")
    return 1 if wrong else 0


def _timed(position: Position) -> tuple[int, float]:
    began = thread_time()
    nodes = perft(position, _DEPTH)
    return nodes, nodes / max(thread_time() - began, 1e-9)


if __name__ == "__main__":
    sys.exit(main())
