"""A wing that does not write people knows who they are: as they are stored, and as the main wing says."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from msgspec.structs import replace
from tests.hall.support.townsfolk import CHEAP, PASSWORD, Clock, MemoryStore, opened

from gamut.hall.ids import PersonId
from gamut.hall.names.person_names import NameOfABot, NameResembles, NameTaken, name_key
from gamut.hall.people.ahead import PeopleAhead
from gamut.hall.people.directory import Directory
from gamut.hall.people.known import KnownPeople, OnlyInTheMainWing
from gamut.hall.people.people import People
from gamut.hall.people.person import Person
from gamut.hall.store.storage import LedgerError

BOT = "Casual bot"


class Heard:
    """What doors are told of people."""

    def __init__(self, people: Directory) -> None:
        self.said: list[str] = []
        people.on_change.append(lambda person: self.said.append(f"{person.name} {person.guest}"))
        people.on_logout.append(lambda id: self.said.append(f"logged out {id}"))
        people.on_delete.append(lambda id: self.said.append(f"deleted {id}"))

    def read(self) -> list[str]:
        said, self.said = self.said, []
        return said


Story = Callable[[People, KnownPeople, MemoryStore], Coroutine[Any, Any, None]]


def told(story: Story) -> None:
    """Run a story in which nothing is said by the main wing, unless the story does."""

    async def run() -> None:
        store, clock = MemoryStore(), Clock()
        async with opened(store, clock) as people:
            await people.register("Ann", PASSWORD)
            await people.guest("Bob")
            await story(people, await KnownPeople.open(store, CHEAP, clock, [BOT]), store)

    asyncio.run(run())


def named(people: Directory, name: str) -> Person:
    person = people.by_name(name)
    assert person is not None
    return person


def test_everybody_who_is_stored_is_known_as_in_the_main_wing() -> None:
    async def story(people: People, known: KnownPeople, store: MemoryStore) -> None:
        assert len(known) == len(people) == 2
        for name in ("ann", "BOB"):
            person = named(people, name)
            assert known.by_name(name) == known.person(person.id) == person
            assert known.are_valid(person.credentials)
            assert known.by_token(people.issue(person)) == person
            assert people.by_token(known.issue(person)) is not None
        for name, error in (("Ann", NameTaken), ("\u0410nn", NameResembles), (BOT, NameOfABot)):
            with pytest.raises(error):
                known.check_unregistered(name)
        known.check_unregistered("Bob")

    told(story)


def test_no_hash_of_a_password_is_kept() -> None:
    async def story(people: People, known: KnownPeople, store: MemoryStore) -> None:
        rows = [known._index.row(id) for id in store.rows]
        assert {row.password for row in rows} == {"", None}

    told(story)


def test_nobody_comes_in_or_is_changed() -> None:
    async def story(people: People, known: KnownPeople, store: MemoryStore) -> None:
        for coming in (
            known.guest("Eve"),
            known.register("Eve", PASSWORD),
            known.register_hashed("Eve", "hash"),
            known.login("Ann", PASSWORD),
            known.login_hashed("Ann", "hash"),
        ):
            with pytest.raises(OnlyInTheMainWing):
                await coming
        known.saw(named(known, "Bob").id)

    told(story)


def test_what_the_main_wing_says_is_so_at_once_and_doors_hear_of_it() -> None:
    async def story(people: People, known: KnownPeople, store: MemoryStore) -> None:
        heard = Heard(known)
        bob = named(people, "Bob")
        known.changed(await people.rename(bob.id, "Rob"))
        assert known.by_name("Bob") is None
        assert heard.read() == ["Rob True"]
        known.changed(await people.register("Rob", PASSWORD, bob.id))
        assert heard.read() == [f"logged out {bob.id}", "Rob False"]
        assert not known.are_valid(bob.credentials)
        rob = named(people, "Rob")
        known.leaves(bob.id)
        assert heard.read() == [f"logged out {bob.id}"], "whoever is being deleted has the same epoch"
        assert not known.are_valid(rob.credentials)
        known.changed(rob)
        assert known.are_valid(rob.credentials), "they were not deleted"
        assert heard.read() == []
        known.leaves(bob.id)
        known.nobody_leaves()
        assert known.are_valid(rob.credentials), "nobody knows whether they still are"
        assert heard.read() == [f"logged out {bob.id}"]
        known.gone(bob.id)
        known.gone(bob.id)
        assert heard.read() == [f"deleted {bob.id}"]
        eve = await people.guest("Eve")
        known.changed(eve)
        assert known.person(eve.id) == eve
        assert heard.read() == [], "nobody has asked for somebody new"

    told(story)


def test_whoever_is_too_new_to_be_known_may_come_and_nobody_who_was_something_else_or_is_gone() -> None:
    async def story(people: People, known: KnownPeople, store: MemoryStore) -> None:
        bob, eve = named(people, "Bob"), await people.guest("Eve")
        assert known.may_come(bob.credentials)
        assert known.may_come(eve.credentials), "the main wing is yet to tell of them"
        account = await people.register("Bob", PASSWORD, bob.id)
        assert known.may_come(account.credentials)
        known.changed(account)
        assert not known.may_come(bob.credentials)
        known.changed(await people.rename_account(bob.id, "Rob", PASSWORD))
        assert not known.may_come(account.credentials)
        known.leaves(eve.id)
        assert not known.may_come(eve.credentials)
        known.gone(eve.id)
        assert not known.may_come(eve.credentials)

    told(story)


def test_what_was_said_of_an_older_epoch_is_passed_over() -> None:
    async def story(people: People, known: KnownPeople, store: MemoryStore) -> None:
        ann = named(people, "Ann")
        known.changed(await people.log_out_everywhere(ann.id))
        known.changed(ann)
        assert not known.are_valid(ann.credentials)

    told(story)


def test_reading_anew_finds_what_nobody_has_said() -> None:
    async def story(people: People, known: KnownPeople, store: MemoryStore) -> None:
        heard = Heard(known)
        ann, bob = named(people, "Ann"), named(people, "Bob")
        eve = await people.guest("Eve")
        await people.log_out_everywhere(ann.id)
        await people.delete(bob.id)
        await known.refresh()
        assert sorted(heard.read()) == sorted([f"logged out {ann.id}", f"deleted {bob.id}"])
        assert known.person(eve.id) == eve
        assert known.by_name("Bob") is None
        await known.refresh()
        assert heard.read() == []

    told(story)


def test_names_that_went_round_are_those_of_their_new_owners() -> None:
    async def story(people: People, known: KnownPeople, store: MemoryStore) -> None:
        heard = Heard(known)
        ann, bob = named(people, "Ann").id, named(people, "Bob").id
        for id, name in ((ann, "Bob"), (bob, "Ann")):
            store.rows[id] = replace(store.rows[id], name=name, name_key=name_key(name))
        await known.refresh()
        assert (named(known, "Bob").id, named(known, "Ann").id) == (ann, bob)
        assert sorted(heard.read()) == ["Ann True", "Bob False"], "nobody counts as new who was here before"

    told(story)


def test_what_is_said_while_everything_is_read_is_later_than_that() -> None:
    async def story(people: People, known: KnownPeople, store: MemoryStore) -> None:
        bob, ann = named(people, "Bob"), named(people, "Ann")
        before = await people.rename(bob.id, "Rob")
        reading = asyncio.Event(), asyncio.Event()

        async def slowly(call: Callable[..., Any], *args: Any) -> Any:
            found = call(*args)
            reading[0].set()
            await reading[1].wait()
            return found

        known._run_blocking = slowly
        doing = asyncio.ensure_future(known.refresh())
        await reading[0].wait()
        known.changed(replace(before, name="Robert"))
        known.gone(ann.id)
        reading[1].set()
        await doing
        assert known.by_name("Rob") is None
        assert named(known, "Robert").id == bob.id
        assert known.person(ann.id) is None

    told(story)


def test_reading_that_fails_changes_nothing() -> None:
    async def story(people: People, known: KnownPeople, store: MemoryStore) -> None:
        async def fails(*args: Any) -> Any:
            raise LedgerError("no store")

        works, known._run_blocking = known._run_blocking, fails
        with pytest.raises(LedgerError):
            await known.refresh()
        assert len(known) == 2
        known._run_blocking = works
        await people.delete(PersonId(named(people, "Bob").id))
        await known.refresh()
        assert len(known) == 1

    told(story)


def test_whom_a_standby_knew_already_is_not_read_once_more() -> None:
    class ReadsNobody(MemoryStore):
        def load(self) -> list[Any]:
            raise LedgerError("nobody is read")

    class AsTheyAre:
        def __init__(self, store: MemoryStore) -> None:
            self._store = store

        def checksums(self) -> dict[PersonId, int]:
            return {row.id: hash(row) for row in self._store.load()}

        def rows(self, people: Any) -> list[Any]:
            return [row for row in self._store.load() if row.id in people]

    async def story(people: People, known: KnownPeople, store: MemoryStore) -> None:
        ahead = PeopleAhead([BOT])
        ahead.catch_up(AsTheyAre(store))
        again = await KnownPeople.open(ReadsNobody(), CHEAP, Clock(), ahead=ahead)
        assert {named(again, name).id for name in ("Ann", "Bob")} == {
            named(people, n).id for n in ("Ann", "Bob")
        }
        assert len(again) == len(known)
        heard = Heard(again)
        ann = await people.log_out_everywhere(named(people, "Ann").id)
        again.changed(ann)
        assert heard.read() == [f"logged out {ann.id}"]

    told(story)
