"""The people of this server: guests and accounts, their names, passwords and sessions.

Everybody is kept in memory, so that looking someone up never waits; only changes go to the store.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from secrets import randbelow
from typing import Any, TypeVar

import msgspec
from argon2 import PasswordHasher

from gamut.games.game import Refused
from gamut.hall.ids import Millis, PersonId
from gamut.hall.limits.attempts import Attempts, Limit, address_key, is_loopback, site_key
from gamut.hall.names.person_names import NAME_LONGEST, NameRefused, NameTaken, clean_name
from gamut.hall.people.ahead import PeopleAhead
from gamut.hall.people.changes import PeopleChanges
from gamut.hall.people.directory import Directory
from gamut.hall.people.password_checks import PasswordChecks, asker
from gamut.hall.people.passwords import PasswordRefused, Passwords, check_password, not_yet_hashed
from gamut.hall.people.person import (
    GuestsOnly,
    NotStored,
    Overtaken,
    PeopleStore,
    Person,
    PersonRow,
    TooManyGuests,
    UnknownPerson,
    WrongLogin,
)
from gamut.hall.people.prehash import check_prehash, prehashed
from gamut.hall.people.roll import PeopleIndex
from gamut.hall.people.settings import DAY, PeopleSettings
from gamut.hall.people.tokens import Claim, Tokens

__all__ = ["DAY", "People", "PeopleSettings", "PeopleStore", "Person", "PersonRow"]

Result = TypeVar("Result")

_CLOSING_SECONDS = 1.0
"""How long the end of the server waits for slow hashes of new accounts."""


async def _nothing_remains() -> str:
    return ""


class People(Directory):
    """Those of a hall, where changes are made."""

    def __init__(
        self,
        store: PeopleStore,
        passwords: Passwords,
        settings: PeopleSettings,
        now: Callable[[], Millis],
        bots: Iterable[str] = (),
        ahead: PeopleAhead | None = None,
    ) -> None:
        """Reads the whole store, or what is new in it since it was read ahead: use `open` on an event loop."""
        secret = store.secret()
        index = PeopleIndex(store.load(), bots) if ahead is None else ahead.index
        super().__init__(settings, index, Tokens(secret, now, settings.session_life))
        self.erasers: list[Callable[[PersonId], Awaitable[None]]] = []
        """Asked first when somebody deletes themself: if the server dies in between, they can try again."""
        self.remains: Callable[[], Awaitable[str]] = _nothing_remains
        """Asked last: where something of those who were deleted is left, and until when; empty if it is nowhere."""
        self.exporters: dict[str, Callable[[PersonId], AsyncIterator[bytes]]] = {}
        """What others keep about a person, by the name of its section in the export: the pieces of a JSON value."""
        self._passwords = passwords
        self._now = now
        self._changes = PeopleChanges(store, self._index, settings, now)
        self.on_add = self._changes.on_add
        self.on_change = self._changes.on_change
        self.on_logout = self._changes.on_logout
        self.on_delete = self._changes.on_delete
        self.leaving = self._changes.leaving
        self._checks = PasswordChecks(
            self._index, self._changes, passwords, self._tokens, secret, settings, now
        )
        self._under_way: set[asyncio.Task[Any]] = set()
        """Accounts that are being made, to the end even if who asked for them goes away."""
        self._guests_by_address = self._attempts(settings.guests_per_address)
        self._guests_by_site = self._attempts(settings.people_per_site)
        self._registrations_by_address = self._attempts(settings.registrations_per_address)
        self._exports_by_person = self._attempts(settings.exports_per_person)
        self._registrations_by_site = self._attempts(settings.people_per_site)

    @classmethod
    async def open(
        cls,
        store: PeopleStore,
        settings: PeopleSettings,
        now: Callable[[], Millis],
        bots: Iterable[str] = (),
        ahead: PeopleAhead | None = None,
        passwords: Passwords | None = None,
    ) -> "People":
        """What bots are called is not for people. `ahead`: everybody, if they are known already."""

        def build() -> People:
            made = cls.passwords(settings) if passwords is None else passwords
            return cls(store, made, settings, now, bots, ahead)

        return await asyncio.to_thread(build)

    @staticmethod
    def passwords(settings: PeopleSettings) -> Passwords:
        """It takes as long as a hash to make them, and needs no store."""
        hasher = PasswordHasher(settings.hash_time_cost, settings.hash_memory_cost, settings.hash_parallelism)
        return Passwords(hasher, settings.hashes_at_once, settings.hashes_waiting)

    async def finish(self) -> None:
        """See to it that the changes under way are stored, and who was seen."""
        await self._changes.finish()

    async def close(self) -> None:
        """Finish what is under way and write down who was seen."""
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=_CLOSING_SECONDS)
        # An account whose hash is not made by now has none; its owner comes back to it all the same.
        await self._passwords.close()
        if self._under_way:
            await asyncio.wait(self._under_way)
        await self._changes.close()

    # Who is here

    def renewal(self, token: str) -> str | None:
        """A fresh token in place of a good one that has come of age."""
        claim = self._claim(token)
        if claim is None or self._now() - claim.issued <= self.settings.session_renewal:
            return None
        return self._tokens.issue(claim.person, claim.epoch)

    def saw(self, id: PersonId) -> None:
        self._changes.saw(id)

    def refusals(self) -> dict[str, int]:
        """How often each limit has refused somebody."""
        return {
            **self._checks.refusals(),
            "guests_per_address": self._guests_by_address.refused,
            "registrations_per_address": self._registrations_by_address.refused,
            "exports_per_person": self._exports_by_person.refused,
            "people_per_site": self._guests_by_site.refused + self._registrations_by_site.refused,
            "hashes_waiting": self._passwords.refused,
        }

    # Coming in

    async def guest(self, name: str, address: str | None = None, *, numbered: bool = False) -> Person:
        name = clean_name(name)
        if self._index.guests >= self.settings.guests_at_most:
            raise TooManyGuests
        _count(self._guests_by_address, address)
        if not numbered:
            self._changes.check_free(name, None)
        _count(self._guests_by_site, address, site_key)
        while True:
            try:
                return await self._changes.add(self._numbered(name) if numbered else name, None)
            except NameTaken:
                # Two may have drawn the same number at the same moment.
                if not numbered:
                    raise

    def _numbered(self, name: str) -> str:
        # Ten times as many numbers with each try: however many are taken, a few tries find one that is not.
        candidate, digits = name, 1
        while not self._changes.is_free(candidate):
            number = f" {randbelow(10**digits) + 2}"
            candidate = clean_name(name[: NAME_LONGEST - len(number)] + number)
            digits += 1
        return candidate

    async def register(
        self, name: str, password: str, guest: PersonId | None = None, address: str | None = None
    ) -> Person:
        name = clean_name(name)
        check_password(password)
        return await self._register(name, prehashed(name, password), guest, address)

    async def register_hashed(
        self,
        name: str,
        hash: str,
        guest: PersonId | None = None,
        address: str | None = None,
        *,
        at_once: bool = False,
    ) -> Person:
        check_prehash(hash)
        if (kept := clean_name(name)) != name:
            raise NameRefused(f'This name is kept as "{kept}": make the hash with that.')
        if hash == prehashed(name, ""):
            raise PasswordRefused
        return await self._register(name, hash, guest, address, at_once=at_once)

    async def _register(
        self, name: str, hash: str, guest: PersonId | None, address: str | None, *, at_once: bool = False
    ) -> Person:
        _count(self._registrations_by_address, address)
        # Asked again when the change is made; asking now spares the work of hashing for nothing.
        if guest is not None and self._changes.here(guest).password is not None:
            raise GuestsOnly
        self._changes.check_free(name, guest)
        _count(self._registrations_by_site, address, site_key)
        at_once = at_once and guest is None
        if at_once:
            await self._passwords.turn(asker(address))
        hashing = self._passwords.hashing(hash, asker(address), nobody_waits=at_once)
        if at_once:
            return await asyncio.shield(self._to_the_end(self._add_at_once(name, hash, hashing)))
        hashed = await hashing
        if guest is None:
            person = await self._changes.add(name, hashed)
        else:
            person = await self._changes.change_guest(guest, name, hashed)
        self._checks.recognition.remember(hashed, hash)
        return person

    async def _add_at_once(self, name: str, hash: str, hashing: asyncio.Future[str]) -> Person:
        stored = not_yet_hashed()
        self._checks.recognition.expect(stored, hash)
        try:
            person = await self._changes.add(name, stored)
        except Refused:
            hashing.cancel()
            self._checks.recognition.is_stored(stored)
            raise
        self._to_the_end(self._store_hash(person.id, stored, hash, hashing))
        return person

    async def _store_hash(self, id: PersonId, stored: str, hash: str, hashing: asyncio.Future[str]) -> None:
        hashed = await hashing
        # If that cannot be stored, they are recognised for as long as this server runs.
        with suppress(UnknownPerson, NotStored):
            await self._changes.rehash(id, stored, hashed)
            self._checks.recognition.remember(hashed, hash)
            self._checks.recognition.is_stored(stored)

    def _to_the_end(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.ensure_future(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    async def login(
        self, name: str, password: str, address: str | None = None, token: str | None = None
    ) -> Person:
        return self._let_in(await self._checks.login(name, password, address, token))

    async def login_hashed(
        self, name: str, hash: str, address: str | None = None, token: str | None = None
    ) -> Person:
        return self._let_in(await self._checks.login_hashed(name, hash, address, token))

    def _let_in(self, checked: PersonRow) -> Person:
        person = self.person(checked.id)
        # Whoever changed the password or left while it was being checked wanted old log-ins to end.
        if person is None or person.epoch != checked.epoch or person.id in self.leaving:
            raise WrongLogin
        self.saw(person.id)
        return person

    # Changing what is kept about someone who is already here.

    async def rename(self, id: PersonId, name: str, address: str | None = None) -> Person:
        """Another name for a guest."""
        name = clean_name(name)
        if self._changes.here(id).password is not None:
            raise GuestsOnly
        _count(self._guests_by_address, address)
        return await self._changes.change_guest(id, name, None)

    async def rename_account(self, id: PersonId, name: str, password: str) -> Person:
        """Another name for an account: as it is part of the stored hash, that is made anew of the password."""
        name = clean_name(name)
        # Asked again when the change is made; asking now spares the work of hashing for nothing.
        self._changes.check_free(name, id)
        hash = prehashed(name, password)

        async def rename(checked: str) -> Person:
            hashed = await self._passwords.hash(hash)
            person = await self._changes.rename_account(id, name, checked, hashed)
            self._checks.recognition.remember(hashed, hash)
            return person

        return await self._with_password(id, password, rename)

    async def confirm(self, id: PersonId, password: str) -> None:
        """Raises unless this is the account's password."""
        await self._checks.confirm(id, password)

    async def change_password(self, id: PersonId, old: str, new: str) -> Person:
        """All sessions become void, the one that asked for it as well: issue it a new token."""
        check_password(new)

        async def change(checked: str) -> Person:
            hashed = await self._passwords.hash(prehashed(self._index.row(id).name, new))
            return await self._changes.change_password(id, checked, hashed)

        return await self._with_password(id, old, change)

    async def _with_password(
        self, id: PersonId, password: str, change: Callable[[str], Awaitable[Person]]
    ) -> Person:
        """Make a change that needs the password of the account, and is told the hash that it was checked against."""
        checked, spared = await self._checks.confirm(id, password), False
        while True:
            try:
                return await change(checked)
            except Overtaken:
                if not spared:
                    self._checks.spare(id)
                    spared = True
                checked = await self._checks.confirm_anew(id, password)

    async def log_out_everywhere(self, id: PersonId) -> Person:
        return await self._changes.log_out(id)

    async def delete(self, id: PersonId) -> str:
        """The person is no more and the name is free. What they played stays, but not who it was.

        Says where something of them is left for now, if it is; else it is empty.
        """
        self._changes.here(id)
        # Their sessions end first: what they would still say or do could not be taken out any more.
        self.leaving.add(id)
        try:
            self._changes.tell_logged_out(id)
            for erase in self.erasers:
                await erase(id)
            await self._changes.delete(id)
        finally:
            self.leaving.discard(id)
            self._changes.tell_stays(id)
        # Not before the row itself is gone: what is overwritten later would be left behind.
        return await self.remains()

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
        await self._changes.tend()

    def _claim(self, token: str) -> Claim | None:
        claim = super()._claim(token)
        if claim is None or self._changes.is_gone(self._index.row(claim.person)):
            return None
        return None if claim.person in self.leaving else claim

    def _attempts(self, limit: Limit) -> Attempts:
        return Attempts(limit, self._now, self.settings.addresses_remembered)


def _count(attempts: Attempts, address: str | None, counted_as: Callable[[str], str] = address_key) -> None:
    if address is not None and not is_loopback(address):
        attempts.take(counted_as(address))
