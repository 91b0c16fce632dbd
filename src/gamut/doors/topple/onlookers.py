"""Who watches a room from the page under the name of an account: a spectator, though not a connection of this door."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from gamut.doors.topple import to_client as t
from gamut.doors.topple.codes import new_spectator_id
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.live.live_table import LiveTable

if TYPE_CHECKING:
    from gamut.doors.topple.door import ToppleDoor
    from gamut.doors.topple.session import ToppleSession

AccountOf = Callable[[PersonId], str | None]
"""The name of somebody's account; None for a guest."""
_MOST = 50
"""Of one room. All others are only counted, as guests of the page are."""
_MOMENT = Millis(250)


class Onlooker(NamedTuple):
    spectator: str
    account: str


class Onlookers:
    """Changes are gathered for a moment, so that a crowd that comes at once is told of once."""

    def __init__(self, door: "ToppleDoor", account_of: AccountOf) -> None:
        self._door = door
        self._account_of = account_of
        self._told: WeakKeyDictionary[LiveTable, dict[PersonId, Onlooker]] = WeakKeyDictionary()
        self._changed: dict[TableId, LiveTable] = {}

    def of(self, live: LiveTable) -> dict[PersonId, Onlooker]:
        """Those of whom the room has been told."""
        return self._told.get(live, {})

    def changed(self, live: LiveTable) -> None:
        """Perhaps others are at this table now."""
        if self._door not in live.listeners:
            return
        if not self._changed:
            self._door.hall.time.later(_MOMENT, self._due)
        self._changed[live.id] = live

    def _due(self) -> None:
        changed, self._changed = self._changed, {}
        for live in changed.values():
            self.look(live)

    def look(self, live: LiveTable, newcomer: "ToppleSession | None" = None) -> None:
        """Tell the room who has come and gone, all but a newcomer, who is about to get the whole list."""
        known, here = self.of(live), self._here(live)
        frames = [t.spectator_left(known[person].spectator) for person in known if person not in here]
        told = {person: onlooker for person, onlooker in known.items() if person in here}
        for person, account in here.items():
            before = told.get(person)
            if before is None:
                before = Onlooker(new_spectator_id(), "")
                frames.append(t.spectator_joined(before.spectator))
            if before.account != account:
                told[person] = before._replace(account=account)
                frames.append(t.account_found(before.spectator, account))
        self._told[live] = told
        if frames:
            self._door.others(live, b"".join(frames), newcomer)

    def _here(self, live: LiveTable) -> dict[PersonId, str]:
        found: dict[PersonId, str] = {}
        for door, listeners in live.listeners.items():
            for listener in listeners if door is not self._door else ():
                person = listener.person
                if listener in live.glances or person in found or live.table.seat_of(person) is not None:
                    continue
                account = self._account_of(person)
                if account is not None:
                    found[person] = account
                if len(found) == _MOST:
                    return found
        return found
