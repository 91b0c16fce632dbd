"""What is long at this door: how tables stand, what happened there, and the tables of the lobby."""

from typing import TYPE_CHECKING

import msgspec

from gamut.doors.pieces import Reader
from gamut.doors.web import to_client as t
from gamut.doors.web.telling import goes_back
from gamut.hall.ids import Seq, TableId
from gamut.hall.table.view import reseated

if TYPE_CHECKING:
    from gamut.doors.web.session import WebSession

EVENTS = 100
TABLES = 200
"""How many make a piece."""
LOBBY = "lobby"
"""In the place of a table's id."""


class Snapshot(msgspec.Struct, tag="snapshot"):
    """How a table stands, for whoever wants nothing of its past."""

    answers: int | None = None
    """The number of the message that asked for it."""

    def piece(self, session: "WebSession", about: str) -> tuple[bytes, bool]:
        """The next piece, as things are now, and whether that was the last."""
        live = session.following[TableId(about)]
        return t.framed(t.snapshot(live, session.person, session.hall.time.now())), True


class History(msgspec.Struct, tag="history"):
    """What happened at a table since some event, up to the moment at which the last piece is told."""

    after: Seq
    """Up to which event it was told so far."""
    seq: Seq
    """The last event there was when that was told."""
    snapshot_follows: bool = False
    """Something was told that not every client can work out by itself."""
    answers: int | None = None

    def piece(self, session: "WebSession", about: str) -> tuple[bytes, bool]:
        live, person, now = session.following[TableId(about)], session.person, session.hall.time.now()
        after, upto = self.after, Seq(min(self.after + EVENTS, live.table.seq))
        if not live.looks_alike(person, after, self.seq):
            # The person sees the game through other eyes since the last piece:
            # the pieces would not fit together.
            return t.framed(t.snapshot(live, person, now, anew=True)), True
        seen = live.visible(live.viewer(person), after, upto)
        self.after = upto
        self.seq = live.table.seq
        if goes_back(seen) or person in reseated(live.table, seen):
            self.snapshot_follows = True
        frame = t.framed(t.happened(live, seen, after, upto, now))
        if upto < live.table.seq:
            return frame, False
        if self.snapshot_follows:
            # Another seat is another view, and what was hidden from it before is in the snapshot.
            frame += t.framed(t.snapshot(live, person, now))
        return frame, True


class LobbyTables(msgspec.Struct, tag="lobby"):
    """The tables of a crowded lobby, first as a snapshot and then as news."""

    left: list[TableId]
    """Those that are yet to be told of, the next one last."""
    begun: bool = False
    answers: int | None = None
    anew: bool = False
    """Nobody has asked for it."""

    def piece(self, session: "WebSession", about: str) -> tuple[bytes, bool]:
        hall, lobby = session.hall, session.hall.lobby
        named = [self.left.pop() for _ in range(min(TABLES, len(self.left)))]
        shown = (lobby.tables.get(table) for table in named)
        tables = [summary for summary in shown if summary is not None and not summary.deserted]
        here = hall.people_here
        last = len(named) < TABLES
        if self.begun:
            return t.framed(t.LobbyChanged(here=here, changed=tables)), last
        self.begun = True
        said = list(lobby.talk.lines)
        snapshot = t.LobbySnapshot(now=hall.time.now(), tables=tables, here=here, said=said, anew=self.anew)
        return t.framed(snapshot), last


Long = Snapshot | History | LobbyTables


class WebReader(Reader):
    """One connection, and all that it is still being told, by the table's id or `LOBBY`."""

    def __init__(self, session: "WebSession") -> None:
        super().__init__(session.wire)
        self._session = session

    @property
    def _under_way(self) -> dict[str, Long]:
        return self._session.state.under_way

    def __bool__(self) -> bool:
        return bool(self._under_way)

    def begin(self, about: str, long: Long) -> None:
        """Tell it now if it is short and the reader is there to take it; else piece by piece."""
        self.stop(about)
        self._under_way[about] = long
        if len(self._under_way) == 1 and self.can_take_more:
            self.go_on()
        self.want_more()

    def want_more(self) -> None:
        if self._under_way:
            self._session.door.pieces.wanted(self)

    def go_on(self) -> None:
        about, long = next(iter(self._under_way.items()))
        frame, last = long.piece(self._session, about)
        if last:
            del self._under_way[about]
            frame += _answer(long)
        self._session.hall.journal.send(self._session.wire, frame)

    def stop(self, about: str) -> None:
        """Stop telling this, as something else replaces it.
        If a message waits for its answer, that is sent."""
        long = self._under_way.pop(about, None)
        if long is not None and long.answers is not None:
            self._session.hall.journal.send(self._session.wire, _answer(long))


def _answer(long: Long) -> bytes:
    return b"" if long.answers is None else t.framed(t.Ok(id=long.answers))
