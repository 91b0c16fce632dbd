"""Who comes to a table under any commands, and an independent model of its turns and its clocks."""

from typing import Any

import msgspec
from hypothesis import strategies as st

from gamut.games.game import AnyGame, Seat
from gamut.hall.ids import Millis, PersonId
from gamut.hall.table import events as e
from gamut.hall.table.clock import Bank, ClockSetting, NoClock, Overtime, PerTurn
from gamut.hall.table.deciding.draft import Timeouts
from gamut.hall.table.seats import BotSitter, Sitter
from gamut.hall.table.state import Table

MANNERS = Timeouts()
KEY = "the-key-of-this-table"
PEOPLE = [PersonId(name) for name in ("ann", "bob", "cid", "dot", "eve")]
PASSING = {"rob", "sue"}
"""Names of people whose seat is not kept when they are away."""
RESTING = {"tia"}
"""People without whom play rests when the server was away; they come back to their seat by themselves."""
NAMES = ["Ada", "Zoe"]
"""What people may be called later on."""
HOLD = {"hal": Millis(30_000)}
"""How long a seat is held for whom, if not as long as the table stands."""

CLOCKS: list[ClockSetting] = [
    NoClock(),
    PerTurn(10_000),
    Bank(20_000, 1_000),
    Bank(3_000),
    Bank(4_000, 500, lag=700),
    PerTurn(5_000, lag=300),
    Overtime(5_000, 2_000, 2, 500),
    Overtime(1_000, 0, 0, 200),
]
STARTS = ["full", "ready", "host", "approval"]
STEPS: dict[str, set[str]] = {
    "setup": {"setup", "playing", "over"},
    "playing": {"playing", "paused", "over"},
    "paused": {"paused", "playing", "over"},
    "over": {"over"},
}
AFTER_THE_END = (e.Said, e.Returned, e.Stood, e.HostChanged, e.RematchWanted, e.Succeeded)

people = st.sampled_from(PEOPLE)
anybody = st.sampled_from([*PEOPLE, *map(PersonId, ("hal", "rob", "sue", "tia"))])
numbers = st.integers(-1, 3).map(Seat)
spans = (
    st.integers(0, 2_000)
    | st.integers(0, 20_000)
    | st.sampled_from([59_999, 60_000, 120_000, 600_000, 86_400_000])
)


def everybody(table: Table) -> list[str]:
    """All who sit here, wherever."""
    return sorted(repr(holder) for holder in table.seats if holder is not None)


def written(value: Any) -> bytes:
    return msgspec.json.encode(value)


def sitter(person: PersonId) -> Sitter:
    # People whose seat is not kept come with a new id each time; their name is what they have in common.
    name = person.partition("-")[0]
    rests = True if name in RESTING else None
    return Sitter(
        person,
        name,
        returns=name not in PASSING,
        kept_for=HOLD.get(name),
        rests=rests,
        cannot=("ready", "rematch", "follow") if name in HOLD else None,
    )


def says(holder: Sitter) -> bool:
    """Whether somebody has a word for being ready, and for a rematch."""
    return holder.person.partition("-")[0] not in (*PASSING, *HOLD)


def all_ready(table: Table) -> bool:
    return all(seat in table.ready or not says(holder) for seat, holder in table.sitters())


class Line:
    """The positions of the game that stand, each with what led to it and who sat where, kept apart from the log."""

    def __init__(self) -> None:
        self.positions: list[tuple[Any, Any, tuple[Any, ...]]] = []
        self.seated = 0
        """How many positions there were when somebody last sat down or stood up."""

    def happened(self, before: Table, event: Any, after: Table) -> None:
        if isinstance(event, (e.Started, e.Played)):
            self.positions.append((after.state, event, before.seats))
        elif isinstance(event, (e.Sat, e.BotSat, e.Stood)):
            self.seated = len(self.positions)
        elif isinstance(event, e.TakenBack):
            (_, first, _), *others = self.positions[event.moves + 1 :]
            assert (first.seat, first.why) == (event.seat, "acted"), (
                "one takes back what one has done oneself"
            )
            for _, undone, seats in others:
                assert undone.why in ("acted", "flagged")
                assert isinstance(seats[undone.seat], BotSitter) or undone.seat == event.seat
            del self.positions[event.moves + 1 :]

    def seats_changed_since(self, moves: int) -> bool:
        """Whether somebody has sat down or stood up after the move that followed so many."""
        return self.seated > moves + 1

    def moves_before_the_last_of(self, seat: Seat) -> int | None:
        """How many moves there were before this seat last acted."""
        for number in range(len(self.positions) - 1, 0, -1):
            _, event, _ = self.positions[number]
            if (event.seat, event.why) == (seat, "acted"):
                return number - 1
        return None


class Times:
    """The time each seat must have left, reckoned apart from the clock: only rules and moments, event by event."""

    free = False
    """It is the first turn of a game whose first turn is free."""

    def __init__(self, setting: ClockSetting, seats: int) -> None:
        self.setting = setting
        match setting:
            case PerTurn(limit=main) | Bank(main=main):
                self.left = [main] * seats
            case _:
                self.left = [0] * seats
        self.known = isinstance(setting, (PerTurn, Bank))

    def happened(
        self, game: AnyGame, before: Table, event: Any, after: Table, spared: set[PersonId | None]
    ) -> None:
        awaited = game.awaited(before.state) if before.phase in ("playing", "paused") else ()
        thinking = before.phase == "playing" and not before.waiting and not self.free
        if thinking:
            until = event.at
            if isinstance(event, e.Handed):
                until = event.charged
            elif isinstance(event, e.Woken):
                until = before.at if event.stopped_at is None else event.stopped_at
            for seat in awaited:
                if before.persons[seat] is not None and before.persons[seat] in spared:
                    continue
                self.left[seat] -= min(self.left[seat], until - before.at)
        if isinstance(event, e.TakenBack):
            # Nothing is added, and no turn begins.
            self.free = game.traits.first_turn_free and event.moves == 0
        if not isinstance(event, (e.Started, e.Played)) or after.outcome is not None:
            return
        actor = event.seat if isinstance(event, e.Played) and event.why in ("acted", "flagged") else None
        if isinstance(event, e.Started):
            self.free = game.traits.first_turn_free
        elif actor is not None or game.awaited(after.state) != awaited:
            self.free = False
        if isinstance(self.setting, Bank):
            for seat in (*(() if actor is None else (actor,)), *game.played_for(event.events)):
                self.left[seat] += self.setting.increment
        if isinstance(self.setting, PerTurn):
            for seat in game.awaited(after.state):
                if seat == actor or seat not in awaited:
                    self.left[seat] = self.setting.limit


class Turns:
    """With which event each seat's turn began or ended, reckoned apart from the table."""

    def __init__(self) -> None:
        self.since: dict[int, int] = {}

    def happened(self, game: AnyGame, before: Table, event: Any, after: Table) -> None:
        if not isinstance(event, (e.Started, e.Played, e.TakenBack)):
            return
        everybody: set[Any] = set(range(len(after.seats)))
        changed, actor = everybody, getattr(event, "seat", None)
        if isinstance(event, e.Played) and game.traits.simultaneous:
            changed = set(game.awaited(before.state)) ^ set(game.awaited(after.state)) | {actor}
        self.since.update(dict.fromkeys(changed & everybody, after.seq))
