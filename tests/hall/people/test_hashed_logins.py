"""One account for whoever says the password and for clients that send its hash."""

import asyncio
import re

import pytest
from msgspec.structs import replace
from tests.hall.support.townsfolk import (
    CHEAP,
    PASSWORD,
    Clock,
    MemoryStore,
    account_of_old,
    kinds_verified,
    opened,
    with_people,
)

from gamut.hall.ids import Millis
from gamut.hall.limits.attempts import Limit, TooManyTries
from gamut.hall.names.person_names import NameRefused, NameTaken
from gamut.hall.people.passwords import PasswordRefused, kind_of
from gamut.hall.people.people import People
from gamut.hall.people.person import GuestsOnly, PasswordNeeded, WrongLogin
from gamut.hall.people.prehash import BadHash, prehashed

FAR = "203.0.113.7"
FEW = Limit(3, Millis(60_000))


def test_an_account_is_entered_by_password_and_by_hash_whichever_it_was_made_with() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        zoe = await people.register("Zo\u00eb", PASSWORD)
        assert await people.login_hashed("Zo\u00eb", prehashed("Zo\u00eb", PASSWORD)) == zoe
        ann = await people.register_hashed("Ann Lee", prehashed("Ann Lee", "p\u00e4ssw\u00f6rd"))
        assert not ann.guest
        assert await people.login_hashed("Ann Lee", prehashed("Ann Lee", "p\u00e4ssw\u00f6rd")) == ann
        assert await people.login(" ann  LEE ", "pa\u0308sswo\u0308rd") == ann
        for row in store.rows.values():
            assert re.match(r"sha512\$argon2id\$v=19\$m=8,t=1,p=1\$", row.password or "")

    with_people(story)


def test_the_salt_is_the_name_exactly_as_it_is_stored() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        ann = await people.register("Ann Lee", PASSWORD)
        for spelled in ("ann lee", "Ann  Lee", ""):
            with pytest.raises(WrongLogin):
                await people.login_hashed(spelled or "Ann Lee", prehashed(spelled, PASSWORD))
        assert await people.login_hashed("ann lee", prehashed("Ann Lee", PASSWORD)) == ann

    with_people(story)


def test_a_hash_is_made_with_the_name_that_is_kept() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        for name in (" Ann", "Ann  Lee", "Zoe\u0308"):
            with pytest.raises(NameRefused, match="is kept as"):
                await people.register_hashed(name, prehashed(name, PASSWORD))
        with pytest.raises(NameRefused):
            await people.register_hashed("server", prehashed("server", PASSWORD))
        assert len(people) == 0

    with_people(story)


def test_registering_by_hash_is_registering() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        guest = await people.guest("Gast", FAR)
        taken = await people.register("Berta", PASSWORD)
        with pytest.raises(NameTaken):
            await people.register_hashed("BERTA", prehashed("BERTA", PASSWORD))
        with pytest.raises(GuestsOnly):
            await people.register_hashed("Carl", prehashed("Carl", PASSWORD), taken.id)
        anna = await people.register_hashed("Anna", prehashed("Anna", PASSWORD), guest.id, FAR)
        assert anna.id == guest.id
        with pytest.raises(TooManyTries):
            await people.register_hashed("Dora", prehashed("Dora", PASSWORD), None, FAR)

    with_people(story, replace(CHEAP, registrations_per_address=Limit(1, Millis(60_000))))


def test_what_is_no_hash_is_refused_and_so_is_that_of_no_password() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        await people.register("Anna", PASSWORD)
        for hash in ("", PASSWORD, prehashed("Anna", PASSWORD)[:-1], "\ud800" * 88):
            with pytest.raises(BadHash):
                await people.login_hashed("Anna", hash, FAR)
            with pytest.raises(BadHash):
                await people.register_hashed("Berta", hash)
        with pytest.raises(PasswordRefused):
            await people.register_hashed("Berta", prehashed("Berta", ""))
        assert len(people) == 1
        # None of it was a try.
        await people.login_hashed("Anna", prehashed("Anna", PASSWORD), FAR)

    with_people(story, replace(CHEAP, logins_per_name=Limit(1, Millis(60_000))))


def test_nobody_comes_in_with_what_is_stored() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.register("Anna", PASSWORD)
        stored = store.rows[anna.id].password or ""
        assert prehashed("Anna", PASSWORD) not in stored
        for said in (stored, prehashed("Anna", PASSWORD)):
            with pytest.raises(WrongLogin):
                await people.login("Anna", said)

    with_people(story)


def test_a_changed_password_changes_the_hash() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.register("Anna", PASSWORD)
        await people.change_password(anna.id, PASSWORD, "another one")
        with pytest.raises(WrongLogin):
            await people.login_hashed("Anna", prehashed("Anna", PASSWORD))
        assert (await people.login_hashed("Anna", prehashed("Anna", "another one"))).id == anna.id

    with_people(story)


def test_wrong_hashes_and_wrong_passwords_are_counted_together() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.register("Anna", PASSWORD)
        for _ in range(2):
            with pytest.raises(WrongLogin):
                await people.login_hashed("Anna", prehashed("Anna", "guess"), FAR)
        with pytest.raises(WrongLogin):
            await people.login("Anna", "guess", FAR)
        with pytest.raises(TooManyTries):
            await people.login_hashed("Anna", prehashed("Anna", PASSWORD), FAR)
        with pytest.raises(TooManyTries):
            await people.login("Anna", PASSWORD, FAR)
        await people.login_hashed("Anna", prehashed("Anna", PASSWORD), FAR, people.issue(anna))

    with_people(story, replace(CHEAP, logins_per_name=FEW))


# Accounts from before


def with_old_account(story: object, time_cost: int = 1) -> None:
    async def run() -> None:
        store, clock = MemoryStore(), Clock()
        store.add(account_of_old("Anna", time_cost=time_cost))
        async with opened(store, clock) as people:
            await story(people, store)  # type: ignore[operator]

    asyncio.run(run())


@pytest.mark.parametrize("time_cost", [1, 3])
def test_an_account_from_before_logs_in_with_its_password_and_from_then_on_with_its_hash(
    time_cost: int,
) -> None:
    async def story(people: People, store: MemoryStore) -> None:
        anna = people.by_name("Anna")
        assert anna is not None
        token, hash = people.issue(anna), prehashed("Anna", PASSWORD)
        old = store.rows[anna.id].password
        for wrong in ("guess", hash):
            with pytest.raises(WrongLogin):
                await people.login("Anna", wrong)
        with pytest.raises(PasswordNeeded, match="with its password"):
            await people.login_hashed("Anna", hash)
        assert store.rows[anna.id].password == old
        assert (await people.login("anna", PASSWORD)).id == anna.id
        new = store.rows[anna.id].password
        assert kind_of(new or "") == "sha512$argon2id$v=19$m=8,t=1,p=1"
        assert (await people.login_hashed("Anna", hash)).id == anna.id
        assert (await people.login("Anna", PASSWORD)).id == anna.id
        assert store.rows[anna.id].password == new, "once is enough"
        assert people.by_token(token) is not None, "nobody was logged out by it"

    with_old_account(story, time_cost)


def test_an_account_from_before_changes_its_password_and_leaves_as_any_other() -> None:
    async def story(people: People, store: MemoryStore) -> None:
        anna = people.by_name("Anna")
        assert anna is not None
        await people.confirm(anna.id, PASSWORD)
        await people.change_password(anna.id, PASSWORD, "another one")
        await people.login_hashed("Anna", prehashed("Anna", "another one"))

    with_old_account(story)


def test_hashes_for_an_account_from_before_are_tries() -> None:
    async def run() -> None:
        store, clock = MemoryStore(), Clock()
        store.add(account_of_old("Anna"))
        async with opened(store, clock, replace(CHEAP, logins_per_address=FEW)) as people:
            for _ in range(3):
                with pytest.raises(PasswordNeeded):
                    await people.login_hashed("Anna", prehashed("Anna", PASSWORD), FAR)
            with pytest.raises(TooManyTries):
                await people.login_hashed("Anna", prehashed("Anna", PASSWORD), FAR)

    asyncio.run(run())


def test_of_a_name_that_nobody_has_a_hash_costs_what_it_costs_of_an_account(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    verified = kinds_verified(monkeypatch)
    names = [f"Nobody {number}" for number in range(30)]

    async def story(people: People, store: MemoryStore) -> None:
        await people.guest("Gast")
        for name in (*names, "Gast"):
            with pytest.raises(WrongLogin):
                await people.login_hashed(name, prehashed(name, PASSWORD))
        await people.register("Berta", PASSWORD)
        for name in ("Berta", *names, "Gast"):
            with pytest.raises(WrongLogin):
                await people.login_hashed(name, prehashed(name, "guess"))
        assert len(verified) == 63
        assert set(verified) == {"$argon2id$v=19$m=8,t=1,p=1"}, "not what an account from before costs"
        verified.clear()
        for name in names:
            with pytest.raises(WrongLogin):
                await people.login(name, "guess")
        assert len(set(verified)) == 2, "of whom the password is said may be either"

    with_old_account(story, time_cost=3)
