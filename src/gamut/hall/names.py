"""What people may call themselves, and when two names are the same.

A name is text, never markup: whoever shows it escapes it. What is refused here is what no escaping makes
harmless: characters that cannot be seen, reorder what stands beside them, or break a line.
"""

import unicodedata

from gamut.games.game import Refused

NAME_LONGEST = 32
_MARKS_IN_A_ROW = 4
"""Enough for Hebrew and Tibetan; more only serves to paint over the neighbouring lines."""

_FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Invisible, yet letters, marks or symbols by their category: fillers, joiners, variation selectors, a blank.
_INVISIBLE = frozenset(
    map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0))
) | frozenset(map(chr, (*range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0))))
# Phones put these behind many an emoji; they only choose its colouring, so they are dropped and not refused.
_PRESENTATION = {0xFE0E: None, 0xFE0F: None}

# Compared by their letters and digits alone, so that "<none>" and "[Server]" are the same as the bare word.
_RESERVED = frozenset(
    {
        "admin",
        "administrator",
        "aformerplayer",
        "formerplayer",
        "gamut",
        "moderator",
        "none",
        "null",
        "server",
        "system",
        "undefined",
    }
)


class NameRefused(Refused):
    """Not a name that anyone can have here."""

    def __init__(self, reason: str) -> None:
        super().__init__("bad_name", reason)


class NameTaken(Refused):
    """Someone else has this name, or one that differs only in case or width."""

    def __init__(self) -> None:
        super().__init__("name_taken", "Someone already has this name. Please choose another one.")


def _tidy(text: str) -> str:
    """Composed, trimmed, and with one plain space wherever there were spaces of any kind."""
    text = unicodedata.normalize("NFC", text.translate(_PRESENTATION)).strip()
    spaced = "".join(" " if unicodedata.category(c) == "Zs" else c for c in text)
    return " ".join(word for word in spaced.split(" ") if word)


def clean_name(text: str) -> str:
    """The name as it is kept and shown; raises NameRefused."""
    # Far above any honest input, so that the work below is bounded whatever a door lets through.
    name = _tidy(text) if len(text) <= 16 * NAME_LONGEST else text
    if not name:
        raise NameRefused("Please give a name.")
    if len(name) > NAME_LONGEST:
        raise NameRefused(f"A name has at most {NAME_LONGEST} characters.")
    marks = _MARKS_IN_A_ROW  # a mark needs a character before it to sit on
    for character in name:
        category = unicodedata.category(character)
        if category in _FORBIDDEN_CATEGORIES or character in _INVISIBLE:
            raise NameRefused("A name has only characters that can be seen.")
        marks = marks + 1 if category.startswith("M") else 0
        if marks > _MARKS_IN_A_ROW:
            raise NameRefused("A name has no heaps of accents.")
    if not any(character.isalnum() for character in name):
        raise NameRefused("A name has at least one letter or digit.")
    if "".join(filter(str.isalnum, name_key(name))) in _RESERVED:
        raise NameRefused("This name is reserved for the server. Please choose another one.")
    return name


def name_key(name: str) -> str:
    """Two names with the same key are the same name. Total: takes any text, also what is not a name."""
    folded = unicodedata.normalize("NFKC", _tidy(name)).casefold()
    # Folding can take a text out of its normal form.
    return unicodedata.normalize("NFKC", folded)
