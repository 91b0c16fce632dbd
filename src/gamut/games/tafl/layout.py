"""Positions as text: `/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/`, rank 1 first, numbers for empty spaces.

Elsewhere a board is a string with one letter for each space, from a1 along the ranks, with `.` for an empty one.
"""

import re
from itertools import groupby

from gamut.games.tafl.notation import BadNotation
from gamut.games.tafl.pieces import EMPTY, LETTERS

_PARTS = re.compile(rf"[{LETTERS}]|[0-9]+")
_LONGEST_COUNT = 2


def parse_layout(text: str, size: int) -> str:
    """The board of a position. Raises BadNotation unless it has exactly `size` rows of `size` spaces."""
    if not text.startswith("/"):
        raise BadNotation("A position begins with a slash.")
    if not text.endswith("/") or len(text) == 1:
        raise BadNotation("A position ends with a slash.", len(text))
    rows: list[str] = []
    place = 1
    for row in text[1:-1].split("/"):
        rows.append(_parse_row(row, place, size))
        place += len(row) + 1
        if len(rows) > size:
            break
    if len(rows) != size:
        count = "more" if len(rows) > size else str(len(rows))
        raise BadNotation(f"A board of this size has {size} rows, not {count}.", min(place, len(text)))
    return "".join(rows)


def _parse_row(row: str, place: int, size: int) -> str:
    spaces: list[str] = []
    read = filled = 0
    while read < len(row):
        part = _PARTS.match(row, read)
        if part is None:
            raise BadNotation(f"{row[read]!r} is neither a piece nor a number.", place + read + 1)
        found = part[0]
        if not found.isdigit():
            spaces.append(found)
            filled += 1
        elif len(found) > _LONGEST_COUNT or found[0] == "0":
            raise BadNotation(f"There are no {found[:20]} empty spaces in a row.", place + read + 1)
        else:
            spaces.append(EMPTY * int(found))
            filled += int(found)
        if filled > size:
            break
        read = part.end()
    if filled != size:
        count = "more" if filled > size else str(filled)
        raise BadNotation(f"A row of this board has {size} spaces, not {count}.", place + 1)
    return "".join(spaces)


def written_layout(board: str, size: int, *, inverted: bool = False) -> str:
    """A board as a position; inverted, the highest rank comes first."""
    rows = [_written_row(board[start : start + size]) for start in range(0, size * size, size)]
    if inverted:
        rows.reverse()
    return f"/{'/'.join(rows)}/"


def _written_row(row: str) -> str:
    parts: list[str] = []
    for letter, run in groupby(row):
        together = "".join(run)
        parts.append(str(len(together)) if letter == EMPTY else together)
    return "".join(parts)
