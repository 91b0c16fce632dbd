"""What a standby does while it waits: it folds the tables of the active node and learns who its people are, so that
little is left for its turn.

Nothing of it is believed: when a table is taken from here, all that was stored since is read, and must follow.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from time import monotonic
from typing import Any, TypeVar

from gamut.games.game import AnyGame
from gamut.hall.ids import TableId
from gamut.hall.live.rebuilding import Folded, Rebuilding
from gamut.hall.people.ahead import PeopleAhead, PeopleReader
from gamut.hall.store.storage import LedgerError, LogReader
from gamut.hall.wings import WHOLE, Wings

Result = TypeVar("Result")

log = logging.getLogger("gamut.hall")

MOST = 20_000
"""Tables, those that were opened last: more are not kept in memory."""
_AT_ONCE = 100
"""Tables: whoever's turn has come waits for these at most."""
_EVERY = 0.5
"""Seconds between two looks, at the least."""
_REST = 9
"""Times as long as a look has taken: whoever stands by may have another wing, whose players share the processor."""
_LONGEST_REST = 10.0
_PEOPLE_EVERY = 5.0


class Ahead:
    """What a node knows of the hall, or the wing of it, that it may have to take over."""

    def __init__(self, games: Mapping[str, AnyGame], bots: Iterable[str], wings: Wings = WHOLE) -> None:
        """What bots are called is not for people. `wings`: the wing that it may have to take over."""
        self.tables: dict[TableId, Folded] = {}
        self._games = games
        self._wings = wings
        self._people = PeopleAhead(bots)
        self._reader: PeopleReader | None = None

    async def keep_up(self, storage: LogReader, people: PeopleReader) -> None:
        """Until this is cancelled."""
        self._reader = people
        await asyncio.gather(
            read_ahead(storage, Rebuilding(storage, self._games, self.tables), wings=self._wings),
            read_people_ahead(people, self._people),
        )

    def people(self) -> PeopleAhead | None:
        """Everybody, as they are now; None if nobody was read ahead. Blocking."""
        if self._reader is None:
            return None
        self._people.catch_up(self._reader)
        return self._people


async def read_ahead(
    storage: LogReader, rebuilding: Rebuilding, every: float = _EVERY, wings: Wings = WHOLE
) -> None:
    """Keep up with what is stored, until this is cancelled."""
    while True:
        began = monotonic()
        try:
            going_on = await _read(storage.going_on)
            wanted = [table for table in going_on if wings.has(table)][-MOST:]
            rebuilding.know_only(set(wanted))
            for start in range(0, len(wanted), _AT_ONCE):
                await _read(rebuilding.read_ahead, wanted[start : start + _AT_ONCE])
        except LedgerError as error:
            log.debug("nothing can be read ahead", extra={"error": str(error)})
        await _rest(every, began)


async def read_people_ahead(people: PeopleReader, ahead: PeopleAhead, every: float = _PEOPLE_EVERY) -> None:
    """The same of people."""
    while True:
        began = monotonic()
        try:
            await _read(ahead.catch_up, people)
        except LedgerError as error:
            log.debug("nobody can be read ahead", extra={"error": str(error)})
        await _rest(every, began)


async def _rest(every: float, began: float) -> None:
    """After a look that began then."""
    await asyncio.sleep(max(every, min(_REST * (monotonic() - began), _LONGEST_REST)))


async def _read(call: Callable[..., Result], *args: Any) -> Result:
    reading = asyncio.ensure_future(asyncio.to_thread(call, *args))
    try:
        return await asyncio.shield(reading)
    except asyncio.CancelledError:
        # The thread must be done with what is known before anybody else uses it.
        await asyncio.wait((reading,))
        raise
