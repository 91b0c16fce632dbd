"""What all of Tafl's notation has in common: how it fails, and how spaces are called."""

from collections.abc import Mapping
from functools import lru_cache

from gamut.games.game import BadText

FILES = "abcdefghijklmnopqrs"


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
    return space_numbers(size).get(name)


@lru_cache(maxsize=len(FILES))
def space_numbers(size: int) -> Mapping[str, int]:
    """The spaces of a board by their names."""
    return {space_name(space, size): space for space in range(size * size)}
