"""What is in a file of one game: its tags, and its turns one after the other as they are written."""

import re

import msgspec

from gamut.games.files import Tagged

SKIPPED = "....."
"""In place of a move of a turn that another line has."""

RULES = "rules"
POSITION = "position"

TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
ADDRESS = re.compile(r"(?:[0-9]{1,5}|(?:[0-9]{1,5}[a-z]\.[0-9]{1,5}\.){1,32}[0-9]{1,5}[a-z])\.")
"""Of a turn: `7.` in the main line; `7a.1.2a.` the second turn of the first line that replaces move 7a."""


class WrittenTurn(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of moves with its address, and what is said about them."""

    address: str
    moves: tuple[str, ...]
    """Move records, `.....` or `---`."""
    comments: tuple[str, ...] | None = None
    """One for each move, empty where nothing is said; None: the turn has no comments at all."""


class Record(Tagged, frozen=True):
    turns: tuple[WrittenTurn, ...]
