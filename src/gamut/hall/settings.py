"""What a house may decide about its hall."""

import msgspec

from gamut.hall.ids import Millis
from gamut.hall.limits.attempts import Limit
from gamut.hall.limits.pace import Pace
from gamut.hall.limits.slow_work import SlowWorkSettings
from gamut.hall.table.deciding.draft import Timeouts


class HallSettings(msgspec.Struct, frozen=True, kw_only=True):
    timeouts: Timeouts = Timeouts()
    tables_per_person: int = 20
    most_tables: int = 50_000
    watchers_per_table: int = 1000
    bot_delay: Millis = Millis(300)
    """A bot that answers at once feels like a wall; this long it seems to look at the board."""
    slow_work: SlowWorkSettings = SlowWorkSettings()
    idle_after: Millis = Millis(300_000)
    """A table nobody looks at leaves the memory after this long; the ledger keeps it."""
    deserted_after: Millis = Millis(60_000)
    """A game that is on, and at which nobody has been for this long, is nothing to watch: it leaves the lists."""
    events_per_table: int = 50_000
    """A log is held in memory and read by whoever comes: beyond this nothing but the game goes on."""
    lost_connections: Limit = Limit(10, Millis(600_000))
    """How often one person's connection to one table may be lost before the table is told of it only later."""
    gone_after: Millis = Millis(60_000)
    """Whoever has lost it that often counts as gone after this long."""
    pace: Pace = Pace()
    wrong_passwords: Limit = Limit(5, Millis(60_000))
    """Of tables, from one address, at all doors together."""
