"""One way to tell what happened at a table: whoever is told the same gets the same bytes, encoded once."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable
from typing import Any, ClassVar, Generic, TypeVar

from gamut.games.game import Seat
from gamut.hall.live.audience import Listener, News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.store.journal import Journal

Viewer = Seat | None
"""Through whose eyes somebody looks: those of a seat, or of a watcher."""

Door = TypeVar("Door", bound=Any)


class Telling(ABC, Generic[Door]):
    """What one command did to a table, told to the people of one door who are there."""

    __slots__ = ("_frames", "door", "live", "news")

    silent: ClassVar[Hashable] = object()
    """The kind of those who are told nothing."""

    def __init__(self, door: Door, live: LiveTable, news: News) -> None:
        self.door = door
        self.live = live
        self.news = news
        self._frames: dict[Hashable, bytes] = {self.silent: b""}

    def kind(self, session: Any) -> Hashable:
        """Sessions of the same kind are told the same; without further ado these are those who see the same."""
        return self.live.viewer(session.person)

    @abstractmethod
    def frames(self, kind: Any) -> bytes:
        """What that kind of session is told. It is asked for once."""

    def tell(self, sessions: Collection[Any]) -> None:
        told, send = self._frames, self.door.hall.journal.send
        for session in sessions:
            kind = self.kind(session)
            frames = told.get(kind)
            if frames is None:
                frames = told[kind] = self.frames(kind)
            if frames:
                send(session.wire, frames)


class EncodedOnce:
    """What each viewer is told of some news as one message, encoded once for all who see the same."""

    __slots__ = ("_encode", "_frames", "_news")

    def __init__(self, news: News, encode: Callable[[list[Any]], bytes]) -> None:
        self._news = news
        self._encode = _Once(encode)
        self._frames: dict[Viewer, bytes] = {}

    def frame(self, viewer: Viewer) -> bytes:
        frame = self._frames.get(viewer)
        if frame is None:
            frame = self._frames[viewer] = self._encode(self._news.seen_by(viewer))
        return frame


class _Once:
    """Remembers what it has encoded. Nearly always it is the same object again, and that is seen at once."""

    __slots__ = ("_encode", "_encoded")

    def __init__(self, encode: Callable[[Any], bytes]) -> None:
        self._encode = encode
        self._encoded: list[tuple[Any, bytes]] = []

    def __call__(self, seen: Any) -> bytes:
        for known, frame in self._encoded:
            if known == seen:
                return frame
        frame = self._encode(seen)
        self._encoded.append((seen, frame))
        return frame


class Broadcast:
    """What is said to the people of one door around a table. Whoever hears the same gets the same bytes."""

    def __init__(self, live: LiveTable, listeners: Collection[Listener]) -> None:
        self._listeners = listeners
        self._eyes = {listener.person: live.viewer(listener.person) for listener in listeners}
        self._said: dict[Viewer, list[bytes]] = {viewer: [] for viewer in self._eyes.values()}

    def to_all(self, frame: bytes) -> None:
        for said in self._said.values():
            said.append(frame)

    def to_seat(self, seat: Seat, frame: bytes) -> None:
        self._to(seat, frame)

    def to_watchers(self, frame: bytes) -> None:
        self._to(None, frame)

    def _to(self, viewer: Viewer, frame: bytes) -> None:
        if viewer in self._said:
            self._said[viewer].append(frame)

    def happened(self, news: News, encode: Callable[[Any], bytes]) -> None:
        """Every event to everybody, as they may see it; it is encoded once for all who see the same."""
        once = _Once(encode)
        for viewer, said in self._said.items():
            said += map(once, news.seen_by(viewer))

    def send(self, journal: Journal) -> None:
        frames = {viewer: b"".join(said) for viewer, said in self._said.items()}
        for listener in self._listeners:
            frame = frames[self._eyes[listener.person]]
            if frame:
                journal.send(listener.wire, frame)
