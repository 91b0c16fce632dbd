"""A table holds one game; when its people play on, the next game is a table of its own."""

from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec.structs import replace

from gamut.games.game import Refused
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.deciding.beginning import enough_sit
from gamut.hall.table.deciding.bot_names import level_named, name_for
from gamut.hall.table.deciding.rematch import unasked
from gamut.hall.table.seats import BotSitter, Holder, Sitter
from gamut.hall.table.state import Table
from gamut.hall.table.without import is_nobody

if TYPE_CHECKING:
    from gamut.hall.hall import Hall


def go_on(hall: "Hall", live: LiveTable, *, rotate: bool) -> None:
    """Open the table that follows this one, with the same people around it."""
    table = live.table
    # Who began last time is last this time.
    holders = (*table.seats[1:], table.seats[0]) if rotate else table.seats
    if table.rematch_level is not None:
        holders = _with_bots(live, holders, table.rematch_level)
    # A seat of somebody who was deleted is free: nobody will come to it by that name.
    holders = tuple(None if is_nobody(holder) else holder for holder in holders)
    people = [holder.person for holder in holders if isinstance(holder, Sitter)]
    host = table.host if table.host in people else next(iter(people), None)
    try:
        following = hall.open(_again(live, holders, _name_for_the_next(hall, table)), host)
    finally:
        # Only now: a name that goes on with the room is not free for anybody in between.
        hall.register.unbind(table)
    hall.do(live, c.Succeed(following.id))
    hall.after_telling(following, "move", following.take_over(live))
    hall.let_go(live)
    for _, sitter in following.table.sitters():
        if sitter.person not in following.here:
            hall.do(following, c.Drop(sitter.person))
    if host is not None and _may_begin(following):
        if following.table.start == "approval":
            # Those who asked for the rematch have approved of it by that.
            for person in (table.persons[seat] for seat in table.rematch):
                if person is not None and following.table.phase == "setup":
                    hall.do(following, c.Ready(person, True), granted=True)
        else:
            # Where those who sit there have come into one team by the turn of seats, they are at a table that waits.
            with suppress(Refused):
                hall.do(following, c.Start(host), granted=True)


def _with_bots(live: LiveTable, holders: tuple[Holder | None, ...], name: str) -> tuple[Holder | None, ...]:
    """The same people, with bots of this strength in the place of those who were there."""
    level = level_named(live.game, name)
    found: list[Holder | None] = [holder if isinstance(holder, Sitter) else None for holder in holders]
    for seat, holder in enumerate(holders):
        if isinstance(holder, BotSitter):
            found[seat] = BotSitter(level.name, name_for(level, replace(live.table, seats=tuple(found))))
    return tuple(found)


def _may_begin(live: LiveTable) -> bool:
    """Whether enough sit there and nobody is waited for: every seat is taken, or one person plays with bots alone."""
    table = live.table
    return enough_sit(live.game, table) and (table.full or len(list(table.sitters())) == 1)


def _again(live: LiveTable, holders: tuple[Holder | None, ...], room: str | None) -> Opening:
    table = live.table
    options, decor = live.game.again(table.options, table.decor)
    return Opening(
        game=table.game,
        options=options,
        seats=len(table.seats),
        clock=table.clock_setting,
        start="approval" if _has_to_ask(table) else table.start,
        private=table.private,
        room=room,
        before=table.id,
        vacated=table.vacated,
        barred=table.barred,
        # Whoever was given a link to the one game comes to the next one by it, too.
        key=table.key,
        password=table.password,
        watchable=table.watchable,
        guards_watching=table.guards_watching,
        one_chat=table.one_chat,
        decor=decor,
        holders=holders,
    )


def _has_to_ask(table: Table) -> bool:
    """Whether somebody was not asked for this rematch, but can approve of it: then it begins when they do."""
    return any(sitter.can("ready") for _, sitter in unasked(table))


def _name_for_the_next(hall: "Hall", table: Table) -> str | None:
    """The room keeps its name, unless others have that name by now: after a restart, or the end of the game, it was
    free. It cannot be waited for in here.

    Where every table has a name of its own, there is none before the next one is opened.
    """
    if not hall.naming.continues(table.game):
        return None
    name = table.room if table.room is not None else _known_by(table)
    if name is None or hall.register.rooms.get((table.game, name), table.id) != table.id:
        return None
    # Its id is nobody else's.
    return name if name == table.id or hall.register.names.is_ours(table.game, name) else None


def _known_by(table: Table) -> str | None:
    """The table's id, where the room goes on by itself: its clients came by that id, and come back by it."""
    return table.id if any(sitter.renews for _, sitter in table.sitters()) else None
