"""The board: 9 rows by 12 columns, seven chains, and what a share costs.

A board is a text of 108 characters, one for each tile in the order of their numbers: down the rows, then on to the next
column. A text is quick to copy, to search and to count in, and people can read it.
"""

ROWS, COLUMNS = 9, 12
TILES = ROWS * COLUMNS

CHAINS = ("Luxor", "Tower", "American", "Festival", "Worldwide", "Continental", "Imperial")
LETTERS = "LTAFWCI"
"""A cell of each chain, in the order of the chains' numbers."""
CHAIN_OF = {letter: chain for chain, letter in enumerate(LETTERS)}
EMPTY = "."
ALONE = "O"
"""A tile that belongs to no chain."""
DEAD = "#"
"""Where a tile could never be played, and was laid aside. It counts as empty for its neighbours."""
BARE = EMPTY * TILES

SAFE = 11
"""A chain of this size is never swallowed."""
LARGE = 41
"""A chain of this size is enough to end the game."""
SHARES = 25
"""Of each chain."""
RACK = 6
"""Slots for the tiles in a hand."""

_TIERS = (0, 0, 1, 1, 1, 2, 2)
"""What a share costs more than one of Luxor, by chain."""
_STEPS = (41, 31, 21, 11, 6, 5, 4, 3, 2)
"""The smallest size at each price, dearest first."""


def _price(chain: int, size: int) -> int:
    for step, least in enumerate(_STEPS):
        if size >= least:
            return 10 - step + _TIERS[chain]
    return 0


PRICES = tuple(tuple(_price(chain, size) for size in range(TILES + 1)) for chain in range(len(CHAINS)))
"""By chain and size, in hundreds of dollars."""


def _neighbours(tile: int) -> tuple[int, ...]:
    column, row = divmod(tile, ROWS)
    around = ((column - 1, row), (column, row - 1), (column, row + 1), (column + 1, row))
    return tuple(c * ROWS + r for c, r in around if 0 <= c < COLUMNS and 0 <= r < ROWS)


NEIGHBOURS = tuple(map(_neighbours, range(TILES)))
"""Of each tile, those that share an edge with it."""


def tile_name(tile: int) -> str:
    """As players say it, such as 1A or 12I."""
    return f"{tile // ROWS + 1}{'ABCDEFGHI'[tile % ROWS]}"


def rows_of(board: str) -> list[str]:
    """The board as people see it: rows A to I, from the first column to the last."""
    return [board[row::ROWS] for row in range(ROWS)]


def alone_around(board: str, tile: int) -> list[int]:
    """The tile, and all tiles without a chain that are connected to it through such tiles."""
    found = [tile]
    for place in found:
        found += [near for near in NEIGHBOURS[place] if board[near] == ALONE and near not in found]
    return found


def painted(board: str, tiles: list[int], cell: str) -> str:
    """The board with all these tiles as this kind of cell."""
    if len(tiles) == 1:
        tile = tiles[0]
        return board[:tile] + cell + board[tile + 1 :]
    cells = list(board)
    for tile in tiles:
        cells[tile] = cell
    return "".join(cells)
