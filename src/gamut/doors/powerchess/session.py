"""One connection at `/play`: a player of one game at a time."""

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

from gamut.doors.base_session import TableSession, TableState
from gamut.doors.close_codes import NORMAL, TOO_BIG, UNSUPPORTED
from gamut.doors.powerchess import from_client as f
from gamut.doors.powerchess.handlers import HANDLERS
from gamut.doors.powerchess.naming import game_number, player_number
from gamut.doors.powerchess.refusals import answer_to
from gamut.games.game import Refused, Seat
from gamut.hall.ids import PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import commands as c

if TYPE_CHECKING:
    from gamut.doors.powerchess.door import PowerChessDoor  # noqa: F401 - named in the base class


class PowerChessState(TableState, kw_only=True, omit_defaults=True):
    game: int | None = None
    """The number by which the client knows the game, and that of the player in it once it is told."""
    player: int | None = None
    created: bool = False
    """The game is this client's own: of whoever joins it, it is told the name only."""
    greeted: bool = False


class PowerChessSession(TableSession["PowerChessDoor", PowerChessState]):
    __slots__ = ()

    counted_as = "powerchess_"
    most_bytes = 4096
    state_type = PowerChessState

    @property
    def greeted(self) -> bool:
        return self.state.greeted or self.live is not None or self.state.deaf

    def opened(self) -> None:
        self.enter_hall()

    # What the client says

    def parsed(self, data: bytes) -> Any:
        return f.parsed(data, debug=self.door.debug)

    def handle(self, message: Any) -> Awaitable[None] | None:
        return HANDLERS[type(message)](self, message)

    def refuse(self, refused: Refused, asked: Any = None) -> None:
        self.count_refusal(refused.code)
        self.send(answer_to(refused, asked))

    def binary(self, data: bytes) -> None:
        if not self.state.deaf:
            self.refuse(Refused("binary", "This protocol is text."))
            self.hang_up(UNSUPPORTED, "this protocol is text")

    def oversized(self) -> None:
        if not self.state.deaf:
            self.refuse(Refused("too_big", f"A message has at most {self.most_bytes} bytes."))
            self.hang_up(TOO_BIG, "message too big")

    # Coming and going

    def left(self) -> None:
        """In a game that is on, the seat and its clock stay; everything else goes with the connection."""
        self.leave_hall()
        if self.live is not None and self.live.table.phase in ("playing", "paused"):
            live = self.be_at(None)
            assert live is not None
            self.hall.attendance.depart(live, self)
        else:
            self.leave()

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
        self.refuse(Refused("removed", why))

    def replaced(self) -> None:
        """The same player has come by another connection."""
        live = self.be_at(None)
        assert live is not None
        self.hall.attendance.depart(live, self)
        self.hang_up(NORMAL, "goodbye")

    def send(self, frames: bytes) -> None:
        self.hall.journal.send(self.wire, frames)
