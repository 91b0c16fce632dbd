"""What may be said: plain text of a sensible length, never markup, never control characters."""

import unicodedata

from gamut.games.game import Refused

MOST_CHARACTERS = 500
MOST_LINES = 5_000
"""At one table: its log is held in memory, and read by everyone who comes."""


def cleaned(text: str) -> str:
    """The text as it will be shown; line breaks and other control characters become spaces."""
    plain = "".join(" " if unicodedata.category(ch) in ("Cc", "Zl", "Zp", "Cs") else ch for ch in text)
    plain = " ".join(plain.split())
    if not plain:
        raise Refused("empty", "Say something.")
    if len(plain) > MOST_CHARACTERS:
        raise Refused("too_long", f"That is too long: at most {MOST_CHARACTERS} characters.")
    return plain
