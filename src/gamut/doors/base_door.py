"""What all doors have in common: who is there, and how they are told what happened at a table."""

from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import Any, ClassVar, Generic, TypeVar

from gamut.doors.telling import Telling
from gamut.hall.hall import Hall
from gamut.hall.ids import PersonId
from gamut.hall.live.audience import LobbyNews, News
from gamut.hall.live.live_table import LiveTable

S = TypeVar("S", bound=Any)
"""The session of the door."""


class BaseDoor(ABC, Generic[S]):
    name: str
    telling: ClassVar[type[Telling[Any]]]

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self._sessions: dict[PersonId, tuple[S, ...]] = {}

    # Who is there

    def came(self, session: S) -> None:
        """It is known who this connection is."""
        self._sessions[session.person] = (*self.sessions_of(session.person), session)

    def went(self, session: S) -> None:
        others = tuple(other for other in self.sessions_of(session.person) if other is not session)
        if others:
            self._sessions[session.person] = others
        else:
            self._sessions.pop(session.person, None)

    def sessions_of(self, person: PersonId) -> tuple[S, ...]:
        """The connections of somebody, at whatever tables."""
        return self._sessions.get(person, ())

    def sessions_at(self, live: LiveTable) -> Collection[S]:
        """The connections of this door at a table."""
        sessions: Collection[Any] = live.listeners.get(self, ())
        return sessions

    def logged_out(self, person: PersonId) -> None:
        """The person's sessions are void: whoever still holds a connection must come in anew."""
        for session in self.sessions_of(person):
            session.do_or_end("log_out", session.logged_out)

    # What happens at tables

    def tell(self, live: LiveTable, news: News, listeners: Collection[S]) -> None:
        frames = self.same_for_all(live, news)
        if frames is not None:
            self.hall.journal.broadcast(live.wires[self], frames)
            return
        self.telling(self, live, news).tell(listeners)
        self.see_to(live, news, listeners)

    def same_for_all(self, live: LiveTable, news: News) -> bytes | None:
        """What everybody is told alike, if this is an ordinary move from which nothing follows here; else None."""
        return None

    def see_to(self, live: LiveTable, news: News, listeners: Collection[S]) -> None:
        """What follows from the news for the sessions of this door, after they were told."""

    @abstractmethod
    def move(self, old: LiveTable, new: LiveTable, listeners: Collection[S]) -> None:
        """The table goes on as another one; the listeners follow it already."""

    def tell_lobby(self, news: LobbyNews, listeners: Collection[S]) -> None:
        """For protocols that tell of the lobby as it changes."""
