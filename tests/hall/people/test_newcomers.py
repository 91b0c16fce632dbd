"""A crowd of new clients, of which none waits long: each has an account before its slow hash is made."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest
from argon2 import PasswordHasher
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

from gamut.hall.names.person_names import NameTaken
from gamut.hall.people.passwords import Busy, Passwords, is_hashed
from gamut.hall.people.people import People
from gamut.hall.people.person import Person, PersonRow, TooManyGuests, WrongLogin
from gamut.hall.people.prehash import prehashed
from gamut.hall.store.storage import LedgerError

CROWD = 200


@contextmanager
def no_hash_is_made(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    held, slow = threading.Event(), PasswordHasher.hash

    def hash(self: PasswordHasher, password: bytes) -> str:
        assert held.wait(20)
        return slow(self, password)

    with monkeypatch.context() as patch:
        patch.setattr(PasswordHasher, "hash", hash)
        try:
            yield
        finally:
            held.set()


async def comes(people: People, name: str, password: str = PASSWORD, address: str | None = None) -> Person:
    return await people.register_hashed(name, prehashed(name, password), address=address, at_once=True)


async def returns(people: People, name: str, password: str = PASSWORD) -> Person:
    return await people.login_hashed(name, prehashed(name, password))


def passwords(store: MemoryStore) -> list[str]:
    return [row.password or "" for row in store.rows.values()]


def test_nobody_of_a_crowd_of_newcomers_waits_for_a_slow_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        store = MemoryStore()
        names = [f"Newcomer {number}" for number in range(CROWD)]
        async with opened(store, Clock()) as people:
            with no_hash_is_made(monkeypatch):
                crowd = await asyncio.gather(*(comes(people, name) for name in names))
                assert {row.id for row in store.rows.values()} == {person.id for person in crowd}
                assert not any(map(is_hashed, passwords(store)))
                assert [await returns(people, name) for name in names] == crowd
                assert await people.login(names[0], PASSWORD) == crowd[0], "on the page as well"
                await people.confirm(crowd[0].id, PASSWORD)
            await asyncio.wait(people._under_way)
            assert all(map(is_hashed, passwords(store)))
        async with opened(store, Clock()) as people:
            assert [await returns(people, name) for name in names[:5]] == crowd[:5]

    asyncio.run(story())


def test_nobody_else_comes_in_before_the_hash_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        verified = kinds_verified(monkeypatch)
        with no_hash_is_made(monkeypatch):
            await comes(people, "Ann")
            with pytest.raises(WrongLogin):
                await returns(people, "Ann", "a guess")
            with pytest.raises(WrongLogin):
                await people.login("Ann", "a guess")
            with pytest.raises(WrongLogin):
                await returns(people, "Nobody")
            with pytest.raises(NameTaken):
                await comes(people, "ann")
            assert len(set(verified)) == 1, (
                "a guess costs what it always does, and so does a name that nobody has"
            )
            assert len(verified) == 3

    with_people(story)


def test_a_newcomer_whose_hash_was_lost_with_the_server_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        store, disk = MemoryStore(), MemoryStore()
        async with opened(store, Clock()) as people:
            with no_hash_is_made(monkeypatch):
                ann = await comes(people, "Ann")
                disk.rows.update(store.rows)
        async with opened(disk, Clock()) as people:
            assert await returns(people, "Ann") == ann
            assert all(map(is_hashed, passwords(disk)))
            with pytest.raises(WrongLogin):
                await returns(people, "Ann", "another one")
        async with opened(disk, Clock()) as people:
            with pytest.raises(WrongLogin):
                await returns(people, "Ann", "another one")
            assert await people.login("Ann", PASSWORD) == ann

    asyncio.run(story())


def test_the_end_of_the_server_does_not_wait_for_all_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamut.hall.people.people._CLOSING_SECONDS", 0)
    names = [f"Newcomer {number}" for number in range(5)]

    async def story() -> None:
        store = MemoryStore()
        people = await People.open(store, replace(CHEAP, hashes_at_once=1), Clock())
        with no_hash_is_made(monkeypatch):
            crowd = [await comes(people, name) for name in names]
            closing = asyncio.ensure_future(people.close())
            await asyncio.wait(people._under_way, return_when=asyncio.FIRST_COMPLETED)
        await closing
        assert sum(map(is_hashed, passwords(store))) <= 1
        async with opened(store, Clock()) as people:
            assert [await returns(people, name) for name in names] == crowd

    asyncio.run(story())


def test_of_two_who_want_such_an_account_one_gets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        store, disk = MemoryStore(), MemoryStore()
        async with opened(store, Clock()) as people:
            with no_hash_is_made(monkeypatch):
                await comes(people, "Ann")
                disk.rows.update(store.rows)
        async with opened(disk, Clock()) as people:
            tried = await asyncio.gather(
                returns(people, "Ann", "the one"), returns(people, "Ann", "the other"), return_exceptions=True
            )
            assert {type(each) for each in tried} == {Person, WrongLogin}

    asyncio.run(story())


def test_a_flood_of_newcomers_is_bounded_and_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        with no_hash_is_made(monkeypatch):
            crowd = [asyncio.ensure_future(comes(people, f"Newcomer {number}")) for number in range(50)]
            await asyncio.wait(crowd[:12] + crowd[24:])
            assert not any(waiting.done() for waiting in crowd[12:24]), "as many wait for their turn"
            assert [type(refused.exception()) for refused in crowd[24:]] == [Busy] * 26
            assert len(store.rows) == 12
            assert people.refusals()["hashes_waiting"] == 26
            page = [
                asyncio.ensure_future(people.register(f"Page {number}", PASSWORD)) for number in range(12)
            ]
            await asyncio.sleep(0)
        assert len(await asyncio.gather(*page)) == 12, "who waits for a hash has as much room as ever"
        assert [type(person) for person in await asyncio.gather(*crowd[:24])] == [Person] * 24

    with_people(story, replace(CHEAP, hashes_at_once=2, hashes_waiting=10))


def test_one_address_has_an_eighth_of_the_room(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        with no_hash_is_made(monkeypatch):
            far = [await _came(people, f"Far {number}", "203.0.113.7") for number in range(20)]
            assert far == [True] * 10 + [False] * 10
            assert await _came(people, "Near", "198.51.100.4"), "others come in"

    with_people(story, replace(CHEAP, hashes_at_once=2, hashes_waiting=78))


def test_one_address_has_an_eighth_of_those_who_wait_for_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        with no_hash_is_made(monkeypatch):
            await asyncio.gather(*(comes(people, f"Newcomer {number}") for number in range(80)))
            far = [asyncio.ensure_future(_came(people, f"Far {n}", "203.0.113.7")) for n in range(20)]
            near = asyncio.ensure_future(_came(people, "Near", "198.51.100.4"))
            await asyncio.wait(far[10:])
            assert not any(waiting.done() for waiting in [*far[:10], near])
            far[0].cancel()
        assert await asyncio.gather(*far[1:], near) == [True] * 9 + [False] * 10 + [True], (
            "nobody is forgotten"
        )

    with_people(story, replace(CHEAP, hashes_at_once=2, hashes_waiting=78))


async def _came(people: People, name: str, address: str) -> bool:
    try:
        await comes(people, name, address=address)
    except Busy:
        return False
    return True


def test_who_waits_for_a_hash_goes_before_those_who_do_not() -> None:
    async def story() -> None:
        passwords = await asyncio.to_thread(Passwords, PasswordHasher(1, 8, 1), 1, 10)
        begun, held, done = threading.Event(), threading.Event(), list[str]()

        def first() -> None:
            begun.set()
            assert held.wait(20)

        working = [passwords._begin(first, None)]
        await asyncio.to_thread(begun.wait, 20)
        for name, nobody_waits in (("new", True), ("newer", True), ("waits", False), ("newest", True)):
            working.append(passwords._begin(partial(done.append, name), None, nobody_waits))
        held.set()
        await asyncio.gather(*working)
        assert done == ["waits", "new", "newer", "newest"]
        await passwords.close()

    asyncio.run(story())


def test_a_client_that_gives_up_all_the_same_finds_its_account(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(MemoryStore):
        held = threading.Event()

        def add(self, *rows: PersonRow) -> None:
            assert self.held.wait(20)
            super().add(*rows)

    async def story() -> None:
        store = Slow()
        async with opened(store, Clock()) as people:
            coming = asyncio.ensure_future(comes(people, "Ann"))
            await asyncio.sleep(0)
            coming.cancel()
            store.held.set()
            await asyncio.wait(people._under_way)
            assert (await returns(people, "Ann")).name == "Ann"
            if people._under_way:
                await asyncio.wait(people._under_way)
            assert all(map(is_hashed, passwords(store)))

    asyncio.run(story())


def test_a_crowd_is_stored_in_a_few_pieces() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        crowd = await asyncio.gather(*(comes(people, f"Newcomer {number}") for number in range(CROWD)))
        assert {row.id for row in store.rows.values()} == {person.id for person in crowd}
        assert len(store.added) < 5

    with_people(story)


def test_those_who_come_at_once_with_one_name_or_names_that_look_alike_are_told_apart() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        names = ["Bella", "Carl", "bella", "BeIIa", "Dora", "carl", "Emil"]
        tried = await asyncio.gather(*(comes(people, name) for name in names), return_exceptions=True)
        came = [name for name, each in zip(names, tried, strict=True) if isinstance(each, Person)]
        assert came == ["Bella", "Carl", "Dora", "Emil"]
        assert all(isinstance(each, Person | NameTaken) for each in tried)

    with_people(story)


def test_a_name_that_only_the_store_knows_is_refused_and_the_others_come_in() -> None:
    async def story() -> None:
        store, clock = MemoryStore(), Clock()
        async with opened(store, clock) as people:
            store.add(account_of_old("Carl"))
            names = ["Ann", "Bob", "Carl", "Dora"]
            tried = await asyncio.gather(*(people.guest(name) for name in names), return_exceptions=True)
            assert [type(each) for each in tried] == [Person, Person, NameTaken, Person]
            assert len(store.rows) == 4

    asyncio.run(story())


def test_of_guests_who_come_at_once_no_more_than_there_is_room_for_come_in() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        tried = await asyncio.gather(
            *(people.guest(f"Guest {number}") for number in range(9)), return_exceptions=True
        )
        assert [type(each) for each in tried] == [Person] * 5 + [TooManyGuests] * 4

    with_people(story, replace(CHEAP, guests_at_most=5))


@pytest.mark.faults
def test_what_could_not_be_stored_is_known_for_as_long_as_the_server_runs() -> None:
    class Forgetful(MemoryStore):
        def change(self, row: PersonRow) -> None:
            raise LedgerError("no room")

    async def story() -> None:
        store = Forgetful()
        async with opened(store, Clock()) as people:
            ann = await comes(people, "Ann")
            while people._under_way:
                await asyncio.wait(people._under_way)
            assert not any(map(is_hashed, passwords(store)))
            assert await returns(people, "Ann") == ann
            with pytest.raises(WrongLogin):
                await returns(people, "Ann", "a guess")

    asyncio.run(story())
