"""The bots' names in this protocol. Strengths are the game's own, weakest first."""

from gamut.games.game import AnyGame

_LISTED = (
    ("constantine/0", "Constantine (Trivial)"),
    ("constantine/1", "Constantine (Beginner)"),
    ("freya/3", "Freya (Moderate)"),
)
_TUTOR = "terry/0"
"""Plays in the existing client's tutorial and is on no list."""


def listed(game: AnyGame) -> dict[str, str]:
    """Shown name to resource."""
    return {name: resource for (resource, name), _ in zip(_LISTED, game.traits.levels, strict=False)}


def level_of(game: AnyGame, resource: str) -> str | None:
    """The strength behind a resource; None if there is no such bot."""
    levels = game.traits.levels
    if resource == _TUTOR:
        return levels[0].name
    for (known, _), level in zip(_LISTED, levels, strict=False):
        if known == resource:
            return level.name
    return None


def title_of(resource: str) -> str:
    """What a bot is called that a file knows by its resource; there may be others than ours."""
    return dict(_LISTED).get(resource, resource)


def _place(game: AnyGame, level: str) -> int:
    names = [known.name for known in game.traits.levels]
    # There may be others than this protocol has names for, and some that were there once.
    return min(names.index(level) if level in names else len(names), len(_LISTED) - 1)


def name_of(game: AnyGame, level: str) -> str:
    return _LISTED[_place(game, level)][1]


def resource_of(game: AnyGame, level: str) -> str:
    return _LISTED[_place(game, level)][0]
