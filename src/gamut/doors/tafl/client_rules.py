"""Which rules a game is played by: where an existing client sits or watches, by those that it plays by.

Such a client works out the board for itself, and deviates from the rules in a few places. What it is to be is decided
when the game starts, by who is there then. Until then the option follows who comes and goes.
"""

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from gamut.games.game import Refused
from gamut.games.tafl.options import TaflOptions
from gamut.hall.ids import PersonId, TableId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.table import commands as c
from gamut.hall.table.deciding.beginning import checked_options

if TYPE_CHECKING:
    from gamut.doors.tafl.door import TaflDoor

MAY_DIFFER = (
    "This game is played by the written rules; what your board shows may differ from it now and then."
)


class ClientRules:
    def __init__(self, door: "TaflDoor") -> None:
        self._door = door
        self._written: dict[TableId, TaflOptions] = {}
        """The options of tables before they were changed for somebody who came."""

    async def prepare(self, live: LiveTable, person: PersonId, address: str) -> TaflOptions | None:
        """The options that such a client needs, if they are others; None also if the game cannot be played by them."""
        options: TaflOptions = live.table.options
        if live.table.phase != "setup" or options.quirks:
            return None
        try:
            wanted: TaflOptions = await self._door.hall.option_checks.check(
                live.game, replace(options, quirks=True), person, address
            )
        except Refused:
            return None
        # Somebody may have changed them meanwhile.
        return wanted if live.table.options is options and live.table.phase == "setup" else None

    def use(self, live: LiveTable, options: TaflOptions) -> None:
        """Somebody with such a client is about to come in."""
        written = live.table.options
        if self._configure(live, options):
            self._written[live.id] = written

    def follow(self, live: LiveTable) -> None:
        """Somebody has come or gone, or the options were changed."""
        table = live.table
        if table.phase != "setup":
            self._written.pop(live.id, None)
            return
        needed = any(session.dialect == "O" for session in self._door.sessions_at(live))
        options: TaflOptions = table.options
        if needed and not options.quirks:
            wanted = replace(options, quirks=True)
            # Options that take long to check are not changed here:
            # clients are told that their board may differ.
            if not live.game.takes_long(wanted):
                self.use(live, checked_options(live.game, wanted))
        elif not needed and live.id in self._written:
            written = self._written.pop(live.id)
            if options == replace(written, quirks=True):
                self._configure(live, written)

    def _configure(self, live: LiveTable, options: Any) -> bool:
        table, hall = live.table, self._door.hall
        if table.host is None:
            return False
        ready = [table.persons[seat] for seat in table.ready]
        hall.do(live, c.Configure(table.host, options=options), granted=True)
        # It is no change that anybody has to agree to.
        for person in ready:
            if person is not None and live.table.phase == "setup":
                hall.do(live, c.Ready(person, True), granted=True)
        return True
