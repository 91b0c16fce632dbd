"""The languages that engines speak: one for every game, and those that engines of a game have already."""

from collections.abc import Mapping
from types import MappingProxyType

from gamut.engines.conversation import EngineProtocol
from gamut.engines.json_lines import JSON_LINES
from gamut.engines.opentafl.host import Host
from gamut.engines.opentafl.player import run

JSON = "json"
"""The language of all games."""

_OF_ONE_GAME: Mapping[str, Mapping[str, EngineProtocol]] = MappingProxyType(
    {"tafl": {"opentafl": EngineProtocol(lambda game: Host(), run, numbered=False, resigns=True)}}
)
"""By game and name."""


def protocols_of(game: str) -> Mapping[str, EngineProtocol]:
    """What engines of a game can speak, by name; the first is the usual one."""
    return {**_OF_ONE_GAME.get(game, {}), JSON: JSON_LINES}


def has_its_own(game: str) -> bool:
    """Whether engines of this game have a language already."""
    return game in _OF_ONE_GAME
