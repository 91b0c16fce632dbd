"""What a tile in a hand would do if it were played now. It follows from the board, so nobody has to remember it."""

from collections.abc import Sequence

from gamut.games.acquire.board import ALONE, CHAIN_OF, DEAD, EMPTY, LETTERS, NEIGHBOURS, SAFE

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


def a_chain_is_free(board: str) -> bool:
    """Whether some chain has no cell on the board."""
    return not all(letter in board for letter in LETTERS)


def chains_around(board: str, tile: int) -> list[int]:
    """The chains that a tile touches, by number."""
    return sorted({CHAIN_OF[board[near]] for near in NEIGHBOURS[tile] if board[near] in CHAIN_OF})


def kind_of(board: str, tile: int) -> str:
    """One of the letters above, or that of the chain which it would extend. The rest of the hand is not looked at."""
    around = {board[near] for near in NEIGHBOURS[tile]}
    around -= _NOTHING
    if not around:
        return LONELY
    if len(around) > 1:
        around.discard(ALONE)
        if len(around) > 1:
            safe = [letter for letter in around if board.count(letter) >= SAFE]
            return NEVER if len(safe) > 1 else MERGES
    (only,) = around
    if only == ALONE:
        return FORMS if a_chain_is_free(board) else NOT_NOW
    return only


_NOTHING = frozenset((EMPTY, DEAD))


def rack_kinds(board: str, rack: Rack) -> str:
    """The kind of each tile in a rack, slot by slot."""
    kinds = [NO_TILE if tile is None else kind_of(board, tile) for tile in rack]
    if a_chain_is_free(board):
        lonely = {tile for tile, kind in zip(rack, kinds, strict=True) if kind == LONELY and tile is not None}
        for slot, tile in enumerate(rack):
            if tile in lonely and not lonely.isdisjoint(NEIGHBOURS[tile]):
                kinds[slot] = NEIGHBOUR
    return "".join(kinds)


def playable(board: str, rack: Rack) -> list[int]:
    """The tiles of a rack that may be played, in the order of their slots."""
    return [tile for tile in rack if tile is not None and kind_of(board, tile) not in UNPLAYABLE]


def has_playable(board: str, rack: Sequence[int | None]) -> bool:
    return any(tile is not None and kind_of(board, tile) not in UNPLAYABLE for tile in rack)
