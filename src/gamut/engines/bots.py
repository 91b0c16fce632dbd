"""External engines among the bots: each is a level of its game, and is asked where a table has that level."""

import asyncio
from collections.abc import Callable, Mapping
from copy import copy
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from gamut.engines.conversation import EngineFailed
from gamut.engines.process import PREFIX, Engine
from gamut.engines.protocols import protocols_of
from gamut.engines.settings import Described
from gamut.games.game import AnyGame, Level
from gamut.games.registry import Games
from gamut.hall.bots.processes import BotRunner, Question


def with_engines(games: Games, described: Described) -> Mapping[str, AnyGame]:
    """The games with their engines among the levels; ValueError if there is no such game."""
    found = dict(games())
    for name, engines in described.items():
        if name not in found:
            raise ValueError(f"there are engines for {name}, and this server has no such game")
        game = copy(found[name])
        for engine, settings in engines.items():
            known = protocols_of(name)
            if settings.protocol not in known:
                raise ValueError(
                    f"{engine} cannot speak {settings.protocol}: for {name} there is {', '.join(known)}"
                )
        levels = (Level(PREFIX + engine, settings.title) for engine, settings in engines.items())
        # The traits of this server's copy of the game; those of the game itself stay as they are.
        vars(game)["traits"] = replace(game.traits, levels=(*game.traits.levels, *levels))
        found[name] = game
    return MappingProxyType(found)


class EngineBots:
    """Asks the engine where a level names one, and else the bots of the games."""

    def __init__(self, bots: BotRunner, described: Described) -> None:
        self._bots = bots
        self._engines = {
            (game, PREFIX + name): Engine(
                f"{game}/{name}", settings, protocols_of(game)[settings.protocol], bots
            )
            for game, engines in described.items()
            for name, settings in engines.items()
        }

    @property
    def count(self) -> int:
        return len(self._engines)

    def think(self, question: Question, done: Callable[[Any], None]) -> None:
        if not question.level.startswith(PREFIX):
            self._bots.think(question, done)
            return
        engine = self._engines.get((question.game.traits.name, question.level))
        if engine is None:
            # A game that was begun when there was one. Later, as everybody else: whoever asks is not done asking.
            failed = EngineFailed(f"there is no {question.level} any more")
            asyncio.get_running_loop().call_soon(done, failed)
            return
        engine.think(question, done)

    async def close(self) -> None:
        await asyncio.gather(*(engine.close() for engine in self._engines.values()))
