"""A table holds one game; when its people play on, the next game is a table of its own."""

from typing import TYPE_CHECKING, Any

import msgspec

from gamut.games.game import Seat
from gamut.hall.live import LiveTable
from gamut.hall.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.seats import BotSitter, Sitter
from gamut.hall.table.state import Table

if TYPE_CHECKING:
    from gamut.hall.hall import Hall


def go_on(hall: "Hall", live: LiveTable, *, rotate: bool) -> None:
    """Open the table that follows this one, with the same people around it."""
    table = live.table
    hall.unbind(table)
    following = hall.open(_again(live), None)
    hall.do(live, c.Succeed(following.id))
    hall.settle(following, _seating(table, rotate, hall))
    for door, listeners in list(live.listeners.items()):
        moving = list(listeners)
        for listener in moving:
            live.depart(listener)
            following.attend(listener)
        door.move(live, following, moving)
    for _, sitter in list(following.table.sitters()):
        if sitter.person not in following.here:
            hall.do(following, c.Drop(sitter.person))
    host = following.table.host
    if following.table.phase == "setup" and following.table.full and host is not None:
        hall.do(following, c.Start(host))


def _again(live: LiveTable) -> Opening:
    table = live.table
    options, decor = live.game.again(table.options, table.decor)
    return Opening(
        game=table.game,
        options=msgspec.to_builtins(options),
        seats=len(table.seats),
        clock=table.clock_setting,
        start=table.start,
        private=table.private,
        room=table.room if table.room is not None else _known_by(table),
        before=table.id,
        vacated=table.vacated,
        barred=table.barred,
        password=table.password,
        watchable=table.watchable,
        decor=decor,
    )


def _known_by(table: Table) -> str | None:
    """Where people come back by the room's name, the table's id was that name, and stays it."""
    return table.id if any(not sitter.keeps for _, sitter in table.sitters()) else None


def _seating(table: Table, rotate: bool, hall: "Hall") -> list[Any]:
    now = hall.time.now()
    holders = list(table.seats)
    if rotate:
        # Whoever began last time is last this time.
        holders = [*holders[1:], holders[0]]
    events: list[Any] = []
    for number, holder in enumerate(holders):
        if isinstance(holder, Sitter):
            events.append(e.Sat(at=now, seat=Seat(number), sitter=holder))
        elif isinstance(holder, BotSitter):
            events.append(e.BotSat(at=now, seat=Seat(number), level=holder.level, name=holder.name))
    people = [holder.person for holder in holders if isinstance(holder, Sitter)]
    if people:
        host = table.host if table.host in people else people[0]
        events.append(e.HostChanged(at=now, host=host))
    return events
