"""Games that are on and at which nobody is any more: after a while they leave the lists, until somebody comes back."""

from collections.abc import Callable

from gamut.hall.faults import Faults
from gamut.hall.ids import Millis, TableId
from gamut.hall.lobby.lobby import Lobby
from gamut.hall.time import Timekeeper


class Desertion:
    def __init__(
        self,
        time: Timekeeper,
        after: Millis,
        lobby: Lobby,
        is_empty: Callable[[TableId], bool],
        faults: Faults,
    ) -> None:
        self._time = time
        self._after = after
        self._lobby = lobby
        self._is_empty = is_empty
        self._faults = faults
        self._since: dict[TableId, Millis] = {}
        """Since when nobody is there. All wait equally long, so the first is due first."""
        self._armed = False

    def left(self, table: TableId) -> None:
        """Nobody is at this table, and perhaps nobody has been for a while."""
        if table not in self._since and table not in self._lobby.deserted:
            self._since[table] = self._time.now()
            self._arm()

    def visited(self, table: TableId) -> None:
        """Somebody is there, or the game is not on any more."""
        self._since.pop(table, None)
        self._lobby.revive(table)

    def _arm(self) -> None:
        if self._since and not self._armed:
            self._armed = True
            due = next(iter(self._since.values())) + self._after
            self._time.later(Millis(max(0, due - self._time.now())), self._due)

    def _due(self) -> None:
        self._armed = False
        horizon = self._time.now() - self._after
        while self._since:
            table, since = next(iter(self._since.items()))
            if since > horizon:
                break
            del self._since[table]
            self._faults.guard("desertion", self._desert, table, table=table)
        self._arm()

    def _desert(self, table: TableId) -> None:
        # After a restart a table may have turned out to be unreadable:
        # then it is not among the unfinished any more.
        if self._is_empty(table):
            self._lobby.desert(table)
