"""The games in the list in which a bot waits."""

from typing import NamedTuple

from msgspec.structs import replace

from gamut.doors.tafl import to_client as t
from gamut.doors.tafl.game_list import NOBODY, UNTITLED, ListedGame
from gamut.doors.tafl.naming import Guids
from gamut.doors.waiting_bots import WaitingBot, bots_of
from gamut.games.game import AnyGame, Seat
from gamut.games.tafl.options import TaflOptions, VariantName
from gamut.hall.clock import NoClock
from gamut.hall.ids import Millis

_VARIANTS: tuple[VariantName, ...] = ("brandub", "copenhagen")
"""A small board and a large one."""


class BotGame(NamedTuple):
    title: str
    options: TaflOptions
    bot: WaitingBot
    seat: Seat
    """Where the bot will sit."""

    def options_for(self, *, quirks: bool) -> TaflOptions:
        return replace(self.options, quirks=quirks)

    @property
    def turned(self) -> "BotGame":
        """The same with the sides the other way round."""
        return self._replace(seat=Seat(1 - self.seat))

    def listed(self, guid: str) -> ListedGame:
        name = t.shown(self.bot.name)
        attackers, defenders = (name, NOBODY) if self.seat == 0 else (NOBODY, name)
        return ListedGame(
            guid=guid,
            rules=self.title,
            attackers=attackers,
            defenders=defenders,
            password=False,
            started=False,
            loaded=False,
            one_chat=False,
            allow_replay=False,
            spectators=0,
            clock=NoClock(),
        )


class BotGames:
    """Each is there until somebody joins it: then the table has its guid, and another game of the kind takes its place,
    with the sides the other way round."""

    def __init__(self, game: AnyGame) -> None:
        self._guids = Guids()
        self._waiting: dict[str, BotGame] = {}
        """By guid, in the order of the list."""
        for variant in _VARIANTS:
            options = TaflOptions(variant=variant)
            title = str(game.brief(options).get("title", UNTITLED))
            for bot in bots_of(game):
                self._waiting[self._new_guid()] = BotGame(title, options, bot, Seat(0))

    def get(self, guid: str) -> BotGame | None:
        return self._waiting.get(guid)

    def listed(self) -> list[ListedGame]:
        return [game.listed(guid) for guid, game in self._waiting.items()]

    def taken(self, guid: str) -> None:
        """A table has this guid from now on."""
        self._waiting = {
            self._new_guid() if waiting == guid else waiting: game.turned if waiting == guid else game
            for waiting, game in self._waiting.items()
        }

    def _new_guid(self) -> str:
        return self._guids.next(Millis(0))
