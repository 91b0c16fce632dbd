"""New names at tables that are not in memory: each is read for it, so that no list shows a name that was given up."""

import asyncio
from typing import TYPE_CHECKING

from gamut.hall.faults import Fault
from gamut.hall.ids import PersonId
from gamut.hall.people.person import Person

if TYPE_CHECKING:
    from gamut.hall.hall import Hall


class Renaming:
    """One table after the other, whoever has a new name: nobody else waits for the reading."""

    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        self._renamed: dict[PersonId, Person] = {}
        """Whose tables are still to be read, under the last name they took."""
        self._working: asyncio.Future[None] | None = None

    def later(self, person: Person) -> None:
        self._renamed[person.id] = person
        if self._working is None or self._working.done():
            self._working = asyncio.ensure_future(self._work())

    async def _work(self) -> None:
        while self._renamed:
            id, person = next(iter(self._renamed.items()))
            try:
                for table_id in sorted(self._hall.register.seated.get(id, ())):
                    try:
                        live = await self._hall.readable(table_id)
                    except Fault as fault:
                        self._hall.faults.contained("rename", fault, table=table_id)
                        continue
                    # They may have taken yet another name meanwhile.
                    person = self._renamed[id]
                    if live is not None:
                        self._hall.faults.guard(
                            "rename", self._hall.call_by_name, live, person, table=table_id
                        )
            finally:
                if self._renamed[id] is person:
                    del self._renamed[id]
