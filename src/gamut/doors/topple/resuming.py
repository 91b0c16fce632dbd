"""Suspended games that go on in a new room."""

from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from gamut.doors.topple import bots
from gamut.doors.topple.rules import clock_for, idle_rounds
from gamut.games.game import Seat
from gamut.games.topple.files.suspended import Suspended
from gamut.games.topple.options import ToppleOptions
from gamut.games.topple.state import number
from gamut.hall.ids import Millis, PersonId
from gamut.hall.live import LiveTable
from gamut.hall.names import harmless_name
from gamut.hall.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.state import Table

if TYPE_CHECKING:
    from gamut.hall.hall import Hall

Places = list[tuple[int, str | None, int]]
"""Number, account and team."""


def saved_places(saved: Suspended) -> Places:
    """Those who are still in the game and are people. Whoever brings a file knows the names in it."""
    return [
        (number(Seat(seat)), harmless_name(person.account), saved.record.teams[seat])
        for seat, person in enumerate(saved.record.people or ())
        if person is not None and not person.bot and saved.state.alive[seat]
    ]


def free_places(table: Table) -> Places:
    """Those of a resumed room that nobody has taken yet. It knows no names any more."""
    standing = table.options.standing()
    return [
        (number(Seat(seat)), None, standing.setup.teams[seat])
        for seat, living in enumerate(standing.alive)
        if living and table.seats[seat] is None
    ]


def opening_for(
    saved: Suspended, *, room: str, password: str | None = None, watchable: bool = True
) -> Opening:
    """A room in which the game goes on: not in the list, with the clocks as they were."""
    record = saved.record
    style, limit = "per turn", 0
    left: tuple[int, ...] = ()
    # Without a clock files say nothing about a penalty; the existing server then has this one.
    penalty = saved.penalty if record.clock is not None else "skip"
    if record.clock is not None:
        style, limit = record.clock.style, record.clock.limit * 1000
        left = record.clock.left
    # The position is part of how the table looks before its game goes on: whoever comes sees what it is about.
    decor: dict[str, Any] = {"scored": record.scoring is not None, "position": to_builtins(saved.position)}
    if record.colours is not None and len(record.colours) == 7:
        decor["colours"] = list(record.colours)
    return Opening(
        game="topple",
        options=ToppleOptions.resuming(saved, penalty, idle_rounds(style, penalty)),
        seats=len(record.teams),
        clock=clock_for(style, limit or None, penalty),
        start="host",
        private=True,
        room=room,
        password=password,
        watchable=watchable,
        decor=decor,
        times=tuple(Millis(seconds * 1000) for seconds in left) if limit else (),
    )


def reseat_bots(hall: "Hall", live: LiveTable, host: PersonId, saved: Suspended) -> None:
    """The bots of the game sit down again; one that is not known here is replaced by the weakest that is."""
    for seat, person in enumerate(saved.record.people or ()):
        if person is not None and person.bot and saved.state.alive[seat]:
            level = bots.level_of(live.game, person.bot) or live.game.traits.levels[0].name
            hall.do(live, c.SeatBot(host, level, Seat(seat)))
