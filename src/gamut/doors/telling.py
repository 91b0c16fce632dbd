"""One way to tell what happened at a table: whoever is told the same gets the same bytes, encoded once."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable
from typing import Any, ClassVar, Generic, TypeVar

from gamut.games.game import Seat
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.store.journal import Journal, Wire

Viewer = Seat | None
"""Through whose eyes somebody looks: those of a seat, or of a watcher."""

Door = TypeVar("Door", bound=Any)


class Telling(ABC, Generic[Door]):
    """What one command did to a table, told to the people of one door who are there."""

    __slots__ = ("_encoded", "door", "live", "news")

    silent: ClassVar[Hashable] = object()
    """The kind of those who are told nothing."""

    def __init__(self, door: Door, live: LiveTable, news: News) -> None:
        self.door = door
        self.live = live
        self.news = news
        self._encoded: list[tuple[list[Any], bytes]] = []

    def kind(self, session: Any) -> Hashable:
        """Sessions of the same kind are told the same.
        By default the kind is the viewer: who sees the same."""
        return self.live.viewer(session.person)

    @abstractmethod
    def frames(self, kind: Any) -> bytes:
        """What that kind of session is told. It is asked for once."""

    def tell(self, sessions: Collection[Any]) -> None:
        wires: dict[Hashable, list[Wire]] = {}
        for session in sessions:
            kind = self.kind(session)
            if kind in wires:
                wires[kind].append(session.wire)
            else:
                wires[kind] = [session.wire]
        wires.pop(self.silent, None)
        journal: Journal = self.door.hall.journal
        for kind, alike in wires.items():
            frames = self.frames(kind)
            if not frames:
                continue
            if len(alike) == 1:
                journal.send(alike[0], frames)
            else:
                journal.broadcast(tuple(alike), frames)

    def encoded(self, viewer: Viewer, encode: Callable[[list[Any]], bytes]) -> bytes:
        """The events as this viewer may see them, encoded once for all who see the same."""
        seen = self.news.seen_by(viewer)
        for known, frames in self._encoded:
            if known == seen:
                return frames
        frames = encode(seen)
        self._encoded.append((seen, frames))
        return frames
