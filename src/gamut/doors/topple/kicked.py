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

    Other people behind such an address are kept out as well. Those who are in the room stay, and come back
    with their keys. Loopback addresses are never kept out: behind an undeclared proxy everybody has one.
    """

    def __init__(self, span: Millis, now: Callable[[], Millis]) -> None:
        self._span = span
        self._now = now
        self._rooms: OrderedDict[str, OrderedDict[str, Millis]] = OrderedDict()
        """For each room the addresses that are kept out, and until when;
        rooms in the order of their latest kick."""
        self._players: OrderedDict[PersonId, tuple[str, Millis]] = OrderedDict()
        """The last address of players who were kicked, or lost their connection and may still be kicked."""

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
        """Whether the latest kick of the first room is over.
        The latest kicks of all other rooms came after it."""
        return next(reversed(next(iter(self._rooms.values())).values())) <= self._now()

    def is_barred(self, live: LiveTable, address: str) -> bool:
        """Also at the table that follows the one where it happened."""
        if is_loopback(address):
            return False
        now, where = self._now(), address_key(address)
        for room in (code_of(live), live.table.before or ""):
            if room in self._rooms and self._rooms[room].get(where, now) > now:
                return True
        # The door is not told of a kick if none of its sessions is at the table. But the table knows whom its
        # host has kicked, and so do the tables that follow it.
        barred = (self._players.get(person) for person in live.table.barred)
        return any(was is not None and was[0] == where and was[1] > now for was in barred)

    def remember(self, person: PersonId, address: str) -> None:
        """Keep the address of a player who was just kicked, or has lost the connection
        and may be kicked later."""
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
        """The room is gone, and its kicks with it."""
        self._rooms.pop(code_of(live), None)

    def __len__(self) -> int:
        return sum(map(len, self._rooms.values())) + len(self._players)
