"""What may be said: plain text of a sensible length that can be seen, never markup."""

import unicodedata

from gamut.games.game import Refused
from gamut.hall.names import characters as ch

MOST_CHARACTERS = 500
MOST_LINES = 5_000
"""At one table: its log is held in memory, and read by everyone who comes."""
_MOST_LOOKED_AT = 4 * MOST_CHARACTERS
"""Far above any honest text, so that the work is bounded whatever a door lets through."""

_BLACK_FLAG, _TAGS, _TAGS_END = "\U0001f3f4", range(0xE0061, 0xE007F), "\U000e007f"
_LONGEST_FLAG = 6


def cleaned(text: str) -> str:
    """The text as it will be shown: line breaks become spaces, and what cannot be seen is left out."""
    if len(text) <= _MOST_LOOKED_AT:
        text = " ".join((text if text.isascii() and text.isprintable() else _visible(text)).split())
    if not text:
        raise Refused("empty", "Say something.")
    if len(text) > MOST_CHARACTERS:
        raise Refused("too_long", f"That is too long: at most {MOST_CHARACTERS} characters.")
    return text


def _visible(text: str) -> str:
    kept: list[str] = []
    marks = ch.MARKS_IN_A_ROW  # a mark needs a character before it to sit on
    for at, character in enumerate(text):
        category = unicodedata.category(character)
        if category in ch.CONTROLS or category == "Zs" or character in ch.BLANKS:
            kept.append(" ")
            marks = ch.MARKS_IN_A_ROW
        elif not _stays(text, at, category, kept):
            continue
        elif character in ch.SELECTORS or category == "Cf":
            kept.append(character)  # drawn with what is before it, and nothing of its own
        elif category in ("Mn", "Me"):
            marks += 1
            if marks <= ch.MARKS_IN_A_ROW:
                kept.append(character)
        elif category != "Mc":
            kept.append(character)
            marks = 0
        elif kept and kept[-1] != " ":
            kept.append(character)
    return "".join(kept)


def _stays(text: str, at: int, category: str, kept: list[str]) -> bool:
    """Whether something that may be invisible has a meaning where it stands."""
    character = text[at]
    before = kept[-1] if kept else " "
    if character in ch.FILLERS:
        return False
    if character in ch.SELECTORS:
        return ch.can_be_seen(before) and before != " "
    if category == "Cn":
        return not ch.is_nothing(character)
    if category != "Cf" or character in ch.NUMBER_SIGNS:
        return True
    if character in (ch.ZWJ, ch.ZWNJ) and ch.joins(before):
        return True
    if character == ch.ZWJ and at + 1 < len(text) and ch.is_picture(text[at + 1]):
        drawn = kept[-2] if before in ch.SELECTORS and len(kept) > 1 else before
        return ch.is_picture(drawn)
    return _is_in_a_flag(text, at)


def _is_in_a_flag(text: str, at: int) -> bool:
    """The flags of England, Scotland and Wales are a black flag, and invisible letters that say which."""
    start = text.rfind(_BLACK_FLAG, max(0, at - _LONGEST_FLAG - 1), at)
    if start < 0:
        return False
    end = start + 1
    while end < len(text) and ord(text[end]) in _TAGS:
        end += 1
    whole = 1 < end - start <= _LONGEST_FLAG + 1 and text[end : end + 1] == _TAGS_END
    return whole and at <= end
