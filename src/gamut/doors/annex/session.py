"""The line to an annex, as the main wing has it."""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from gamut.doors.annex import from_annex as f
from gamut.doors.annex import to_annex as t
from gamut.doors.base_session import BaseSession, SessionState
from gamut.doors.close_codes import POLICY, TOO_BIG, UNSUPPORTED
from gamut.doors.offer import Newcomer
from gamut.games.game import Refused
from gamut.hall.ids import PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.store.journal import Wire
from gamut.hall.wings import MAIN

if TYPE_CHECKING:
    from gamut.doors.annex.door import AnnexDoor


class AnnexState(SessionState, kw_only=True, omit_defaults=True):
    """What the annex has said is known to the hall, and is said anew when the hall is another one."""

    wing: int = MAIN
    """MAIN until it has said which one it is."""
    node: int = 0


class AnnexSession(BaseSession["AnnexDoor", AnnexState]):
    """Implements `gamut.hall.annexes.Line`."""

    __slots__ = ()

    state_type = AnnexState
    counted_as = "annex_"

    @classmethod
    def new(cls, door: "AnnexDoor", wire: Wire, newcomer: Newcomer) -> "AnnexSession":
        return cls(door, wire, AnnexState(address=newcomer.address))

    @property
    def person(self) -> PersonId:
        raise RuntimeError("an annex is nobody")

    @property
    def is_somebody(self) -> bool:
        return False

    @property
    def followed(self) -> Collection[LiveTable]:
        return ()

    @property
    def greeted(self) -> bool:
        return self.state.wing != MAIN

    @property
    def node(self) -> int:
        return self.state.node

    def opened(self) -> None:
        """It says first who it is."""

    # What the annex says

    parsed = staticmethod(f.parsed)

    def handle(self, message: f.FromAnnex) -> None:
        if self.greeted == (type(message) is f.Hello):
            raise Refused("bad_message", "An annex says once who it is, before anything else.")
        _HANDLERS[type(message)](self, message)

    def _hello(self, hello: f.Hello) -> None:
        if hello.wings != self.hall.wings.count:
            raise Refused("other_wings", f"This hall has {self.hall.wings.count} wings.")
        self.state.wing, self.state.node = hello.wing, hello.node
        if not self.hall.annexes.takes(self, hello.wing):
            self.state.wing = MAIN
            raise Refused("not_its_owner", "There is no such annex, or it has another owner.")
        self.hall.annexes.ask_anew(hello.wing)

    def _all_follows(self, message: f.AllFollows) -> None:
        self.hall.annexes.all_follows(self.state.wing)

    def _told(self, told: f.Told) -> None:
        annexes, wing = self.hall.annexes, self.state.wing
        foreign = sum(not annexes.show(wing, summary) for summary in told.tables)
        foreign += sum(not annexes.hide(wing, table) for table in told.gone)
        for somebody in told.people:
            foreign += annexes.knows(wing, somebody.id, here=somebody.here, tables=somebody.tables)
        if foreign:
            self.hall.refusals[self.counted_as + "foreign_table"] += foreign

    def _that_was_all(self, message: f.ThatWasAll) -> None:
        self.hall.annexes.that_was_all(self.state.wing)

    def _erased(self, erased: f.Erased) -> None:
        self.hall.annexes.erased(self.state.wing, erased.number, fine=erased.fine)

    def refuse(self, refused: Refused, asked: Any = None) -> None:
        """It is no annex of this hall, or of another version: it comes again, and then perhaps all is well."""
        self.count_refusal(refused.code)
        self.hang_up(POLICY, refused.code)

    def binary(self, data: bytes) -> None:
        self.hang_up(UNSUPPORTED, "binary")

    def oversized(self) -> None:
        self.hang_up(TOO_BIG, "too big")

    # What the annex is told

    def send(self, message: t.ToAnnex) -> None:
        self.tell(t.framed(message))

    def tell(self, data: bytes) -> None:
        self.hall.journal.send(self.wire, data)

    def ask_for_all(self) -> None:
        self.send(t.TellAll())

    def ask_to_erase(self, number: int, person: PersonId) -> None:
        self.send(t.Erase(number, person))

    def replaced(self) -> None:
        self.hang_up(POLICY, "replaced")

    # Coming and going

    def left(self) -> None:
        self.stop_listening()

    def stop_listening(self) -> None:
        self.hall.annexes.lets_go(self, self.state.wing)

    def listen_again(self) -> None:
        if self.greeted and not self.hall.annexes.takes(self, self.state.wing):
            self.replaced()

    def refresh(self) -> None:
        if self.greeted and not self.is_deaf:
            self.hall.annexes.ask_anew(self.state.wing)


_HANDLERS: dict[type, Callable[[AnnexSession, Any], None]] = {
    f.Hello: AnnexSession._hello,
    f.AllFollows: AnnexSession._all_follows,
    f.Told: AnnexSession._told,
    f.ThatWasAll: AnnexSession._that_was_all,
    f.Erased: AnnexSession._erased,
}
