"""What a running hall owes to the people at its tables, whatever they do."""

from collections.abc import Collection
from typing import Any

from tests.simulation.told import Broken

from gamut.hall.hall import Hall
from gamut.hall.ids import TableId
from gamut.hall.table.deciding.presence import next_deadline


def nothing_is_overdue(hall: Hall) -> None:
    """Clocks, seats that are waited for, and bots: whatever happens by itself is in somebody's hands."""
    now = hall.time.now()
    for table, live in hall.live.items():
        due = next_deadline(live.table, hall.settings.timeouts)
        # What has only now become due, since there is an heir to an absent host, is about to happen.
        just_now = live.touched == now and live.alarm is not None
        # And what has failed is about to be tried again.
        again = (live.id, "alarm") in hall._patience._failures and live.alarm is not None
        if due is not None and due < now and not just_now and not again:
            raise Broken(f"at table {table} something was due {now - due} ms ago")
        for seat in live.awaited_bots():
            if live.thinking.get(seat) != live.whole.last_turn(seat):
                raise Broken(f"at table {table} a bot is to act in seat {seat}, and nobody has told it")


def nobody_is_a_ghost(hall: Hall, sessions: set[Any], returning: Collection[TableId] = ()) -> None:
    """Who has a connection is there, who has none is away, and nobody is spoken to who has gone.

    Whoever loses the connection again and again counts as present for a while longer. `returning`: tables at which
    people may be attached again before they count as away.
    """
    longer = hall.attendance.flapping._gone
    for table, live in hall.live.items():
        for listeners in live.listeners.values():
            if not sessions.issuperset(listeners):
                raise Broken(f"somebody who has gone is still told of table {table}")
        if live.table.phase == "over" or table in returning:
            continue
        for seat, sitter in live.table.sitters():
            here = sitter.person in live.here or (table, sitter.person) in longer
            if live.table.is_away(sitter.person) == here:
                raise Broken(f"{sitter.name} in seat {seat} of table {table} is there and away, or neither")


def everybody_is_gone(hall: Hall) -> None:
    """When all have hung up, nothing is left of their connections."""
    nobody_is_a_ghost(hall, set())
    if hall.connected or hall.lobby.listeners:
        raise Broken(f"all have gone, and the hall thinks that {hall.connected} are there")
