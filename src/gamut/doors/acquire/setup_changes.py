"""What happened at a table that is being set up, in the words of this protocol."""

from collections.abc import Iterator
from typing import Any

import msgspec

from gamut.doors.acquire import to_client as t
from gamut.doors.acquire.snapshots import ORDERS
from gamut.doors.acquire.time_control import control_of
from gamut.doors.acquire.users import has_bots, user_ids
from gamut.games.acquire.options import MODE_NAMES, AcquireOptions
from gamut.games.game import AnyGame
from gamut.hall.table import events as e
from gamut.hall.table.deciding.bot_names import shown_name
from gamut.hall.table.evolve import evolve
from gamut.hall.table.state import Table

_SEATING = (e.Sat, e.BotSat, e.Stood, e.Swapped, e.Configured)
"""After these others sit there, or elsewhere."""


def setup_changes(
    game: AnyGame, before: Table, events: list[Any], begun: Table | None
) -> tuple[list[t.Change], bool]:
    """The changes in their order, and whether a whole `GameSetup` must follow, as they do not say it all.

    `events` are those before the game began; `begun` is the table after that, if it did.
    """
    table, found, anew = before, list[t.Change](), False
    for event in events:
        last, table = table, evolve(game, table, event)
        changes = list(_changes(last, table, event, begun))
        found += changes
        if isinstance(event, _SEATING) and (has_bots(last.seats) or has_bots(table.seats)):
            # Bots are numbered by their seats: others may have another number now.
            anew = True
        # An event without a change of its own may have made approvals void, or given somebody another name.
        anew = anew or (not changes and _shown(last) != _shown(table))
    return found, anew


def _shown(table: Table) -> tuple[Any, ...]:
    return table.host, table.ready, table.seats


def _changes(last: Table, table: Table, event: Any, begun: Table | None) -> Iterator[t.Change]:
    match event:
        case e.Sat(seat=seat) | e.BotSat(seat=seat):
            user, holder = user_ids(table.seats)[seat], table.seats[seat]
            assert user is not None
            assert holder is not None
            yield t.UserAdded(user_id=user, username=shown_name(holder), position=seat)
        case e.Stood(seat=seat, why=why):
            user = user_ids(last.seats)[seat]
            assert user is not None
            yield t.UserRemoved(user_id=user) if why in ("left", "gone") else t.UserKicked(user_id=user)
        case e.Readied(seat=seat, ready=True):
            user = user_ids(table.seats)[seat]
            assert user is not None
            yield _approval(user, table, begun)
        case e.Swapped(a=a, b=b):
            yield t.PositionsSwapped(position1=a, position2=b)
        case e.Configured():
            yield from _configured(last, table)


def _approval(user: int, table: Table, begun: Table | None) -> t.Change:
    if begun is None:
        return t.UserApprovedOfGameSetup(user_id=user, approved_by_everybody=False)
    moved = begun.players != table.seats
    return t.UserApprovedOfGameSetup(
        user_id=user,
        approved_by_everybody=True,
        final_user_ids=user_ids(begun.players) if moved else msgspec.UNSET,
    )


def _configured(last: Table, table: Table) -> Iterator[t.Change]:
    old: AcquireOptions = last.options
    new: AcquireOptions = table.options
    if new.mode != old.mode:
        yield t.GameModeChanged(game_mode=new.rules.number)
        # Clients know that teams cannot be chosen where there are none.
        old = old.with_mode(MODE_NAMES[new.rules.number])
    if new.order != old.order:
        yield t.PlayerArrangementModeChanged(player_arrangement_mode=ORDERS[new.order])
    control = control_of(table.clock_setting)
    if control != control_of(last.clock_setting):
        yield t.TimeControlChanged(starting_amount=control.starting, increment_amount=control.increment)
