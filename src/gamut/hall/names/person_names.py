"""What people may call themselves, and when two names are the same.

A name is text, never markup: whoever shows it escapes it. Every door takes names by this one rule.
"""

import unicodedata

from gamut.games.game import Refused
from gamut.hall.names.characters import MARKS_IN_A_ROW, can_be_seen, is_stacked
from gamut.hall.names.lookalikes import looks

NAMELESS = "Guest"
"""What somebody is called who has no name that could be shown. Nobody chooses it."""
NAME_LONGEST = 32
ROOM_LONGEST = 64

# Phones put these behind many an emoji; they only choose its colouring, so they are dropped and not refused.
_PRESENTATION = {0xFE0E: None, 0xFE0F: None}

# Compared by their letters and digits alone, so that "<none>" and "[Server]" are the same as the bare word.
_RESERVED = frozenset(
    look
    for word in (
        "admin",
        "administrator",
        "aformerplayer",
        "formerplayer",
        "gamut",
        NAMELESS,
        "moderator",
        "none",
        "null",
        "server",
        "system",
        "undefined",
    )
    for look in looks(word)
)


class NameRefused(Refused):
    """Not a name that anyone can have here."""

    def __init__(self, reason: str) -> None:
        super().__init__("bad_name", reason)


class NameTaken(Refused):
    """Someone else has this name, or one that differs only in case or width."""

    def __init__(self, reason: str = "Someone already has this name. Please choose another one.") -> None:
        super().__init__("name_taken", reason)


class NameOfABot(NameTaken):
    """Bots are called that, or something that looks like it."""

    def __init__(self) -> None:
        super().__init__("One of the bots is called that. Please choose another name.")


class NameResembles(NameTaken):
    """Nobody has this name, but somebody with an account has one that looks like it."""

    def __init__(self) -> None:
        super().__init__("This name looks too much like somebody else's. Please choose another one.")


def _tidy(text: str) -> str:
    """Composed, trimmed, and with one plain space wherever there were spaces of any kind."""
    if text.isascii():
        return " ".join(word for word in text.strip().split(" ") if word)
    text = unicodedata.normalize("NFC", text.translate(_PRESENTATION)).strip()
    spaced = "".join(" " if unicodedata.category(c) == "Zs" else c for c in text)
    return " ".join(word for word in spaced.split(" ") if word)


def _shown(text: str, longest: int, what: str) -> str:
    """The text as it is kept and shown; raises NameRefused."""
    # Far above any honest input, so that the work below is bounded whatever a door lets through.
    name = _tidy(text) if len(text) <= 16 * longest else text
    if not name:
        raise NameRefused(f"Please give a {what}.")
    if len(name) > longest:
        raise NameRefused(f"A {what} has at most {longest} characters.")
    if name.isascii() and name.isprintable():
        return name
    marks = 0
    for character in name:
        if not can_be_seen(character):
            raise NameRefused(f"A {what} has only characters that can be seen.")
        if is_stacked(character):
            marks += 1
        elif unicodedata.category(character) != "Mc":
            marks = 0
        if marks > MARKS_IN_A_ROW:
            raise NameRefused(f"A {what} has no heaps of accents.")
    if unicodedata.category(name[0]).startswith("M"):
        raise NameRefused(f"A {what} does not begin with an accent.")
    return name


def harmless_name(text: str) -> str | None:
    """A name that somebody's file says somebody had, if it may be shown at all."""
    if text == NAMELESS:
        return text
    try:
        return clean_name(text)
    except NameRefused:
        return None


def clean_name(text: str) -> str:
    """The name as it is kept and shown; raises NameRefused."""
    name = _shown(text, NAME_LONGEST, "name")
    letters = "".join(filter(str.isalnum, name))
    if not letters:
        raise NameRefused("A name has at least one letter or digit.")
    if _is_reserved(letters) or (letters != name and _is_reserved(name)):
        raise NameRefused("This name is reserved for the server. Please choose another one.")
    return name


def _is_reserved(name: str) -> bool:
    return any("".join(filter(str.isalnum, look)) in _RESERVED for look in looks(name))


def clean_room(text: str) -> str:
    """The name of a room as it is kept and shown; raises NameRefused. Rooms may be called anything that is seen."""
    return _shown(text, ROOM_LONGEST, "room's name")


def name_key(name: str) -> str:
    """Two names with the same key are the same name. Total: takes any text, also what is not a name."""
    if len(name) > 16 * NAME_LONGEST:
        return name  # nobody's, and composing it may take seconds
    folded = unicodedata.normalize("NFKC", _tidy(name)).casefold()
    # Folding can take a text out of its normal form.
    return unicodedata.normalize("NFKC", folded)
