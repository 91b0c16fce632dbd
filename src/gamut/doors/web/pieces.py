"""What is long at this door: how tables stand, what happened there, and the tables of the lobby."""

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from gamut.doors.pieces import Reader
from gamut.doors.web import to_client as t
from gamut.hall.ids import Seq, TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table.view import reseated

if TYPE_CHECKING:
    from gamut.doors.web.session import WebSession

EVENTS = 100
TABLES = 200
"""How many make a piece."""


class Telling(Protocol):
    """Something long that is being told to one connection."""

    answers: int | None
    """The number of the message that asked for it."""

    def piece(self) -> tuple[bytes, bool]:
        """The next piece, as things are now, and whether that was the last."""
        ...


class Picture:
    """How a table stands, for whoever wants nothing of its past."""

    def __init__(self, session: "WebSession", live: LiveTable, answers: int | None) -> None:
        self._session = session
        self._live = live
        self.answers = answers

    def piece(self) -> tuple[bytes, bool]:
        now = self._session.door.hall.time.now()
        return t.framed(t.picture(self._live, self._session.person, now)), True


class History:
    """What happened at a table since some event, up to the moment at which the last piece is told."""

    def __init__(self, session: "WebSession", live: LiveTable, since: Seq, answers: int | None) -> None:
        self._session = session
        self._live = live
        self._after = since
        self._seq = live.table.seq
        self._reseated = False
        self.answers = answers

    def piece(self) -> tuple[bytes, bool]:
        live, person = self._live, self._session.person
        now = self._session.door.hall.time.now()
        after, upto = self._after, Seq(min(self._after + EVENTS, live.table.seq))
        if not live.looks_alike(person, after, self._seq):
            # What follows does not fit what was told so far.
            return t.framed(t.picture(live, person, now, anew=True)), True
        seen = live.visible(live.viewer(person), after, upto)
        self._after = upto
        self._seq = live.table.seq
        self._reseated = self._reseated or person in reseated(live.table, seen)
        frame = t.framed(t.told(live, seen, after, upto, now))
        if upto < live.table.seq:
            return frame, False
        if self._reseated:
            # Another seat is another view, and what was hidden from it before is in the picture.
            frame += t.framed(t.picture(live, person, now))
        return frame, True


class LobbyTables:
    """The tables of a crowded lobby, first as a picture and then as news."""

    def __init__(self, session: "WebSession", answers: int | None) -> None:
        self._hall = session.door.hall
        self._left: Iterator[TableId] = iter(tuple(self._hall.lobby.tables))
        self._begun = False
        self.answers = answers

    def piece(self) -> tuple[bytes, bool]:
        lobby, hall = self._hall.lobby, self._hall
        named = list(islice(self._left, TABLES))
        shown = (lobby.tables.get(table) for table in named)
        tables = [summary for summary in shown if summary is not None and not summary.deserted]
        here = len(hall.connected)
        last = len(named) < TABLES
        if self._begun:
            return t.framed(t.LobbyChanged(here=here, changed=tables)), last
        self._begun = True
        picture = t.LobbyPicture(now=hall.time.now(), tables=tables, here=here, said=list(lobby.talk.lines))
        return t.framed(picture), last


class Tellings(Reader):
    """What is still being told to one connection, by the table it is about, or as the lobby."""

    def __init__(self, session: "WebSession") -> None:
        super().__init__(session.wire)
        self._session = session
        self._under_way: dict[str, Telling] = {}

    def __contains__(self, about: str) -> bool:
        return about in self._under_way

    def __bool__(self) -> bool:
        return bool(self._under_way)

    def begin(self, about: str, telling: Telling) -> None:
        """Tell it now if it is short and the reader is there to take it; else piece by piece."""
        self.stop(about)
        self._under_way[about] = telling
        if len(self._under_way) == 1 and self.has_room:
            self.go_on()
        if self._under_way:
            self._session.door.pieces.wanted(self)

    def go_on(self) -> None:
        about, telling = next(iter(self._under_way.items()))
        frame, last = telling.piece()
        if last:
            del self._under_way[about]
            frame += _answer(telling)
        self._session.door.hall.journal.send(self._session.wire, frame)

    def stop(self, about: str) -> None:
        """Something else has come up; whoever waits for an answer gets it."""
        telling = self._under_way.pop(about, None)
        if telling is not None and telling.answers is not None:
            self._session.door.hall.journal.send(self._session.wire, _answer(telling))

    def end(self) -> None:
        """Nobody is there any more."""
        self._under_way.clear()


def _answer(telling: Telling) -> bytes:
    return b"" if telling.answers is None else t.framed(t.Ok(id=telling.answers))
