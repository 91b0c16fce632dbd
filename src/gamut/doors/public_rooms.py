"""The public tables of one game, as a protocol that has a list of rooms shows them.

Asked for as a whole, or followed: first the list, then what is added, changed or removed.
"""

from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, TypeVar

from gamut.hall.hall import Hall
from gamut.hall.ids import Millis, TableId
from gamut.hall.live.audience import Door, LobbyNews
from gamut.hall.live.live_table import LiveTable
from gamut.hall.lobby.summary import Summary
from gamut.hall.table.seats import Holder

_CROWDED = 500
_LIST_KEPT = 1_000
"""In milliseconds."""

Shown = TypeVar("Shown")


class PublicRoom(NamedTuple):
    """A public table: what the lobby shows of it, and who is there."""

    summary: Summary
    live: LiveTable | None
    """None if nobody is there and it has left the memory."""

    @property
    def name(self) -> str:
        """What a door of the game's own calls it; a table that was opened on the page may have only its id."""
        return self.summary.id if self.summary.room is None else self.summary.room

    @property
    def seats(self) -> tuple[Holder | None, ...]:
        """Who sits there now. In the summary of a game that is over are those who played it,
        also if they have left."""
        return self.summary.seats if self.live is None else self.live.table.seats

    @property
    def taken(self) -> int:
        return sum(holder is not None for holder in self.seats)

    @property
    def watchers(self) -> int:
        return 0 if self.live is None else self.live.watchers


def is_open(room: PublicRoom) -> bool:
    """Its game is on, with somebody there, or about to begin."""
    return room.summary.phase != "over" and not room.summary.deserted


class RoomChanges(NamedTuple, Generic[Shown]):
    """What those who follow the list do not know yet."""

    added: dict[TableId, Shown]
    changed: dict[TableId, Shown]
    removed: dict[TableId, Shown]
    """As they were told of it last."""


class PublicRooms(Generic[Shown]):
    """Private tables are never among them, and those that become private are removed."""

    def __init__(
        self,
        hall: Hall,
        game: str,
        shown: Callable[[PublicRoom], Shown],
        is_listed: Callable[[PublicRoom], bool] = is_open,
    ) -> None:
        self._hall = hall
        self._game = game
        self._shown = shown
        self._is_listed = is_listed
        self._made: tuple[Millis, list[Shown]] = Millis(0), []
        self._told: dict[TableId, Shown] | None = None
        """The list as followers know it. None before the first follower;
        from then on it is kept up to date."""
        self._latest = RoomChanges[Shown]({}, {}, {})

    def listed(self) -> list[Shown]:
        """All of them, the oldest first.

        In a crowded hall the list may be a second old: making one for every request would take too long.
        """
        now, (made, rooms) = self._hall.time.now(), self._made
        if now - made > _LIST_KEPT or len(rooms) < _CROWDED:
            rooms = list(self._all().values())
            self._made = now, rooms
        return rooms

    def followed(self, door: Door) -> Mapping[TableId, Shown]:
        """The list for a new follower of the lobby; later news are told as `changes` to it."""
        if self._told is None:
            self._told = self._all()
            self._hall.lobby.on_news.append(self._keep_up)
        return dict(self._told)

    @property
    def told(self) -> Mapping[TableId, Shown]:
        """What those who follow the list know."""
        return {} if self._told is None else self._told

    def look_at(self, table: TableId) -> RoomChanges[Shown]:
        """The change of one table that followers were not told yet, for a door that does
        not wait for lobby news."""
        found = RoomChanges[Shown]({}, {}, {})
        self._note(table, self._hall.lobby.tables_of(self._game).get(table), found)
        return found

    def changes(self, news: LobbyNews) -> RoomChanges[Shown]:
        """What a door tells its followers because of news of the lobby."""
        return self._latest

    def _keep_up(self, news: LobbyNews) -> None:
        self._latest = found = RoomChanges[Shown]({}, {}, {})
        for summary in news.changed:
            if summary.game == self._game:
                self._note(summary.id, summary, found)
        for table in map(TableId, news.gone):
            self._note(table, None, found)

    def _note(self, table: TableId, summary: Summary | None, found: RoomChanges[Shown]) -> None:
        """`summary`: what the lobby shows of it now; None: it is gone."""
        told, room = self._told, None if summary is None else self._room(summary)
        assert told is not None, "it is kept up from the first follower on"
        if room is None or not self._is_listed(room):
            if table in told:
                found.removed[table] = told.pop(table)
            return
        shown = self._shown(room)
        if table not in told:
            found.added[table] = shown
        elif told[table] != shown:
            found.changed[table] = shown
        told[table] = shown

    def _all(self) -> dict[TableId, Shown]:
        tables = self._hall.lobby.tables_of(self._game)
        rooms = (self._room(tables[table]) for table in sorted(tables))
        return {room.summary.id: self._shown(room) for room in rooms if self._is_listed(room)}

    def _room(self, summary: Summary) -> PublicRoom:
        return PublicRoom(summary, self._hall.live.get(summary.id))
