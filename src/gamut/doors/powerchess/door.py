"""Tables of Power Chess, told to clients of `/play`."""

from collections.abc import Callable, Collection

from gamut.doors.base_door import BaseDoor
from gamut.doors.endings import WHY_CLOSED
from gamut.doors.keys import Keys
from gamut.doors.powerchess import names, time_controls
from gamut.doors.powerchess import to_client as t
from gamut.doors.powerchess.bot_games import bot_games
from gamut.doors.powerchess.naming import game_number, player_number
from gamut.doors.powerchess.session import PowerChessSession
from gamut.doors.powerchess.telling import Teller
from gamut.games.game import Seat
from gamut.hall.hall import Hall
from gamut.hall.ids import Millis
from gamut.hall.limits.attempts import Limit
from gamut.hall.limits.guesses import Guesses
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.names.person_names import NAMELESS
from gamut.hall.table import events as e
from gamut.hall.table.deciding.bot_names import told_name

GAME = "powerchess"
_MISSES = Limit(120, Millis(60_000))
"""Games that are not there, and keys that are not right, from one address."""


class PowerChessDoor(BaseDoor[PowerChessSession]):
    name = GAME

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
        if news.before.phase == "setup":
            self._tell_before(live, news, listeners)
            return
        teller = Teller(live, news)
        actor, after, send = teller.actor, news.after, self.hall.journal.send
        before = news.before
        told = tuple(listeners)
        if actor is not None and before.seat_of(told[0].person) != actor:
            told = told[::-1]
        for session in told:
            # Whoever leaves the seat with this is told how it ended all the same.
            seat = before.seat_of(session.person)
            if seat is not None:
                frames = teller.frames(seat, own=session.gives_up)
                if frames:
                    send(session.wire, frames)
        last = news.events[-1]
        if type(last) is e.Closed:
            for session in told:
                session.send(t.NO_RESULT)
                session.removed(WHY_CLOSED.get(last.why, "The game has ended without a result."))
        elif after.seats is not before.seats:
            for session in told:
                if after.seat_of(session.person) is None:
                    session.released()

    def _tell_before(self, live: LiveTable, news: News, listeners: Collection[PowerChessSession]) -> None:
        after = news.after
        if any(type(event) is e.Started for event in news.events):
            self._tell_start(live, listeners)
            return
        for session in tuple(listeners):
            if after.phase == "over":
                session.removed("The game was called off.")
            elif news.before.seat_of(session.person) is not None and after.seat_of(session.person) is None:
                session.removed("The host has asked you to leave this game.")

    def _tell_start(self, live: LiveTable, listeners: Collection[PowerChessSession]) -> None:
        # Whoever has waited is told first.
        for session in sorted(listeners, key=lambda session: not session.state.created):
            seat = live.table.seat_of(session.person)
            if seat is None:
                continue
            if session.state.created:
                session.send(t.opponent(_opponent(live, seat)))
            else:
                session.plays(live, seat, created=False, known_as=session.state.game)
                session.send(self.joined(live, seat))

    def joined(self, live: LiveTable, seat: Seat) -> bytes:
        """What a player is told who comes into a game."""
        table = live.table
        game = game_number(table.room)
        assert game is not None, "every table has a number"
        control = time_controls.number_of(table.clock_setting)
        return t.joined(player_number(game, seat), seat, _opponent(live, seat), control, self.key(live, seat))

    def move(self, old: LiveTable, new: LiveTable, listeners: Collection[PowerChessSession]) -> None:
        """The others go on without those who are here: in this protocol another game is created, or joined."""
        for session in tuple(listeners):
            session.be_at(new)
            session.released()


def _opponent(live: LiveTable, seat: Seat) -> str:
    holder = live.table.seats[1 - seat]
    # After the game the other one may have left.
    holder = live.table.players[1 - seat] if holder is None and live.table.players else holder
    return NAMELESS if holder is None else names.shown(told_name(holder))
