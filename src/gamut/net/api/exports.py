"""What the hall keeps of a person, for their own export: the games, and what they said in the lobby."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec

from gamut.hall.hall import Hall
from gamut.hall.ids import PersonId, TableId
from gamut.hall.lobby.summary import summary_of
from gamut.hall.people.people import People
from gamut.net.api.visible import readable_table
from gamut.net.http.durable import joined, log_of

_GAMES_A_PAGE = 50

TablesOf = Callable[[PersonId, int, TableId | None], list[TableId]]
"""So many of a person's tables, from before this one on."""


class Exports:
    def __init__(self, hall: Hall, tables_of: TablesOf, run_blocking: Callable[..., Awaitable[Any]]) -> None:
        self._hall = hall
        self._tables_of = tables_of
        self._run_blocking = run_blocking

    def add_to(self, people: People) -> None:
        people.exporters["games"] = lambda person: joined(self._games_of(person))
        people.exporters["lobby"] = lambda person: joined(self._talk_of(person))

    async def _games_of(self, person: PersonId) -> AsyncIterator[bytes]:
        """Every table at which this person sat or spoke, with its log as they may see it."""
        await self._hall.durable()
        before: TableId | None = None
        while page := await self._run_blocking(self._tables_of, person, _GAMES_A_PAGE, before):
            for table in page:
                live = await readable_table(self._hall, table)
                if live is not None:
                    fields = [("table", summary_of(live.game, live.table, self._hall.faults))]
                    pieces = log_of(live, live.viewer(person), fields)
                    yield b"".join([piece async for piece in pieces])
            before = page[-1]

    async def _talk_of(self, person: PersonId) -> AsyncIterator[bytes]:
        """What they said in the lobby, as far as it is kept."""
        for said in self._hall.lobby.talk.of(person):
            yield msgspec.json.encode(said)
