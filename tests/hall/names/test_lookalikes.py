# ruff: noqa: RUF001 - letters that look alike are what this is about
"""Accounts do not look like one another, and guests do not look like accounts."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hall.support.townsfolk import PASSWORD, Clock, MemoryStore, opened, with_people

from gamut.hall.ids import Millis, PersonId
from gamut.hall.names.lookalikes import looks, skeleton
from gamut.hall.names.person_names import NameRefused, NameResembles, NameTaken, clean_name, name_key
from gamut.hall.people.people import People, PersonRow

CYRILLIC_ANNA = "\u0410nn\u0430"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna", CYRILLIC_ANNA),
        ("anna", CYRILLIC_ANNA.upper()),
        ("Iris", "lris"),
        ("IRIS", "iri\u0455"),
        ("LISA", "l\u0456sa"),
        ("Bob", "B0b"),
        ("modern", "modem"),
        ("Paul 1", "Paul l"),
        ("O'Brien", "O\u2019Brien"),
        ("Anna", "An'na"),
        ("Anna", "<Anna>"),
        ("(Anna)", "<Anna>"),
        ("A/krcr", "A|krcr"),
        ("a/I", "A|L"),
        ("Anna", "' Anna"),
        ("Anna Lisa", "Anna & Lisa"),
        ("Al", "A|"),
        ("Zo\u00eb", "Zo\u0435\u0308"),
        ("\u039a\u03bf\u03bd", "Kov"),
        ("H\u0391NS", "Hans"),
    ],
)
def test_these_look_alike(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)
    assert looks(one) & looks(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Anna", "Anne"), ("Anna", "Ánna"), ("Ann", "Ann 2"), ("Ольга", "Olga"), ("Paul", "Раиl")],
)
def test_these_do_not(one: str, other: str) -> None:
    assert not looks(one) & looks(other)


@given(st.text(st.characters(exclude_categories=[]), max_size=40))
def test_every_text_has_a_look_and_other_capitals_do_not_change_it(text: str) -> None:
    assert looks(text)
    if text.isascii():
        assert looks(text) & looks(text.upper()) & looks(text.lower())


@given(st.text("aAbImМмаАeеЕ01lOоО '|", min_size=1, max_size=8))
def test_plain_text_and_all_other_text_are_compared_by_the_same_rule(text: str) -> None:
    assert skeleton(f"{text} \u6f22") == f"{skeleton(text)} \u6f22".strip()


@pytest.mark.parametrize(
    "name", ["\u0430dmin", "n0ne", "S\u0443stem", "\u0455erver", "|admin|", "Gаmut", "nu||"]
)
def test_nobody_looks_like_the_server(name: str) -> None:
    with pytest.raises(NameRefused):
        clean_name(name)


def test_a_new_account_or_guest_does_not_look_like_an_account() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        await people.register("Anna", PASSWORD)
        guest = await people.guest("Berta")
        for wish in (
            people.register(CYRILLIC_ANNA, PASSWORD),
            people.register(CYRILLIC_ANNA, PASSWORD, guest.id),
            people.guest(CYRILLIC_ANNA),
            people.rename(guest.id, CYRILLIC_ANNA),
        ):
            with pytest.raises(NameResembles) as refused:
                await wish
            assert refused.value.code == "name_taken"
            assert "looks too much like" in refused.value.reason
        assert len(people) == 2
        assert people.person(guest.id) == guest

    with_people(story)


def test_guests_are_compared_with_accounts_only() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        await people.guest("Anna")
        await people.guest(CYRILLIC_ANNA)
        await people.register("\u0410nna", PASSWORD)

    with_people(story)


def test_of_two_registrations_of_look_alikes_at_the_same_moment_one_wins() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        guest = await people.guest("Berta")
        answers = await asyncio.gather(
            people.register("Anna", PASSWORD),
            people.register(CYRILLIC_ANNA, PASSWORD),
            people.register("\u0410nna", PASSWORD, guest.id),
            return_exceptions=True,
        )
        assert sum(isinstance(answer, NameResembles) for answer in answers) == 2
        assert sum(row.password is not None for row in store.rows.values()) == 1

    with_people(story)


def test_whoever_came_before_stays_and_the_look_is_free_when_the_last_is_gone() -> None:
    def account(id: str, name: str) -> PersonRow:
        return PersonRow(
            id=PersonId(id),
            name=name,
            name_key=name_key(name),
            password="$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$aGFzaA",
            created=Millis(1),
            last_seen=Millis(1),
            epoch=1,
        )

    async def run() -> None:
        store = MemoryStore()
        for row in (account("one", "Anna"), account("two", CYRILLIC_ANNA)):
            store.rows[row.id] = row
        async with opened(store, Clock()) as people:
            assert len(people) == 2
            for id in ("one", "two"):
                with pytest.raises(NameTaken):
                    await people.guest("Ann\u0430")
                await people.delete(PersonId(id))
            await people.guest("Ann\u0430")

    asyncio.run(run())


def test_a_name_with_a_number_does_not_look_like_an_account_either() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        await people.register("Anna", PASSWORD)
        for number in "23456789":
            await people.register(f"{CYRILLIC_ANNA} {number}", PASSWORD)
        guest = await people.guest(CYRILLIC_ANNA, numbered=True)
        assert guest.name.startswith(f"{CYRILLIC_ANNA} ")
        assert int(guest.name.rpartition(" ")[2]) > 9

    with_people(story)


def test_somebody_whom_only_a_door_knows_may_have_any_name_but_an_accounts() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        await people.register("Anna", PASSWORD)
        await people.guest("Berta")
        for name in ("Berta", "B\u0435rta", "Carl"):
            people.check_unregistered(name)
        for name in ("Anna", "ANNA", CYRILLIC_ANNA, "An'na"):
            with pytest.raises(NameTaken):
                people.check_unregistered(name)

    with_people(story)
