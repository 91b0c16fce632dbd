"""How a table reaches the people around it: each door tells its own listeners in its own protocol."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from gamut.hall.ids import PersonId, Seq
from gamut.hall.journal import Wire
from gamut.hall.summary import Summary
from gamut.hall.table.events import Said
from gamut.hall.table.state import Table

if TYPE_CHECKING:
    from gamut.hall.live import LiveTable


class News(msgspec.Struct, frozen=True, gc=False):
    """What one command did to a table."""

    before: Table
    after: Table
    events: list[Any]

    @property
    def first(self) -> Seq:
        """The number of the first of these events."""
        return Seq(self.after.seq - len(self.events) + 1)


class LobbyNews(msgspec.Struct, frozen=True):
    """What changed in the lobby within the last moment."""

    changed: list[Summary]
    gone: list[str]
    here: int
    """How many people are connected."""
    said: list[Said]


class Listener(Protocol):
    """One connection that follows a table or the lobby."""

    @property
    def person(self) -> PersonId: ...

    @property
    def wire(self) -> Wire: ...

    @property
    def door(self) -> "Door": ...


class Door(Protocol):
    """A protocol. It tells all its listeners at once, so that what is equal for several is encoded once."""

    name: str

    def tell(self, live: "LiveTable", news: News, listeners: Collection[Any]) -> None: ...

    def move(self, old: "LiveTable", new: "LiveTable", listeners: Collection[Any]) -> None:
        """The table goes on as another one; the listeners follow it already."""
        ...

    def tell_lobby(self, news: LobbyNews, listeners: Collection[Any]) -> None: ...
