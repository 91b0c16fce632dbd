"""Connections that come and go: whoever loses theirs again and again is taken to be there for a while longer."""

from collections.abc import Callable

from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.limits.attempts import Attempts, Limit, TooManyTries
from gamut.hall.live.live_table import LiveTable
from gamut.hall.time import Timekeeper, Timer


class Flapping:
    """That somebody's connection to a table is lost, and that it is back, is stored each time.

    Beyond the limit it is stored only once they have been gone for a while: then a client that comes and goes in a loop
    adds little to the log, and a connection that really is that bad loses nothing by it.
    """

    def __init__(
        self,
        limit: Limit,
        patience: Millis,
        time: Timekeeper,
        drop: Callable[[LiveTable, PersonId], None],
    ) -> None:
        self._lost = Attempts(limit, time.now)
        self._patience = patience
        self._time = time
        self._drop = drop
        self._gone: dict[tuple[TableId, PersonId], Timer] = {}
        """Who is gone though their table does not know it yet."""

    def lost(self, live: LiveTable, person: PersonId) -> None:
        """Somebody who belongs to this table has no connection to it any more."""
        try:
            self._lost.take(f"{live.id} {person}")
        except TooManyTries:
            self.back(live, person)
            self._gone[live.id, person] = self._time.later(
                self._patience, lambda: self._stays_away(live, person)
            )
        else:
            self._drop(live, person)

    def back(self, live: LiveTable, person: PersonId) -> None:
        timer = self._gone.pop((live.id, person), None)
        if timer is not None:
            timer.cancel()

    def _stays_away(self, live: LiveTable, person: PersonId) -> None:
        del self._gone[live.id, person]
        self._drop(live, person)

    @property
    def delayed(self) -> int:
        """How often somebody was taken to be there for longer."""
        return self._lost.refused
