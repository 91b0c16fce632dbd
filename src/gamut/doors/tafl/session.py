"""One connection of the Tafl protocol: somebody who logs in, and is in one game at most."""

from collections.abc import Awaitable
from typing import TYPE_CHECKING

from gamut.doors.base_session import TableSession, TableState
from gamut.doors.close_codes import LOGGED_OUT, TOO_BIG
from gamut.doors.tafl import from_client as f
from gamut.doors.tafl import to_client as t
from gamut.doors.tafl.bot_games import WaitingGame
from gamut.doors.tafl.dialects import Dialect
from gamut.doors.tafl.handlers import HANDLERS
from gamut.doors.tafl.refusals import MOVE_RESULTS, error_of
from gamut.doors.tafl.telling import awaited
from gamut.games.game import Refused, Seat
from gamut.hall.ids import Millis
from gamut.hall.live.live_table import LiveTable
from gamut.hall.people.person import Credentials, Person
from gamut.hall.table import commands as c
from gamut.hall.table.seats import Inability, Sitter

if TYPE_CHECKING:
    from gamut.doors.tafl.door import TaflDoor  # noqa: F401 - named in the base class

_CANNOT: tuple[Inability, ...] = ("start", "rematch", "follow", "swap")
_CANNOT_OLD: tuple[Inability, ...] = ("ready", *_CANNOT)
"""In dialect O there is no word for being ready, either: whoever sits is."""


class TaflSessionState(TableState, kw_only=True, omit_defaults=True):
    dialect: Dialect = "S"
    name: str = ""
    """Of the account; empty before somebody has logged in."""
    epoch: int = 0
    """Of the account, when it logged in."""
    tries: int = 0
    """Log-ins that failed."""
    ready: bool = False
    """The player has said so, or sat down elsewhere and is here with a client that has no word for it."""
    held: f.Move | None = None
    """A move that was made while play rests, by a client that has made it on its own board already."""
    bot_games: tuple[WaitingGame, ...] = ()
    """Where bots wait for this client, in the order of the list; none before it was shown one."""
    lists: int | None = None
    """Which lists were sent without being asked for (`Lists.digest`). None: none, or a bot in them waits no more."""


class TaflSession(TableSession["TaflDoor", TaflSessionState]):
    __slots__ = ()

    counted_as = "tafl_"
    state_type = TaflSessionState

    @property
    def credentials(self) -> Credentials | None:
        state = self.state
        return Credentials(state.person, state.name, state.epoch) if state.name else None

    @property
    def greeted(self) -> bool:
        return bool(self.state.name) or self.state.deaf

    @property
    def dialect(self) -> Dialect:
        return self.state.dialect

    @property
    def name(self) -> str:
        return self.state.name

    @property
    def seat(self) -> Seat | None:
        return None if self.live is None else self.live.table.seat_of(self.person)

    @property
    def plays(self) -> bool:
        """Whether this client is in a game that has begun and is not over, as a player or a watcher."""
        return self.live is not None and self.live.table.phase in ("playing", "paused")

    def opened(self) -> None:
        """The client speaks first."""

    # What the client says

    def parsed(self, data: bytes) -> f.Message:
        state = self.state
        return f.parsed(data, state.dialect) if state.name else f.parsed_login(data)

    def handle(self, message: f.Message) -> Awaitable[None] | None:
        return HANDLERS[type(message)](self, message)

    def refuse(self, refused: Refused, asked: f.Message | None = None) -> None:
        code, live = refused.code, self.live
        if type(asked) is f.Move and code in MOVE_RESULTS and live is not None:
            self.count_refusal(f"move_{code}")
            self.send(t.move_result(MOVE_RESULTS[code]), *awaited(live.table, self.seat))
            return
        error = error_of(refused, asked)
        self.count_refusal(error.word.replace("-", "_"))
        dialect = asked.dialect if type(asked) is f.Login else self.dialect
        word = error.old if dialect == "O" else error.word
        if word is not None:
            self.send(t.error(word))

    def binary(self, data: bytes) -> Awaitable[None] | None:
        """A line that is not UTF-8: what cannot be read is replaced."""
        return self.text(data)

    def oversized(self) -> None:
        if not self.state.deaf:
            self.refuse(Refused("line_too_long", f"A line has at most {self.most_bytes} bytes."))
            self.hang_up(TOO_BIG, "line too long")

    def send(self, *lines: bytes) -> None:
        said = b"".join(lines)
        if said:
            self.hall.journal.send(self.wire, said)

    # Coming and going

    def logged_in(self, person: Person, dialect: Dialect) -> None:
        state = self.state
        state.person, state.name, state.epoch, state.dialect = *person.credentials, dialect
        self.enter_hall()
        self.send(t.LOGGED_IN if dialect == "O" else t.SUCCESS)
        self.door.connected(self)

    def logged_out(self) -> None:
        """The account is gone, or somebody has ended all its sessions."""
        self.hang_up(LOGGED_OUT, "logged out")

    def sitter(self) -> Sitter:
        # After a stop of the server the seat is kept one millisecond longer than the table. If nobody comes
        # back, the game has no result; if one player does, the clock goes on, or without a clock the other
        # has lost.
        kept = Millis(self.hall.settings.timeouts.room_grace + 1)
        return Sitter(
            self.person,
            self.name,
            guest=False,
            rests=True,
            kept_for=kept,
            cannot=_CANNOT_OLD if self.dialect == "O" else _CANNOT,
        )

    def attend(self, live: LiveTable, password: str | None = None) -> None:
        """Follow this table. Events that follow from that are told to the others;
        this client gets a snapshot."""
        self.hall.attendance.attend(live, self, password_hash=password)
        self.be_at(live)

    def leave(self) -> None:
        """Give up the seat, or stop watching."""
        live = self.be_at(None)
        assert live is not None
        if live.table.seat_of(self.person) is None:
            self.hall.attendance.depart(live, self)
            self.door.client_rules.follow(live)
        else:
            self._stand(live)

    def _stand(self, live: LiveTable) -> None:
        self.state.ready, self.state.held = False, None
        live.depart(self)
        self.hall.do(live, c.Leave(self.person))
        self.door.client_rules.follow(live)

    def released(self) -> None:
        """There is no game here any more, or no place in it: back to the lobby."""
        live = self.be_at(None)
        self.state.ready, self.state.held = False, None
        if live is not None:
            self.hall.attendance.depart(live, self)

    def left(self) -> None:
        """A lost connection is as if the client had left, unless the game gives it time to come back."""
        if not self.state.name:
            return
        self.door.disconnected(self)
        self.leave_hall()
        live = self.be_at(None)
        if live is None:
            return
        holder = None if (seat := live.table.seat_of(self.person)) is None else live.table.seats[seat]
        if not isinstance(holder, Sitter) or not holder.rests:
            # A watcher has no seat to lose, and a seat that was taken on the page is
            # kept by the page's rules.
            self.hall.attendance.depart(live, self)
            self.door.client_rules.follow(live)
            return
        grace = live.table.decor.get("grace", 0) if self.dialect == "S+" else 0
        if grace and live.table.phase in ("playing", "paused"):
            self.hall.attendance.depart(live, self)
            self.door.give_up_later(live, self.person, Millis(grace))
        else:
            self._stand(live)

    # Moving to another node

    @property
    def is_replaced(self) -> bool:
        return bool(self.name and self.door.sessions_of(self.person))

    def stop_listening(self) -> None:
        if self.state.name:
            self.door.let_go(self)
        super().stop_listening()

    def listen_again(self) -> None:
        super().listen_again()
        if self.state.name:
            self.door.take_up(self)
