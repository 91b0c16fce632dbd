"""One connection of the Tower protocol: one socket is one player in at most one room."""

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from gamut.doors.base_session import TableSession, TableState
from gamut.doors.close_codes import POLICY, TOO_BIG, UNSUPPORTED
from gamut.doors.tower import from_client as f
from gamut.doors.tower import to_client as t
from gamut.doors.tower.handlers import HANDLERS
from gamut.doors.tower.refusals import error_of
from gamut.games.game import Refused
from gamut.hall.table import commands as c

if TYPE_CHECKING:
    from gamut.doors.tower.door import TowerDoor  # noqa: F401 - named in the base class


class TowerSession(TableSession["TowerDoor", TableState]):
    __slots__ = ()

    counted_as = "tower_"
    most_bytes = 4096

    @property
    def greeted(self) -> bool:
        return self.live is not None

    def opened(self) -> None:
        self.enter_hall()

    # What the client says

    def text(self, data: bytes) -> Awaitable[None] | None:
        # Nearly every message places a mark, said in the same bytes by all clients.
        place, live, state = f.MARKS.get(data), self.live, self.state
        if place is None or live is None or state.deaf:
            return super().text(data)
        try:
            self.hall.do(live, c.Act(state.person, place))
        except Refused as refused:
            self.refuse(refused)
        return None

    parsed = staticmethod(f.parsed)

    def handle(self, message: f.FromClient) -> Awaitable[None] | None:
        return HANDLERS[type(message)](self, message)

    def refuse(self, refused: Refused, asked: Any = None) -> None:
        error, sentence = error_of(refused)
        self.count_refusal(error.name.lower())
        self.hall.journal.send(self.wire, t.error(error, sentence))

    def binary(self, data: bytes) -> None:
        self.close(UNSUPPORTED, "this protocol is text")

    def oversized(self) -> None:
        self.refuse(Refused("parse_error", f"a message has at most {self.most_bytes} bytes"))
        self.close(TOO_BIG, "message too big")

    def rate_limited(self) -> None:
        self.refuse(Refused("rate_limited", "too many messages; slow down"))

    # Coming and going

    def removed(self) -> None:
        """The host sent this player off, or called the game off: all that the protocol can say is to hang up."""
        live = self.be_at(None)
        if live is not None:
            live.depart(self)
        self.hang_up(POLICY, "removed from the room")

    def left(self) -> None:
        """Closing the socket is the only way to leave."""
        self.leave_hall()
        live = self.be_at(None)
        if live is not None:
            live.depart(self)
            if live.table.seat_of(self.person) is not None:
                self.hall.do(live, c.Leave(self.person))
