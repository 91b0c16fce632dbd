"""A table: one game being set up, played or reviewed."""

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from gamut.games.game import Outcome, Seat
from gamut.hall.ids import Millis, PersonId, Seq, TableId
from gamut.hall.table.clock import Clock, ClockSetting
from gamut.hall.table.events import StartRule
from gamut.hall.table.seats import Away, Holder, Sitter

Phase = Literal["setup", "playing", "paused", "over"]


class Table(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The state that folding a table's log gives. Watchers are not part of it: they come and go without a trace."""

    id: TableId
    game: str
    options: Any
    clock_setting: ClockSetting
    start: StartRule
    private: bool
    key: str
    room: str | None
    before: TableId | None
    opened: Millis
    seats: tuple[Holder | None, ...]
    persons: tuple[PersonId | None, ...]
    """Whose seats these are; None: nobody's, or a bot's."""
    host: PersonId | None
    players: tuple[Holder | None, ...] = ()
    """Who plays or played this game, seat by seat, also when they have left: unless somebody sat in for them."""
    phase: Phase = "setup"
    state: Any = None
    outcome: Outcome | None = None
    clock: Clock
    ready: tuple[Seat, ...] = ()
    draw_offers: tuple[Seat, ...] = ()
    turned_down: tuple[Seat, ...] = ()
    """Seats whose draw offer was declined, and which have not acted since."""
    rematch: tuple[Seat, ...] = ()
    rematch_level: str | None = None
    """How strong the bots of the rematch are to be; None: as they were."""
    barred: tuple[PersonId, ...] = ()
    away: tuple[Away, ...] = ()
    waiting: tuple[Seat, ...] = ()
    """Seats for which play rests: given up in mid-game until somebody sits in, or of people who have yet to return."""
    vacated: bool = False
    """Somebody has given up a seat since the table was opened."""
    successor: TableId | None = None
    password: str | None = None
    watchable: bool = True
    guards_watching: bool = False
    one_chat: bool = False
    """Watchers talk at the table, too."""
    decor: dict[str, Any] = {}
    untimed: bool = False
    """It is the first turn of a game whose first turn is free."""
    said: int = 0
    """How often somebody has said something."""
    last_play: Seq = Seq(0)
    """The last event that changed the game itself."""
    last_turns: tuple[Seq, ...] = ()
    """Where several may act at once: for each seat the last event that began or ended a turn of its own."""
    seq: Seq
    at: Millis

    def seat_of(self, person: PersonId) -> Seat | None:
        return self.persons.index(person) if person in self.persons else None  # type: ignore[return-value]

    def inside(self, person: PersonId) -> bool:
        """Whether somebody belongs to the table: has a seat, or is its host."""
        return person in self.persons or self.host == person

    def knows_of_it(self, person: PersonId) -> bool:
        """Whether somebody may know of a private table: they belong to it,
        or played its game, which is over."""
        if self.inside(person):
            return True
        return self.phase == "over" and any(
            isinstance(holder, Sitter) and holder.person == person for holder in self.players
        )

    def last_turn(self, seat: Seat) -> Seq:
        """The last event that changed what this seat is to do. What others do in the meantime does not."""
        return self.last_turns[seat] if self.last_turns else self.last_play

    def sitters(self) -> Iterator[tuple[Seat, Sitter]]:
        for number, holder in enumerate(self.seats):
            if isinstance(holder, Sitter):
                yield Seat(number), holder

    @property
    def people(self) -> tuple[PersonId, ...]:
        """All who belong to the table, in the order of their seats; a host who only watches is the last."""
        seated = [person for person in self.persons if person is not None]
        return tuple(dict.fromkeys(seated if self.host is None else [*seated, self.host]))

    def is_away(self, person: PersonId) -> bool:
        return any(gone.person == person for gone in self.away)

    def is_lost(self, seat: Seat) -> bool:
        """The seat's person is away and has no way back: anybody may take the seat, they as well."""
        holder = self.seats[seat]
        return isinstance(holder, Sitter) and not holder.returns and self.is_away(holder.person)

    def present(self) -> list[tuple[Seat, Holder]]:
        """The seats that are filled for good, bots included."""
        seats: Any = enumerate(self.seats)
        filled: list[tuple[Seat, Holder]] = [held for held in seats if held[1] is not None]
        return [(seat, holder) for seat, holder in filled if not self.is_lost(seat)] if self.away else filled

    @property
    def full(self) -> bool:
        return len(self.present()) == len(self.seats) if self.away else None not in self.seats

    @property
    def halted(self) -> bool:
        """The game is on but rests: it is paused, or waits for somebody to sit in."""
        return self.phase == "paused" or bool(self.waiting)
