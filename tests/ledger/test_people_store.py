import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace
from sqlalchemy.exc import IntegrityError
from tests.hall.support.townsfolk import PASSWORD, Clock, opened
from tests.ledger.support.people import ANNA, BERTA
from tests.ledger.support.stores import StoreUnderTest, spoil

from gamut.hall.ids import Millis, PersonId
from gamut.hall.names.person_names import NameTaken
from gamut.hall.people.people import PeopleStore
from gamut.hall.people.person import UnknownPerson
from gamut.hall.store.storage import LedgerError


def test_what_was_stored_is_loaded(people: PeopleStore) -> None:
    assert people.load() == []
    people.add(ANNA)
    people.add(BERTA)
    assert sorted(people.load(), key=lambda row: row.id) == [ANNA, BERTA]


def test_many_are_stored_at_once_or_if_a_name_is_taken_none(people: PeopleStore) -> None:
    people.add(ANNA, BERTA)
    carl = replace(ANNA, id=PersonId("carl-id"), name="Carl", name_key="carl")
    with pytest.raises(NameTaken):
        people.add(carl, replace(BERTA, id=PersonId("other-id")))
    assert sorted(people.load(), key=lambda row: row.id) == [ANNA, BERTA]


def test_a_name_is_stored_once(people: PeopleStore) -> None:
    people.add(ANNA)
    people.add(BERTA)
    with pytest.raises(NameTaken):
        people.add(replace(BERTA, id=PersonId("other-id")))
    with pytest.raises(NameTaken):
        people.change(replace(ANNA, name="BERTA", name_key="berta"))
    assert sorted(people.load(), key=lambda row: row.id) == [ANNA, BERTA]


def test_a_clash_of_ids_is_no_taken_name(people: PeopleStore) -> None:
    people.add(ANNA)
    with pytest.raises((IntegrityError, LedgerError)):
        people.add(replace(ANNA, name="Other", name_key="other"))


def test_a_change_is_stored(people: PeopleStore) -> None:
    people.add(ANNA)
    registered = replace(
        ANNA, name="ANNA", password="$argon2id$hash", epoch=2, last_seen=Millis(ANNA.last_seen + 5)
    )
    people.change(registered)
    assert people.load() == [registered]


def test_someone_who_is_gone_cannot_be_changed(people: PeopleStore) -> None:
    people.add(ANNA)
    people.delete(ANNA.id)
    people.delete(ANNA.id)
    with pytest.raises(UnknownPerson):
        people.change(ANNA)
    assert people.load() == []


def test_when_people_were_seen_only_moves_forward(people: PeopleStore) -> None:
    people.add(ANNA)
    people.add(BERTA)
    people.saw({})
    people.saw(
        {
            ANNA.id: Millis(ANNA.last_seen + 7),
            BERTA.id: Millis(BERTA.last_seen - 7),
            PersonId("nobody"): Millis(1),
        }
    )
    assert {row.id: row.last_seen for row in people.load()} == {
        ANNA.id: ANNA.last_seen + 7,
        BERTA.id: BERTA.last_seen,
    }


def test_only_guests_expire_and_only_those_unseen(people: PeopleStore) -> None:
    late = replace(
        ANNA, id=PersonId("late-id"), name="Late", name_key="late", last_seen=Millis(ANNA.last_seen + 1)
    )
    for row in (ANNA, BERTA, late):
        people.add(row)
    assert people.expire_guests(ANNA.last_seen) == []
    assert people.expire_guests(Millis(ANNA.last_seen + 1)) == [ANNA.id]
    assert sorted(people.load(), key=lambda row: row.id) == [BERTA, late]


def test_the_secret_is_made_once_and_is_long(store: StoreUnderTest) -> None:
    secret = store.people.secret()
    assert len(bytes.fromhex(secret)) == 32
    store.reopen()
    assert store.people.secret() == secret


def test_nodes_that_start_at_once_agree_on_the_secret(people: PeopleStore) -> None:
    with ThreadPoolExecutor(8) as threads:
        secrets = set(threads.map(lambda _: people.secret(), range(16)))
    assert len(secrets) == 1


def test_a_secret_that_was_set_by_hand_is_used(store: StoreUnderTest) -> None:
    spoil(store, "INSERT INTO meta (key, value) VALUES ('session_secret', 'by hand')")
    assert store.people.secret() == "by hand"


def test_the_hash_does_not_show_in_the_error_of_a_taken_name(people: PeopleStore) -> None:
    people.add(ANNA)
    with pytest.raises(NameTaken) as refused:
        people.add(replace(BERTA, name_key="anna"))
    assert refused.value.__suppress_context__
    assert "argon2" not in str(refused.value)


def test_people_live_through_a_restart_with_the_real_store(people: PeopleStore) -> None:
    async def run() -> None:
        clock = Clock()
        async with opened(people, clock) as town:
            guest = await town.guest("Änne \U0001f600")
            token = town.issue(guest)
            account = await town.register("Berta", PASSWORD)
            clock.forward(120_000)
            town.saw(guest.id)
        async with opened(people, clock) as town:
            found = town.by_token(token)
            assert found is not None
            assert found.name == "Änne \U0001f600"
            assert found.last_seen == clock.time
            assert (await town.login("berta", PASSWORD)).id == account.id
            with pytest.raises(NameTaken):
                await town.guest("änne \U0001f600")
            await town.delete(guest.id)
            assert len(people.load()) == 1

    asyncio.run(run())
