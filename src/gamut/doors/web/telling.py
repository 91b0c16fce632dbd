"""What happened at a table, as the page and bots are told of it: its events, and a snapshot where eyes change."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from gamut.doors.telling import Telling, Viewer
from gamut.doors.web import to_client as t
from gamut.hall.ids import PersonId
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import events as e

if TYPE_CHECKING:
    from gamut.doors.web.door import WebDoor
    from gamut.doors.web.session import WebSession

Kind = tuple[Viewer, PersonId | None, bool]
"""The viewer as whom the events are told; the person, if a snapshot follows;
and whether that one is `anew`."""


def is_public_move(live: LiveTable, news: News) -> bool:
    """Whether somebody has acted, everybody sees the same of it, and play goes on.

    An event that time has caused does not count: it may happen while a session is being let in, which is a
    listener already but must not be told yet.
    """
    events = news.events
    event = events[0]
    return (
        not live.hidden
        and len(events) == 1
        and type(event) is e.Played
        and event.why == "acted"
        and news.after.phase == news.before.phase
    )


def goes_back(events: Iterable[Any]) -> bool:
    """Whether the game stands again as it did before: a client that keeps only the position needs a snapshot."""
    return any(type(event) is e.TakenBack for event in events)


class WebTelling(Telling["WebDoor"]):
    __slots__ = ("_goes_back", "_now", "_reseated", "_reveals")

    def __init__(self, door: "WebDoor", live: LiveTable, news: News) -> None:
        super().__init__(door, live, news)
        self._now = door.hall.time.now()
        self._reseated = news.reseated()
        self._reveals = news.reveals
        self._goes_back = goes_back(news.events)

    def kind(self, session: "WebSession") -> Kind | object:
        live, news = self.live, self.news
        # A session that is still being told the past gets this event in one of the next pieces.
        if live.id not in session.following or live.id in session.state.under_way:
            return self.silent
        person = session.person
        reseated = person in self._reseated
        anew = self._reveals or (reseated and news.changes_eyes)
        # The events are told as seen through the old eyes; a snapshot through the new ones follows.
        viewer = news.before.seat_of(person) if anew else live.viewer(person)
        return viewer, person if anew or reseated or self._goes_back else None, anew

    def frames(self, kind: Kind) -> bytes:
        viewer, person, anew = kind
        frame = self.encoded(viewer, self._events)
        if person is not None:
            frame += t.framed(t.snapshot(self.live, person, self._now, anew=anew))
        return frame

    def _events(self, seen: list[Any]) -> bytes:
        news = self.news
        # The event that reveals everything has its plain moment as stamp here, and another stamp after the
        # reveal. So a client that was cut off before the snapshot is not taken to know what was revealed.
        stamp = news.after.at if self._reveals else None
        return t.framed(t.happened(self.live, seen, news.first - 1, news.after.seq, self._now, stamp))
