"""Positions in the notation of chess: the placement of the pieces, and the fields that follow it."""

from gamut.games.game import BadText
from gamut.games.powerchess.pieces import BLACK, NOTHING, PIECES, WHITE
from gamut.games.powerchess.position import Position
from gamut.games.powerchess.squares import NOWHERE, square_named

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
RIGHTS = "KQkq"


def parse_fen(text: str) -> Position:
    """Placement, side, castling and the square that was skipped; what follows is left alone. Raises BadText."""
    fields = text.split()
    if len(fields) < 4:
        raise BadText("A position has pieces, the side to move, rights to castle and a skipped square.", 1, 1)
    placement, side, rights, skipped = fields[:4]
    if side not in ("w", "b"):
        raise BadText("The side to move is w or b.", 1, 1)
    if rights != "-" and not set(rights) <= set(RIGHTS):
        raise BadText("Rights to castle are KQkq, or some of them, or -.", 1, 1)
    return Position.of(
        bytes(PIECES.get(letter, 0) for letter in parse_placement(placement)),
        BLACK if side == "b" else WHITE,
        sum(1 << place for place, right in enumerate(RIGHTS) if right in rights),
        NOWHERE if skipped == "-" else square_named(skipped),
    )


def parse_placement(text: str) -> str:
    """One letter for each square from a1, `.` for an empty one. Raises BadText."""
    ranks = text.split("/")
    board = ""
    for rank in reversed(ranks):
        for letter in rank:
            board += NOTHING * int(letter) if letter in "12345678" else letter
    if len(ranks) != 8 or len(board) != 64 or not set(board) <= {NOTHING, *PIECES}:
        raise BadText("A placement is eight ranks of eight squares, such as 8/8/4k3/8/8/3PK3/8/8.", 1, 1)
    return board


def written_placement(board: str) -> str:
    ranks = []
    for rank in range(7, -1, -1):
        line, empty = "", 0
        for letter in board[rank * 8 : rank * 8 + 8] + "/":
            if letter == NOTHING:
                empty += 1
                continue
            line += str(empty) if empty else ""
            line, empty = line + letter, 0
        ranks.append(line.removesuffix("/"))
    return "/".join(ranks)


START_BOARD = parse_placement(START.split()[0])
