"""What a tile in a hand would do if it were played now. It follows from the board, so nobody has to remember it."""

from collections.abc import Iterable, Sequence
from functools import cache
from operator import itemgetter

from gamut.games.acquire.board import ALONE, CHAIN_OF, DEAD, LETTERS, NEIGHBOURS, SAFE

LONELY = "l"
"""It touches nothing."""
NEIGHBOUR = "h"
"""It touches nothing but another such tile of the same hand, and together they could form a chain."""
FORMS = "n"
MERGES = "m"
NOT_NOW = "c"
"""It would form a chain, but all seven are on the board."""
NEVER = DEAD
"""It would merge safe chains."""
NO_TILE = "-"
UNPLAYABLE = NOT_NOW + NEVER

Rack = tuple[int | None, ...]
"""Six slots. None: empty."""
UNSEEN = 108
"""A tile in a rack that the viewer does not see."""


_CELLS_AROUND = tuple(itemgetter(*around) for around in NEIGHBOURS)
"""Of each tile, what takes the cells beside it from a board."""


@cache
def _touched(cells: tuple[str, ...]) -> str:
    """What a tile beside these cells touches: the letters of chains in their order, or ALONE if there are none.

    There are only so many kinds of cells, and every board asks for the same few combinations again and again.
    """
    chains = "".join([letter for letter in LETTERS if letter in cells])
    return chains or (ALONE if ALONE in cells else "")


def a_chain_is_free(board: str) -> bool:
    """Whether some chain has no cell on the board."""
    for letter in LETTERS:  # noqa: SIM110 - asked of many tiles, and a generator takes longer
        if letter not in board:
            return True
    return False


def chains_around(board: str, tile: int) -> list[int]:
    """The chains that a tile touches, by number."""
    touched = _touched(_CELLS_AROUND[tile](board))
    return [] if touched == ALONE else [CHAIN_OF[letter] for letter in touched]


def kind_of(board: str, tile: int) -> str:
    """One of the letters above, or that of the chain which it would extend. The rest of the hand is not looked at."""
    touched = _touched(_CELLS_AROUND[tile](board))
    if not touched:
        return LONELY
    if len(touched) > 1:
        safe = [letter for letter in touched if board.count(letter) >= SAFE]
        return NEVER if len(safe) > 1 else MERGES
    if touched == ALONE:
        return FORMS if a_chain_is_free(board) else NOT_NOW
    return touched


class Kinds(dict[int | None, str]):
    """The kind of each tile by itself, worked out when it is asked for. As the board changes, those that cannot be
    another kind now are kept."""

    __slots__ = ("_everywhere", "board")

    def __init__(self, board: str) -> None:
        self[None] = NO_TILE
        self.board = board
        self._everywhere = _everywhere(board)

    def __missing__(self, tile: int) -> str:
        kind = self[tile] = kind_of(self.board, tile)
        return kind

    def of_rack(self, rack: Rack) -> str:
        """The kind of each tile in a rack, slot by slot."""
        kinds = list(map(self.__getitem__, rack))
        if kinds.count(LONELY) > 1 and self._everywhere[0]:
            lonely = {tile: slot for slot, tile in enumerate(rack) if kinds[slot] == LONELY}
            for tile, slot in lonely.items():
                for beside in NEIGHBOURS[tile]:  # type: ignore[index]
                    if beside in lonely:
                        kinds[slot] = NEIGHBOUR
        return "".join(kinds)

    def change(self, board: str, cells: Iterable[tuple[int, str]]) -> set[int] | None:
        """The board has these new cells. Gives the tiles that may be of another kind now.

        None: it may be any of them, for whether a chain is safe, or free, counts everywhere.
        """
        self.board = board
        near: set[int] = set()
        grown = False
        for tile, cell in cells:
            near.update(NEIGHBOURS[tile])
            grown = grown or cell in CHAIN_OF
        if grown:
            everywhere = _everywhere(board)
            if everywhere != self._everywhere:
                self._everywhere = everywhere
                self.clear()
                self[None] = NO_TILE
                return None
        for tile in near:
            self.pop(tile, None)
        return near


def rack_kinds(board: str, rack: Rack) -> str:
    """The kind of each tile in a rack, slot by slot."""
    return Kinds(board).of_rack(rack)


def _everywhere(board: str) -> tuple[bool, list[bool]]:
    """What counts for all tiles: whether a chain is free, and which ones are safe."""
    sizes = list(map(board.count, LETTERS))
    return 0 in sizes, [size >= SAFE for size in sizes]


def playable(board: str, rack: Rack) -> list[int]:
    """The tiles of a rack that may be played, in the order of their slots."""
    return [tile for tile in rack if tile is not None and kind_of(board, tile) not in UNPLAYABLE]


def has_playable(board: str, rack: Sequence[int | None]) -> bool:
    return any(tile is not None and kind_of(board, tile) not in UNPLAYABLE for tile in rack)
