"""Which characters can be seen: the one rule behind names, the names of rooms, and talk.

What is kept out is what no escaping makes harmless: characters that cannot be seen, that reorder what stands beside
them, that break a line, or that are heaped upon another until they cover the neighbouring lines.
"""

import unicodedata

MARKS_IN_A_ROW = 4
"""As many as UTS 39 allows on one character; more only serves to paint over the neighbouring lines."""

MARKUP = "<>&\"'`"
"""Clients that put texts into their page as markup are told them without these."""
REPLACED = {'"': "'", "|": "/", "<": "(", ">": ")"}
"""Clients whose lines are made of these are told names with others in their place."""

ZWNJ, ZWJ = "\u200c", "\u200d"
CONTROLS = frozenset({"Cc", "Cs", "Zl", "Zp"})
UNSEEN = CONTROLS | {"Cf", "Co", "Cn"}
"""Categories of characters that cannot be seen, or of which nobody can say how they look."""

# Invisible, yet letters, marks or symbols by their category: fillers, joiners, a blank.
FILLERS = frozenset(map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5)))
BLANKS = frozenset("\u2800\u3164\uffa0")
"""They take up room and show nothing: spaces by another name."""
SELECTORS = frozenset(
    map(chr, (0x180B, 0x180C, 0x180D, 0x180F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""Variation selectors: invisible themselves, they choose how the character before them is drawn."""

# Signs that enclose a number, in Arabic, Syriac and Kaithi: formatting by their category, yet drawn.
NUMBER_SIGNS = frozenset(
    map(chr, (*range(0x0600, 0x0606), 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD))
)

# Where letters change with their neighbours, so that writing needs a joiner or its opposite: from Arabic to Sinhala,
# Burmese, Khmer, Mongolian, Javanese and their kin, and the same beyond the first plane.
_JOINING = (
    (0x0600, 0x0DFF),
    (0x1000, 0x109F),
    (0x1780, 0x18AF),
    (0x1900, 0x1CFF),
    (0xA800, 0xABFF),
    (0xFB50, 0xFDFF),
    (0xFE70, 0xFEFC),
    (0x10A00, 0x11FFF),
)
_SKIN = range(0x1F3FB, 0x1F400)


def can_be_seen(character: str) -> bool:
    return not (
        unicodedata.category(character) in UNSEEN
        or character in FILLERS
        or character in BLANKS
        or character in SELECTORS
    )


def is_stacked(character: str) -> bool:
    """Whether it is drawn upon the character before it and takes no room of its own."""
    return unicodedata.category(character) in ("Mn", "Me")


def joins(character: str) -> bool:
    """Whether a joiner behind this has a meaning: in scripts whose letters join."""
    code = ord(character)
    return (
        any(first <= code <= last for first, last in _JOINING) and unicodedata.category(character)[0] in "LM"
    )


def is_picture(character: str) -> bool:
    """Something that emoji are made of."""
    code = ord(character)
    # Pictures newer than this Python are not assigned to anything yet.
    return unicodedata.category(character) == "So" or code in _SKIN or 0x1F000 <= code <= 0x1FBFF


def is_nothing(character: str) -> bool:
    """Whether it will never be a character to look at, whatever Unicode will add."""
    code = ord(character)
    never = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    return never or code == 0x2065 or 0xFFF0 <= code <= 0xFFF8 or 0xE0000 <= code <= 0xE0FFF
