"""One connection of the Topple protocol: a player or a spectator of one room, or somebody on the way in."""

import logging
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from gamut.doors.base_session import TableSession, TableState
from gamut.doors.close_codes import GOING_AWAY, NORMAL, POLICY, TOO_BIG
from gamut.doors.topple import errors
from gamut.doors.topple import from_client as f
from gamut.doors.topple import to_client as t
from gamut.doors.topple.asking import HANDLERS
from gamut.doors.topple.entering import Entering
from gamut.doors.topple.errors import Fatal, Rejected, Soft
from gamut.doors.topple.way_in import WayIn
from gamut.games.game import Refused, Seat
from gamut.hall.faults import Fault
from gamut.hall.ids import Millis, PersonId, new_person_id
from gamut.hall.limits.attempts import TooManyTries
from gamut.hall.live.live_table import LiveTable
from gamut.hall.store.journal import Wire
from gamut.hall.table import commands as c

if TYPE_CHECKING:
    from gamut.doors.topple.door import ToppleDoor

log = logging.getLogger("gamut.doors")

MOST_TEXT = 64 * 1024


class ToppleSessionState(TableState, kw_only=True, omit_defaults=True):
    query: str
    spectator: str | None = None
    """The id of somebody who only watches."""
    settled: bool = False
    """The client has been told all that it must know before anything can happen."""
    pinged: Millis | None = None
    oversized: bool = False
    """It has sent a message that was too large; the next one is one too many."""
    way_in: WayIn | None = None
    """How far somebody has come who is not settled."""


class ToppleSession(TableSession["ToppleDoor", ToppleSessionState]):
    __slots__ = ("_entering",)

    counted_as = "topple_"

    def __init__(self, door: "ToppleDoor", wire: Wire, query: str, address: str) -> None:
        super().__init__(door, wire, ToppleSessionState(person=new_person_id(), address=address, query=query))
        self._entering: Entering | None = None

    @property
    def greeted(self) -> bool:
        return self.live is not None or self.state.deaf

    @property
    def seat(self) -> Seat | None:
        return None if self.live is None else self.live.table.seat_of(self.person)

    @property
    def spectator(self) -> str | None:
        return self.state.spectator

    # From the shell

    def opened(self) -> Awaitable[None] | None:
        if self.door.draining:
            self.state.deaf = True
            self.send(t.DYNG)
            self._hang_up_after(self.door.settings.draining_close)
            return None
        self.state.way_in = WayIn()
        self._entering = Entering(self, self.state.way_in)
        return self._entering.begin()

    def text(self, data: bytes) -> Awaitable[None] | None:
        if self.state.deaf:
            return None
        if len(data) > MOST_TEXT:
            self._too_large()
            return None
        try:
            message = f.parsed(data)
            if message is None:
                return None
            if self._entering is not None and self._entering.hears(message):
                return None
            if self.live is None:
                raise Rejected(Soft.WRONG_PHASE, "you are in no room yet")
            return HANDLERS[type(message)](self, message)
        except Rejected as rejected:
            self.reject(rejected)
        except Refused as refused:
            self.reject(errors.rejected(refused))
        except Fatal as fatal:
            self.fail(fatal)
        except Fault:
            self._broken()
        return None

    def binary(self, data: bytes) -> Awaitable[None] | None:
        if self.state.deaf:
            return None
        if self._entering is not None and self._entering.wants_file:
            return self._entering.file(data)
        self.reject(Rejected(Soft.WRONG_PHASE, "nothing binary is expected now"))
        return None

    def oversized(self) -> None:
        if self._entering is not None and self._entering.wants_file:
            # No game is as long as that, and whoever has sent it waits for an answer to it.
            self.fail(errors.not_suspended())
        else:
            self._too_large()

    def _too_large(self) -> None:
        self.reject(Rejected(Soft.TOO_MUCH, f"a message has at most {MOST_TEXT} bytes"))
        if self.state.oversized:
            self.state.deaf = True
            self.close(TOO_BIG, "message too big")
        self.state.oversized = True

    def rate_limited(self) -> None:
        if not self.state.deaf:
            self.reject(Rejected(Soft.TOO_MUCH, "too many messages; this one was not looked at"))

    def flooded(self) -> None:
        # For the room this is a lost connection: the seat waits, and whoever watched is gone.
        self.closed()
        self.close(POLICY, "too many messages")

    def closing(self) -> None:
        # Nobody leaves because the server stops: the seats wait for them, and their keys stay right.
        self.state.deaf = True
        self.be_at(None)
        self.send(t.HOLD)
        self.close(GOING_AWAY, "the server is restarting")

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
            self.hall.depart(live, self)

    # Coming and going

    def becomes(self, person: PersonId) -> None:
        """Before coming in: who this is has turned out only now."""
        self.state.person = person

    def watches_as(self, spectator: str) -> None:
        self.state.spectator = spectator

    def entered(self, live: LiveTable, key: int | None = None) -> None:
        """From now on this connection hears what happens at the table; `key` says which key let it back in."""
        self.be_at(live)
        self.enter_hall()
        self.hall.attend(live, self, key)
        if live.table.phase == "over":
            self.door.close_later(live)

    def settle(self) -> None:
        self.state.settled = True
        self.state.way_in = None
        self._entering = None

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
        self._end()

    def dismissed(self) -> None:
        """There is no place here any more: kicked, or the room is gone."""
        live = self.be_at(None)
        if live is not None:
            self.hall.depart(live, self)
        self._end()

    def replaced(self) -> None:
        """The same player has come by another connection."""
        live = self.be_at(None)
        assert live is not None
        self.hall.depart(live, self)
        self._end()

    def _end(self) -> None:
        self.state.deaf = True
        self.close(NORMAL, "goodbye")

    def _stop_watching(self, live: LiveTable, spectator: str) -> None:
        live.depart(self)
        self.door.others(live, t.spectator_left(spectator))
        if live.table.host == self.person and live.table.phase != "over":
            self.hall.do(live, c.Leave(self.person))
        # Only now, when nothing here is theirs any more: the hall looks whether anybody is left.
        self.hall.depart(live, self)

    # Answers

    def send(self, *frames: bytes) -> None:
        self.hall.journal.send(self.wire, b"".join(frames))

    def reject(self, rejected: Rejected) -> None:
        self.count_refusal(rejected.code.name.lower())
        self.send(t.soft(rejected))

    def fail(self, fatal: Fatal) -> None:
        """Say why, and end the connection once the client has had a moment to read it."""
        self.count_refusal("fatal")
        self.state.deaf = True
        self.send(t.fatal(fatal))
        self._hang_up_after(self.door.settings.fatal_close)

    def _broken(self) -> None:
        """A fault of ours ends this connection and nothing else; whatever was decided before it stands."""
        log.exception("a message could not be dealt with", extra={"door": self.door.name})
        self.fail(errors.internal_error())

    def _hang_up_after(self, span: Millis) -> None:
        self.hall.time.later(span, lambda: self.close(NORMAL, "goodbye"))

    async def guarded(self, waiting: Awaitable[Any], asked: Any = None) -> None:
        """Whatever comes of waiting for something is answered as if it had come at once."""
        try:
            await waiting
        except TooManyTries:
            self.fail(errors.no_capacity())
        except Refused as refused:
            log.warning("refused on the way in", extra={"code": refused.code})
            self.fail(errors.no_capacity())
        except Fatal as fatal:
            self.fail(fatal)
        except Fault:
            self._broken()
