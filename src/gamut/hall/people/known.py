"""The people of a hall as a wing knows them that does not write them: as they are stored, and as the main wing says
that they have changed since."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from gamut.hall.ids import Millis, PersonId
from gamut.hall.names.person_names import name_key
from gamut.hall.people.ahead import PeopleAhead
from gamut.hall.people.directory import Directory
from gamut.hall.people.person import Credentials, PeopleStore, Person, PersonRow
from gamut.hall.people.roll import PeopleIndex
from gamut.hall.people.settings import PeopleSettings
from gamut.hall.people.tokens import Tokens

_GONE = 10_000
_SECRET = ""
"""In place of an account's password: nobody logs in here."""


class OnlyInTheMainWing(RuntimeError):
    """People come in, and are changed, in the main wing alone."""


class KnownPeople(Directory):
    def __init__(
        self,
        store: PeopleStore,
        settings: PeopleSettings,
        now: Callable[[], Millis],
        bots: Iterable[str] = (),
        run_blocking: Callable[..., Awaitable[Any]] = asyncio.to_thread,
        ahead: PeopleAhead | None = None,
    ) -> None:
        """Reads the whole store, unless everybody is known already: use `open` on an event loop. `run_blocking`: for
        reading it again."""
        index = PeopleIndex(map(_known, store.load()), bots) if ahead is None else ahead.index
        super().__init__(settings, index, Tokens(store.secret(), now, settings.session_life))
        self.on_change = []
        self.on_logout = []
        self.on_delete = []
        self.leaving = set()
        self._store = store
        self._run_blocking = run_blocking
        self._reading = asyncio.Lock()
        self._is_waited_for = False
        """Somebody is about to read everything."""
        self._gone: dict[PersonId, None] = {}
        """The last who were deleted. Of whom nothing is known, and who is not among them, we are yet to hear."""
        self._heard: set[PersonId] = set()
        """Of whom something was heard since everything began to be read: that may be older."""

    @classmethod
    async def open(
        cls,
        store: PeopleStore,
        settings: PeopleSettings,
        now: Callable[[], Millis],
        bots: Iterable[str] = (),
        run_blocking: Callable[..., Awaitable[Any]] = asyncio.to_thread,
        ahead: PeopleAhead | None = None,
    ) -> "KnownPeople":
        """What bots are called is not for people. `ahead`: everybody, if they are known already."""
        found: KnownPeople = await run_blocking(lambda: cls(store, settings, now, bots, run_blocking, ahead))
        return found

    def may_come(self, credentials: Credentials) -> bool:
        """Also whoever is new, or has just got an account, and of whom the main wing is yet to tell."""
        id = credentials.person
        if id in self.leaving or id in self._gone:
            return False
        known = self.person(id)
        return known is None or credentials.epoch > known.epoch or credentials == known.credentials

    # What the main wing says

    def changed(self, person: Person) -> None:
        """Somebody is new, or not what they were, or is not deleted after all."""
        self._heard.add(person.id)
        self.leaving.discard(person.id)
        before, row = self._index.get(person.id), _row(person)
        if before is not None and row.epoch < before.epoch:
            return  # it was read meanwhile what has become of them since
        self._index.keep(row)
        self._tell(before, row)

    def leaves(self, id: PersonId) -> None:
        """Somebody is being deleted: what they would still say or do here could not be taken out any more."""
        self.leaving.add(id)
        self._log_out(id)

    def nobody_leaves(self) -> None:
        """As far as it is known: whoever is still being deleted will be named again."""
        self.leaving.clear()

    def gone(self, id: PersonId) -> None:
        self._heard.add(id)
        self.leaving.discard(id)
        self._gone[id] = None
        if len(self._gone) > _GONE:
            del self._gone[next(iter(self._gone))]
        if self._index.drop(id) is not None:
            self._delete(id)

    # What is stored

    async def refresh(self) -> None:
        """Know everybody as they are stored now. Raises LedgerError."""
        if self._is_waited_for:
            return
        self._is_waited_for = True
        async with self._reading:
            self._is_waited_for = False
            self._heard = set()
            changed, gone = await self._run_blocking(
                _differences, self._store, self._index, self._index.ids()
            )
            heard = self._heard
            self._take_over(
                [row for row in changed if row.id not in heard], [id for id in gone if id not in heard]
            )

    def _take_over(self, rows: Sequence[PersonRow], gone: Sequence[PersonId]) -> None:
        # Names may have gone from one to the other: nobody has the old ones any more.
        for id in gone:
            self._index.drop(id)
        before = {row.id: self._index.drop(row.id) for row in rows}
        for row in rows:
            self._index.keep(row)
        for id in gone:
            self._delete(id)
        for row in rows:
            self._tell(before[row.id], row)

    def _tell(self, before: PersonRow | None, now: PersonRow) -> None:
        if before is None:
            return
        if now.epoch != before.epoch:
            self._log_out(now.id)
        if _shown(now) != _shown(before):
            for tell in self.on_change:
                tell(now.person)

    def _log_out(self, id: PersonId) -> None:
        for tell in self.on_logout:
            tell(id)

    def _delete(self, id: PersonId) -> None:
        for tell in self.on_delete:
            tell(id)

    # What only the main wing does

    def saw(self, id: PersonId) -> None:
        """The main wing knows who is connected here."""

    async def guest(self, name: str, address: str | None = None, *, numbered: bool = False) -> Person:
        raise OnlyInTheMainWing

    async def register(
        self, name: str, password: str, guest: PersonId | None = None, address: str | None = None
    ) -> Person:
        raise OnlyInTheMainWing

    async def register_hashed(
        self,
        name: str,
        hash: str,
        guest: PersonId | None = None,
        address: str | None = None,
        *,
        at_once: bool = False,
    ) -> Person:
        raise OnlyInTheMainWing

    async def login(
        self, name: str, password: str, address: str | None = None, token: str | None = None
    ) -> Person:
        raise OnlyInTheMainWing

    async def login_hashed(
        self, name: str, hash: str, address: str | None = None, token: str | None = None
    ) -> Person:
        raise OnlyInTheMainWing


def _known(row: PersonRow) -> PersonRow:
    return row if row.password is None else replace(row, password=_SECRET)


def _row(person: Person) -> PersonRow:
    return PersonRow(
        id=person.id,
        name=person.name,
        name_key=name_key(person.name),
        password=None if person.guest else _SECRET,
        created=person.created,
        last_seen=person.last_seen,
        epoch=person.epoch,
    )


def _shown(row: PersonRow) -> tuple[str, bool]:
    return row.name, row.password is None


def _differences(
    store: PeopleStore, index: PeopleIndex, known: set[PersonId]
) -> tuple[list[PersonRow], list[PersonId]]:
    """Who is stored otherwise than they are known, and who is not stored any more. Blocking.

    When people were last seen is not compared: nobody asks for that here.
    """
    changed = []
    for row in store.load():
        known.discard(row.id)
        before = index.get(row.id)
        if before is None or (before.epoch, *_shown(before)) != (row.epoch, *_shown(row)):
            changed.append(_known(row))
    return changed, sorted(known)
