"""Tables of other wings of the hall, for whoever only looks at them.

Nobody here hears what happens there. But nobody is told of anything before it is stored, so what the ledger has may be
told, and is all that there is to tell.
"""

import logging
from typing import TYPE_CHECKING

import msgspec

from gamut.games.game import Refused
from gamut.hall.faults import Fault
from gamut.hall.ids import TableId
from gamut.hall.live.live_table import Copy
from gamut.hall.live.reading import Reading
from gamut.hall.live.unusable import damaged, out_of_order
from gamut.hall.store.storage import DamagedLog, LedgerError

if TYPE_CHECKING:
    from gamut.hall.hall import Hall

log = logging.getLogger("gamut.hall")


class Looking:
    """A table is read again whenever somebody looks at it, but only once for all who do so at the same time."""

    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        self._reading = Reading(self._read)

    async def copy(self, table_id: TableId) -> Copy | None:
        """The table as it is now; None if there is no such table. Raises Refused if it cannot be read."""
        if self._reading.is_under_way(table_id):
            # That began before somebody came who may have been told since of something that it has not.
            await self._reading.table(table_id)
        return await self._reading.table(table_id)

    async def _read(self, table_id: TableId) -> Copy | None:
        """What is wrong with a table is for its own wing to mend: here it is refused, and looked at again next time."""
        hall = self._hall
        try:
            copy: Copy | None = await hall.run_blocking(hall.rebuilding.copy, table_id)
        except (DamagedLog, msgspec.DecodeError) as error:
            hall.refusals["damaged"] += 1
            log.error("damaged log in another wing", extra={"table": table_id, "error": str(error)})
            raise damaged() from None
        except (Refused, LedgerError):
            raise
        except Fault as fault:
            hall.faults.contained("look", fault, table=table_id)
            raise out_of_order() from None
        return copy
