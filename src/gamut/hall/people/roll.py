"""The roll: everybody on this server, in memory, by id and by name."""

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from gamut.hall.ids import Millis, PersonId
from gamut.hall.names.lookalikes import looks
from gamut.hall.names.person_names import NameOfABot, NameResembles
from gamut.hall.people.passwords import is_hashed, kind_of
from gamut.hall.people.person import PersonRow, UnknownPerson


class PeopleIndex:
    def __init__(self, rows: Iterable[PersonRow], bots: Iterable[str] = ()) -> None:
        self._rows: dict[PersonId, PersonRow] = {}
        self._by_key: dict[str, PersonId] = {}
        self._by_look: dict[str, tuple[PersonId, ...]] = {}
        """Accounts by what their names look like. Two may look alike if they were here before that was asked."""
        self._bots = frozenset(look for name in bots for look in looks(name))
        """What the names of bots look like: nobody takes one, though somebody may have had it before them."""
        self.guests = 0
        self.hashes: Counter[str] = Counter()
        """How many passwords are kept as which kind of hash."""
        for row in rows:
            self.keep(row)

    def __len__(self) -> int:
        return len(self._rows)

    def ids(self) -> set[PersonId]:
        """Everybody's, as of now."""
        return set(self._rows)

    def get(self, id: PersonId) -> PersonRow | None:
        return self._rows.get(id)

    def row(self, id: PersonId) -> PersonRow:
        row = self._rows.get(id)
        if row is None:
            raise UnknownPerson
        return row

    def named(self, key: str) -> PersonRow | None:
        id = self._by_key.get(key)
        return None if id is None else self._rows[id]

    def check_looks(self, name: str, owner: PersonId | None = None) -> None:
        """Raise NameTaken if it looks like the name of a bot, or of an account that is not its owner's."""
        alike = looks(name)
        if any(id != owner for look in alike for id in self._by_look.get(look, ())):
            raise NameResembles
        if not self._bots.isdisjoint(alike):
            raise NameOfABot

    def saw(self, id: PersonId, now: Millis) -> None:
        self._rows[id] = replace(self._rows[id], last_seen=now)

    def keep(self, row: PersonRow) -> None:
        """Enter someone, or their new state. The store has agreed to the name, so nobody else can have it."""
        holder = self.named(row.name_key)
        if holder is not None and holder.id != row.id:
            self.drop(holder.id)
        old = self.drop(row.id)
        if old is not None:
            # They may have been seen while the change was being stored.
            row = replace(row, last_seen=max(row.last_seen, old.last_seen))
        self._rows[row.id] = row
        self._by_key[row.name_key] = row.id
        if row.password is None:
            self.guests += 1
            return
        if is_hashed(row.password):
            self.hashes[kind_of(row.password)] += 1
        for look in looks(row.name):
            self._by_look[look] = (*self._by_look.get(look, ()), row.id)

    def drop(self, id: PersonId) -> PersonRow | None:
        row = self._rows.pop(id, None)
        if row is not None:
            del self._by_key[row.name_key]
            if row.password is None:
                self.guests -= 1
            else:
                self._drop_account(row, row.password)
        return row

    def _drop_account(self, row: PersonRow, password: str) -> None:
        if is_hashed(password):
            kind = kind_of(password)
            self.hashes[kind] -= 1
            if not self.hashes[kind]:
                del self.hashes[kind]
        for look in looks(row.name):
            others = tuple(id for id in self._by_look[look] if id != row.id)
            if others:
                self._by_look[look] = others
            else:
                del self._by_look[look]
