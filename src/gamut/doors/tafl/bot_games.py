"""The games in the list in which a bot waits.

Each connection is shown games of its own: nobody's joining changes what anybody else is shown or may join.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from gamut.doors.tafl import to_client as t
from gamut.doors.tafl.dialects import Dialect
from gamut.doors.tafl.game_list import NOBODY, UNTITLED, ListedGame, record
from gamut.doors.tafl.naming import Guids
from gamut.doors.waiting_bots import WaitingBot, bots_of
from gamut.games.game import AnyGame, Seat
from gamut.games.tafl.options import TaflOptions, VariantName
from gamut.hall.ids import Millis

if TYPE_CHECKING:
    from gamut.doors.tafl.session import TaflSession

_VARIANTS: tuple[VariantName, ...] = ("brandub", "copenhagen")
"""A small board and a large one."""
_SEATS = (Seat(0), Seat(1))


class WaitingGame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game with a bot that one connection may join; it keeps as many of them as there are kinds."""

    guid: str
    seat: Seat = Seat(0)
    """Where the bot will sit."""
    joined: str = ""
    """The guid of the game of this kind that the connection joined last."""


class BotGame:
    """A kind of game: a variant, and how strong the bot is."""

    def __init__(self, title: str, options: TaflOptions, bot: WaitingBot) -> None:
        self._title = title
        self._options = options
        self.bot = bot
        self._records = {
            seat: {dialect: record(dialect, self._listed(seat)) for dialect in ("S", "S+", "O")}
            for seat in _SEATS
        }
        """As lists have it, without its guid: only that differs between connections."""

    def options_for(self, *, quirks: bool) -> TaflOptions:
        return replace(self._options, quirks=quirks)

    def record(self, dialect: Dialect, waiting: WaitingGame) -> str:
        return waiting.guid + self._records[waiting.seat][dialect]

    def _listed(self, seat: Seat) -> ListedGame:
        name = t.shown(self.bot.name)
        attackers, defenders = (name, NOBODY) if seat == 0 else (NOBODY, name)
        return ListedGame("", self._title, attackers, defenders)


def kinds_of(game: AnyGame) -> Iterable[BotGame]:
    """One of each strength for each variant, in the order of the list."""
    for variant in _VARIANTS:
        options = TaflOptions(variant=variant)
        title = str(game.brief(options).get("title", UNTITLED))
        for bot in bots_of(game):
            yield BotGame(title, options, bot)


class BotGames:
    """A connection has its games from when it is first shown a list. When it joins one, the table has the guid, and
    another game of the kind takes its place in this connection's list, with the sides the other way round."""

    def __init__(self, kinds: Iterable[BotGame], reserved: set[str]) -> None:
        self._kinds = tuple(kinds)
        self._guids = Guids()
        self._reserved = reserved
        """Guids under which nobody can create a game: those of waiting games are among them."""

    def records(self, session: "TaflSession") -> list[str]:
        """What this connection's list has for them."""
        state, dialect = session.state, session.dialect
        if not state.bot_games:
            state.bot_games = tuple(WaitingGame(self._new_guid()) for _ in self._kinds)
        return [
            kind.record(dialect, waiting) for kind, waiting in zip(self._kinds, state.bot_games, strict=True)
        ]

    def find(self, session: "TaflSession", guid: str) -> tuple[BotGame, WaitingGame] | None:
        """The game of this name that waits for this connection."""
        for kind, waiting in zip(self._kinds, session.state.bot_games, strict=False):
            if waiting.guid == guid:
                return kind, waiting
        return None

    def was_joined(self, session: "TaflSession", guid: str) -> bool:
        return any(waiting.joined == guid for waiting in session.state.bot_games)

    def opened(self, session: "TaflSession", used: WaitingGame) -> None:
        """A table has this game's guid from now on."""
        self._reserved.discard(used.guid)
        another = WaitingGame(self._new_guid(), Seat(1 - used.seat), joined=used.guid)
        session.state.bot_games = tuple(
            another if waiting is used else waiting for waiting in session.state.bot_games
        )
        session.state.lists = None

    def recall(self, session: "TaflSession") -> None:
        """The connection was at another node before."""
        self._reserved.update(waiting.guid for waiting in session.state.bot_games)

    def forget(self, session: "TaflSession") -> None:
        """The connection is gone."""
        self._reserved.difference_update(waiting.guid for waiting in session.state.bot_games)
        session.state.bot_games = ()

    def _new_guid(self) -> str:
        guid = self._guids.next(Millis(0))
        self._reserved.add(guid)
        return guid
