"""One connection at `/play`: a player of one game at a time."""

import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from gamut.doors.base_session import TableSession, TableState
from gamut.doors.close_codes import GOING_AWAY, NORMAL, POLICY, TOO_BIG, UNSUPPORTED
from gamut.doors.powerchess import arranging, entering, playing
from gamut.doors.powerchess import from_client as f
from gamut.doors.powerchess import to_client as t
from gamut.doors.powerchess.naming import game_number, player_number
from gamut.games.game import Refused, Seat
from gamut.hall.ids import PersonId, new_person_id
from gamut.hall.live.live_table import LiveTable
from gamut.hall.store.journal import Wire
from gamut.hall.table import commands as c

if TYPE_CHECKING:
    from gamut.doors.powerchess.door import PowerChessDoor

log = logging.getLogger("gamut.doors")

MOST_BYTES = 4096


class PowerChessState(TableState, kw_only=True, omit_defaults=True):
    game: int | None = None
    """The number by which the client knows the game, and that of the player in it once it is told."""
    player: int | None = None
    created: bool = False
    """The game is this client's own: of whoever joins it, it is told the name only."""
    greeted: bool = False


class PowerChessSession(TableSession["PowerChessDoor", PowerChessState]):
    __slots__ = ("gives_up",)

    counted_as = "powerchess_"

    def __init__(self, door: "PowerChessDoor", wire: Wire, address: str) -> None:
        super().__init__(door, wire, PowerChessState(person=new_person_id(), address=address))
        self.gives_up = False
        """What happens now is that this client gives the game up."""

    @property
    def greeted(self) -> bool:
        return self.state.greeted or self.live is not None or self.state.deaf

    # From the shell

    def opened(self) -> None:
        self.enter_hall()

    def text(self, data: bytes) -> Awaitable[None] | None:
        if self.state.deaf or not data:
            return None
        try:
            kind = f.kind_of(data)
            if kind == f.ACT:
                playing.act(self, f.message_in(data, kind))
                return None
            return self._ask(kind, data)
        except Refused as refused:
            self._error(refused.code, refused.reason)
        return None

    def _ask(self, kind: int, data: bytes) -> Awaitable[None] | None:
        if kind == f.ERROR:
            log.info("a client reports an error", extra={"door": self.door.name})
            return None
        handle = _ARRANGE.get(kind) if self.door.debug else None
        handle = _HANDLERS.get(kind, handle)
        if handle is None:
            raise Refused("unknown_type", "There is no such type of message, or not from a client.")
        waiting: Awaitable[None] | None = handle(self, f.message_in(data, kind))
        return None if waiting is None else self._guarded(waiting)

    async def _guarded(self, waiting: Awaitable[None]) -> None:
        """Whatever comes of waiting for something is answered as if it had come at once."""
        try:
            await waiting
        except Refused as refused:
            if not self.state.deaf:
                self._error(refused.code, refused.reason)

    def binary(self, data: bytes) -> None:
        if not self.state.deaf:
            self._error("binary", "This protocol is text.")
            self._hang_up(UNSUPPORTED, "this protocol is text")

    def oversized(self) -> None:
        if not self.state.deaf:
            self._error("too_big", f"A message has at most {MOST_BYTES} bytes.")
            self._hang_up(TOO_BIG, "message too big")

    def rate_limited(self) -> None:
        if not self.state.deaf:
            self._error("rate_limited", "Too many messages; this one was not looked at.")

    def flooded(self) -> None:
        self._hang_up(POLICY, "too many messages")

    def closing(self) -> None:
        # Nobody leaves because the server stops: the seats wait, and their keys stay right.
        self.freeze()
        self.close(GOING_AWAY, "the server is restarting")

    def left(self) -> None:
        """In a game that is on, the seat and its clock stay; everything else goes with the connection."""
        self.leave_hall()
        if self.live is not None and self.live.table.phase in ("playing", "paused"):
            live = self.be_at(None)
            assert live is not None
            self.hall.depart(live, self)
        else:
            self.leave()

    def _hang_up(self, code: int, reason: str) -> None:
        self.closed()
        self.close(code, reason)

    # Coming and going

    def becomes(self, person: PersonId) -> None:
        """Who this is has turned out only now."""
        self.leave_hall()
        self.state.person = person
        self.enter_hall()

    def expects(self, known_as: int) -> None:
        """Is about to join the game that its client knows by this number."""
        self.state.game, self.state.player = known_as, None
        self.state.created = False

    def plays(self, live: LiveTable, seat: Seat, *, created: bool, known_as: int | None = None) -> None:
        """Has this seat, and is about to be told so."""
        game = game_number(live.table.room)
        assert game is not None, "every table has a number"
        self.state.game = game if known_as is None else known_as
        self.state.player = player_number(game, seat)
        self.state.created, self.state.greeted = created, True

    def leave(self) -> None:
        """Give up the seat, if there is one: before the game, or after it."""
        live = self.be_at(None)
        if live is None:
            return
        live.depart(self)
        if live.table.seat_of(self.person) is not None:
            self.hall.do(live, c.Leave(self.person))

    def released(self) -> None:
        """There is no seat for this player any more, or no game."""
        live = self.be_at(None)
        assert live is not None
        live.depart(self)

    def removed(self, why: str) -> None:
        self.released()
        self._error("removed", why)

    def replaced(self) -> None:
        """The same player has come by another connection."""
        live = self.be_at(None)
        assert live is not None
        self.hall.depart(live, self)
        self._hang_up(NORMAL, "goodbye")

    @contextmanager
    def giving_up(self) -> Iterator[None]:
        self.gives_up = True
        try:
            yield
        finally:
            self.gives_up = False

    # Answers

    def send(self, frames: bytes) -> None:
        self.hall.journal.send(self.wire, frames)

    def illegal(self, code: str, why: str) -> None:
        self.count_refusal(code)
        self.send(t.illegal(why))

    def _error(self, code: str, why: str) -> None:
        self.count_refusal(code)
        self.send(t.error(why))


Handler = Callable[[PowerChessSession, Any], Awaitable[None] | None]
_HANDLERS: dict[int, Handler] = {
    f.CREATE: entering.create,
    f.JOIN: entering.join,
    f.OVER: playing.give_up,
    f.DRAW: playing.offer_draw,
}
_ARRANGE: dict[int, Handler] = {f.SPAWN: arranging.spawn, f.GIVE: arranging.give}
