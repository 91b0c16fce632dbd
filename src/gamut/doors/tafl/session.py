"""One connection of the Tafl protocol: somebody who logs in, and is in one game at most."""

import logging
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from gamut.doors.base_session import TableSession, TableState
from gamut.doors.close_codes import GOING_AWAY, LOGGED_OUT, POLICY, TOO_BIG
from gamut.doors.tafl import to_client as t
from gamut.doors.tafl.asking import HANDLERS
from gamut.doors.tafl.bot_games import WaitingGame
from gamut.doors.tafl.dialects import Dialect, Rejected, error_code
from gamut.doors.tafl.logging_in import log_in
from gamut.doors.tafl.playing import play
from gamut.doors.tafl.refusals import rejected
from gamut.games.game import Refused, Seat
from gamut.hall.ids import Millis, new_person_id
from gamut.hall.live.live_table import LiveTable
from gamut.hall.people.person import Person
from gamut.hall.store.journal import Wire
from gamut.hall.table import commands as c
from gamut.hall.table.seats import Inability, Sitter

if TYPE_CHECKING:
    from gamut.doors.tafl.door import Lists, TaflDoor

log = logging.getLogger("gamut.doors")

MOST_BYTES = 64 * 1024
_CANNOT: tuple[Inability, ...] = ("start", "rematch", "follow")
_CANNOT_OLD: tuple[Inability, ...] = ("ready", *_CANNOT)
"""In dialect O there is no word for being ready, either: whoever sits is."""


class TaflSessionState(TableState, kw_only=True, omit_defaults=True):
    dialect: Dialect = "S"
    name: str = ""
    """Of the account; empty before somebody has logged in."""
    tries: int = 0
    """Log-ins that failed."""
    ready: bool = False
    """The player has said so, or sat down elsewhere and is here with a client that has no word for it."""
    held: str | None = None
    """A move that was made while play rests, by a client that has made it on its own board already."""
    bot_games: tuple[WaitingGame, ...] = ()
    """Where bots wait for this client, in the order of the list; none before it was shown one."""


class TaflSession(TableSession["TaflDoor", TaflSessionState]):
    __slots__ = ("_heard", "lists")

    counted_as = "tafl_"

    def __init__(self, door: "TaflDoor", wire: Wire, address: str) -> None:
        super().__init__(door, wire, TaflSessionState(person=new_person_id(), address=address))
        self._heard: list[bytes] | None = None
        """What comes of something that this client asked for, while it is being done: its answer comes first."""
        self.lists: Lists | None = None
        """The lists that were sent without being asked for. None: none, or a bot waits in them that does so no more."""

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

    @property
    def asking(self) -> bool:
        """Whether what happens now is what this client asked for."""
        return self._heard is not None

    # From the shell

    def opened(self) -> None:
        """The client speaks first."""

    def text(self, data: bytes) -> Awaitable[None] | None:
        if self.state.deaf:
            return None
        word, _, rest = data.decode().lstrip(" ").partition(" ")
        try:
            if not self.state.name:
                if word == "login":
                    return self._guarded(log_in(self, rest))
                if word:
                    raise Rejected("not-logged-in")
                return None
            handle = HANDLERS[self.state.dialect].get(word)
            if handle is None:
                if word.strip():
                    raise Rejected("unknown-command")
                return None
            waiting = handle(self, rest)
            return None if waiting is None else self._guarded(waiting)
        except Rejected as reject:
            self.reject(reject)
        except Refused as refused:
            self.reject(rejected(refused))
        return None

    def binary(self, data: bytes) -> Awaitable[None] | None:
        """A line that is not UTF-8: what cannot be read is replaced."""
        return self.text(data.decode("utf-8", "replace").encode())

    def oversized(self) -> None:
        if not self.state.deaf:
            self.reject(Rejected("line-too-long"))
            self._hang_up(TOO_BIG, "line too long")

    def rate_limited(self) -> None:
        if not self.state.deaf:
            self.reject(Rejected("rate-limited"))

    def flooded(self) -> None:
        self._hang_up(POLICY, "too many messages")

    def closing(self) -> None:
        # Nobody leaves because the server stops: whoever joins the game again gets the seat back.
        self.freeze()
        self.close(GOING_AWAY, "the server is restarting")

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
            # Whoever watches is just gone; whoever sat down on the page keeps the seat as one does there.
            self.hall.depart(live, self)
            self.door.client_rules.follow(live)
            return
        grace = live.table.decor.get("grace", 0) if self.dialect == "S+" else 0
        if grace and live.table.phase in ("playing", "paused"):
            self.hall.depart(live, self)
            self.door.give_up_later(live, self.person, Millis(grace))
        else:
            self._stand(live)

    def logged_out(self) -> None:
        """The account is gone, or somebody has ended all its sessions."""
        self._hang_up(LOGGED_OUT, "logged out")

    def _hang_up(self, code: int, reason: str) -> None:
        self.closed()
        self.close(code, reason)

    # Coming and going

    def logged_in(self, person: Person, dialect: Dialect) -> None:
        self.state.person, self.state.name, self.state.dialect = person.id, person.name, dialect
        self.enter_hall()
        self.send(t.LOGGED_IN if dialect == "O" else t.SUCCESS)
        self.door.connected(self)

    def sitter(self) -> Sitter:
        # The seat is kept for a little longer than the whole table is: where nobody comes back after a stop of the
        # server the game has no result. Where only one does, the clock goes on, or without one the other has lost.
        kept = Millis(self.hall.settings.timeouts.room_grace + 1)
        return Sitter(
            self.person,
            self.name,
            guest=False,
            rests=True,
            kept_for=kept,
            cannot=_CANNOT_OLD if self.dialect == "O" else _CANNOT,
        )

    def leave(self) -> None:
        """Give up the seat, or stop watching."""
        live = self.be_at(None)
        assert live is not None
        if live.table.seat_of(self.person) is None:
            self.hall.depart(live, self)
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
            self.hall.depart(live, self)

    # Doing things

    def do(self, live: LiveTable, command: c.Command, *, granted: bool = False) -> bytes:
        """Carry it out. What this client hears of it is given back, for its answer to come first; if it is refused,
        what happened before that is said at once. `granted`: it is part of what was allowed."""
        heard = self._heard = []
        try:
            self.hall.do(live, command, granted=granted)
        except Refused:
            self.send(*heard)
            raise
        finally:
            self._heard = None
        return b"".join(heard)

    def attend(self, live: LiveTable, password: str | None = None) -> None:
        """Follow this table. What happens because of that only the others are told."""
        self._heard = []
        try:
            self.hall.attend(live, self, password_hash=password)
        finally:
            self._heard = None
        self.be_at(live)

    def play_held(self) -> None:
        """Play goes on: the move that was made meanwhile can be played."""
        held, self.state.held = self.state.held, None
        if held is None or self.live is None:
            return
        try:
            play(self, held)
        except Rejected as reject:
            self.reject(reject)
        except Refused as refused:
            self.reject(rejected(refused))

    # Answers

    def send(self, *lines: bytes) -> None:
        said = b"".join(lines)
        if said:
            self.hall.journal.send(self.wire, said)

    def hear(self, lines: bytes) -> None:
        """Something happened at the table."""
        if self._heard is not None:
            self._heard.append(lines)
        elif lines:
            self.hall.journal.send(self.wire, lines)

    def reject(self, reject: Rejected) -> None:
        self.count_refusal(reject.code.replace("-", "_"))
        code = error_code(self.state.dialect, reject.code, awaited=reject.awaited)
        if code is not None:
            self.send(t.error(code))

    async def _guarded(self, asking: Awaitable[None]) -> None:
        """Whatever comes of waiting for something is answered as if it had come at once."""
        try:
            await asking
        except Rejected as reject:
            if not self.state.deaf:
                self.reject(reject)
        except Refused as refused:
            if not self.state.deaf:
                self.reject(rejected(refused))
