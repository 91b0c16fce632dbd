"""The people of another node's hall, as a node knows them that may take its place: little is left to be read then."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from gamut.hall.ids import PersonId
from gamut.hall.people.person import PersonRow
from gamut.hall.people.roll import PeopleIndex


class PeopleReader(Protocol):
    """Reads who is stored. Blocking."""

    def checksums(self) -> Mapping[PersonId, int]:
        """Of everybody, as they are stored now."""
        ...

    def rows(self, people: Collection[PersonId]) -> Sequence[PersonRow]: ...


class PeopleAhead:
    def __init__(self, bots: Iterable[str] = ()) -> None:
        """What bots are called is not for people."""
        self.index = PeopleIndex((), bots)
        self._checksums: Mapping[PersonId, int] = {}

    def catch_up(self, reader: PeopleReader) -> None:
        """Know everybody as they are now."""
        found = reader.checksums()
        for id in self._checksums.keys() - found.keys():
            self.index.drop(id)
        changed = [id for id, checksum in found.items() if self._checksums.get(id) != checksum]
        # Names may have gone from one to the other: nobody has the old ones any more.
        for id in changed:
            self.index.drop(id)
        for row in reader.rows(changed) if changed else ():
            self.index.keep(row)
        # Who was changed between the two questions is asked for again the next time.
        self._checksums = found
