"""What a standby does while it waits: it folds the tables of the active node, so that little is left for its turn.

Nothing of it is believed: when a table is taken from here, all that was stored since is read, and must follow.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, TypeVar

from gamut.hall.live.rebuilding import Rebuilding
from gamut.hall.store.storage import LedgerError, LogReader

Result = TypeVar("Result")

log = logging.getLogger("gamut.hall")

MOST = 20_000
"""Tables, those that were opened last: more are not kept in memory."""
_AT_ONCE = 100
"""Tables: whoever's turn has come waits for these at most."""
_EVERY = 0.5
"""Seconds between two looks."""


async def read_ahead(storage: LogReader, rebuilding: Rebuilding, every: float = _EVERY) -> None:
    """Keep up with what is stored, until this is cancelled."""
    while True:
        try:
            wanted = [entry.table for entry in (await _read(storage.unfinished))[-MOST:]]
            rebuilding.know_only(set(wanted))
            for start in range(0, len(wanted), _AT_ONCE):
                await _read(rebuilding.read_ahead, wanted[start : start + _AT_ONCE])
        except LedgerError as error:
            log.debug("nothing can be read ahead", extra={"error": str(error)})
        await asyncio.sleep(every)


async def _read(call: Callable[..., Result], *args: Any) -> Result:
    reading = asyncio.ensure_future(asyncio.to_thread(call, *args))
    try:
        return await asyncio.shield(reading)
    except asyncio.CancelledError:
        # The thread must be done with what is known before anybody else uses it.
        await asyncio.wait((reading,))
        raise
