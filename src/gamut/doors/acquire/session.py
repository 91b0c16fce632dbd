"""One connection of the Acquire protocol: somebody who may be logged in, and be at several games."""

import logging
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

import msgspec

from gamut.doors.acquire import from_client as f
from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.asking import HANDLERS
from gamut.doors.acquire.positions import game_number
from gamut.doors.acquire.refusals import code_of, not_found
from gamut.doors.acquire.users import user_id
from gamut.doors.base_session import BaseSession, SessionState
from gamut.doors.close_codes import GOING_AWAY, LOGGED_OUT, POLICY, TOO_BIG, UNSUPPORTED
from gamut.games.game import Refused
from gamut.hall.ids import PersonId, TableId, new_person_id
from gamut.hall.live.live_table import LiveTable
from gamut.hall.people.person import Person
from gamut.hall.store.journal import Wire
from gamut.hall.table import commands as c
from gamut.hall.table.seats import Sitter

if TYPE_CHECKING:
    from gamut.doors.acquire.door import AcquireDoor

log = logging.getLogger("gamut.doors")

MOST_BYTES = 64 * 1024
MOST_GAMES = 100
_MOST_UNREADABLE = 10
"""Frames in a row that are no JSON."""
_LONGEST_REASON = 300
_ANYBODY = (f.Login, f.CreateUserAndLogin, f.LobbyConnect, f.EnterGame, f.ExitGame)
"""What may be said before a log-in."""
_ANSWERED = (f.CreateGame, f.LobbyConnect)
"""What is answered by those who deal with it: the answer says more, or comes later."""


class AcquireSessionState(SessionState, kw_only=True, omit_defaults=True):
    stranger: PersonId
    """Who it is before a log-in: nobody that anybody knows."""
    known: Person | None = None
    """Who has logged in."""
    greeted: bool = False
    games: dict[int, TableId] = {}
    """The games that this connection is at, by number."""
    unreadable: int = 0
    oversized: bool = False
    """It has sent a message that was too large; the next one is one too many."""


class AcquireSession(BaseSession["AcquireDoor", AcquireSessionState]):
    __slots__ = ("following",)

    counted_as = "acquire_"

    def __init__(self, door: "AcquireDoor", wire: Wire, address: str) -> None:
        super().__init__(door, wire, AcquireSessionState(stranger=new_person_id(), address=address))
        self.following: dict[TableId, LiveTable] = {}

    @property
    def greeted(self) -> bool:
        return self.state.greeted or self.state.deaf

    @property
    def person(self) -> PersonId:
        known = self.state.known
        return self.state.stranger if known is None else known.id

    # From the shell

    def opened(self) -> None:
        self.enter_hall()
        self.send(t.Initial(version=t.VERSION, server_time=self.hall.time.now()))

    def text(self, data: bytes) -> Awaitable[None] | None:
        if self.state.deaf:
            return None
        if len(data) > MOST_BYTES:
            self.oversized()
            return None
        try:
            message = f.decoder.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self._unreadable(data, error)
            return None
        self.state.unreadable = 0
        self.state.greeted = True
        try:
            if isinstance(message, f.DoGameAction):
                message.check_params()
            if self.state.known is None and not isinstance(message, _ANYBODY):
                raise Refused("not_logged_in", "Please log in first.")
            number = getattr(message, "game_number", None)
            if number is None:
                return self._handled(message, HANDLERS[type(message)](self, message))
            live = self._at_hand(number)
            if live is None:
                return self._guarded(message, self._after_finding(message, number))
            return self._handled(message, HANDLERS[type(message)](self, message, self._known(live)))
        except Refused as refused:
            self._refuse(message.id, refused)
        return None

    def binary(self, data: bytes) -> None:
        if not self.state.deaf:
            self._error(None, "invalid_message", "This protocol is text.")
            self._hang_up(UNSUPPORTED, "this protocol is text")

    def oversized(self) -> None:
        if self.state.deaf:
            return
        self._error(None, "too_large", f"A message has at most {MOST_BYTES} bytes.")
        if self.state.oversized:
            self._hang_up(TOO_BIG, "message too big")
        self.state.oversized = True

    def rate_limited(self) -> None:
        if not self.state.deaf:
            self._error(None, "rate_limited", "Too many messages; this one was not looked at.")

    def flooded(self) -> None:
        self._hang_up(POLICY, "too many messages")

    def closing(self) -> None:
        # Nobody leaves because the server stops: they find everything as it was.
        self.freeze()
        self.close(GOING_AWAY, "the server is restarting")

    def left(self) -> None:
        """A lost connection changes nothing of a game: who comes back has the seat that they had."""
        self.door.lobby.unfollow(self)
        self.exit_games()
        self.leave_hall()

    def logged_out(self) -> None:
        """The account is gone, or somebody has ended all its sessions."""
        self._error(None, "logged_out", "You were logged out.")
        self._hang_up(LOGGED_OUT, "logged out")

    def _hang_up(self, code: int, reason: str) -> None:
        self.close(code, reason)
        self.closed()

    def _unreadable(self, data: bytes, error: Exception) -> None:
        self._error(f.id_of(data), "invalid_message", str(error)[:_LONGEST_REASON])
        self.state.unreadable = 0 if f.is_json(data) else self.state.unreadable + 1
        if self.state.unreadable >= _MOST_UNREADABLE:
            self._hang_up(POLICY, "too many messages that are not JSON")

    # Who it is

    def become(self, person: Person | None) -> None:
        """From now on this connection is that person's, or nobody's."""
        self.leave_hall()
        self.state.known = person
        self.enter_hall()

    @property
    def user(self) -> t.User | None:
        """None for somebody who only looks."""
        known = self.state.known
        return None if known is None else t.User(user_id(known.id, guest=known.guest), known.name)

    def sitter(self) -> Sitter:
        known = self.state.known
        assert known is not None
        # As long as a table that nobody comes back to stands: a lost connection gives up no seat.
        kept = self.hall.settings.timeouts.abandoned_after
        return Sitter(
            known.id,
            known.name,
            guest=known.guest,
            kept_for=kept,
            rests=False,
            renews=False,
            cannot=("start", "rematch"),
        )

    # Games

    def _at_hand(self, number: int) -> LiveTable | None:
        """The game, if it need not be read from the ledger."""
        table = self.state.games.get(number)
        if table is not None:
            return self.following[table]
        found = self.hall.register.rooms.get((self.door.name, str(number)))
        return None if found is None else self.hall.here(found)

    async def _after_finding(self, message: Any, number: int) -> None:
        live = await self.hall.find(self.door.name, str(number)) if 0 < number < 1 << 31 else None
        if live is None:
            raise not_found()
        if self.state.deaf:
            return
        waiting = HANDLERS[type(message)](self, message, self._known(live))
        if waiting is not None:
            await waiting
        self._ok(message)

    def _known(self, live: LiveTable) -> LiveTable:
        """The game, if this person may know of it: a private one does not exist for those outside."""
        table = live.table
        hidden = table.private and not table.inside(self.person) and live.id not in self.following
        if hidden or (table.phase == "over" and table.outcome is None):
            raise not_found()
        return live

    def enter(self, live: LiveTable) -> None:
        """Follow a game from now on, if this connection does not yet; the others at it are told."""
        if live.id in self.following:
            return
        self.check_room_for_game()
        is_new = self.person not in live.here
        self.hall.attend(live, self)
        self._follow(live)
        self.door.entered(live, self)
        if is_new and self.user is not None:
            self._announce(live, t.UserEnteredGame)
        self.door.lobby.note(live)

    def goes_on_at(self, live: LiveTable) -> None:
        """The game before is over, and this player has a seat in the next one, which this connection follows already:
        it begins when its player approves, or others have seen to that."""
        self._follow(live)
        self.send(self.door.picture(live, self))
        known = self.state.known
        if known is not None:
            # In the game that is over they keep the name they played it under; this one is another.
            live.when_told(lambda: self.hall.call_by_name(live, known))

    def _follow(self, live: LiveTable) -> None:
        self.following[live.id] = live
        self.state.games[game_number(live.table)] = live.id

    def check_room_for_game(self) -> None:
        if len(self.following) >= MOST_GAMES:
            raise Refused("too_many_games", f"One connection is at most at {MOST_GAMES} games.")

    def exit(self, live: LiveTable) -> None:
        if live.id not in self.following:
            return
        self._forget(live)
        self.hall.depart(live, self)
        self.door.departed(live)
        if self.person in live.here:
            return
        if live.table.phase == "over" and live.table.seat_of(self.person) is not None:
            # Those who want a rematch need not wait for somebody who is gone.
            self.hall.do(live, c.Leave(self.person))
        if self.user is not None:
            self._announce(live, t.UserExitedGame)
        self.door.lobby.note(live)

    def exit_games(self) -> None:
        for live in list(self.following.values()):
            self.exit(live)

    def let_go(self, live: LiveTable) -> None:
        """There is no game any more that this connection could be at."""
        self._forget(live)
        live.depart(self)
        self.door.departed(live)

    def _forget(self, live: LiveTable) -> None:
        del self.following[live.id], self.state.games[game_number(live.table)]

    def _announce(self, live: LiveTable, kind: Any) -> None:
        """Tell the others at a game who came or went."""
        assert self.user is not None
        message = kind(
            game_number=game_number(live.table), user_id=self.user.user_id, username=self.user.username
        )
        frame = t.framed(message)
        for session in self.door.sessions_at(live):
            if session.person != self.person:
                self.hall.journal.send(session.wire, frame)

    def do(self, live: LiveTable, command: c.Command) -> None:
        """Carry it out, with all that time brings about because of it: that is told before the answer."""
        self.hall.do(live, command)
        self.hall.catch_up(live)

    # Answers

    def send(self, message: t.ToClient) -> None:
        self.hall.journal.send(self.wire, t.framed(message))

    def _handled(self, message: Any, waiting: Awaitable[None] | None) -> Awaitable[None] | None:
        if waiting is not None:
            return self._guarded(message, self._answered_later(message, waiting))
        self._ok(message)
        return None

    async def _answered_later(self, message: Any, waiting: Awaitable[None]) -> None:
        await waiting
        self._ok(message)

    async def _guarded(self, message: Any, asking: Awaitable[None]) -> None:
        """Whatever comes of waiting for something is answered as if it had come at once."""
        try:
            await asking
        except Refused as refused:
            if not self.state.deaf:
                self._refuse(message.id, refused)

    def _ok(self, message: Any) -> None:
        if type(message) not in _ANSWERED:
            self.answer(message.id)

    def answer(self, answers: f.Id | None) -> None:
        if answers is not None and not self.state.deaf:
            self.send(t.Ok(id=answers))

    def _refuse(self, answers: f.Id | None, refused: Refused) -> None:
        self._error(answers, code_of(refused), refused.reason)

    def _error(self, answers: f.Id | None, code: str, reason: str) -> None:
        self.count_refusal(code)
        self.send(t.Error(id=answers, code=code, message=reason))
