"""How a table reaches the people around it: each door tells its own listeners in its own protocol."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from gamut.games.game import AnyGame, Seat
from gamut.hall.ids import PersonId, Seq
from gamut.hall.lobby.summary import Summary
from gamut.hall.store.journal import Wire
from gamut.hall.table.events import Handed, Said
from gamut.hall.table.state import Table
from gamut.hall.table.view import hides, reseated, views

if TYPE_CHECKING:
    from gamut.hall.live.live_table import LiveTable


class Cause(msgspec.Struct, frozen=True):
    """The connection that asked for what happened at a table."""

    listener: "Listener"
    asked: Any = None
    """What it asked for, in its door's own words, where these say more than the events do."""


class News(msgspec.Struct, frozen=True, gc=False):
    """What one command did to a table.

    Of a game that hides things the tables are without their position, and the events without what happened in the game:
    what a viewer may see of that is asked for with `seen_by`.
    """

    game: AnyGame
    before: Table
    after: Table
    events: list[Any]
    _events: list[Any]
    """The same with all that happened."""
    hid: bool
    """Whether there was anything in the game before it that somebody may not see."""
    cause: Cause | None = None
    """None: it came from time, a bot or the hall, or from a door that does not need to
    know which client asked."""

    def is_by(self, listener: "Listener") -> bool:
        """Whether this connection has asked for it."""
        return self.cause is not None and self.cause.listener is listener

    @property
    def first(self) -> Seq:
        """The number of the first of these events."""
        return Seq(self.after.seq - len(self.events) + 1)

    def seen_by(self, viewer: Seat | None) -> list[Any]:
        """These events as that viewer may see them, as of the moment they happened.

        What is revealed with the end is no part of it: it would not fit what the viewer knew before.
        """
        return views(self.game, self._events, viewer, revealed=not self.hid)

    @property
    def reveals(self) -> bool:
        """Whether all that was hidden is public with this."""
        return self.hid and not hides(self.game, self.after)

    @property
    def changes_eyes(self) -> bool:
        """Whether somebody who changed seats sees the past of the game differently from now on."""
        return self.before.state is not None and self.hid

    @property
    def goes_on(self) -> bool:
        """Whether play goes on after a rest, or a clock that stood still runs again without a move."""
        before, after = self.before, self.after
        if after.phase != "playing" or after.halted:
            return False
        if before.halted or before.last_play != after.last_play:
            return before.halted
        return not set(after.clock.running).issubset(before.clock.running)

    @property
    def sets_clocks(self) -> bool:
        """Whether time was not charged for which a clock seemed to run: whoever counts it down shows too little."""
        if self.after.phase != "playing" or not self.before.clock.running:
            return False
        return any(type(event) is Handed for event in self.events)

    def reseated(self) -> set[PersonId]:
        """Whose seat has changed."""
        same = self.before.seats is self.after.seats
        return set() if same else reseated(self.after, self.events)


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
