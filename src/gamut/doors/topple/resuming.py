"""Suspended games that go on in a new room."""

from base64 import b64encode
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from gamut.doors.topple import bots
from gamut.doors.topple.rules import clock_for, idle_rounds
from gamut.games.game import Seat
from gamut.games.topple.events import Resumed
from gamut.games.topple.files.record import BadFile
from gamut.games.topple.files.suspended import Suspended, suspended
from gamut.games.topple.state import number
from gamut.games.topple.topology import TOPOLOGIES
from gamut.hall.ids import Millis, PersonId
from gamut.hall.live import LiveTable
from gamut.hall.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.state import Table

if TYPE_CHECKING:
    from gamut.hall.hall import Hall

__all__ = ["BadFile", "available", "opening_for", "reseat_bots"]


def available(game: Table | Suspended) -> list[tuple[int, str | None, int]]:
    """Number, account and team of those who are still in the game, are people, and have not come yet."""
    taken = game.seats if isinstance(game, Table) else ()
    saved = suspended(game.options.resume) if isinstance(game, Table) else game
    people = saved.record.people or ()
    return [
        (number(Seat(seat)), person.account or None, saved.record.teams[seat])
        for seat, person in enumerate(people)
        if person is not None
        and not person.bot
        and saved.state.alive[seat]
        and not (seat < len(taken) and taken[seat] is not None)
    ]


def opening_for(
    file: bytes, saved: Suspended, *, room: str, password: str | None = None, watchable: bool = True
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
    # As the hall takes them. Making the options' own type of it would play the whole game through once more.
    options = {
        "topology": TOPOLOGIES[saved.topology],
        "x": saved.x,
        "y": saved.y,
        "scoring": saved.scoring,
        "penalty": penalty,
        "idle_rounds": idle_rounds(style, penalty),
        "resume": b64encode(file).decode(),
    }
    # The position is part of how the table looks before its game goes on: whoever comes sees what it is about.
    decor: dict[str, Any] = {"scored": record.scoring is not None, "position": to_builtins(_position(saved))}
    if record.colours is not None and len(record.colours) == 7:
        decor["colours"] = list(record.colours)
    return Opening(
        game="topple",
        options=options,
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


def _position(saved: Suspended) -> Resumed:
    state = saved.state
    return Resumed(state.setup, state.board, state.owners, state.alive, state.turn, state.scores)


def reseat_bots(hall: "Hall", live: LiveTable, host: PersonId, saved: Suspended) -> None:
    """The bots of the game sit down again; one that is not known here is replaced by the weakest that is."""
    for seat, person in enumerate(saved.record.people or ()):
        if person is not None and person.bot and saved.state.alive[seat]:
            level = bots.level_of(live.game, person.bot) or live.game.traits.levels[0].name
            hall.do(live, c.SeatBot(host, level, Seat(seat)))
