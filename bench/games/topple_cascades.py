"""How many cascades a second: one move each on random dense boards, for every topology and some sizes."""

from collections.abc import Iterator
from random import Random
from time import thread_time

import msgspec

from gamut.games.topple.cascade import cascade
from gamut.games.topple.topology import TOPOLOGIES, Field, described, field

SIDES = (6, 15, 36)
_BOARDS = 64


class Cascades(msgspec.Struct, frozen=True):
    """What was measured on boards of one kind."""

    board: str
    per_second: int
    topples_per_second: int
    topples_each: float
    """How much a move sets off on average; the more, the fewer cascades fit into a second."""


class _Start(msgspec.Struct, frozen=True):
    board: bytes
    owners: bytes
    owned: tuple[int, ...]
    tile: int


def _starts(on: Field, chance: Random) -> Iterator[_Start]:
    """Boards shortly before the end: two teams, every tile full or one piece short of it, and a full one to move."""
    while True:
        board = bytes(chance.randint(max(1, limit - 1), limit) for limit in on.limits)
        owners = bytes(chance.randint(1, 2) for _ in range(on.tiles))
        full = [tile for tile in range(on.tiles) if owners[tile] == 1 and board[tile] == on.limits[tile]]
        if full:
            yield _Start(board, owners, (0, owners.count(1), owners.count(2)), chance.choice(full))


def measured(topology: int, side: int, seconds: float) -> Cascades:
    """Play the same boards again and again for this many seconds of CPU."""
    on = field(topology, side, side)
    starts = _starts(on, Random(f"{topology} {side}"))
    boards = [next(starts) for _ in range(_BOARDS)]
    count = topples = 0
    began = thread_time()
    while (spent := thread_time() - began) < seconds:
        for start in boards:
            topples += cascade(
                on, bytearray(start.board), bytearray(start.owners), list(start.owned), start.tile, 1
            )[0]
        count += len(boards)
    return Cascades(
        board=described(topology, side, side),
        per_second=round(count / spent),
        topples_per_second=round(topples / spent),
        topples_each=round(topples / count, 1),
    )


def run(seconds: float = 1.0) -> list[Cascades]:
    return [measured(topology, side, seconds) for side in SIDES for topology in range(len(TOPOLOGIES))]


def main() -> None:
    """Print a table; `python -m bench.games.topple_cascades` from the root of the repository."""
    print(f"{'board':<16} {'cascades/s':>12} {'topples/s':>12} {'topples each':>14}")
    for row in run():
        print(
            f"{row.board:<16} {row.per_second:>12,} {row.topples_per_second:>12,} {row.topples_each:>14.1f}"
        )


if __name__ == "__main__":
    main()
