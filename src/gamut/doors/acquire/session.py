"""One connection of the Acquire protocol: somebody who may be logged in, and be at several games."""

from collections.abc import Awaitable, Collection
from typing import TYPE_CHECKING, Any

from gamut.doors.acquire import from_client as f
from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.checkpoint import Checkpoint
from gamut.doors.acquire.handlers import HANDLERS
from gamut.doors.acquire.naming import game_number
from gamut.doors.acquire.refusals import code_of
from gamut.doors.acquire.snapshots import snapshot
from gamut.doors.acquire.users import user_id
from gamut.doors.base_session import BaseSession, SessionState
from gamut.doors.close_codes import LOGGED_OUT, POLICY, TOO_BIG, UNSUPPORTED
from gamut.doors.offer import Newcomer
from gamut.games.game import Refused
from gamut.hall.ids import PersonId, TableId, new_person_id
from gamut.hall.live.live_table import LiveTable
from gamut.hall.people.person import Credentials, Person
from gamut.hall.store.journal import Wire
from gamut.hall.table import commands as c
from gamut.hall.table.seats import Sitter

if TYPE_CHECKING:
    from gamut.doors.acquire.door import AcquireDoor

MOST_GAMES = 100
_MOST_UNREADABLE = 10
"""Frames in a row that are no JSON."""


class AcquireSessionState(SessionState, kw_only=True, omit_defaults=True):
    stranger: PersonId
    """Who it is before a log-in: nobody that anybody knows."""
    known: Person | None = None
    """Who has logged in."""
    greeted: bool = False
    games: dict[int, TableId] = {}
    """The games that this connection is at, by number."""
    in_lobby: bool = False
    """It follows the lobby."""
    checkpoint: Checkpoint | None = None
    """And is still being told which games there are."""
    private_games: dict[TableId, t.Summary] = {}
    """The private games that it is told of there, as it knows them."""
    unreadable: int = 0
    oversized: bool = False
    """It has sent a message that was too large; the next one is one too many."""

    @property
    def tables(self) -> Collection[TableId]:
        return self.games.values()


class AcquireSession(BaseSession["AcquireDoor", AcquireSessionState]):
    __slots__ = ("following", "person")

    state_type = AcquireSessionState

    counted_as = "acquire_"

    def __init__(self, door: "AcquireDoor", wire: Wire, state: AcquireSessionState) -> None:
        super().__init__(door, wire, state)
        self.person: PersonId = state.stranger if state.known is None else state.known.id
        self.following: dict[TableId, LiveTable] = {}
        """The tables of the games that this connection is at."""

    @classmethod
    def new(cls, door: "AcquireDoor", wire: Wire, newcomer: Newcomer) -> "AcquireSession":
        return cls(door, wire, AcquireSessionState(stranger=new_person_id(), address=newcomer.address))

    @property
    def credentials(self) -> Credentials | None:
        known = self.state.known
        return None if known is None else known.credentials

    @property
    def followed(self) -> Collection[LiveTable]:
        return self.following.values()

    @property
    def greeted(self) -> bool:
        return self.state.greeted or self.state.deaf

    def opened(self) -> None:
        self.enter_hall()
        self.send(t.Initial(version=t.VERSION, server_time=self.hall.time.now()))

    # What the client says

    def parsed(self, data: bytes) -> f.FromClient:
        return f.parsed(data)

    def handle(self, message: f.FromClient) -> Awaitable[None] | None:
        if type(message) is f.Unreadable:
            self._not_understood(message)
            return None
        state, kind = self.state, type(message)
        state.unreadable = 0
        state.greeted = True
        if type(message) is f.DoGameAction:
            message.check_params()
        if state.known is None and kind not in f.FOR_ANYBODY:
            raise Refused("not_logged_in", "Please log in first.")
        waiting = HANDLERS[kind](self, message)
        if waiting is not None:
            return self._answered_later(waiting, message)
        self._answered(message)
        return None

    async def _answered_later(self, waiting: Awaitable[None], message: f.FromClient) -> None:
        await waiting
        self._answered(message)

    def _answered(self, message: f.FromClient) -> None:
        if message.id is not None and type(message) not in f.ANSWERED_OTHERWISE:
            self.answer(message.id)

    def answer(self, answers: f.Id | None) -> None:
        if answers is not None and not self.state.deaf:
            self.send(t.Ok(id=answers))

    def refuse(self, refused: Refused, asked: Any = None) -> None:
        code = code_of(refused)
        self.count_refusal(code)
        answers = None if asked is None else asked.id
        self.send(t.Error(id=answers, code=code, message=refused.reason))

    def send(self, message: t.ToClient) -> None:
        self.hall.journal.send(self.wire, t.framed(message))

    def _not_understood(self, message: f.Unreadable) -> None:
        self.refuse(Refused("invalid_message", message.reason), message)
        self.state.unreadable = 0 if message.is_json else self.state.unreadable + 1
        if self.state.unreadable >= _MOST_UNREADABLE:
            self.hang_up(POLICY, "too many messages that are not JSON")

    def binary(self, data: bytes) -> None:
        if not self.state.deaf:
            self.refuse(Refused("invalid_message", "This protocol is text."))
            self.hang_up(UNSUPPORTED, "this protocol is text")

    def oversized(self) -> None:
        if self.state.deaf:
            return
        self.refuse(Refused("too_large", f"A message has at most {self.most_bytes} bytes."))
        if self.state.oversized:
            self.hang_up(TOO_BIG, "message too big")
        self.state.oversized = True

    @property
    def knows_everything(self) -> bool:
        """Whether it knows of the lobby all that there is up to the number of a message, and nothing else."""
        return self.state.checkpoint is None and not self.state.private_games

    # Who it is

    def become(self, person: Person | None) -> None:
        """From now on this connection is that person's, or nobody's."""
        self.leave_hall()
        self.state.known = person
        self.person = self.state.stranger if person is None else person.id
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

    def logged_out(self) -> None:
        """The account is gone, or somebody has ended all its sessions."""
        self.refuse(Refused("logged_out", "You were logged out."))
        self.hang_up(LOGGED_OUT, "logged out")

    # Games

    def at_hand(self, number: int) -> LiveTable | None:
        """The game, if it need not be read from the ledger."""
        table = self.state.games.get(number)
        if table is not None:
            return self.following[table]
        found = self.hall.register.rooms.get((self.door.name, str(number)))
        return None if found is None else self.hall.here(found)

    def is_at(self, live: LiveTable) -> bool:
        return live.id in self.following

    def do(self, live: LiveTable, command: c.Command) -> None:
        """Carry it out, with all that time brings about because of it: that is told before the answer."""
        self.hall.do(live, command)
        if live.deadline is not None:
            self.hall.catch_up(live)

    def enter(self, live: LiveTable, *, sits_down: bool = False) -> None:
        """Follow a game from now on, if this connection does not yet; the others at it are told.

        `sits_down`: as of `Attendance.attend`.
        """
        if self.is_at(live):
            return
        self.check_room_for_game()
        is_new = self.person not in live.here
        self.hall.attendance.attend(live, self, sits_down=sits_down)
        self._follow(live)
        if is_new:
            self._announce(live, t.UserEnteredGame)
        self.door.lobby.look_at(live.id)

    def goes_on_at(self, live: LiveTable) -> None:
        """Go on at the rematch, which this connection follows already and in which its player has a seat. It
        begins when the player approves, unless it has begun."""
        self._follow(live)
        self.send(snapshot(self.door, live, self.person))
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
        if not self.is_at(live):
            return
        self._forget(live)
        self.hall.attendance.depart(live, self)
        if self.person in live.here:
            return
        if live.table.phase == "over" and live.table.seat_of(self.person) is not None:
            # Those who want a rematch need not wait for somebody who is gone.
            self.hall.do(live, c.Leave(self.person))
        self._announce(live, t.UserExitedGame)
        self.door.lobby.look_at(live.id)

    def exit_games(self) -> None:
        for live in list(self.following.values()):
            self.exit(live)

    def let_go(self, live: LiveTable) -> None:
        """The game is gone, or goes on as another one: this connection is not at it any more."""
        self._forget(live)
        live.depart(self)

    def _forget(self, live: LiveTable) -> None:
        del self.following[live.id], self.state.games[game_number(live.table)]

    def _announce(self, live: LiveTable, kind: type[t.UserEnteredGame | t.UserExitedGame]) -> None:
        """Tell the others at a game who came or went, if they can know who it is."""
        user = self.user
        if user is None:
            return
        number = game_number(live.table)
        frame = t.framed(kind(game_number=number, user_id=user.user_id, username=user.username))
        for session in self.door.sessions_at(live):
            if session.person != self.person:
                self.hall.journal.send(session.wire, frame)

    # Going, and going on elsewhere

    def left(self) -> None:
        """A lost connection changes nothing of a game: who comes back has the seat that they had."""
        self.door.lobby.unfollow(self)
        self.exit_games()
        self.leave_hall()

    def cut_off(self) -> Collection[LiveTable]:
        followed = super().cut_off()
        for live in followed:
            # Of those who belong to a game it is told when they do not come back (`AcquireDoor.see_to`).
            if self.person not in live.here and not live.table.inside(self.person):
                self._announce(live, t.UserExitedGame)
        return followed

    def stop_listening(self) -> None:
        super().stop_listening()
        self.door.lobby.unfollow(self)
        self.following = {}

    def listen_again(self) -> None:
        for table in self.state.games.values():
            self.following[table] = self.attend_again(table)
        if self.state.in_lobby:
            self.door.lobby.follow_again(self)

    @property
    def wanted(self) -> Collection[TableId]:
        if not self.state.in_lobby:
            return self.state.tables
        return *self.state.tables, *self.door.lobby.private.tables_of(self.person)

    def refresh(self) -> None:
        if self.state.in_lobby:
            self.door.lobby.tell_anew(self)
