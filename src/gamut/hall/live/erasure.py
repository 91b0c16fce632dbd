"""Taking a person out of what is kept. Games stay as they were played; whose games they were is gone."""

import asyncio
from typing import TYPE_CHECKING, Any

from gamut.hall.ids import PersonId, TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.store.checksum import START
from gamut.hall.store.storage import Row
from gamut.hall.table import commands as c
from gamut.hall.table.without import chain, nameless, unnamed, without

if TYPE_CHECKING:
    from gamut.hall.hall import Hall

_PAGE = 50
_EVENTS_A_TURN = 500
"""Others get their turn after so many."""
_ROWS_A_COMMIT = 2_000
"""Everybody waits for the commit that stores them: so many at a time, then those of others."""


async def erase(hall: "Hall", person: PersonId) -> None:
    """They leave the games they are in, and their name and words leave every log of this wing of the hall.

    The main wing does it last: by what it then forgets the others find their logs. What was overwritten is still in the
    files. They are cleaned (`hall.scrubbing`) when the person's own row is gone.
    """
    for table_id in sorted(hall.register.seated.get(person, ())):
        live = await hall.readable(table_id)
        if live is not None and live.table.seat_of(person) is not None:
            hall.do(live, c.Leave(person))
    if hall.wings.is_main:
        hall.lobby.take_back(person)
    await hall.durable()
    before: TableId | None = None
    rows = 0
    while page := await hall.run_blocking(hall.storage.tables_of, person, _PAGE, before):
        for table_id in filter(hall.wings.has, page):
            live = await hall.readable(table_id)
            if live is None:
                continue
            await _rewrite(hall, live, person)
            rows += live.table.seq
            if rows >= _ROWS_A_COMMIT:
                rows = 0
                await hall.durable()
        before = page[-1]
    await hall.durable()
    if hall.wings.is_main:
        await hall.run_blocking(hall.storage.forget, person)


async def _rewrite(hall: "Hall", live: LiveTable, person: PersonId) -> None:
    log, events, rows = live.whole_log, list[Any](), list[Row]()
    while len(events) < len(log) or live.whole_log is not log:
        if live.whole_log is not log:
            # Meanwhile another person was taken out of this log:
            # begin anew with the log that is without them.
            log, events, rows = live.whole_log, [], []
        piece = log[len(events) : len(events) + _EVENTS_A_TURN]
        events += (nameless(live.game, without(person, event)) for event in piece)
        checksum = rows[-1].checksum if rows else START
        rows += chain(live.id, events[len(rows) :], len(rows), checksum)
        if len(events) < len(log):
            await asyncio.sleep(0)
    hall.rewrite(live, unnamed(live.game, person, live.whole), events, rows)
