"""Who was kicked does not come back in. Here nobody has a name: all that is known of a client is its address."""

from collections import OrderedDict
from collections.abc import Callable

from gamut.doors.topple.codes import code_of
from gamut.hall.ids import Millis, PersonId
from gamut.hall.limits.attempts import address_key, is_loopback
from gamut.hall.live.live_table import LiveTable

_MOST_ROOMS = 1_000
_MOST_IN_ROOM = 100
_MOST_PLAYERS = 10_000


class Kicked:
    """Addresses from which nobody new comes into a room, for a while.

    Whoever else is behind such an address stays outside as well; those who are in stay in, and come back with their
    keys. This machine itself is never meant: behind a proxy that was not declared everybody has its address.
    """

    def __init__(self, span: Millis, now: Callable[[], Millis]) -> None:
        self._span = span
        self._now = now
        self._rooms: OrderedDict[str, OrderedDict[str, Millis]] = OrderedDict()
        """For each room, from where nobody comes in until when; the room with the latest kick is the last."""
        self._players: OrderedDict[PersonId, tuple[str, Millis]] = OrderedDict()
        """Where players were who were kicked, or lost their connection: they can be kicked all the same."""

    def bar(self, live: LiveTable, address: str) -> None:
        if is_loopback(address):
            return
        room, where = code_of(live), address_key(address)
        barred = self._rooms.setdefault(room, OrderedDict())
        self._rooms.move_to_end(room)
        barred[where] = Millis(self._now() + self._span)
        barred.move_to_end(where)
        if len(barred) > _MOST_IN_ROOM:
            barred.popitem(last=False)
        while len(self._rooms) > _MOST_ROOMS or self._expired():
            self._rooms.popitem(last=False)

    def _expired(self) -> bool:
        """Whether all kicks of the first room are too old to matter. Those of the rooms behind it are later."""
        return next(reversed(next(iter(self._rooms.values())).values())) <= self._now()

    def is_barred(self, live: LiveTable, address: str) -> bool:
        """Also at the table that follows the one where it happened."""
        if is_loopback(address):
            return False
        now, where = self._now(), address_key(address)
        for room in (code_of(live), live.table.before or ""):
            if room in self._rooms and self._rooms[room].get(where, now) > now:
                return True
        # The table knows whom its host has kicked, and so do those that follow it; the door is not told if nobody of
        # it is there.
        barred = (self._players.get(person) for person in live.table.barred)
        return any(was is not None and was[0] == where and was[1] > now for was in barred)

    def remember(self, person: PersonId, address: str) -> None:
        """Where a player is who may be kicked without a connection, or was kicked just now."""
        if is_loopback(address):
            return
        now = self._now()
        self._players[person] = address_key(address), Millis(now + self._span)
        self._players.move_to_end(person)
        while len(self._players) > _MOST_PLAYERS or next(iter(self._players.values()))[1] <= now:
            self._players.popitem(last=False)

    def bar_lost(self, live: LiveTable, person: PersonId) -> None:
        """Somebody was kicked who has no connection at the moment."""
        if person in self._players:
            self.bar(live, self._players[person][0])

    def room_closed(self, live: LiveTable) -> None:
        """What a room had against anybody goes with it."""
        self._rooms.pop(code_of(live), None)

    def __len__(self) -> int:
        return sum(map(len, self._rooms.values())) + len(self._players)
