"""The people of this server: guests and accounts, their names, passwords and sessions.

Everybody is kept in memory, so that looking someone up never waits; only changes go to the store. One change
is made at a time, store first and memory after, so the two agree whenever no change is under way.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from secrets import randbelow
from typing import Any, TypeVar

import msgspec
from argon2 import PasswordHasher
from msgspec.structs import replace

from gamut.hall.attempts import Attempts, Limit, address_key, is_loopback, site_key
from gamut.hall.ids import Millis, PersonId, new_person_id
from gamut.hall.logins import Logins, Taken, give_back
from gamut.hall.names import NAME_LONGEST, NameResembles, NameTaken, clean_name, name_key
from gamut.hall.passwords import Busy, Passwords, check_password, decoy
from gamut.hall.people_index import PeopleIndex
from gamut.hall.people_settings import DAY, PeopleSettings
from gamut.hall.person import (
    AccountsOnly,
    GuestsOnly,
    NotStored,
    PeopleStore,
    Person,
    PersonRow,
    TooManyGuests,
    UnknownPerson,
    WrongLogin,
    WrongPassword,
)
from gamut.hall.storage import LedgerError
from gamut.hall.tokens import Claim, Tokens

__all__ = ["DAY", "People", "PeopleSettings", "PeopleStore", "Person", "PersonRow"]

log = logging.getLogger("gamut.hall")

Result = TypeVar("Result")


class People:
    def __init__(
        self,
        store: PeopleStore,
        passwords: Passwords,
        settings: PeopleSettings,
        now: Callable[[], Millis],
    ) -> None:
        """Reads the whole store: use `open` on an event loop."""
        self.settings = settings
        self.on_change: list[Callable[[Person], None]] = []
        """Called when somebody's name has changed, or a guest has become an account."""
        self.on_logout: list[Callable[[PersonId], None]] = []
        """Called when all sessions of somebody have become void: whoever serves them should let go."""
        self.on_delete: list[Callable[[PersonId], None]] = []
        """Called when somebody is no more: deleted themself, or a guest who stayed away."""
        self.erasers: list[Callable[[PersonId], Awaitable[None]]] = []
        """Asked first when somebody deletes themself: if the server dies in between, they can try again."""
        self.exporters: dict[str, Callable[[PersonId], AsyncIterator[bytes]]] = {}
        """What others keep about a person, by the name of its section in the export: the pieces of a JSON value."""
        self._store = store
        self._passwords = passwords
        self._now = now
        self._secret = store.secret()
        self._tokens = Tokens(self._secret, now, settings.session_life)
        self._index = PeopleIndex(store.load())
        self._leaving: set[PersonId] = set()
        """Who is being deleted: their sessions are void already."""
        self._seen: dict[PersonId, Millis] = {}
        self._changing = asyncio.Lock()
        self._changes: set[asyncio.Task[Any]] = set()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="people")
        self._logins = Logins(
            settings.logins_per_name,
            settings.logins_per_name_anywhere,
            settings.logins_per_address,
            now,
            settings.addresses_remembered,
        )
        self._guests_by_address = self._attempts(settings.guests_per_address)
        self._guests_by_site = self._attempts(settings.people_per_site)
        self._registrations_by_address = self._attempts(settings.registrations_per_address)
        self._exports_by_person = self._attempts(settings.exports_per_person)
        self._registrations_by_site = self._attempts(settings.people_per_site)

    @classmethod
    async def open(cls, store: PeopleStore, settings: PeopleSettings, now: Callable[[], Millis]) -> "People":
        def build() -> People:
            hasher = PasswordHasher(
                settings.hash_time_cost, settings.hash_memory_cost, settings.hash_parallelism
            )
            return cls(
                store, Passwords(hasher, settings.hashes_at_once, settings.hashes_waiting), settings, now
            )

        return await asyncio.to_thread(build)

    async def close(self) -> None:
        """Finish what is under way and write down who was seen."""
        while self._changes:
            await asyncio.wait(self._changes)
        await self._write_seen()
        await self._passwords.close()
        self._thread.shutdown()

    # Looking people up: never waits.

    def __len__(self) -> int:
        return len(self._index)

    def person(self, id: PersonId) -> Person | None:
        row = self._index.get(id)
        return None if row is None else row.person

    def by_name(self, name: str) -> Person | None:
        row = self._index.named(name_key(name))
        return None if row is None else row.person

    def by_token(self, token: str) -> Person | None:
        """Whose token this is, if it is still good; that person has thereby been seen."""
        claim = self._claim(token)
        if claim is None:
            return None
        self.saw(claim.person)
        return self.person(claim.person)

    def issue(self, person: Person) -> str:
        return self._tokens.issue(person.id, person.epoch)

    def renewal(self, token: str) -> str | None:
        """A fresh token in place of a good one that has come of age."""
        claim = self._claim(token)
        if claim is None or self._now() - claim.issued <= self.settings.session_renewal:
            return None
        return self._tokens.issue(claim.person, claim.epoch)

    def saw(self, id: PersonId) -> None:
        """Somebody is here now. To be called for those who stay connected, or their names become free."""
        row, now = self._index.get(id), self._now()
        if row is not None and now - row.last_seen >= self.settings.seen_every and not self._gone(row):
            self._index.saw(id, now)
            self._seen[id] = now

    def refusals(self) -> dict[str, int]:
        """How often each limit has refused somebody."""
        return {
            **self._logins.refusals(),
            "guests_per_address": self._guests_by_address.refused,
            "registrations_per_address": self._registrations_by_address.refused,
            "exports_per_person": self._exports_by_person.refused,
            "people_per_site": self._guests_by_site.refused + self._registrations_by_site.refused,
            "hashes_waiting": self._passwords.refused,
        }

    # Coming in. The address is None for those whom this server itself lets in: no limit by address applies.

    async def guest(self, name: str, address: str | None = None, *, numbered: bool = False) -> Person:
        """A new guest. If the name was not chosen by a person, it may get a number where it is taken."""
        name = clean_name(name)
        if self._index.guests >= self.settings.guests_at_most:
            raise TooManyGuests
        self._count(self._guests_by_address, address)
        if not numbered:
            self._check_free(name, None)
        self._count_at_site(self._guests_by_site, address)
        while True:
            try:
                return await self._finish(self._add(self._numbered(name) if numbered else name, None))
            except NameTaken:
                # Two may have drawn the same number at the same moment.
                if not numbered:
                    raise

    def _numbered(self, name: str) -> str:
        # Ten times as many numbers with each try: however many are taken, a few tries find one that is not.
        candidate, digits = name, 1
        while not self._is_free(candidate, None):
            number = f" {randbelow(10**digits) + 2}"
            candidate = clean_name(name[: NAME_LONGEST - len(number)] + number)
            digits += 1
        return candidate

    async def register(
        self, name: str, password: str, guest: PersonId | None = None, address: str | None = None
    ) -> Person:
        """A new account; or the guest becomes one and stays the same person."""
        name = clean_name(name)
        check_password(password)
        self._count(self._registrations_by_address, address)
        # Asked again when the change is made; asking now spares the work of hashing for nothing.
        if guest is not None and self._here(guest).password is not None:
            raise GuestsOnly
        self._check_free(name, guest)
        self._count_at_site(self._registrations_by_site, address)
        hashed = await self._passwords.hash(password, _asker(address))
        if guest is None:
            return await self._finish(self._add(name, hashed))
        return await self._finish(self._change_guest(guest, name, hashed))

    async def login(
        self, name: str, password: str, address: str | None = None, token: str | None = None
    ) -> Person:
        """The token is what the browser had from an earlier time; it need not be good any more."""
        # A longer text is nobody's name.
        key = name_key(name) if len(name) <= 16 * NAME_LONGEST else ""
        row = self._index.named(key)
        stored = None if row is None else row.password
        taken = self._take_try(key, None if stored is None else row, address, token)
        # An unknown name takes as long as a wrong password.
        checked = decoy(self._index.hashes, key, self._secret) if stored is None else stored
        try:
            verified = await self._passwords.matches(
                checked or self._passwords.nobody, password, _asker(address)
            )
        except Busy:
            give_back(taken)
            raise
        if not verified or row is None or stored is None:
            raise WrongLogin
        give_back(taken)
        if self._passwords.outdated(stored):
            with suppress(Busy, UnknownPerson):  # there will be another log-in
                hashed = await self._passwords.hash(password, _asker(address))
                await self._finish(self._rehash(row.id, stored, hashed))
        person = self.person(row.id)
        # Whoever changed the password or left while it was being checked wanted old log-ins to end.
        if person is None or person.epoch != row.epoch or person.id in self._leaving:
            raise WrongLogin
        self.saw(person.id)
        return person

    def _take_try(self, key: str, account: PersonRow | None, address: str | None, token: str | None) -> Taken:
        claim = None if token is None else self._tokens.read_old(token, self.settings.known_life)
        if claim is not None and account is not None and claim.person == account.id:
            self._logins.known(f"{claim.person} {claim.epoch} {claim.issued}")
            return ()
        return self._logins.stranger(key, None if account is None else account.id, address)

    def check_unregistered(self, name: str) -> None:
        """Raise NameTaken unless somebody may bear this name whom only a door knows, as nobody logs in there.

        Such names are nobody's: two may have the same, or that of a guest, but none that looks like an account's.
        """
        row = self._index.named(name_key(name))
        if row is not None and row.password is not None:
            raise NameTaken
        if self._index.resembles_an_account(name):
            raise NameResembles

    # Changing what is kept about someone who is already here.

    async def rename(self, id: PersonId, name: str, address: str | None = None) -> Person:
        """Another name for a guest; accounts keep theirs."""
        name = clean_name(name)
        self._count(self._guests_by_address, address)
        return await self._finish(self._change_guest(id, name, None))

    async def confirm(self, id: PersonId, password: str) -> str:
        """Raises unless this is the account's password; gives back the hash that it was checked against."""
        row = self._here(id)
        if row.password is None:
            raise AccountsOnly
        self._logins.again(id)
        if not await self._passwords.matches(row.password, password):
            raise WrongPassword
        return row.password

    async def change_password(self, id: PersonId, old: str, new: str) -> Person:
        """All sessions become void, the one that asked for it as well: issue it a new token."""
        check_password(new)
        checked = await self.confirm(id, old)
        return await self._finish(self._change_password(id, checked, await self._passwords.hash(new)))

    async def log_out_everywhere(self, id: PersonId) -> Person:
        return await self._finish(self._void(id))

    async def delete(self, id: PersonId) -> None:
        """The person is no more and the name is free. What they played stays, but not who it was."""
        self._here(id)
        # Their sessions end first: what they would still say or do could not be taken out any more.
        self._leaving.add(id)
        try:
            self._tell_logged_out(id)
            for erase in self.erasers:
                await erase(id)
            await self._finish(self._delete(id))
        finally:
            self._leaving.discard(id)

    def may_export(self, id: PersonId) -> None:
        """Raises TooManyTries: an export may be long."""
        self._exports_by_person.take(id)

    async def export(self, id: PersonId) -> AsyncIterator[bytes]:
        """Everything stored about the person, as one JSON document; of the password only that there is one."""
        yield b'{"profile":' + msgspec.json.encode(self._index.row(id).profile)
        for section, exporter in self.exporters.items():
            yield b"," + msgspec.json.encode(section) + b":"
            async for piece in exporter(id):
                yield piece
        yield b"}"

    async def tend(self) -> None:
        """Write down who was seen, and let go of guests who stayed away. To be called about once a minute."""
        await self._finish(self._tend())

    # Changes, each made alone.

    async def _add(self, name: str, password: str | None) -> Person:
        async with self._changing:
            if password is None and self._index.guests >= self.settings.guests_at_most:
                raise TooManyGuests
            key = name_key(name)
            await self._make_free(name, None)
            now = self._now()
            row = PersonRow(
                id=new_person_id(),
                name=name,
                name_key=key,
                password=password,
                created=now,
                last_seen=now,
                epoch=1,
            )
            await self._write(self._store.add, row)
            self._index.keep(row)
            return row.person

    async def _change_guest(self, id: PersonId, name: str, password: str | None) -> Person:
        async with self._changing:
            row = self._here(id)
            if row.password is not None:
                raise GuestsOnly
            key = name_key(name)
            await self._make_free(name, id)
            # Whoever else had the guest's token must not come into the account with it.
            epoch = row.epoch if password is None else row.epoch + 1
            row = replace(row, name=name, name_key=key, password=password, last_seen=self._now(), epoch=epoch)
            await self._write(self._store.change, row)
            self._index.keep(row)
            if password is not None:
                self._tell_logged_out(id)
            for tell in self.on_change:
                tell(row.person)
            return row.person

    async def _change_password(self, id: PersonId, checked: str, hashed: str) -> Person:
        async with self._changing:
            row = self._here(id)
            if row.password != checked:
                raise WrongPassword
            return await self._log_out(replace(row, password=hashed))

    async def _void(self, id: PersonId) -> Person:
        async with self._changing:
            return await self._log_out(self._index.row(id))

    async def _log_out(self, row: PersonRow) -> Person:
        row = replace(row, epoch=row.epoch + 1)
        await self._write(self._store.change, row)
        self._index.keep(row)
        self._tell_logged_out(row.id)
        return row.person

    async def _rehash(self, id: PersonId, stored: str, hashed: str) -> None:
        async with self._changing:
            row = self._index.row(id)
            if row.password == stored:
                row = replace(row, password=hashed)
                await self._write(self._store.change, row)
                self._index.keep(row)

    async def _delete(self, id: PersonId) -> None:
        async with self._changing:
            self._index.row(id)
            await self._write(self._store.delete, id)
            self._drop(id)

    async def _tend(self) -> None:
        async with self._changing:
            await self._expire()

    async def _expire(self) -> None:
        # First what memory knows, then the cut: whoever is seen in between was not gone when it was chosen.
        unseen_since = Millis(self._now() - self.settings.guest_life)
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
        self._check_free(name, owner)
        holder = self._index.named(name_key(name))
        if holder is not None and holder.id != owner:
            await self._expire()

    async def _finish(self, change: Coroutine[Any, Any, Result]) -> Result:
        """Make the change to its end even if who asked for it goes away, or memory and store would differ."""
        task = asyncio.ensure_future(change)
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)
        return await asyncio.shield(task)

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

    def _gone(self, row: PersonRow) -> bool:
        return row.password is None and row.last_seen < self._now() - self.settings.guest_life

    def _here(self, id: PersonId) -> PersonRow:
        """Somebody who is not about to be deleted."""
        if id in self._leaving:
            raise UnknownPerson
        return self._index.row(id)

    def _tell_logged_out(self, id: PersonId) -> None:
        for tell in self.on_logout:
            tell(id)

    def _check_free(self, name: str, owner: PersonId | None) -> None:
        """Raise NameTaken if somebody else has this name, and if it looks like that of an account."""
        holder = self._index.named(name_key(name))
        if holder is not None and holder.id != owner and not self._gone(holder):
            raise NameTaken
        if self._index.resembles_an_account(name):
            raise NameResembles

    def _is_free(self, name: str, owner: PersonId | None) -> bool:
        try:
            self._check_free(name, owner)
        except NameTaken:
            return False
        return True

    def _claim(self, token: str) -> Claim | None:
        claim = self._tokens.read(token)
        row = None if claim is None else self._index.get(claim.person)
        if claim is None or row is None or row.epoch != claim.epoch or self._gone(row):
            return None
        return None if row.id in self._leaving else claim

    def _attempts(self, limit: Limit) -> Attempts:
        return Attempts(limit, self._now, self.settings.addresses_remembered)

    def _count(self, attempts: Attempts, address: str | None) -> None:
        if address is not None and not is_loopback(address):
            attempts.take(address_key(address))

    def _count_at_site(self, attempts: Attempts, address: str | None) -> None:
        if address is not None and not is_loopback(address):
            attempts.take(site_key(address))


def _asker(address: str | None) -> str | None:
    """Who counts as one where hashes are waited for."""
    return None if address is None or is_loopback(address) else site_key(address)
