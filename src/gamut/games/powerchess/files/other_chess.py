"""Games of chess that are not Power Chess: their files look alike, and whoever brings one is told the difference."""

import re

from gamut.games.files import BadFile, plain
from gamut.games.powerchess.files.record import VARIANT

_TAGS = re.compile(r'^[ \t]*\[(?:Event|Site|White|Black|Result|Variant)[ \t]+"', re.MULTILINE)
_MOVES = re.compile(r"^[ \t]*1\.[ \t]*(?:[a-h][34]|N[acfh]3)\s", re.MULTILINE)
_VARIANT = re.compile(r'^[ \t]*\[Variant[ \t]+"([^"\n]{1,40})"\]', re.MULTILINE)
_ORDINARY = ("Standard", "Normal", "Chess", "From Position")
"""What other programs call it where they name it."""


def looks_like_chess(text: str) -> bool:
    return _TAGS.search(text) is not None or _MOVES.search(text) is not None


def other_chess(text: str) -> BadFile | None:
    """Why this game of chess is not read; None if it is none, or says that it is Power Chess."""
    found = _VARIANT.search(text)
    if found is not None:
        return None if found[1] == VARIANT else not_ours(found[1])
    return not_ours(None) if looks_like_chess(text) else None


def not_ours(variant: str | None) -> BadFile:
    ordinary = variant is None or variant in _ORDINARY
    what = "an ordinary chess game" if ordinary else f"a game of {plain(variant or '')[:40]}"
    return BadFile(
        "other_game",
        f'This is {what}, not one of {VARIANT}. Those have the tag [Variant "{VARIANT}"] and moves that say from'
        " where to where, such as 1. e2-e4 e7-e5, with boxes and powers in braces.",
    )
