"""The names that bots have in files and in the protocol. Strengths are the game's own, weakest first."""

from gamut.games.topple.bots import LEVELS

LISTED = (
    ("constantine/0", "Constantine (Trivial)"),
    ("constantine/1", "Constantine (Beginner)"),
    ("freya/3", "Freya (Moderate)"),
)
"""Resource and shown name, one for each strength."""
_TUTOR = "terry/0"
"""Plays in the existing client's tutorial and is on no list."""

_BY_LEVEL = dict(zip(LEVELS, LISTED, strict=True))
_LEVELS = {resource: level for level, (resource, _) in _BY_LEVEL.items()} | {_TUTOR: next(iter(LEVELS))}


def level_of(resource: str) -> str | None:
    """The strength behind a resource; None if there is no such bot."""
    return _LEVELS.get(resource)


def title_of(resource: str) -> str:
    """What a bot is called that a file knows by its resource; there may be others than ours."""
    return dict(LISTED).get(resource, resource)


def name_of(level: str) -> str:
    return _listed(level)[1]


def resource_of(level: str) -> str:
    return _listed(level)[0]


def _listed(level: str) -> tuple[str, str]:
    # There may be others than this protocol has names for, and some that were there once.
    return _BY_LEVEL.get(level, LISTED[-1])
