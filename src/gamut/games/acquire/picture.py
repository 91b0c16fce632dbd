"""The city plan of Acquire as a link shows it: chains and lone tiles. Hands, money and shares are not in it."""

from gamut.games.acquire.board import ALONE, CHAIN_OF, COLUMNS, ROWS
from gamut.games.picture import GROOVE, TILE, Mark, Picture, Shape, rectangle

MARK = Mark(((5, 0.4), (9, 2.7), (9, 7.3), (5, 9.6), (1, 7.3), (1, 2.7)), 0xD9A325)

_CHAINS = (0xC8362F, 0xF2C230, 0x3560C4, 0x1F7A43, 0x85522F, 0x45BCC9, 0xE07BB0)
_HOUSE = 0x6B7280


def picture(board: str) -> Picture:
    shapes: list[Shape] = [rectangle(0, 0, 10 * COLUMNS + 1, 10 * ROWS + 1, GROOVE)]
    for tile, cell in enumerate(board):
        column, row = divmod(tile, ROWS)
        left, top = 10 * column + 0.5, 10 * row + 0.5
        chain = CHAIN_OF.get(cell)
        if chain is not None:
            # No seams within a chain: it reaches over to a neighbour of its own.
            right = board[tile + ROWS] == cell if column < COLUMNS - 1 else False
            below = board[tile + 1] == cell if row < ROWS - 1 else False
            width, height = (10.4 if right else 9.2), (10.4 if below else 9.2)
            shapes.append(rectangle(left + 0.4, top + 0.4, width, 9.2, _CHAINS[chain]))
            shapes.append(rectangle(left + 0.4, top + 0.4, 9.2, height, _CHAINS[chain]))
            if right and below and board[tile + ROWS + 1] == cell:
                shapes.append(rectangle(left + 0.4, top + 0.4, width, height, _CHAINS[chain]))
        else:
            shapes.append(rectangle(left + 0.4, top + 0.4, 9.2, 9.2, TILE))
            if cell == ALONE:
                shapes.append(rectangle(left + 2.2, top + 2.2, 5.6, 5.6, _HOUSE))
    return Picture(10 * COLUMNS + 1, 10 * ROWS + 1, tuple(shapes))
