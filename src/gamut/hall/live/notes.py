"""What the ledger has noted of unfinished tables. A damaged note is written anew: the log says it all.

Each wing of the hall does that for its own tables. The main wing shows those of the others, too.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

import msgspec

from gamut.games.game import AnyGame, Refused
from gamut.hall.faults import Fault, Faults
from gamut.hall.ids import TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.lobby.summary import Summary, entry_of, summary_from
from gamut.hall.store.storage import DamagedLog, Entry, LedgerError, Storage
from gamut.hall.wings import Wings


class Unfinished(NamedTuple):
    tables: list[tuple[Entry, Summary]]
    damaged: dict[TableId, str]
    """Of which neither note nor log can be read, and why."""
    elsewhere: list[Summary]
    """Tables of other wings, if this is the main wing."""


def unfinished_tables(
    storage: Storage,
    games: Mapping[str, AnyGame],
    rebuilt: Callable[[TableId], LiveTable | None],
    faults: Faults,
    wings: Wings,
) -> Unfinished:
    """Blocking: it reads the notes, and the logs of those tables whose note is damaged."""
    found = Unfinished([], {}, [])
    entries = storage.unfinished()
    # They are all read once more to say which, so it is asked only where there are any.
    unnoted = storage.unnoted() if storage.damage.notes else []
    for entry in entries:
        if not wings.has(entry.table):
            if wings.is_main and entry.game in games:
                with suppress(msgspec.DecodeError):  # whoever has the table says what is shown of it
                    found.elsewhere.append(summary_from(games[entry.game], entry))
            continue
        try:
            found.tables.append((entry, summary_from(games.get(entry.game), entry)))
        except msgspec.DecodeError:
            unnoted.append(entry.table)
    anew: list[Entry] = []
    for table_id in unnoted:
        if not wings.has(table_id):
            storage.damage.notes.pop(table_id, None)  # its own wing reports it, and mends it
            continue
        try:
            live = rebuilt(table_id)
        except (DamagedLog, msgspec.DecodeError) as error:
            found.damaged[table_id] = str(error)
        except Refused:
            continue  # of a game that this server has not: it is left alone
        except LedgerError:
            raise
        except Fault as fault:
            # A table that cannot be rebuilt does not keep the others from coming back.
            faults.contained("read", fault, table=table_id)
        else:
            if live is not None:
                # Who sat there is noted elsewhere, and not damaged by this.
                anew.append(entry_of(live.game, live.table, (), live.table.room, faults))
    storage.append((), anew)
    for entry in anew:
        storage.damage.notes.pop(entry.table, None)
        if entry.phase != "over":
            found.tables.append((entry, summary_from(games.get(entry.game), entry)))
    return found
