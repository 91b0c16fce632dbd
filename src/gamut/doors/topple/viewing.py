"""Games in files, as the log of a table that has ended: so they are looked at as any other game is."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import to_builtins

from gamut.doors.topple import bots
from gamut.doors.topple.rules import clock_for
from gamut.games.game import AnyGame, Outcome, Seat
from gamut.games.topple import events as happened
from gamut.games.topple.files.playback import start, stepped
from gamut.games.topple.files.reader import read
from gamut.games.topple.files.record import BadFile, Moved, Person, Record, Removed, Waited
from gamut.games.topple.options import ToppleOptions
from gamut.games.topple.state import MOST_PLAYERS, TEAMS, ToppleState, number, seat_of, usual_team
from gamut.games.topple.topology import LONGEST_SIDE, MOST_TILES, TOPOLOGIES
from gamut.hall.clock import NoClock
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.names import harmless_name
from gamut.hall.table import events as e
from gamut.hall.table.seats import Sitter

TABLE = TableId("file")
"""In the place of a table's id."""


class Viewed(NamedTuple):
    log: list[e.Happening]
    outcome: Outcome | None
    suspended: bool


def viewed(game: AnyGame, file: bytes) -> Viewed:
    """The game in a `.topl` or `.stpl` file. Raises BadFile if there is none, or none that can be shown here."""
    record = read(file)
    if len(record.teams) > MOST_PLAYERS:
        raise BadFile(
            "unsupported", f"It has {len(record.teams)} players; here there are at most {MOST_PLAYERS}."
        )
    if max(record.x, record.y) > LONGEST_SIDE or record.x * record.y > MOST_TILES:
        raise BadFile("unsupported", f"Its board is too large: at most {MOST_TILES} tiles.")
    if not any(record.teams):
        raise BadFile("damaged", "The file is damaged: nobody plays in it.")
    log = [_opened(record), *_seated(game, record)]
    last: ToppleState | None = None
    for event, state in _played(record):
        log.append(event)
        last = state
    assert last is not None
    outcome = game.outcome(last)
    if outcome is None:
        log.append(e.Closed(at=log[-1].at, why="exported" if record.suspended else "abandoned"))
    return Viewed(log, outcome, record.suspended)


def _opened(record: Record) -> e.Opened:
    clock = record.clock
    usual = tuple(map(usual_team, range(len(record.teams))))
    options = ToppleOptions(
        topology=TOPOLOGIES[record.topology],
        x=record.x,
        y=record.y,
        scoring=record.scoring or "elim",
        penalty="random" if clock is None else clock.penalty,
        teams=() if record.teams == usual or not all(record.teams) else record.teams,
    )
    colours = record.colours
    return e.Opened(
        at=Millis(record.started),
        table=TABLE,
        game="topple",
        options=to_builtins(options),
        seats=len(record.teams),
        clock=NoClock()
        if clock is None
        else clock_for(clock.style, clock.limit * 1000 or None, clock.penalty),
        start="host",
        private=False,
        key="",
        host=None,
        room=record.room,
        decor={} if colours is None or len(colours) != TEAMS + 1 else {"colours": list(colours)},
    )


def _seated(game: AnyGame, record: Record) -> Iterator[e.Happening]:
    people = record.people or (Person(),) * len(record.teams)
    at = Millis(record.started)
    for place, (person, team) in enumerate(zip(people, record.teams, strict=True)):
        seat = Seat(place)
        if not team or person is None:
            continue
        if person.bot:
            level = bots.level_of(game, person.bot) or person.bot
            yield e.BotSat(at=at, seat=seat, level=level, name=bots.title_of(person.bot))
        else:
            name = harmless_name(person.account) or f"Player {number(seat)}"
            yield e.Sat(at=at, seat=seat, sitter=Sitter(PersonId(f"player {number(seat)}"), name))


def _played(record: Record) -> Iterator[tuple[e.Happening, ToppleState]]:
    """What happened and how things stood after it. Raises BadFile where the rules do not allow it."""
    at = Millis(record.started)
    state = start(record)
    yield e.Started[Any](at=at, events=(happened.Began(state.setup),)), state
    for event in record.events:
        if isinstance(event, Moved | Removed | Waited):
            at = Millis(at + event.after)
        after = stepped(state, event)
        if after is state:
            continue  # time passed, or somebody is named who is out already
        if isinstance(event, Moved):
            seat = seat_of(event.player)
            yield e.Played[Any](at=at, seat=seat, events=(happened.Moved(seat, event.tile),)), after
        elif isinstance(event, Removed):
            seat = seat_of(event.player)
            yield e.Played[Any](at=at, seat=seat, why="quit", events=(happened.Removed(seat, "left"),)), after
        state = after
