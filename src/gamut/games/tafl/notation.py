"""What all of Tafl's notation has in common: how it fails, and how spaces are called."""

import re

from gamut.games.game import BadText

FILES = "abcdefghijklmnopqrs"
SPACE = re.compile(r"([a-s])([1-9][0-9]?)")
"""A space as it is written: a file and a rank, without a leading zero."""


class BadNotation(BadText):
    """Some text cannot be read."""

    def __init__(self, reason: str, column: int = 1, line: int = 1) -> None:
        super().__init__(reason, line, column)


def at(text: str, place: int, reason: str) -> BadNotation:
    """The error at a place of a text, counted from 0."""
    before = text[:place]
    return BadNotation(reason, place - before.rfind("\n"), before.count("\n") + 1)


def space_name(space: int, size: int) -> str:
    return f"{FILES[space % size]}{space // size + 1}"


def space_number(name: str, size: int) -> int | None:
    """The space with this name; None if the board has none."""
    found = SPACE.fullmatch(name)
    if found is None:
        return None
    x, y = FILES.index(found[1]), int(found[2]) - 1
    return y * size + x if x < size and y < size else None
