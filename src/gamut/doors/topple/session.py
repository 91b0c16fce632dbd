"""One connection of the Topple protocol: a player or a spectator of one room, or somebody on the way in."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from gamut.doors.base_session import TableSession, TableState
from gamut.doors.close_codes import NORMAL, TOO_BIG
from gamut.doors.offer import Newcomer
from gamut.doors.topple import entering, welcome
from gamut.doors.topple import from_client as f
from gamut.doors.topple import to_client as t
from gamut.doors.topple.entering import Arriving, Entering
from gamut.doors.topple.handlers import HANDLERS
from gamut.doors.topple.refusals import Soft, fatal, refusal_of
from gamut.doors.topple.welcome import BoardAgain
from gamut.games.game import Refused, Seat
from gamut.games.topple.files.suspended import Suspended
from gamut.hall.ids import Millis
from gamut.hall.live.live_table import LiveTable
from gamut.hall.store.journal import Wire
from gamut.hall.table import commands as c

if TYPE_CHECKING:
    from gamut.doors.topple.door import ToppleDoor


class ToppleSessionState(TableState, kw_only=True, omit_defaults=True):
    entering: Entering | None = None
    """How far somebody has come who has not been told all that they must know; None: they have."""
    spectator: str | None = None
    """The id of somebody who only watches."""
    board_again: BoardAgain | None = None
    pinged: Millis | None = None
    oversized: bool = False
    """It has sent a message that was too large; the next one is one too many."""


class ToppleSession(TableSession["ToppleDoor", ToppleSessionState]):
    __slots__ = ("saved",)

    counted_as = "topple_"
    state_type = ToppleSessionState

    def __init__(self, door: "ToppleDoor", wire: Wire, state: ToppleSessionState) -> None:
        super().__init__(door, wire, state)
        self.saved: Suspended | None = None
        """The suspended game whose file is in the state, played through."""

    @classmethod
    def new(cls, door: "ToppleDoor", wire: Wire, newcomer: Newcomer) -> "ToppleSession":
        session = super().new(door, wire, newcomer)
        session.state.entering = Arriving(newcomer.query)
        return session

    @property
    def greeted(self) -> bool:
        return self.live is not None or self.state.deaf

    @property
    def seat(self) -> Seat | None:
        return None if self.live is None else self.live.table.seat_of(self.person)

    @property
    def spectator(self) -> str | None:
        return self.state.spectator

    # What the client says

    def opened(self) -> Awaitable[None] | None:
        if self.door.draining:
            self.state.deaf = True
            self.send(t.DYNG)
            self._hang_up_after(self.door.settings.draining_close)
            return None
        return self._answered(entering.begin, self)

    def text(self, data: bytes) -> Awaitable[None] | None:
        # Nearly every message is a move, said in the same bytes by all clients.
        move, state = f.MOVES.get(data), self.state
        if move is None or state.entering is not None or state.deaf:
            if len(data) > self.most_bytes and not state.deaf:
                self._too_large()
                return None
            return super().text(data)
        assert self.live is not None
        try:
            self.hall.do(self.live, c.Act(state.person, move))
        except Refused as refused:
            self.refuse(refused)
        return None

    parsed = staticmethod(f.parsed)

    def handle(self, message: Any | None) -> Awaitable[None] | None:
        if message is None:
            return None  # of a type that this server does not know
        if self.state.entering is not None:
            return entering.hear(self, message)
        return HANDLERS[type(message)](self, message)

    def binary(self, data: bytes) -> Awaitable[None] | None:
        return None if self.state.deaf else self._answered(entering.hear_file, self, data)

    def _answered(self, call: Callable[..., Awaitable[None] | None], *args: Any) -> Awaitable[None] | None:
        """Do this; if it is refused, now or later, the client is told."""
        try:
            waiting = call(*args)
        except Refused as refused:
            self.refuse(refused)
            return None
        return None if waiting is None else self.guarded(waiting)

    def oversized(self) -> None:
        if entering.awaits_file(self.state.entering):
            # No game is as long as that, and whoever has sent it waits for an answer to it.
            self.refuse(fatal("not_suspended"))
        else:
            self._too_large()

    def _too_large(self) -> None:
        self.refuse(Refused("too_much", f"a message has at most {self.most_bytes} bytes"))
        if self.state.oversized:
            self.state.deaf = True
            self.close(TOO_BIG, "message too big")
        self.state.oversized = True

    def rate_limited(self) -> None:
        if not self.state.deaf:
            self.refuse(Refused("too_much", "too many messages; this one was not looked at"))

    # Answers

    def send(self, *frames: bytes) -> None:
        self.hall.journal.send(self.wire, b"".join(frames))

    def refuse(self, refused: Refused, asked: Any = None) -> None:
        refusal = refusal_of(refused.code, inside=self.live is not None)
        if isinstance(refusal, Soft):
            self.count_refusal(refusal.name.lower())
            self.send(t.soft(refusal, refused.reason))
            return
        self.count_refusal("fatal")
        self.state.deaf = True
        self.send(t.fatal(refusal))
        # The client has a moment to read it.
        self._hang_up_after(self.door.settings.fatal_close)

    def broken(self) -> None:
        self.refuse(fatal("internal_error"))

    def say_goodbye(self) -> None:
        # The seats wait for them, and their keys stay right.
        self.send(t.HOLD)

    def hold(self) -> bool:
        if self.live is not None:
            self.door.held.told(self.live, self)
            self.send(t.HOLD)
        # Whoever is still on the way in may get in by then.
        return True

    def part(self, unheard: Sequence[bytes]) -> None:
        """Everybody may come back at once, by another gateway, and says there what was not heard here."""
        data = [text.decode() for text in unheard]
        waiting = self.state.entering
        if self.live is not None:
            self.send(self.door.switch_to(self.live, self, data))
        elif isinstance(waiting, Arriving):
            # Nothing has come of it yet.
            self.send(t.switch(waiting.query, data))
        else:
            self.send(t.DYNG)

    def _hang_up_after(self, span: Millis) -> None:
        self.hall.time.later(span, lambda: self.close(NORMAL, "goodbye"))

    # Coming and going

    def entered(self, live: LiveTable, key: int | None = None) -> None:
        """From now on this connection hears what happens at the table; `key` says which key let it back in."""
        self.be_at(live)
        self.enter_hall()
        self.hall.attendance.attend(live, self, key)
        if live.table.phase == "over":
            self.door.close_later(live)

    def settle(self, frames: list[bytes]) -> None:
        """With this the client knows all that it must before anything can happen."""
        self.send(*frames)
        self.state.entering = None

    def leave(self) -> None:
        """Give up the seat, or stop watching, and hang up."""
        live = self.be_at(None)
        assert live is not None
        if self.spectator is not None:
            self._stop_watching(live, self.spectator)
        else:
            live.depart(self)
            if live.table.seat_of(self.person) is not None:
                self.hall.do(live, c.Leave(self.person))
            if not self.door.is_open(live):
                self.door.kicked.room_closed(live)
        self.hang_up(NORMAL, "goodbye")

    def dismissed(self) -> None:
        """There is no place here any more: kicked, the room is gone, or the player has come by another connection."""
        live = self.be_at(None)
        if live is not None:
            self.hall.attendance.depart(live, self)
        self.hang_up(NORMAL, "goodbye")

    def left(self) -> None:
        self.leave_hall()
        live = self.be_at(None)
        if live is None:
            return
        if self.spectator is not None:
            # A spectator has no key to come back with.
            self._stop_watching(live, self.spectator)
        elif live.table.phase == "over":
            live.depart(self)
            self.door.kicked.remember(self.person, self.address)
            self.door.give_up_later(live, self.person, self.door.settings.rejoin_window)
        else:
            self.door.kicked.remember(self.person, self.address)
            self.hall.attendance.depart(live, self)

    def _stop_watching(self, live: LiveTable, spectator: str) -> None:
        live.depart(self)
        self.door.others(live, t.spectator_left(spectator))
        if live.table.host == self.person and live.table.phase != "over":
            self.hall.do(live, c.Leave(self.person))
        # Only now, when nothing here is theirs any more: the hall looks whether anybody is left.
        self.hall.attendance.depart(live, self)

    def cut_off(self) -> Collection[LiveTable]:
        live = self.live
        followed = super().cut_off()
        if live is not None and self.spectator is not None:
            # Without a key they come back as another spectator.
            self.door.others(live, t.spectator_left(self.spectator))
        return followed

    def listen_again(self) -> None:
        super().listen_again()
        if self.live is not None and self.live.table.phase == "over":
            self.door.close_later(self.live)
        welcome.wait_to_show(self)
        entering.wait_again(self)
