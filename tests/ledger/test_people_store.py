import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace
from sqlalchemy import Engine, insert
from sqlalchemy.exc import IntegrityError
from tests.hall.support.townsfolk import PASSWORD, Clock, opened

from gamut.hall.ids import Millis, PersonId
from gamut.hall.names.person_names import NameTaken
from gamut.hall.people.people import PeopleStore, PersonRow
from gamut.hall.people.person import UnknownPerson
from gamut.ledger.people import SqlPeopleStore
from gamut.ledger.schema import meta

ANNA = PersonRow(
    id=PersonId("anna-id"),
    name="Anna",
    name_key="anna",
    password=None,
    created=Millis(1_700_000_000_000),
    last_seen=Millis(1_700_000_000_001),
    epoch=1,
)
BERTA = replace(ANNA, id=PersonId("berta-id"), name="Berta", name_key="berta", password="$argon2id$hash")


@pytest.fixture
def store(engine: Engine) -> PeopleStore:
    return SqlPeopleStore(engine)


def test_what_was_stored_is_loaded(store: PeopleStore) -> None:
    assert store.load() == []
    store.add(ANNA)
    store.add(BERTA)
    assert sorted(store.load(), key=lambda row: row.id) == [ANNA, BERTA]


def test_many_are_stored_at_once_or_if_a_name_is_taken_none(store: PeopleStore) -> None:
    store.add(ANNA, BERTA)
    carl = replace(ANNA, id=PersonId("carl-id"), name="Carl", name_key="carl")
    with pytest.raises(NameTaken):
        store.add(carl, replace(BERTA, id=PersonId("other-id")))
    assert sorted(store.load(), key=lambda row: row.id) == [ANNA, BERTA]


def test_a_name_is_stored_once(store: PeopleStore) -> None:
    store.add(ANNA)
    store.add(BERTA)
    with pytest.raises(NameTaken):
        store.add(replace(BERTA, id=PersonId("other-id")))
    with pytest.raises(NameTaken):
        store.change(replace(ANNA, name="BERTA", name_key="berta"))
    assert sorted(store.load(), key=lambda row: row.id) == [ANNA, BERTA]


def test_a_clash_of_ids_is_no_taken_name(store: PeopleStore) -> None:
    store.add(ANNA)
    with pytest.raises(IntegrityError):
        store.add(replace(ANNA, name="Other", name_key="other"))


def test_a_change_is_stored(store: PeopleStore) -> None:
    store.add(ANNA)
    registered = replace(
        ANNA, name="ANNA", password="$argon2id$hash", epoch=2, last_seen=Millis(ANNA.last_seen + 5)
    )
    store.change(registered)
    assert store.load() == [registered]


def test_someone_who_is_gone_cannot_be_changed(store: PeopleStore) -> None:
    store.add(ANNA)
    store.delete(ANNA.id)
    store.delete(ANNA.id)
    with pytest.raises(UnknownPerson):
        store.change(ANNA)
    assert store.load() == []


def test_when_people_were_seen_only_moves_forward(store: PeopleStore) -> None:
    store.add(ANNA)
    store.add(BERTA)
    store.saw({})
    store.saw(
        {
            ANNA.id: Millis(ANNA.last_seen + 7),
            BERTA.id: Millis(BERTA.last_seen - 7),
            PersonId("nobody"): Millis(1),
        }
    )
    assert {row.id: row.last_seen for row in store.load()} == {
        ANNA.id: ANNA.last_seen + 7,
        BERTA.id: BERTA.last_seen,
    }


def test_only_guests_expire_and_only_those_unseen(store: PeopleStore) -> None:
    late = replace(
        ANNA, id=PersonId("late-id"), name="Late", name_key="late", last_seen=Millis(ANNA.last_seen + 1)
    )
    for row in (ANNA, BERTA, late):
        store.add(row)
    assert store.expire_guests(ANNA.last_seen) == []
    assert store.expire_guests(Millis(ANNA.last_seen + 1)) == [ANNA.id]
    assert sorted(store.load(), key=lambda row: row.id) == [BERTA, late]


def test_the_secret_is_made_once_and_is_long(engine: Engine) -> None:
    secret = SqlPeopleStore(engine).secret()
    assert len(bytes.fromhex(secret)) == 32
    assert SqlPeopleStore(engine).secret() == secret


def test_nodes_that_start_at_once_agree_on_the_secret(engine: Engine) -> None:
    with ThreadPoolExecutor(8) as threads:
        secrets = set(threads.map(lambda _: SqlPeopleStore(engine).secret(), range(16)))
    assert len(secrets) == 1


def test_a_secret_that_was_set_by_hand_is_used(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(insert(meta).values(key="session_secret", value="by hand"))
    assert SqlPeopleStore(engine).secret() == "by hand"


def test_the_hash_does_not_show_in_the_error_of_a_taken_name(store: PeopleStore) -> None:
    store.add(ANNA)
    with pytest.raises(NameTaken) as refused:
        store.add(replace(BERTA, name_key="anna"))
    assert refused.value.__suppress_context__
    assert "argon2" not in str(refused.value)


def test_people_live_through_a_restart_with_the_real_store(store: PeopleStore) -> None:
    async def run() -> None:
        clock = Clock()
        async with opened(store, clock) as people:
            guest = await people.guest("Änne \U0001f600")
            token = people.issue(guest)
            account = await people.register("Berta", PASSWORD)
            clock.forward(120_000)
            people.saw(guest.id)
        async with opened(store, clock) as people:
            found = people.by_token(token)
            assert found is not None
            assert found.name == "Änne \U0001f600"
            assert found.last_seen == clock.time
            assert (await people.login("berta", PASSWORD)).id == account.id
            with pytest.raises(NameTaken):
                await people.guest("änne \U0001f600")
            await people.delete(guest.id)
            assert len(store.load()) == 1

    asyncio.run(run())
