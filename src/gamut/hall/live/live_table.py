"""A table in memory, with its log and the people around it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, NamedTuple

from gamut.games.game import AnyGame, Seat
from gamut.hall.faults import Fault, Faults
from gamut.hall.ids import Millis, PersonId, Seq, TableId
from gamut.hall.live.audience import Door, Listener, News
from gamut.hall.lobby.summary import entry_of
from gamut.hall.store.journal import Wire
from gamut.hall.store.storage import Entry
from gamut.hall.table import events as e
from gamut.hall.table.deciding.presence import clock_decides
from gamut.hall.table.sealed import sealed_event, sealed_table
from gamut.hall.table.seats import BotSitter
from gamut.hall.table.state import Table
from gamut.hall.table.view import hides, reseated, views
from gamut.hall.time import Timer

_REVEALED = 1 << 48
"""Milliseconds: later than any moment."""

FailedDoor = tuple[Door, tuple[Listener, ...], Exception]
"""A door that could not be told, those who were to hear of it, and why they did not."""


class Step(NamedTuple):
    """One event of a game, and what it did to the position that a viewer knows."""

    at: Millis
    before: Any
    """None before the first."""
    event: Any
    after: Any


class StillBeingTold(RuntimeError):
    """A command came to this table while the doors were being told of the one before:
    some doors would be told of it first."""


class OnlyACopy(RuntimeError):
    """Something was to happen at a copy of a table that is in another wing of the hall, or somebody was to follow it:
    the table itself would not know of it."""


class LiveTable:
    """Doors use `table`, `log`, and what they ask for a viewer. `whole` and `whole_log` are the hall's alone.

    In a game that hides nothing, `table` is `whole` and `log` is `whole_log`.
    """

    __slots__ = (
        "__weakref__",
        "_before",
        "_sealed_log",
        "afterwards",
        "alarm",
        "asleep",
        "being_told",
        "checksum",
        "deadline",
        "game",
        "glances",
        "has_bots",
        "here",
        "hidden",
        "hides",
        "id",
        "kept",
        "known",
        "listeners",
        "name",
        "newcomers",
        "out_of_order",
        "silenced",
        "table",
        "thinking",
        "touched",
        "whole",
        "whole_log",
        "wires",
        "written",
    )

    is_copy: ClassVar[bool] = False

    def __init__(self, game: AnyGame, table: Table, record: list[Any], checksum: bytes) -> None:
        self.id: TableId = table.id
        self.game = game
        self.hidden = game.traits.hidden
        self.hides = False
        """Whether there is anything in the game that somebody may not see, as things stand."""
        self.whole = self.table = table
        self.whole_log = record
        self._sealed_log: list[Any] = []
        self.known: dict[Seat | None, tuple[int, Any]] = {}
        """Of a game that hides things: up to which event each viewer's position is worked out, and what it is."""
        self._before: tuple[int, Any] = (0, None)
        """Of such a game: how many events there were before the latest, and the whole position then."""
        if self.hidden:
            self.seal()
        self.checksum = checksum
        self.has_bots = any(type(holder) is BotSitter for holder in table.seats)
        self.listeners: dict[Door, tuple[Listener, ...]] = {}
        self.wires: dict[Door, tuple[Wire, ...]] = {}
        """Where the listeners of each door are reached: a move is told without a look at each of them."""
        self.here: dict[PersonId, int] = {}
        """How many connections each person has to this table."""
        self.glances: frozenset[Listener] = frozenset()
        """Connections that only show a small board of it, as in a list of tables."""
        self.silenced: frozenset[Listener] = frozenset()
        """Connections that could not be told something, and so are told nothing more.
        They count until they end."""
        self.newcomers: dict[PersonId, None] = {}
        """People in whose list of games this table must be put."""
        self.name: str | None = None
        """What a door of a game's own calls it, as long as that is not noted."""
        self.deadline: Millis | None = None
        self.alarm: tuple[Millis, Timer] | None = None
        self.thinking: dict[Seat, Seq] = {}
        """The bots that are thinking, and with which event the turn began that they think about."""
        self.asleep = False
        """The hall is being opened, and nothing happens here yet."""
        self.being_told = False
        """Its doors are being told what happened."""
        self.afterwards: tuple[Callable[[], None], ...] = ()
        """Calls that wait until every door has been told."""
        self.out_of_order = False
        """Nothing is done here any more: too much has failed."""
        self.touched: Millis = table.at
        self.kept = False
        """The hall keeps it in memory. If not, it lasts as long as somebody holds it: still the only copy."""
        self.written = 0
        """The journal's batch with the last of what happened here."""

    def vacate(self) -> None:
        """The table is another process's by now: of what it was nothing is kept here, whoever still holds it."""
        self.whole_log, self._sealed_log = [], []
        self.known, self._before = {}, (0, None)
        self.listeners, self.wires, self.here = {}, {}, {}

    def entry(self, faults: Faults | None = None) -> Entry:
        """The note of this table for the ledger. Newcomers and a new name are in the next note only."""
        entry = entry_of(self.game, self.table, tuple(self.newcomers), self.name, faults)
        self.newcomers, self.name = {}, None
        return entry

    def attend(self, listener: Listener, *, glance: bool = False) -> bool:
        """Add a listener; True if the person had no other connection to this table."""
        self.glances = self.glances | {listener} if glance else self.glances - {listener}
        door = listener.door
        listeners = self.listeners.get(door, ())
        if listener in listeners or listener in self.silenced:
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
        if listener in self.silenced:
            self.silenced -= {listener}
        elif listener not in listeners:
            return False
        elif len(listeners) > 1:
            at, wires = listeners.index(listener), self.wires[door]
            self.listeners[door] = listeners[:at] + listeners[at + 1 :]
            self.wires[door] = wires[:at] + wires[at + 1 :]
        else:
            del self.listeners[door], self.wires[door]
        self.glances -= {listener}
        return self._uncount(listener)

    def _uncount(self, listener: Listener) -> bool:
        count = self.here[listener.person] - 1
        if count:
            self.here[listener.person] = count
            return False
        del self.here[listener.person]
        return True

    def silence(self, door: Door) -> None:
        """This door failed to tell its listeners something: they are told nothing more."""
        self.silenced = self.silenced.union(self.listeners.pop(door, ()))
        self.wires.pop(door, None)
        self.glances -= self.silenced

    def take_over(self, before: "LiveTable") -> tuple[FailedDoor, ...]:
        """Move all listeners of `before` to this new table, and tell them. Returns the doors that failed to.

        Listeners of these doors, and those silenced before, follow neither table: their connections end.
        """
        for listener in before.silenced:
            before._uncount(listener)
        before.silenced = frozenset()
        self.listeners, self.wires, self.here = before.listeners, before.wires, before.here
        before.listeners, before.wires, before.here = {}, {}, {}
        self.glances, before.glances = before.glances, frozenset()
        failed: tuple[FailedDoor, ...] = ()
        self.being_told = True
        try:
            for door, listeners in tuple(self.listeners.items()):
                try:
                    door.move(before, self, listeners)
                except Fault as fault:
                    failed += ((door, listeners, fault),)
                    for listener in listeners:
                        self.depart(listener)
        finally:
            self.being_told = False
        return failed

    def tell(self, news: News) -> tuple[FailedDoor, ...]:
        """Tell every door. Returns the doors that failed: it is not known which of
        their listeners were told."""
        failed: tuple[FailedDoor, ...] = ()
        self.being_told = True
        try:
            # A door may let a listener go because of what it has to tell.
            for door, listeners in tuple(self.listeners.items()):
                try:
                    door.tell(self, news, listeners)
                except Fault as fault:
                    failed += ((door, listeners, fault),)
                    self.silence(door)
        finally:
            self.being_told = False
            if self.known and self.table.phase == "over":
                self.known.clear()
        return failed

    def when_told(self, call: Callable[[], None]) -> None:
        """Do this now, or as soon as every door has been told what has just happened here."""
        if self.being_told:
            self.afterwards += (call,)
        else:
            call()

    def guarded_from(self, person: PersonId) -> bool:
        """Whether this person must know the password to watch. What is over may be looked at by anyone."""
        table = self.table
        guarded = table.guards_watching and table.phase != "over"
        return guarded and not table.inside(person) and person not in self.here

    def viewer(self, person: PersonId) -> Seat | None:
        """Through whose eyes this person sees the game."""
        return self.table.seat_of(person)

    def seal(self) -> None:
        """Of a game that hides things doors see the table without its position."""
        self.hides = hides(self.game, self.whole)
        if self.hides:
            self.table = sealed_table(self.whole)
        else:
            self._sealed_log.clear()

    @property
    def log(self) -> list[Any]:
        """What happened, as far as it is the same for everybody: the game itself only where it hides nothing."""
        if not self.hides:
            return self.whole_log
        self._sealed_log += map(sealed_event, self.whole_log[len(self._sealed_log) :])
        return self._sealed_log

    def goes_on(self, table: Table, events: list[Any]) -> None:
        """These events have happened, and the table is this."""
        if self.hidden:
            self._before = len(self.whole_log), self.whole.state
        self.whole_log += events
        self.whole = self.table = table
        if self.hidden:
            self.seal()

    def rewritten(self, table: Table, record: list[Any]) -> None:
        """The log was written anew without somebody's name and words. The game is the same."""
        self.whole = self.table = table
        self.whole_log = record
        self.known.clear()
        self._sealed_log = []
        if self.hidden:
            self.seal()

    def stamp(self, seq: Seq) -> Millis:
        """When that event happened. Time never goes back, so no other event has both the number and the moment.

        A checksum would betray secrets: a client could try all that may be hidden until something fits it.
        """
        if not seq:
            return Millis(0)
        at: Millis = self.whole_log[seq - 1].at
        # A client that was cut off before the reveal knows other events under the
        # same moments: another stamp.
        return Millis(at + _REVEALED) if self.hidden and not self.hides else at

    def visible(
        self, viewer: Seat | None, after: Seq, upto: Seq | None = None, *, revealed: bool | None = None
    ) -> list[Any]:
        """What the viewer may see of the events since that number, up to and including the other.

        A caller that tells them in pieces says whether all was `revealed` at the first piece, so that the
        pieces agree.
        """
        if revealed is None:
            revealed = not self.hides
        return views(self.game, self.whole_log[after:upto], viewer, revealed=revealed and not self.hides)

    def looks_alike(self, person: PersonId, upto: Seq, then: Seq) -> bool:
        """Whether all up to that event looks to this person as it did when `then` was the last one.

        It does not if the game had begun, and they see it through other eyes since, or all was revealed.
        """
        if not self.hidden or not upto or self.table.state is None:
            return True
        all_revealed = not self.hides and then < self.table.last_play
        if not all_revealed and person not in reseated(self.whole, self.whole_log[then:]):
            return True
        return any(type(event) is e.Started for event in self.whole_log[upto:])

    def state_for(self, viewer: Seat | None) -> Any:
        """The position as the viewer knows it: the game folded over what they were allowed to see."""
        if self.whole.state is None or not self.hides:
            return self.whole.state
        known, state = self.known.get(viewer, (0, None))
        upto = len(self.whole_log)
        if known == upto:
            return state
        events = self.whole_log[known:]
        seen = views(self.game, events, viewer, revealed=False)
        if known == self._before[0] and state is self._before[1] and seen == events:
            # The viewer knew the whole position and has seen every event since: still the whole position.
            state = self.whole.state
        else:
            state = self._folded(state, seen)
            if state == self.whole.state:
                state = self.whole.state
        self.known[viewer] = upto, state
        return state

    def steps(self, viewer: Seat | None, news: News) -> list[Step]:
        """What the news did to the position that the viewer knows, one event of the game after the other.

        The event that ends a game is seen as in play: what it reveals is not in its step.
        """
        state = self._known_after(news.first - 1, viewer) if news.hid else news.before.state
        steps = []
        for seen in news.seen_by(viewer):
            for event in getattr(seen, "events", ()):
                before, state = state, self.game.evolve(state, event)
                steps.append(Step(seen.at, before, event, state))
        if self.hides:
            self.known[viewer] = len(self.whole_log), state
        return steps

    def _known_after(self, upto: int, viewer: Seat | None) -> Any:
        """The position as the viewer knew it after so many events. What was folded before is not folded again."""
        known, state = self.known.get(viewer, (0, None))
        if known == upto:
            return state
        if known > upto:
            known, state = 0, None
        return self._folded(state, views(self.game, self.whole_log[known:upto], viewer, revealed=False))

    def _folded(self, state: Any, seen: Iterable[Any]) -> Any:
        for event in seen:
            for happened in getattr(event, "events", ()):
                state = self.game.evolve(state, happened)
        return state

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats whose action the game waits for."""
        return () if self.whole.state is None else self.game.awaited(self.whole.state)

    def legal(self, seat: Seat) -> Sequence[Any]:
        """What a seat may do now, from what it knows."""
        if self.table.phase != "playing" or self.table.waiting:
            return ()
        return self.game.legal(self.state_for(seat), seat)

    def awaited_bots(self) -> list[Seat]:
        """The bots that are to act now."""
        table = self.whole
        if table.phase != "playing" or table.waiting:
            return []
        return [seat for seat in self.game.awaited(table.state) if type(table.seats[seat]) is BotSitter]

    def awaited_bot(self, seat: Seat) -> str | None:
        """The level of the bot in this seat, if it is to act now."""
        holder = self.whole.seats[seat]
        return holder.level if type(holder) is BotSitter and seat in self.awaited_bots() else None

    @property
    def stays_loaded(self) -> bool:
        """Whether something will happen here by itself before the table is given up altogether."""
        table = self.table
        if clock_decides(table) or self.awaited_bots():
            return True
        return table.phase != "over" and any(sitter.kept_for is not None for _, sitter in table.sitters())

    @property
    def is_deserted(self) -> bool:
        """Whether the game is on and nobody is there. Glances do not count, unless they are a player's."""
        if self.table.phase not in ("playing", "paused"):
            return False
        return not any(
            listener not in self.glances or self.table.seat_of(listener.person) is not None
            for listeners in self.listeners.values()
            for listener in listeners
        )

    @property
    def watchers(self) -> int:
        """People here who have no seat."""
        return sum(1 for person in self.here if self.table.seat_of(person) is None)


class Copy(LiveTable):
    """A table of another wing as it was when it was read. It is whoever's who has asked for it: it is not in the
    hall's memory, goes on no more, and lasts as long as somebody holds it."""

    __slots__ = ()

    is_copy = True

    def __init__(self, game: AnyGame, table: Table, record: list[Any], checksum: bytes) -> None:
        super().__init__(game, table, record, checksum)
        # So nothing is done here, and what would happen by itself does not: it is never woken.
        self.asleep = True

    def attend(self, listener: Listener, *, glance: bool = False) -> bool:
        raise OnlyACopy(self.id)
