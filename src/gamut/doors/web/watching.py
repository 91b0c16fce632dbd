"""Who watches which table: told to everybody there, a moment after it has changed. Nothing of it is kept."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from gamut.doors.web import to_client as t
from gamut.hall.hall import Hall
from gamut.hall.ids import Millis, TableId
from gamut.hall.live.live_table import LiveTable

if TYPE_CHECKING:
    from gamut.doors.web.door import WebDoor
    from gamut.doors.web.session import WebSession

MOST_NAMED = 50
_MOMENT = Millis(250)


class Watching:
    """Changes are gathered for a moment, so that a crowd that comes at once is told of once."""

    def __init__(self, hall: Hall, door: "WebDoor") -> None:
        self._hall = hall
        self._door = door
        self._told: dict[TableId, t.Watchers] = {}
        self._changed: dict[TableId, tuple[LiveTable, set[WebSession]]] = {}

    def changed(self, live: LiveTable, newcomer: "WebSession | None" = None) -> None:
        """Perhaps other people watch this table now; a newcomer is told in any case."""
        if not self._changed:
            self._hall.time.later(_MOMENT, self._due)
        _, newcomers = self._changed.setdefault(live.id, (live, set()))
        if newcomer is not None:
            newcomers.add(newcomer)

    def _due(self) -> None:
        changed, self._changed = self._changed, {}
        for live, newcomers in changed.values():
            self._hall.faults.guard("watching", self._tell, live, newcomers, table=live.id)

    def _tell(self, live: LiveTable, newcomers: "set[WebSession]") -> None:
        listening: Iterable[Any] = live.listeners.get(self._door, ())
        here: list[WebSession] = [session for session in listening if session.looks_at(live.id)]
        watchers = _watchers(live, here)
        known = self._told.pop(live.id, None)
        if watchers.count:
            self._told[live.id] = watchers
        if known != watchers and (known is not None or watchers.count):
            listeners = here
        elif watchers.count:
            listeners = [session for session in here if session in newcomers]
        else:
            return
        frame = t.framed(watchers)
        for session in listeners:
            self._hall.journal.send(session.wire, frame)


def _watchers(live: LiveTable, here: "list[WebSession]") -> t.Watchers:
    seated = {sitter.person for _, sitter in live.table.sitters()}
    names = {session.person: session.known.name for session in here if session.person not in seated}
    people = [t.Watcher(person, name) for person, name in names.items()]
    return t.Watchers(table=live.id, count=len(people), people=people[:MOST_NAMED])
