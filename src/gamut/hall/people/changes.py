"""Changes of who is on this server and how they are kept.

One change is made at a time, store first and memory after, so the two agree whenever no change is under way. A change
that has begun is made to its end even if who asked for it goes away.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import Any, TypeVar, cast

from msgspec.structs import replace

from gamut.games.game import Refused
from gamut.hall.ids import Millis, PersonId, new_person_id
from gamut.hall.names.lookalikes import looks
from gamut.hall.names.person_names import NameTaken, name_key
from gamut.hall.people.person import (
    GuestsOnly,
    NotStored,
    Overtaken,
    PeopleStore,
    Person,
    PersonRow,
    TooManyGuests,
    UnknownPerson,
)
from gamut.hall.people.roll import PeopleIndex
from gamut.hall.people.settings import PeopleSettings
from gamut.hall.store.storage import LedgerError

log = logging.getLogger("gamut.hall")

Result = TypeVar("Result")
Change = TypeVar("Change", bound=Callable[..., Coroutine[Any, Any, Any]])


def _to_its_end(change: Change) -> Change:
    """Make the change to its end even if who asked for it goes away, or memory and store would differ."""

    @wraps(change)
    async def made(self: "PeopleChanges", *args: Any) -> Any:
        task = asyncio.ensure_future(change(self, *args))
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        return await asyncio.shield(task)

    return cast(Change, made)


class _Newcomer:
    """Somebody who is to be added, and what becomes of it."""

    def __init__(self, name: str, password: str | None) -> None:
        self.name = name
        self.password = password
        self.person: asyncio.Future[Person] = asyncio.get_running_loop().create_future()

    @property
    def alike(self) -> set[str]:
        """No two whose names have one of these in common are added at once."""
        return {name_key(self.name), *looks(self.name)}


class PeopleChanges:
    def __init__(
        self,
        store: PeopleStore,
        index: PeopleIndex,
        settings: PeopleSettings,
        now: Callable[[], Millis],
    ) -> None:
        self.on_add: list[Callable[[Person], None]] = []
        """Called with everybody who is new."""
        # These are what a `Directory` says.
        self.on_change: list[Callable[[Person], None]] = []
        self.on_logout: list[Callable[[PersonId], None]] = []
        self.on_delete: list[Callable[[PersonId], None]] = []
        self.leaving: set[PersonId] = set()
        """Who is being deleted: their sessions are void already."""
        self._store = store
        self._index = index
        self._settings = settings
        self._now = now
        self._seen: dict[PersonId, Millis] = {}
        """When people were last seen, as far as that is not stored yet."""
        self._newcomers: deque[_Newcomer] = deque()
        self._changing = asyncio.Lock()
        self._changes: set[asyncio.Task[Any]] = set()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="people")

    async def finish(self) -> None:
        """Finish what is under way and write down who was seen."""
        while self._changes:
            await asyncio.wait(self._changes)
        await self._write_seen()

    async def close(self) -> None:
        await self.finish()
        self._thread.shutdown()

    # Asking, which never waits.

    def here(self, id: PersonId) -> PersonRow:
        """Somebody who is not about to be deleted."""
        if id in self.leaving:
            raise UnknownPerson
        return self._index.row(id)

    def is_gone(self, row: PersonRow) -> bool:
        """A guest who stayed away for too long."""
        return row.password is None and row.last_seen < self._now() - self._settings.guest_life

    def check_free(self, name: str, owner: PersonId | None) -> None:
        """Raise NameTaken if somebody else has this name, and if it looks like that of another account."""
        holder = self._index.named(name_key(name))
        if holder is not None and holder.id != owner and not self.is_gone(holder):
            raise NameTaken
        self._index.check_looks(name, owner)

    def is_free(self, name: str) -> bool:
        try:
            self.check_free(name, None)
        except NameTaken:
            return False
        return True

    def saw(self, id: PersonId) -> None:
        row, now = self._index.get(id), self._now()
        if row is not None and now - row.last_seen >= self._settings.seen_every and not self.is_gone(row):
            self._index.saw(id, now)
            self._seen[id] = now

    def tell_logged_out(self, id: PersonId) -> None:
        for tell in self.on_logout:
            tell(id)

    def tell_stays(self, id: PersonId) -> None:
        """Somebody was to be deleted. If they could not be, they can come back, wherever that was known."""
        row = self._index.get(id)
        if row is not None:
            for tell in self.on_change:
                tell(row.person)

    # The changes.

    @_to_its_end
    async def add(self, name: str, password: str | None) -> Person:
        mine = _Newcomer(name, password)
        self._newcomers.append(mine)
        async with self._changing:
            while not mine.person.done():
                await self._add_those_who_came()
        return mine.person.result()

    async def _add_those_who_came(self) -> None:
        """All who came while another change was being made are stored in one: a crowd waits for the disk once."""
        together: list[tuple[_Newcomer, PersonRow]] = []
        taken: set[str] = set()
        while self._newcomers and taken.isdisjoint(self._newcomers[0].alike):
            newcomer = self._newcomers.popleft()
            try:
                together.append((newcomer, await self._row_of(newcomer, together)))
            except Refused as refused:
                newcomer.person.set_exception(refused)
            else:
                taken |= newcomer.alike
        try:
            await self._store_new(together)
        finally:
            for newcomer, _ in together:
                newcomer.person.cancel()  # does nothing to those that have a result

    async def _row_of(
        self, newcomer: _Newcomer, together: Sequence[tuple[_Newcomer, PersonRow]]
    ) -> PersonRow:
        if newcomer.password is None:
            guests = sum(row.password is None for _, row in together)
            if self._index.guests + guests >= self._settings.guests_at_most:
                raise TooManyGuests
        await self._make_free(newcomer.name, None)
        now = self._now()
        return PersonRow(
            id=new_person_id(),
            name=newcomer.name,
            name_key=name_key(newcomer.name),
            password=newcomer.password,
            created=now,
            last_seen=now,
            epoch=1,
        )

    async def _store_new(self, together: Sequence[tuple[_Newcomer, PersonRow]]) -> None:
        if not together:
            return
        try:
            await self._write(lambda rows: self._store.add(*rows), [row for _, row in together])
        except NameTaken as refused:
            # The store has somebody of one of these names whom memory does not know: add them one by one.
            if len(together) == 1:
                together[0][0].person.set_exception(refused)
                return
            for one in together:
                await self._store_new([one])
        except Refused as refused:
            for newcomer, _ in together:
                newcomer.person.set_exception(refused)
        else:
            for newcomer, row in together:
                self._index.keep(row)
                newcomer.person.set_result(row.person)
            for _, row in together:
                for tell in self.on_add:
                    tell(row.person)

    @_to_its_end
    async def change_guest(self, id: PersonId, name: str, password: str | None) -> Person:
        """Another name for a guest; with a password the guest becomes an account."""
        async with self._changing:
            row = self.here(id)
            # The name of an account is the salt of its password: see rename_account.
            if row.password is not None:
                raise GuestsOnly
            key = name_key(name)
            await self._make_free(name, id)
            # Whoever else had the guest's token must not come into the account with it.
            epoch = row.epoch if password is None else row.epoch + 1
            row = replace(row, name=name, name_key=key, password=password, last_seen=self._now(), epoch=epoch)
            return await self._call(row)

    @_to_its_end
    async def rename_account(self, id: PersonId, name: str, checked: str, hashed: str) -> Person:
        """Another name, and with it another hash of the same password. Nothing but what was checked is replaced.

        Who has that name already keeps all as it is: they asked twice.
        """
        async with self._changing:
            row = self.here(id)
            if row.password != checked:
                raise Overtaken
            if row.name == name:
                return row.person
            await self._make_free(name, id)
            row = replace(row, name=name, name_key=name_key(name), password=hashed, last_seen=self._now())
            return await self._call(row)

    async def _call(self, row: PersonRow) -> Person:
        """This is what somebody is called now. Whoever serves them goes on, unless the epoch is another."""
        before = self._index.row(row.id)
        await self._write(self._store.change, row)
        self._index.keep(row)
        if row.epoch != before.epoch:
            self.tell_logged_out(row.id)
        for tell in self.on_change:
            tell(row.person)
        return row.person

    @_to_its_end
    async def change_password(self, id: PersonId, checked: str, hashed: str) -> Person:
        """Nothing but what was checked is replaced."""
        async with self._changing:
            row = self.here(id)
            if row.password != checked:
                raise Overtaken
            return await self._log_out(replace(row, password=hashed))

    @_to_its_end
    async def log_out(self, id: PersonId) -> Person:
        async with self._changing:
            return await self._log_out(self._index.row(id))

    async def _log_out(self, row: PersonRow) -> Person:
        row = replace(row, epoch=row.epoch + 1)
        await self._write(self._store.change, row)
        self._index.keep(row)
        self.tell_logged_out(row.id)
        return row.person

    @_to_its_end
    async def rehash(self, id: PersonId, stored: str, hashed: str) -> None:
        """The same password in another form: nobody need log in anew."""
        async with self._changing:
            row = self._index.row(id)
            if row.password == stored:
                row = replace(row, password=hashed)
                await self._write(self._store.change, row)
                self._index.keep(row)

    @_to_its_end
    async def delete(self, id: PersonId) -> None:
        async with self._changing:
            self._index.row(id)
            await self._write(self._store.delete, id)
            self._drop(id)

    @_to_its_end
    async def tend(self) -> None:
        async with self._changing:
            await self._expire()

    async def _expire(self) -> None:
        # The limit is chosen before the latest sightings are written:
        # a guest who is seen meanwhile is later than it.
        unseen_since = Millis(self._now() - self._settings.guest_life)
        await self._write_seen()
        for id in await self._write(self._store.expire_guests, unseen_since):
            self._drop(id)

    async def _write_seen(self) -> None:
        seen = dict(self._seen)
        await self._write(self._store.saw, seen)
        for id, at in seen.items():
            if self._seen.get(id) == at:
                del self._seen[id]

    async def _make_free(self, name: str, owner: PersonId | None) -> None:
        """Raise NameTaken, unless whoever has the name is a guest who stayed away: then they are let go."""
        self.check_free(name, owner)
        holder = self._index.named(name_key(name))
        if holder is not None and holder.id != owner:
            await self._expire()

    async def _write(self, call: Callable[[Any], Result], what: Any) -> Result:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, call, what)
        except LedgerError as error:
            log.error("people could not be stored", extra={"error": str(error)})
            raise NotStored from None

    def _drop(self, id: PersonId) -> None:
        if self._index.drop(id) is not None:
            self._seen.pop(id, None)
            for tell in self.on_delete:
                tell(id)
