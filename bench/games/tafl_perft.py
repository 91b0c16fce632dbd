"""How quickly the rules of Tafl are played, and whether every recorded count is right.

Each line is one set of rules: all sequences of so many moves, counted one position after the other, with how every game
ends. Nothing is skipped that a game at a table would need, but for the repetition of positions.
"""

import argparse
import json
import sys
from pathlib import Path
from time import process_time

from gamut.games.tafl.compiled import Compiled, compiled
from gamut.games.tafl.endings import ending
from gamut.games.tafl.play import after, moves
from gamut.games.tafl.position import Position

RECORDED = Path(__file__).parents[2] / "tests" / "vectors" / "tafl" / "perft.json"
Count = tuple[int, int, int]


def perft(on: Compiled, position: Position, depth: int) -> Count:
    """Sequences of so many moves, and how many of them end with a capture or with the game."""
    nodes = captures = ended = 0
    for move in moves(on, position):
        following = after(on, position, move)
        end = ending(on, following)
        # Elsewhere nobody loses for having no move.
        over = end is not None and end.reason != "no_moves"
        if depth == 1:
            nodes += 1
            captures += following.captured != 0
            ended += over
        elif not over:
            below = perft(on, following, depth - 1)
            nodes, captures, ended = nodes + below[0], captures + below[1], ended + below[2]
    return nodes, captures, ended


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.games.tafl_perft", description=__doc__)
    parser.add_argument("--most", type=int, default=10**9, metavar="NODES", help="leave out what is larger")
    parser.add_argument("--only", default="", metavar="NAME", help="rules whose name begins like this")
    options = parser.parse_args()
    wrong = 0
    for case in json.loads(RECORDED.read_text(encoding="utf-8")):
        if not case["id"].startswith(options.only):
            continue
        rows = [row for row in case["perft"] if row["nodes"] <= options.most]
        for row in rows[-1:]:
            on = compiled(case["rules"])
            began = process_time()
            found = perft(on, on.start(), row["depth"])
            seconds = process_time() - began
            right = found == (row["nodes"], row["captures"], row["ended"])
            wrong += not right
            rate = found[0] / max(seconds, 1e-9)
            print(f"{case['id']:<42} {row['depth']} {found[0]:>9} {rate:>9.0f}/s {'' if right else 'WRONG'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
