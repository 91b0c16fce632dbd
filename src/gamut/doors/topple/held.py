"""Who was told to hold back what they say when their gateway stopped: once they are back, they are told to go on."""

from collections import Counter
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from gamut.hall.live.live_table import LiveTable

if TYPE_CHECKING:
    from gamut.doors.topple.session import ToppleSession


class Held:
    """A server that has started since knows it of players from the log (`seating.py`)."""

    def __init__(self) -> None:
        self._told: WeakKeyDictionary[LiveTable, Counter[str]] = WeakKeyDictionary()

    def told(self, live: LiveTable, session: "ToppleSession") -> None:
        self._told.setdefault(live, Counter())[_known_as(session)] += 1

    def is_back(self, live: LiveTable, session: "ToppleSession") -> bool:
        """Whether this one was told so. That is asked once for each who comes."""
        told, name = self._told.get(live), _known_as(session)
        if told is None or not told[name]:
            return False
        told[name] -= 1
        return True


def _known_as(session: "ToppleSession") -> str:
    """A spectator comes back as another one: of those from one address, as many are told as were there before."""
    return session.person if session.spectator is None else session.address
