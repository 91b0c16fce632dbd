"""Connections that are lost again and again: after too many losses their person counts
as present for longer."""

from collections.abc import Callable

from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.limits.attempts import Attempts, Limit, TooManyTries
from gamut.hall.live.live_table import LiveTable
from gamut.hall.time import Timekeeper, Timer


class Flapping:
    """Each lost connection to a table, and each return, is an event in the log.

    Beyond the limit a loss is stored only after the person has been gone for a while. So a client that
    reconnects in a loop adds little to the log, and somebody with a bad connection loses nothing by it.
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

    def counts(self, live: LiveTable, person: PersonId) -> bool:
        """Whether somebody without a connection is still taken to be there."""
        return (live.id, person) in self._gone

    def _stays_away(self, live: LiveTable, person: PersonId) -> None:
        del self._gone[live.id, person]
        self._drop(live, person)

    @property
    def delayed(self) -> int:
        """How often somebody was taken to be there for longer."""
        return self._lost.refused
