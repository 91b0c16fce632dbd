"""Everybody who thinks for the bots of this process, whichever wings of the hall it has."""

import asyncio

from gamut.engines.bots import EngineBots, with_engines
from gamut.engines.settings import all_engines
from gamut.games.registry import Games
from gamut.hall.bots.processes import ProcessBots
from gamut.net.settings import Settings


class Bots:
    def __init__(self, settings: Settings, games: Games) -> None:
        described = all_engines(settings.engines, settings.data)
        self.games = with_engines(games, described)
        self._processes = ProcessBots(settings.bot_workers, asyncio.get_running_loop(), games)
        self.engines = EngineBots(self._processes, described)

    def warm_up(self) -> None:
        self._processes.warm_up()

    async def close(self) -> None:
        await self.engines.close()
        self._processes.close()
