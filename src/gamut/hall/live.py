"""A table in memory, with its log and the people around it."""

from typing import Any

from gamut.games.game import AnyGame, Seat
from gamut.hall.audience import Door, Listener, News
from gamut.hall.ids import Millis, PersonId, Seq, TableId
from gamut.hall.journal import Wire
from gamut.hall.storage import Entry
from gamut.hall.summary import entry_of
from gamut.hall.table.seats import BotSitter
from gamut.hall.table.state import Table
from gamut.hall.table.view import view
from gamut.hall.time import Timer


class LiveTable:
    __slots__ = (
        "__weakref__",
        "alarm",
        "checksum",
        "deadline",
        "game",
        "has_bots",
        "here",
        "id",
        "kept",
        "known",
        "listeners",
        "log",
        "name",
        "newcomers",
        "table",
        "thinking",
        "touched",
        "wires",
        "written",
    )

    def __init__(self, game: AnyGame, table: Table, log: list[Any], checksum: bytes) -> None:
        self.id: TableId = table.id
        self.game = game
        self.table = table
        self.log = log
        self.checksum = checksum
        self.has_bots = any(type(holder) is BotSitter for holder in table.seats)
        self.listeners: dict[Door, tuple[Listener, ...]] = {}
        self.wires: dict[Door, tuple[Wire, ...]] = {}
        """Where the listeners of each door are reached: a move is told without a look at each of them."""
        self.here: dict[PersonId, int] = {}
        """How many connections each person has to this table."""
        self.newcomers: dict[PersonId, None] = {}
        """People in whose list of games this table must be put."""
        self.name: str | None = None
        """What a door of a game's own calls it, as long as that is not noted."""
        self.known: dict[Seat | None, tuple[int, Any]] = {}
        """Of a game that hides things: up to which event each viewer's position is worked out, and what it is."""
        self.deadline: Millis | None = None
        self.alarm: tuple[Millis, Timer] | None = None
        self.thinking: Any = None
        """The position that a bot is thinking about."""
        self.touched: Millis = table.at
        self.kept = False
        """The hall keeps it in memory. If not, it lasts as long as somebody holds it: still the only copy."""
        self.written = 0
        """The journal's batch with the last of what happened here."""

    def entry(self) -> Entry:
        """What the ledger notes of this table beside its events."""
        people, self.newcomers = tuple(self.newcomers), {}
        name, self.name = self.name, None
        return entry_of(self.game, self.table, people, name)

    def attend(self, listener: Listener) -> bool:
        """Add a listener; True if the person had no other connection to this table."""
        door = listener.door
        listeners = self.listeners.get(door, ())
        if listener in listeners:
            return False
        self.listeners[door] = (*listeners, listener)
        self.wires[door] = (*self.wires.get(door, ()), listener.wire)
        count = self.here.get(listener.person, 0) + 1
        self.here[listener.person] = count
        return count == 1

    def depart(self, listener: Listener) -> bool:
        """Remove a listener; True if it was the person's last connection to this table."""
        door = listener.door
        listeners = self.listeners.get(door, ())
        if listener not in listeners:
            return False
        if len(listeners) > 1:
            at, wires = listeners.index(listener), self.wires[door]
            self.listeners[door] = listeners[:at] + listeners[at + 1 :]
            self.wires[door] = wires[:at] + wires[at + 1 :]
        else:
            del self.listeners[door], self.wires[door]
        count = self.here[listener.person] - 1
        if count:
            self.here[listener.person] = count
            return False
        del self.here[listener.person]
        return True

    def take_over(self, before: "LiveTable") -> None:
        """Everybody who followed that table follows this one, which is new."""
        self.listeners, self.wires, self.here = before.listeners, before.wires, before.here
        before.listeners, before.wires, before.here = {}, {}, {}

    def tell(self, news: News) -> None:
        # A door may let a listener go because of what it has to tell.
        for door, listeners in tuple(self.listeners.items()):
            door.tell(self, news, listeners)

    def guarded_from(self, person: PersonId) -> bool:
        """Whether this person must know the password to watch. What is over may be looked at by anyone."""
        table = self.table
        guarded = table.guards_watching and table.phase != "over"
        return guarded and not table.inside(person) and person not in self.here

    def viewer(self, person: PersonId) -> Seat | None:
        """Through whose eyes this person sees the game."""
        return self.table.seat_of(person)

    def stamp(self, seq: Seq) -> Millis:
        """When that event happened. Time never goes back, so no other event has both the number and the moment.

        A checksum would tell as much, and more: whoever tries all that can be hidden in an event finds what fits it.
        """
        at: Millis = self.log[seq - 1].at if seq else Millis(0)
        return at

    def visible(self, viewer: Seat | None, after: Seq, upto: Seq | None = None) -> list[Any]:
        """What the viewer may see of the events since that number, up to and including the other."""
        seen = (view(self.game, event, viewer) for event in self.log[after:upto])
        return [event for event in seen if event is not None]

    def state_for(self, viewer: Seat | None) -> Any:
        """The position as the viewer knows it: the game folded over what they were allowed to see."""
        if self.table.state is None or not self.game.traits.hidden:
            return self.table.state
        upto, state = self.known.get(viewer, (0, None))
        for event in self.log[upto:]:
            visible = view(self.game, event, viewer)
            for happened in getattr(visible, "events", ()):
                state = self.game.evolve(state, happened)
        self.known[viewer] = len(self.log), state
        return state

    def awaited_bot(self) -> tuple[Seat, str] | None:
        """The bot that is to act now, if it is a bot's turn."""
        table = self.table
        if table.phase != "playing" or table.waiting:
            return None
        for seat in self.game.awaited(table.state):
            holder = table.seats[seat]
            if isinstance(holder, BotSitter):
                return seat, holder.level
        return None

    @property
    def stays_loaded(self) -> bool:
        """Whether something will happen here by itself before the table is given up altogether."""
        table = self.table
        if table.clock.running or self.awaited_bot() is not None:
            return True
        return table.phase != "over" and any(sitter.hold is not None for _, sitter in table.sitters())

    @property
    def watchers(self) -> int:
        """People here who have no seat."""
        return sum(1 for person in self.here if self.table.seat_of(person) is None)
