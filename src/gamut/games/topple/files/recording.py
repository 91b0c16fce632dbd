"""Making a file out of a game that was played here."""

from collections.abc import Iterable, Iterator, Sequence

from gamut.games.topple import events as happened
from gamut.games.topple.evolve import evolve
from gamut.games.topple.files.layout import size_for
from gamut.games.topple.files.record import Clock, Event, Moved, Person, Record, Removed, Waited
from gamut.games.topple.files.suspended import EXTENSION, resumption, suspension
from gamut.games.topple.state import Scoring, ToppleState, number

_SHORT, _LONG = 0xFFFF, 0xFFFFFF
"""How many milliseconds fit into an event, and into one that only says that time passed."""

Log = Sequence[tuple[int, happened.Event]]
"""Each event of a game, and when it happened (milliseconds since 1970)."""


def recorded(
    log: Log,
    *,
    room: str,
    people: Sequence[Person | None],
    clock: Clock | None = None,
    scoring: Scoring | None = None,
    colours: tuple[int, ...] | None = None,
    sequence: int = 0,
    fingerprint: bytes = bytes(16),
    resumed: Record | None = None,
    suspended_at: int | None = None,
) -> Record:
    """The record of a game, from its beginning to the last event of the log.

    `people` has one entry for each seat. `scoring` is None if nobody said how to score. `resumed` is the
    suspended game that this one went on with; `suspended_at` is given if this one is to be continued.
    """
    (started, first), *later = log
    assert isinstance(first, happened.Began | happened.Resumed)
    setup = first.setup
    # Empty slots at the end are left out, unless an earlier file had them.
    count = max(seat + 1 for seat, team in enumerate(setup.teams) if team)
    size = size_for(len(setup.teams), setup.tiles)
    events: list[Event] = []
    if resumed is not None:
        count, size = len(resumed.teams), resumed.size
        events = [*resumed.events, resumption(started)]
    events += _events(evolve(None, first), started, later)
    if suspended_at is not None:
        events.append(suspension(suspended_at))
    return Record(
        room=room,
        started=started,
        topology=setup.topology,
        x=setup.x,
        y=setup.y,
        teams=setup.teams[:count],
        size=size,
        sequence=sequence,
        fingerprint=fingerprint,
        colours=colours,
        people=tuple(people[:count]),
        clock=clock,
        scoring=scoring,
        suspended=suspended_at is not None,
        extensions=(EXTENSION,) if resumed is not None or suspended_at is not None else (),
        events=tuple(events),
    )


def _events(state: ToppleState, before: int, log: Iterable[tuple[int, happened.Event]]) -> Iterator[Event]:
    for at, event in log:
        state = evolve(state, event)
        if isinstance(event, happened.Skipped):
            # Files do not note skipped turns; the time goes to the next event.
            continue
        assert isinstance(event, happened.Moved | happened.Removed)
        elapsed = max(0, at - before)
        before = max(at, before)
        while elapsed > _SHORT:
            yield Waited(min(elapsed, _LONG))
            elapsed -= min(elapsed, _LONG)
        if isinstance(event, happened.Moved):
            yield Moved(number(event.seat), event.tile, elapsed)
            for seat in state.fell:
                yield Removed(number(seat))
        else:
            yield Removed(number(event.seat), elapsed)
