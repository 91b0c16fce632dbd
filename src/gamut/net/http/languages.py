"""Which language somebody is served in: what they chose by hand, else what their browser asks for, else English."""

from collections.abc import Collection

COOKIE = "language"
"""Set by the page, for whoever chooses a language there."""
FIRST = "en"
_MOST = 50
"""Wishes that are looked at; people have a handful."""


def preferred(chosen: str | None, accepted: str, known: Collection[str]) -> str:
    """The best of the known ones; `accepted` is the header Accept-Language. Nonsense counts as nothing."""
    if chosen is not None and chosen in known:
        return chosen
    best, language = 0.0, FIRST
    for wish in accepted.split(",")[:_MOST]:
        name, *parameters = wish.lower().split(";")
        found, quality = name.strip().split("-")[0], _quality(parameters)
        # Of equals the first one counts: that is how people list them.
        if found in known and quality > best:
            best, language = quality, found
    return language


def _quality(parameters: list[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.strip().partition("=")
        if name == "q":
            try:
                quality = float(value)
            except ValueError:
                return 0.0
            return quality if 0.0 <= quality <= 1.0 else 0.0
    return 1.0
