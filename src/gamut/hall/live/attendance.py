"""Who is at which table: connections that follow one, and what it means when they come and go."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gamut.games.game import Refused
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.live.audience import Cause, Listener
from gamut.hall.live.desertion import Desertion
from gamut.hall.live.flapping import Flapping
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import commands as c
from gamut.hall.table.deciding.rights import check_password

if TYPE_CHECKING:
    from gamut.hall.hall import Hall


def _nobody_goes_on() -> bool:
    """Connections end with the server that held them."""
    return False


class Attendance:
    def __init__(self, hall: "Hall") -> None:
        settings = hall.settings
        self._hall = hall
        self.on_change: list[Callable[[LiveTable], None]] = []
        """Called with a table at which other people may be than before: somebody came, went, sat down or got up."""
        self.may_go_on: Callable[[], bool] = _nobody_goes_on
        """Whether people who were cut off may still be connected, and be about to go on or to come back."""
        self.desertion = Desertion(
            hall.time, settings.deserted_after, hall.lobby, self._is_empty, hall.faults
        )
        self.flapping = Flapping(
            settings.lost_connections, settings.gone_after, hall.time, self._drop_if_gone
        )

    def attend(
        self,
        live: LiveTable,
        listener: Listener,
        key: int | None = None,
        *,
        invited: bool = False,
        password: str | None = None,
        password_hash: str | None = None,
        glance: bool = False,
        sits_down: bool = False,
    ) -> None:
        """A connection follows this table from now on. `key`: the number of the rejoin key that let it in.

        `invited`: it has the table's own key, and so needs no password to watch. `glance`: it only shows a
        small board in a list, and nobody counts as being at the table because of that, unless they play.
        `sits_down`: its person takes a seat next, which was allowed (`Hall.check_sit`), and is no watcher.
        """
        hall, table = self._hall, live.table
        inside = sits_down or table.inside(listener.person) or listener.person in live.here
        if not inside and not table.watchable:
            raise Refused("not_watchable", "This table wants no watchers.")
        if not invited and not sits_down and live.guarded_from(listener.person):
            check_password(table, "watches", password, password_hash)
        if not inside and live.watchers >= hall.settings.watchers_per_table:
            raise Refused("too_many_watchers", "Too many people watch this table already.")
        hall.take_up(live)
        is_new = live.attend(listener, glance=glance)
        self.look_around(live)
        if is_new:
            self.flapping.back(live, listener.person)
            hall.carry_out(live, c.Return(listener.person, key), Cause(listener))

    def attend_again(self, live: LiveTable, listener: Listener, *, glance: bool = False) -> None:
        """Another session goes on for one that followed this table: nobody has come or gone."""
        self._hall.take_up(live)
        live.attend(listener, glance=glance)

    def looks(self, live: LiveTable, listener: Listener, *, glance: bool) -> None:
        """A connection that follows this table shows all of it from now on, or only a small board."""
        live.attend(listener, glance=glance)
        self.look_around(live)

    def depart(self, live: LiveTable, listener: Listener) -> None:
        """A connection no longer follows this table; the person keeps the seat."""
        if live.depart(listener):
            live.when_told(lambda: self._dropped(live, listener.person))
        self.look_around(live)
        live.touched = self._hall.time.now()

    def cut_off(self, live: LiveTable, heard: Millis | None = None) -> None:
        """A fault of ours has ended connections to this table: nobody has left, and they have yet to come back.

        `heard`: when they were heard last; None: until now they could be.
        """
        live.when_told(lambda: self._cut_off(live, heard))
        self.look_around(live)
        live.touched = self._hall.time.now()

    def _cut_off(self, live: LiveTable, heard: Millis | None) -> None:
        if live.table.phase == "over":
            self._end_unheard(live)
            return
        # Whoever has lost the connection too often counts as present for a while longer.
        here = frozenset(live.here) | {
            person for person in live.table.people if self.flapping.counts(live, person)
        }
        self._hall.do(live, c.CutOff(here, heard))

    def _end_unheard(self, live: LiveTable) -> None:
        """Nobody would give up the seats of those who were cut off: their room would be full for good."""
        register, table = self._hall.register, live.table
        if live.here.keys().isdisjoint(table.people) and register.ended_unheard(table):
            room = table.game, str(table.room)

            def forget() -> None:
                if register.endings.get(room) == table.id:
                    del register.endings[room]

            self._hall.time.later(self._hall.settings.timeouts.room_grace, forget)

    def _dropped(self, live: LiveTable, person: PersonId) -> None:
        if live.asleep:
            return  # it is told who is there when it is woken
        if person not in live.here and live.table.phase != "over" and live.table.inside(person):
            self.flapping.lost(live, person)

    def _drop_if_gone(self, live: LiveTable, person: PersonId) -> None:
        if person not in live.here:  # else they have come back by now
            self._hall.carry_out(live, c.Drop(person))

    def look_around(self, live: LiveTable) -> None:
        """See whether anybody is at this table, whenever that may have changed."""
        if live.is_deserted:
            self.desertion.left(live.id)
        else:
            self.desertion.visited(live.id)
        for call in self.on_change:
            self._hall.faults.guard("visitors", call, live, table=live.id)

    def _is_empty(self, table_id: TableId) -> bool:
        live = self._hall.here(table_id)
        return table_id in self._hall.register.unfinished if live is None else live.is_deserted
