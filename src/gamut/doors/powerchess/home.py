"""The list of games that can be joined, told at `/home` to whoever wants to look at it."""

from collections.abc import Collection
from typing import Any, NamedTuple

import msgspec

from gamut.doors.base_door import BaseDoor
from gamut.doors.base_session import TableSession, TableState
from gamut.doors.close_codes import TOO_BIG, UNSUPPORTED
from gamut.doors.framing import text_frame
from gamut.doors.powerchess import names, time_controls
from gamut.doors.powerchess.bot_games import BOT_SEAT, CONTROL, BotGame, bot_games
from gamut.doors.powerchess.door import GAME
from gamut.doors.powerchess.naming import game_number
from gamut.doors.public_rooms import PublicRoom, PublicRooms
from gamut.games.game import Refused
from gamut.hall.hall import Hall
from gamut.hall.live.audience import LobbyNews
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table.deciding.bot_names import shown_name

_ALL_GAMES, _ADD_GAME, _REMOVE_GAME = range(3)


class ListedGame(NamedTuple):
    number: int
    name: str
    color: int
    """Of whoever joins: 1 is White, 0 is Black."""
    control: int


def _is_listed(room: PublicRoom) -> bool:
    """Whether one player waits for another, who can join with nothing but the number."""
    summary = room.summary
    return (
        summary.phase == "setup"
        and not summary.locked
        and room.taken == 1
        and game_number(summary.room) is not None
    )


def _listed(room: PublicRoom) -> ListedGame:
    number = game_number(room.summary.room)
    assert number is not None, "it would not be listed"
    seat, holder = next((seat, holder) for seat, holder in enumerate(room.seats) if holder is not None)
    control = time_controls.number_of(room.summary.clock)
    return ListedGame(number, names.shown(shown_name(holder)), _color_beside(seat), control)


def _color_beside(seat: int) -> int:
    return 0 if seat == 0 else 1


def _with_bot(game: BotGame) -> ListedGame:
    return ListedGame(game.number, names.shown(game.bot.name), _color_beside(BOT_SEAT), CONTROL)


def _frame(**message: Any) -> bytes:
    return text_frame(msgspec.json.encode(message))


def _shown(game: ListedGame) -> dict[str, Any]:
    return {"name": game.name, "color": game.color, "timeControl": game.control}


def _all_games(games: Collection[ListedGame]) -> bytes:
    return _frame(games={str(game.number): _shown(game) for game in games}, type=_ALL_GAMES)


def _added(game: ListedGame) -> bytes:
    return _frame(**_shown(game), gameId=game.number, type=_ADD_GAME)


def _removed(number: int) -> bytes:
    return _frame(gameId=number, type=_REMOVE_GAME)


class HomeState(TableState, kw_only=True, omit_defaults=True):
    listed: tuple[int, ...] = ()
    """The games of people that its client was told of and that were not removed."""


class HomeDoor(BaseDoor["HomeSession"]):
    name = f"{GAME}_home"

    def __init__(self, hall: Hall, *, bots: bool = False) -> None:
        super().__init__(hall)
        self.games = PublicRooms(hall, GAME, _listed, _is_listed)
        self.bots = [_with_bot(game) for game in bot_games(hall.games[GAME]).values()] if bots else []
        """Where bots wait. That never changes."""

    def tell_lobby(self, news: LobbyNews, listeners: Collection["HomeSession"]) -> None:
        changes = self.games.changes(news)
        # There is no word for a game that has changed.
        gone = (*changes.removed.values(), *changes.changed.values())
        frames = b"".join(_removed(game.number) for game in gone)
        frames += b"".join(map(_added, (*changes.added.values(), *changes.changed.values())))
        if frames:
            listed = self.listed
            for session in listeners:
                session.state.listed = listed
                self.hall.journal.send(session.wire, frames)

    @property
    def listed(self) -> tuple[int, ...]:
        """The games of people that followers know of."""
        return tuple(game.number for game in self.games.told.values())

    def move(self, old: LiveTable, new: LiveTable, listeners: Collection["HomeSession"]) -> None:
        """Nobody here is at a table."""


class HomeSession(TableSession[HomeDoor, HomeState]):
    """Somebody who looks at the list, and says nothing: whatever is said is not looked at."""

    __slots__ = ()

    counted_as = "powerchess_home_"
    state_type = HomeState

    @property
    def greeted(self) -> bool:
        return True

    def opened(self) -> None:
        self.enter_hall()
        self.hall.lobby.attend(self)
        games = self.door.games.followed(self.door)
        self.state.listed = self.door.listed
        self.hall.journal.send(self.wire, _all_games([*games.values(), *self.door.bots]))

    def parsed(self, data: bytes) -> None:
        """Nothing can be asked for here."""

    def handle(self, message: None) -> None:
        """There is nothing to do."""

    def refuse(self, refused: Refused, asked: None = None) -> None:
        """There is no word for it."""
        self.count_refusal(refused.code)

    def binary(self, data: bytes) -> None:
        self.hang_up(UNSUPPORTED, "this protocol is text")

    def oversized(self) -> None:
        self.hang_up(TOO_BIG, "message too big")

    def rate_limited(self) -> None:
        self.refuse(Refused("rate_limited", "Too many messages."))

    def left(self) -> None:
        self.stop_listening()
        self.leave_hall()

    def stop_listening(self) -> None:
        self.hall.lobby.depart(self)

    def listen_again(self) -> None:
        if self.state.arrived:
            self.hall.lobby.attend_again(self)
            self.door.games.followed(self.door)

    def refresh(self) -> None:
        """Only what is not as its client knows it: nobody knows what a client makes of a second list."""
        games, known = self.door.games.told.values(), self.state.listed
        listed = self.state.listed = self.door.listed
        frames = b"".join(_removed(number) for number in known if number not in listed)
        frames += b"".join(_added(game) for game in games if game.number not in known)
        if frames:
            self.hall.journal.send(self.wire, frames)
