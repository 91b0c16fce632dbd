"""When two names look alike: the skeletons of Unicode Technical Standard 39, for people who do not mind case."""

import unicodedata
from importlib.resources import files

from gamut.hall.names.characters import MARKUP, REPLACED


def _read() -> dict[int, str]:
    """The appearance of each character in the table, which tools/confusables.py has made."""
    appearances: dict[int, str] = {}
    for line in files(__package__).joinpath("confusables.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        look, _, characters = line.partition(";")
        appearance = "".join(chr(int(code, 16)) for code in look.split())
        appearances.update((int(code, 16), appearance) for code in characters.split())
    return appearances


_APPEARANCE = _read()
_REPLACED = str.maketrans(REPLACED)
_ASCII = tuple((chr(code), look) for code, look in _APPEARANCE.items() if code < 0x80)


def skeleton(text: str) -> str:
    """Texts with the same skeleton look alike. Markup characters are left out,
    as some clients are shown none."""
    if text.isascii():
        for character, look in _ASCII:
            if character in text:
                text = text.replace(character, look)
    else:
        apart = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text))
        text = unicodedata.normalize("NFD", apart.translate(_APPEARANCE))
    for character in MARKUP:
        if character in text:
            text = text.replace(character, "")
    # Markup that was left out may have stood between spaces, which look like one.
    return " ".join(text.split())


def looks(name: str) -> frozenset[str]:
    """Names that have one of these in common look alike, as they are written or with other capitals.

    Both are needed: "Iris" looks like "lris" only as it is written; "LISA", only in small letters, like a "lisa" whose
    second letter is Cyrillic. A bar looks like an l, and where it is replaced it is a slash.
    """
    spellings = {
        spelling for text in (name, name.translate(_REPLACED)) for spelling in (text, text.casefold())
    }
    return frozenset(skeleton(spelling).casefold() for spelling in spellings)
