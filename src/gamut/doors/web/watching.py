"""Who watches which table: told to everybody there, a moment after it has changed. Nothing of it is kept."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from gamut.doors.web import to_client as t
from gamut.hall.hall import Hall
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.live.live_table import LiveTable

if TYPE_CHECKING:
    from gamut.doors.web.door import WebDoor
    from gamut.doors.web.session import WebSession

MOST_NAMED = 50
_MOMENT = Millis(250)
_UNKNOWN = {PersonId(""): ""}
"""Nobody has this id."""


class Watching:
    """Changes are gathered for a moment, so that a crowd that comes at once is told of once."""

    def __init__(self, hall: Hall, door: "WebDoor") -> None:
        self._hall = hall
        self._door = door
        self._told: dict[TableId, dict[PersonId, str]] = {}
        """In whatever order."""
        self._changed: dict[TableId, LiveTable] = {}

    def changed(self, live: LiveTable, newcomer: "WebSession | None" = None) -> None:
        """Perhaps other people watch this table now; a newcomer is told in any case."""
        if not self._changed:
            self._hall.time.later(_MOMENT, self._due)
        self._changed[live.id] = live
        if newcomer is not None and live.id not in newcomer.state.new_at:
            newcomer.state.new_at += (live.id,)

    def told_elsewhere(self, live: LiveTable) -> None:
        """Another node has told those who are here who watches: they are told in any case."""
        self._told.setdefault(live.id, _UNKNOWN)
        self.changed(live)

    def _due(self) -> None:
        changed, self._changed = self._changed, {}
        for live in changed.values():
            self._hall.faults.guard("watching", self._tell, live, table=live.id)

    def _tell(self, live: LiveTable) -> None:
        listening: Iterable[Any] = live.listeners.get(self._door, ())
        here: list[WebSession] = [session for session in listening if session.looks_at(live.id)]
        newcomers = [session for session in here if live.id in session.state.new_at]
        for session in listening:
            session.is_new_no_more(live.id)
        names = _watchers(live, here)
        known = self._told.pop(live.id, None)
        if names:
            self._told[live.id] = names
        listeners = newcomers if known == names else here
        if not listeners or not (names or known):
            return
        named = sorted(names, key=lambda person: (names[person], person))[:MOST_NAMED]
        people = [t.Watcher(person, names[person]) for person in named]
        frame = t.framed(t.Watchers(table=live.id, count=len(names), people=people))
        for session in listeners:
            self._hall.journal.send(session.wire, frame)


def _watchers(live: LiveTable, here: "list[WebSession]") -> dict[PersonId, str]:
    seated = {sitter.person for _, sitter in live.table.sitters()}
    return {session.person: session.known.name for session in here if session.person not in seated}
