"""The bots that clients of this protocol can ask for, by the names that the files have for them as well."""

from gamut.games.game import AnyGame
from gamut.games.topple.files import bots


def listed(game: AnyGame) -> dict[str, str]:
    """Shown name to resource."""
    return {bots.name_of(level.name): bots.resource_of(level.name) for level in game.traits.levels}


def level_of(game: AnyGame, resource: str) -> str | None:
    """The strength behind a resource; None if there is no such bot."""
    return bots.level_of(resource)


def name_of(game: AnyGame, level: str) -> str:
    return bots.name_of(level)
