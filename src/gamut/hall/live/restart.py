"""What a server finds when it opens: the tables of the one before it, and how long they were alone.

Where the hall has several wings, the tables are those of its own wing; those of the others go on without it.
"""

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from gamut.hall.ids import Millis
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.notes import Unfinished, unfinished_tables
from gamut.hall.lobby.summary import Summary, summaries_from
from gamut.hall.lobby.talk import REMEMBERED, TALK
from gamut.hall.store.storage import Entry, LedgerError
from gamut.hall.table import commands as c

if TYPE_CHECKING:
    from gamut.hall.hall import Hall

log = logging.getLogger("gamut.hall")

_ENDINGS = 500
"""How many of the last games of each wing are looked at for those that ended unheard."""


class Before(msgspec.Struct, frozen=True):
    """What is known of the server before this one."""

    latest: Millis | None = None
    """When the last thing happened that the storage knows of; None: it has yet to be asked."""
    opened: Millis = Millis(0)
    """When it opened. Where nothing has happened since, it never had the table, and no clock ran."""
    charged: Millis | None = None
    """Up to when clocks ran: it ended in good order then, or is known to have been there. None: it has crashed."""
    node: int | None = None
    """The number of the node that takes over from it; None: there is one server, and no other."""


class Restart:
    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        self._opened = hall.time.now()
        self._there = self._opened
        """Until when the server before this one is known to have been there."""
        self._before = Before()

    async def read(self, before: Before) -> None:
        """Enter every unfinished table of this wing, by its note. Those where something happens by itself are to be
        woken."""
        hall, ask, storage = self._hall, self._hall.run_blocking, self._hall.storage
        self._before = before
        latest = await ask(storage.latest) if before.latest is None else before.latest
        self._there = latest if before.charged is None else Millis(max(latest, before.charged))
        if hall.wings.is_main:
            hall.lobby.talk.remember(await ask(storage.tail, TALK, REMEMBERED))
        found: Unfinished = await ask(
            unfinished_tables, storage, hall.games, hall.rebuilding.table, hall.faults, hall.wings
        )
        if hall.wings.count > 1 and before.charged is not None:
            # What the other wings have stored since says nothing of the server before this one.
            self._there = max(before.charged, *(entry.updated for entry, _ in found.tables), Millis(0))
        self._check_places([*found.elsewhere, *(summary for _, summary in found.tables)])
        for summary in found.elsewhere:
            hall.annexes.recall(summary)
        for table_id, error in found.damaged.items():
            hall.refuse_damaged(table_id, error)
        for entry, summary in found.tables:
            if entry.game not in hall.games:
                log.error(
                    "table of an unknown game left alone", extra={"table": entry.table, "game": entry.game}
                )
                continue
            if entry.table in storage.damage.tables or entry.table in hall.out_of_order:
                continue  # its log is known to be lost, or cannot be followed
            hall.register.recall(summary)
            if summary.phase != "setup":
                hall.attendance.desertion.left(summary.id)
        hall.waking.want(
            entry.table
            for entry, _ in found.tables
            if entry.load_at_start and entry.table in hall.register.unfinished
        )
        await self._recall_endings(max(hall.register.unfinished.values(), default=Millis(0)))
        # All of the lobby is new to this hall, but not to whoever followed the lobby of the one before.
        hall.lobby.tell_now()

    def _check_places(self, unfinished: Iterable[Summary]) -> None:
        """Ids have a slot in them since halls can be divided: where tables from before that are, nobody looks for them.
        The main wing sees all of them, and does not open."""
        wings = self._hall.wings
        if wings.count == 1:
            return
        astray = sum(not wings.is_in_place(each.id, each.game, each.room) for each in unfinished)
        if astray:
            raise LedgerError(
                f"{astray} unfinished games of this hall are from before halls could have several wings. "
                "Start it with --wings 1 until they are over"
            )

    async def _recall_endings(self, latest: Millis) -> None:
        hall = self._hall
        most = _ENDINGS * hall.wings.count
        listed: list[Entry] = await hall.run_blocking(hall.storage.finished, None, None, most)
        found = [entry for entry in listed if hall.wings.has(entry.table)]
        latest = max(latest, *(entry.updated for entry in found)) if found else latest
        for summary in summaries_from(hall.games, found, hall.storage.damage):
            hall.register.recall_ending(summary, latest)
        hall.time.later(hall.settings.timeouts.room_grace, hall.register.endings.clear)

    def opens(self) -> None:
        """From now on people can come."""
        self._opened = self._hall.time.now()

    def command(self, live: LiveTable) -> c.Wake:
        """What a table is told that comes back into memory."""
        before, at, here = self._before, live.table.at, frozenset(live.here)
        if at < self._opened:
            # For so long there was no server to come back to.
            away = Millis(max(0, self._opened - self._there))
            return c.Wake(away, before.charged if before.opened <= at else None, before.node, here)
        # Something has happened there since this server opened, so the table knows already how long it was away.
        return c.Wake(here=here)
