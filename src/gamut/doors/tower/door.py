"""Tables of Tower, told to clients of the Tower protocol."""

from collections.abc import Callable, Collection

from gamut.doors.base_door import BaseDoor
from gamut.doors.tower import to_client as t
from gamut.doors.tower.session import TowerSession
from gamut.doors.tower.telling import TowerTelling, ordinary_mark
from gamut.games.game import Seat
from gamut.hall.hall import Hall
from gamut.hall.ids import TableId
from gamut.hall.live.audience import News
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import events as e


class TowerDoor(BaseDoor[TowerSession]):
    name = "tower"
    telling = TowerTelling
    same_for_all = staticmethod(ordinary_mark)

    def __init__(self, hall: Hall, check_unregistered: Callable[[str], None]) -> None:
        super().__init__(hall)
        self.check_unregistered = check_unregistered
        """Raises NameTaken for a name that only an account may have: nobody logs in at this door."""
        self._ended: dict[TableId, LiveTable] = {}
        """Games that ended unheard, by the table that took the room over from them."""

    # Games whose end nobody heard

    def ended_before(self, live: LiveTable) -> TableId | None:
        """The game before this table whose end nobody was told, if this server does not
        know it after a restart."""
        opened = live.log[0]
        # A table that was opened because somebody left has its people in their seats from its first event.
        reopened = opened.before is not None and not opened.holders and live.table.room is not None
        unknown = reopened and live.table.phase == "setup" and live.id not in self._ended
        return opened.before if unknown else None

    def recall(self, live: LiveTable, ended: LiveTable) -> None:
        """This table has taken the room over from a game that ended unheard."""
        self._ended[live.id] = ended
        self.hall.time.later(self.hall.settings.timeouts.room_grace, lambda: self._told_long_ago(live.id))

    def _told_long_ago(self, table: TableId) -> None:
        self._ended.pop(table, None)

    def former_seat(self, live: LiveTable, name: str) -> Seat | None:
        """The seat that this player had in the game whose end they were not told, if it is free here."""
        ended = self._ended.get(live.id)
        if ended is None or live.table.phase != "setup":
            return None
        for number, holder in enumerate(ended.table.players):
            if holder is not None and holder.name == name and live.table.seats[number] is None:
                return Seat(number)
        return None

    def unheard(self, live: LiveTable, name: str, seat: Seat) -> bytes:
        """How the game before ended, for a player of it who has just come back."""
        ended = self._ended.get(live.id)
        if ended is None:
            return b""
        holder, state = ended.table.players[seat], ended.table.state
        if holder is None or holder.name != name:
            return b""
        return t.board_state(state.marks) + t.game_over(state.winner, state.line)

    # What happens at tables

    def see_to(self, live: LiveTable, news: News, listeners: Collection[TowerSession]) -> None:
        if type(news.events[-1]) is e.Closed:
            for session in listeners:
                session.removed()
            return
        if news.before.seats is news.after.seats:
            return
        removed = {
            event.person
            for event in news.events
            if type(event) is e.Stood and event.why in ("kicked", "gone")
        }
        for session in listeners:
            if session.person in removed:
                session.removed()

    def move(self, old: LiveTable, new: LiveTable, listeners: Collection[TowerSession]) -> None:
        for session in listeners:
            session.be_at(new)
