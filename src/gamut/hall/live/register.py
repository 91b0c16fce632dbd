"""The register: which tables there are, who sits at them, and by which names doors know them."""

from collections.abc import Callable, Collection
from functools import partial

from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.lobby.lobby import Lobby
from gamut.hall.lobby.summary import Summary
from gamut.hall.names.room_names import HeldNames, RoomNames
from gamut.hall.store.journal import Journal
from gamut.hall.table.seats import BotSitter, Sitter
from gamut.hall.table.state import Table

_JUST_BEFORE = 10_000
"""In milliseconds before the last thing that is known."""


class Register:
    """Of the tables that are not over. It is kept beside the tables, most of which are not in memory."""

    def __init__(self, journal: Journal, lobby: Lobby, names: RoomNames) -> None:
        self._journal = journal
        self._lobby = lobby
        self.rooms: dict[tuple[str, str], TableId] = {}
        self.names = HeldNames(names, self.rooms)
        self.endings: dict[tuple[str, str], TableId] = {}
        """Rooms whose game ended just before the server stopped: perhaps nobody there has heard of it."""
        self.seated: dict[PersonId, set[TableId]] = {}
        """Who sits where in this wing of the hall."""
        self.seated_elsewhere: dict[PersonId, set[TableId]] = {}
        """The same of all the others, as far as the main wing has heard of it (`gamut.hall.annexes`)."""
        self.on_seated: list[Callable[[PersonId], None]] = []
        """Called with somebody who sits at another table of this wing than before, or got up."""
        self.unfinished: dict[TableId, Millis] = {}
        """Every table that is not over, and when something happened there that the lobby shows."""

    # After a stop

    def recall(self, summary: Summary) -> None:
        """Enter a table of which only the note was read."""
        self._lobby.show(summary)
        self.unfinished[summary.id] = summary.changed
        if summary.room is not None:
            self.rooms[summary.game, summary.room] = summary.id
        for holder in summary.seats:
            if isinstance(holder, Sitter):
                self.seated.setdefault(holder.person, set()).add(summary.id)

    def recall_ending(self, summary: Summary, latest: Millis) -> None:
        """Remember a game that was over, if that was just before the last thing that is known."""
        ended = summary.changed >= latest - _JUST_BEFORE and summary.room is not None
        # A player who can come back to the seat asks for the table itself.
        if ended and any(isinstance(holder, Sitter) and not holder.returns for holder in summary.seats):
            self.endings.setdefault((summary.game, str(summary.room)), summary.id)

    def strike(self, table_id: TableId) -> None:
        """Take a table that cannot be read out of all lists, so that its name is free.
        Its log stays as it is."""
        self.unfinished.pop(table_id, None)
        self._lobby.hide(table_id)
        for person in [person for person, tables in self.seated.items() if table_id in tables]:
            self._unseat(person, table_id)
        for room in [room for room, known in self.rooms.items() if known == table_id]:
            del self.rooms[room]
            self.names.let_go(*room)

    # Who sits where

    def tables_of(self, person: PersonId) -> list[TableId]:
        """Where somebody sits, in all wings that this one knows of."""
        here = self.seated.get(person, ())
        elsewhere = self.seated_elsewhere.get(person)
        return sorted(here) if elsewhere is None else sorted({*here, *elsewhere})

    def seat_elsewhere(self, person: PersonId, before: Collection[TableId], now: Collection[TableId]) -> None:
        """In another wing somebody sits at these tables."""
        tables = self.seated_elsewhere.setdefault(person, set())
        tables.difference_update(before)
        tables.update(now)
        if not tables:
            del self.seated_elsewhere[person]

    # While there is a table

    def note(self, live: LiveTable) -> None:
        """Write down what the lobby shows of this table and whose list of games it belongs to."""
        self._journal.note(live.id, partial(live.entry, self._journal.faults))
        if live.table.phase == "over":
            self.unfinished.pop(live.id, None)
        else:
            self.unfinished[live.id] = live.table.at
        self._lobby.changed(live.game, live.table)

    def reseat(self, live: LiveTable, before: tuple[PersonId | None, ...]) -> None:
        """Others sit there now than before."""
        table = live.table
        live.has_bots = False
        for holder in table.seats:
            if type(holder) is BotSitter:
                live.has_bots = True
            elif type(holder) is Sitter and holder.listed and holder.person not in before:
                live.newcomers[holder.person] = None
        now = table.persons if table.phase != "over" else ()
        for person in before:
            if person is not None and person not in now:
                self._unseat(person, live.id)
        for person in now:
            if person is not None and person not in before:
                self.seated.setdefault(person, set()).add(live.id)
                self._seated(person)

    def _unseat(self, person: PersonId, table_id: TableId) -> None:
        tables = self.seated.get(person)
        if tables is not None:
            tables.discard(table_id)
            if not tables:
                del self.seated[person]
            self._seated(person)

    def _seated(self, person: PersonId) -> None:
        for call in self.on_seated:
            self._journal.faults.guard("seated", call, person)

    # Names

    def bind(self, live: LiveTable) -> None:
        """From now on the name of its room, which is ours, means this table."""
        table = live.table
        if table.room is not None:
            self.rooms[table.game, table.room] = table.id
            self.endings.pop((table.game, table.room), None)
            live.name = table.room

    def ended_unheard(self, table: Table) -> bool:
        """The game is over, and a fault of ours has cut off everybody who was there: its room is as after a stop.
        Whether it had one."""
        if table.room is None or self.rooms.get((table.game, table.room)) != table.id:
            return False
        self.unbind(table)
        # A player who can come back to the seat asks for the table itself.
        if any(isinstance(holder, Sitter) and not holder.returns for holder in table.seats):
            self.endings[table.game, table.room] = table.id
        return True

    def unbind(self, table: Table) -> None:
        if table.room is not None and self.rooms.get((table.game, table.room)) == table.id:
            del self.rooms[table.game, table.room]
            self.names.let_go(table.game, table.room)

    def room(self, game: str, name: str) -> TableId | None:
        """The table known by this name at a game's own door; a table's id will do as well."""
        found = self.rooms.get((game, name))
        if found is None:
            summary = self._lobby.tables.get(TableId(name))
            if summary is not None and summary.game == game and summary.phase != "over":
                return summary.id
        return found
