"""Tables of Power Chess, told to clients of `/play`."""

from collections.abc import Callable, Collection

from gamut.doors.base_door import BaseDoor
from gamut.doors.endings import WHY_CLOSED
from gamut.doors.keys import Keys
from gamut.doors.powerchess import time_controls
from gamut.doors.powerchess import to_client as t
from gamut.doors.powerchess.bot_games import bot_games
from gamut.doors.powerchess.naming import game_number, player_number
from gamut.doors.powerchess.session import PowerChessSession
from gamut.doors.powerchess.telling import PowerChessTelling, opponent, tell_action
from gamut.games.game import Seat
from gamut.hall.hall import Hall
from gamut.hall.ids import Millis
from gamut.hall.limits.attempts import Limit
from gamut.hall.limits.guesses import Guesses
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import events as e

GAME = "powerchess"
_MISSES = Limit(120, Millis(60_000))
"""Games that are not there, and keys that are not right, from one address."""


class PowerChessDoor(BaseDoor[PowerChessSession]):
    name = GAME
    telling = PowerChessTelling

    def __init__(
        self, hall: Hall, secret: str, check_unregistered: Callable[[str], None], *, debug: bool = False
    ) -> None:
        super().__init__(hall)
        self.check_unregistered = check_unregistered
        """Raises NameTaken for a name that only an account may have: nobody logs in at this door."""
        self.keys = Keys(secret, GAME)
        self.guesses = Guesses(_MISSES, hall.time.now, spare_loopback=True)
        self.bot_games = bot_games(hall.games[GAME])
        self.debug = debug
        """Boxes and offers come on demand."""

    def key(self, live: LiveTable, seat: Seat) -> str:
        key = self.keys.rejoin(live, seat)
        assert key is not None, "a person sits there"
        return key

    # What happens at tables

    def tell(self, live: LiveTable, news: News, listeners: Collection[PowerChessSession]) -> None:
        if not tell_action(self.hall.journal, live, news, tuple(listeners)):
            super().tell(live, news, listeners)

    def see_to(self, live: LiveTable, news: News, listeners: Collection[PowerChessSession]) -> None:
        before, after, last = news.before, news.after, news.events[-1]
        if before.phase == "setup":
            self._see_to_setup(live, news, listeners)
        elif type(last) is e.Closed:
            for session in tuple(listeners):
                session.send(t.NO_RESULT)
                session.removed(WHY_CLOSED.get(last.why, "The game has ended without a result."))
        elif after.seats is not before.seats:
            for session in tuple(listeners):
                if after.seat_of(session.person) is None:
                    session.released()

    def _see_to_setup(self, live: LiveTable, news: News, listeners: Collection[PowerChessSession]) -> None:
        after = news.after
        for session in tuple(listeners):
            seat = after.seat_of(session.person)
            if any(type(event) is e.Started for event in news.events):
                if seat is not None and not session.state.created:
                    session.plays(live, seat, created=False, known_as=session.state.game)
            elif after.phase == "over":
                session.removed("The game was called off.")
            elif seat is None and news.before.seat_of(session.person) is not None:
                session.removed("The host has asked you to leave this game.")

    def joined(self, live: LiveTable, seat: Seat) -> bytes:
        """What a player is told who comes into a game."""
        table = live.table
        game = game_number(table.room)
        assert game is not None, "every table has a number"
        control = time_controls.number_of(table.clock_setting)
        return t.joined(player_number(game, seat), seat, opponent(live, seat), control, self.key(live, seat))

    def move(self, old: LiveTable, new: LiveTable, listeners: Collection[PowerChessSession]) -> None:
        """The others go on without those who are here: in this protocol another game is created, or joined."""
        for session in tuple(listeners):
            session.be_at(new)
            session.released()
