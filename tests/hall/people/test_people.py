import asyncio
import re
import threading
from collections.abc import AsyncIterator

import msgspec
import pytest
from msgspec.structs import replace
from tests.hall.support.townsfolk import CHEAP, PASSWORD, Clock, MemoryStore, opened, with_people

from gamut.games.game import Refused
from gamut.hall.ids import Millis, PersonId
from gamut.hall.limits.attempts import Limit, TooManyTries
from gamut.hall.names.person_names import NameRefused, NameTaken
from gamut.hall.people.passwords import PasswordRefused
from gamut.hall.people.people import DAY, People, PersonRow
from gamut.hall.people.person import (
    AccountsOnly,
    GuestsOnly,
    NotStored,
    PasswordNeeded,
    TooManyGuests,
    UnknownPerson,
    WrongLogin,
    WrongPassword,
)
from gamut.hall.people.prehash import BadHash
from gamut.hall.people.roll import PeopleIndex
from gamut.hall.store.storage import LedgerError

AWAY = Millis(30 * DAY + 1)
FAR = "203.0.113.7"


def test_a_guest_plays_with_just_a_name() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.guest("  Anna ")
        assert anna.guest
        assert anna.name == "Anna"
        assert anna.created == anna.last_seen == clock.time
        assert people.person(anna.id) == people.by_name("ANNA") == anna
        assert store.rows[anna.id].password is None

    with_people(story)


def test_a_name_belongs_to_one_person_whether_guest_or_account() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        await people.guest("Anna")
        await people.register("Bob", PASSWORD)
        for name in ("ANNA", "\uff21nna", "bob"):
            with pytest.raises(NameTaken):
                await people.guest(name)
            with pytest.raises(NameTaken):
                await people.register(name, PASSWORD)

    with_people(story)


def test_of_many_who_want_a_name_at_once_one_gets_it() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        wishes = [people.guest("Anna") for _ in range(10)] + [
            people.register("anna", PASSWORD) for _ in range(5)
        ]
        answers = await asyncio.gather(*wishes, return_exceptions=True)
        assert sum(isinstance(answer, NameTaken) for answer in answers) == 14
        assert len(people) == 1

    with_people(story)


def test_a_guest_who_registers_stays_the_same_person() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        heard: list[str] = []
        people.on_change.append(lambda person: heard.append(f"{person.name} {person.guest}"))
        guest = await people.guest("Anna")
        token = people.issue(guest)
        anna = await people.register("anna", PASSWORD, guest.id)
        assert anna.id == guest.id
        assert not anna.guest
        assert anna.name == "anna"
        assert heard == ["anna False"]
        assert people.by_token(token) is None, "whoever else has the guest's token stays out of the account"
        assert people.by_token(people.issue(anna)) == anna
        assert (await people.login("Anna", PASSWORD)).id == guest.id

    with_people(story)


def test_a_guest_may_register_with_another_name_and_the_old_one_is_free() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        guest = await people.guest("Anna")
        await people.register("Berta", PASSWORD, guest.id)
        assert (await people.guest("Anna")).id != guest.id

    with_people(story)


def test_only_a_guest_who_is_there_can_become_an_account() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.register("Anna", PASSWORD)
        with pytest.raises(GuestsOnly):
            await people.register("Berta", PASSWORD, anna.id)
        with pytest.raises(UnknownPerson):
            await people.register("Berta", PASSWORD, PersonId("nobody"))

    with_people(story)


def test_a_guest_can_take_another_name_and_keeps_the_session() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        heard: list[str] = []
        people.on_change.append(lambda person: heard.append(person.name))
        guest = await people.guest("Anna")
        await people.guest("Carl")
        token = people.issue(guest)
        assert (await people.rename(guest.id, "Berta")).id == guest.id
        assert people.by_token(token) == people.by_name("berta")
        with pytest.raises(NameTaken):
            await people.rename(guest.id, "carl")
        await people.guest("Anna")
        await people.register("Dora", PASSWORD, guest.id)
        with pytest.raises(GuestsOnly):
            await people.rename(guest.id, "Emil")
        assert heard == ["Berta", "Dora"]

    with_people(story)


def test_bad_names_and_passwords_are_refused() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        with pytest.raises(NameRefused):
            await people.guest("<none>")
        with pytest.raises(NameRefused):
            await people.register("\u202e", PASSWORD)
        for password in ("", "7 chars", "x" * 257):
            with pytest.raises(PasswordRefused):
                await people.register("Anna", password)
        await people.register("Anna", "x" * 256)
        await people.register("Berta", "8 chars!")

    with_people(story)


def test_a_full_server_takes_no_more_guests_but_still_accounts() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        guest = await people.guest("Anna")
        with pytest.raises(TooManyGuests):
            await people.guest("Berta")
        await people.register("Berta", PASSWORD)
        await people.register("Anna", PASSWORD, guest.id)
        await people.guest("Carl")

    with_people(story, replace(CHEAP, guests_at_most=1))


def test_deleting_someone_frees_the_name_and_voids_the_sessions() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        gone: list[PersonId] = []
        people.on_delete.append(gone.append)
        anna = await people.register("Anna", PASSWORD)
        token = people.issue(anna)
        await people.delete(anna.id)
        assert gone == [anna.id]
        assert people.person(anna.id) is None
        assert people.by_token(token) is None
        assert store.rows == {}
        with pytest.raises(UnknownPerson):
            await people.delete(anna.id)
        again = await people.guest("Anna")
        assert again.id != anna.id
        assert people.by_token(token) is None

    with_people(story)


def test_a_guest_who_stays_away_is_let_go_and_the_name_is_free() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        gone: list[PersonId] = []
        people.on_delete.append(gone.append)
        away, here = await people.guest("Away"), await people.guest("Here")
        account = await people.register("Account", PASSWORD)
        token = people.issue(here)
        clock.forward(20 * DAY)
        assert people.by_token(token) is not None
        clock.forward(AWAY - 20 * DAY)
        await people.tend()
        assert gone == [away.id]
        assert people.person(here.id) is not None
        assert people.person(account.id) is not None
        await people.guest("Away")

    with_people(story)


def test_the_name_of_a_guest_who_stayed_away_is_free_even_before_anyone_tidies_up() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        away = await people.guest("Anna")
        token = people.issue(away)
        clock.forward(AWAY)
        anna = await people.register("Anna", PASSWORD)
        assert anna.id != away.id
        assert people.person(away.id) is None
        assert people.by_token(token) is None

    with_people(story, replace(CHEAP, session_life=Millis(100 * DAY)))


def test_a_guest_who_is_gone_cannot_come_back_by_being_seen() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        away = await people.guest("Anna")
        clock.forward(AWAY)
        assert people.by_token(people.issue(away)) is None
        people.saw(away.id)
        await people.tend()
        assert people.person(away.id) is None

    with_people(story, replace(CHEAP, session_life=Millis(100 * DAY)))


def test_when_someone_was_seen_is_written_down_in_time_and_at_the_end() -> None:
    async def run() -> None:
        store, clock = MemoryStore(), Clock()
        async with opened(store, clock) as people:
            anna = await people.guest("Anna")
            clock.forward(59_999)
            people.saw(anna.id)
            assert people.person(anna.id) == anna
            clock.forward(1)
            people.saw(anna.id)
            assert store.rows[anna.id].last_seen == anna.last_seen
            await people.tend()
            assert store.rows[anna.id].last_seen == clock.time
            clock.forward(60_000)
            people.saw(anna.id)
        assert store.rows[anna.id].last_seen == clock.time

    asyncio.run(run())


def test_everybody_is_still_there_after_a_restart() -> None:
    async def run() -> None:
        store, clock = MemoryStore(), Clock()
        async with opened(store, clock) as people:
            anna, berta = await people.guest("Anna"), await people.register("Berta", PASSWORD)
            token = people.issue(anna)
        async with opened(store, clock) as people:
            assert people.by_token(token) == anna
            assert await people.login("Berta", PASSWORD) == berta
            with pytest.raises(NameTaken):
                await people.guest("anna")

    asyncio.run(run())


def test_a_name_that_another_node_gave_away_is_taken() -> None:
    async def run() -> None:
        store, clock = MemoryStore(), Clock()
        async with opened(store, clock) as one, opened(store, clock) as other:
            await one.guest("Anna")
            with pytest.raises(NameTaken):
                await other.guest("anna")
            assert other.by_name("anna") is None

    asyncio.run(run())


def test_the_export_has_everything_but_the_hash() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        async def games(id: PersonId) -> AsyncIterator[bytes]:
            yield msgspec.json.encode({"played by": id})

        async def chat(id: PersonId) -> AsyncIterator[bytes]:
            for piece in (b'["said ', f'by {id}"]'.encode()):
                yield piece

        people.exporters["games"] = games
        people.exporters["chat"] = chat
        anna = await people.register("Anna", PASSWORD)
        document = msgspec.json.decode(b"".join([piece async for piece in people.export(anna.id)]))
        assert document == {
            "profile": {
                "id": anna.id,
                "name": "Anna",
                "name_key": "anna",
                "guest": False,
                "has_password": True,
                "created": "2023-11-14T22:13:20.000+00:00",
                "seen": "2023-11-14T22:13:20.000+00:00",
                "epoch": 1,
            },
            "games": {"played by": anna.id},
            "chat": [f"said by {anna.id}"],
        }
        assert "argon2" not in str(document)
        with pytest.raises(UnknownPerson):
            await anext(people.export(PersonId("nobody")))


def test_exports_are_not_asked_for_without_end() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna, bert = await people.guest("Anna"), await people.guest("Bert")
        for _ in range(people.settings.exports_per_person.tries):
            people.may_export(anna.id)
        with pytest.raises(TooManyTries):
            people.may_export(anna.id)
        people.may_export(bert.id)

    with_people(story)


class SlowStore(MemoryStore):
    """Stores only when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = threading.Event()

    def add(self, *rows: PersonRow) -> None:
        assert self.go_on.wait(10)
        super().add(*rows)


def test_a_change_is_finished_even_if_who_asked_for_it_goes_away() -> None:
    async def run() -> None:
        store, clock = SlowStore(), Clock()
        async with opened(store, clock) as people:
            wish = asyncio.ensure_future(people.guest("Anna"))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            wish.cancel()
            with pytest.raises(asyncio.CancelledError):
                await wish
            store.go_on.set()
        assert len(store.rows) == 1
        assert people.by_name("Anna") is not None

    asyncio.run(run())


def test_whoever_is_seen_while_a_change_is_being_stored_was_seen() -> None:
    row = PersonRow(
        id=PersonId("id"),
        name="A",
        name_key="a",
        password=None,
        created=Millis(1),
        last_seen=Millis(1),
        epoch=1,
    )
    index = PeopleIndex([row])
    index.saw(row.id, Millis(5))
    index.keep(replace(row, name="B", name_key="b"))
    assert index.row(row.id).last_seen == 5
    assert index.named("a") is None
    assert index.named("b") == index.row(row.id)
    assert index.guests == 1


class BrokenStore(MemoryStore):
    def add(self, *rows: PersonRow) -> None:
        raise OSError("disk full")


def test_what_could_not_be_stored_did_not_happen() -> None:
    async def run() -> None:
        async with opened(BrokenStore(), Clock()) as people:
            with pytest.raises(OSError, match="disk full"):
                await people.guest("Anna")
            assert people.by_name("Anna") is None
            assert len(people) == 0

    asyncio.run(run())


def test_every_refusal_has_a_code_and_a_sentence() -> None:
    for refused in (
        WrongLogin(),
        WrongPassword(),
        UnknownPerson(),
        GuestsOnly(),
        AccountsOnly(),
        TooManyGuests(),
        PasswordNeeded(),
        BadHash(),
    ):
        assert isinstance(refused, Refused)
        assert refused.code.isidentifier()
        assert refused.reason.endswith(".")


def test_a_name_that_nobody_chose_gets_a_number_where_it_is_taken() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        first = await people.guest("Amber Fox", numbered=True)
        assert first.name == "Amber Fox"
        others = await asyncio.gather(*(people.guest("amber fox", numbered=True) for _ in range(40)))
        names = [person.name for person in others]
        assert all(re.fullmatch(r"amber fox \d+", name) for name in names)
        assert len(set(names)) == len(names)
        with pytest.raises(NameTaken):
            await people.guest("Amber Fox")

    with_people(story)


def test_a_name_that_nobody_chose_is_shortened_where_the_number_needs_room() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        name = "x" * 32
        await people.guest(name)
        for _ in range(20):
            guest = await people.guest(name, numbered=True)
            assert re.fullmatch(r"x{2,30} \d+", guest.name)
            assert len(guest.name) <= 32

    with_people(story)


def test_a_number_is_found_in_a_few_tries_however_many_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        for number in range(1, 1002):
            await people.guest("Ann" if number == 1 else f"Ann {number}")
        asked: list[str] = []
        check = people._changes.check_free

        def counting(name: str, owner: PersonId | None) -> None:
            asked.append(name)
            check(name, owner)

        monkeypatch.setattr(people._changes, "check_free", counting)
        for _ in range(20):
            await people.guest("Ann", numbered=True)
        assert len(asked) < 20 * 20

    with_people(story)


def test_more_guests_than_there_is_room_for_do_not_slip_in_together() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        answers = await asyncio.gather(
            *(people.guest(f"Guest {number}") for number in range(10)), return_exceptions=True
        )
        assert sum(isinstance(answer, TooManyGuests) for answer in answers) == 7
        assert len(people) == 3

    with_people(story, replace(CHEAP, guests_at_most=3))


# Sessions end with what they were for


def test_registering_ends_the_guests_sessions_and_a_new_name_does_not() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        heard: list[PersonId] = []
        people.on_logout.append(heard.append)
        guest = await people.guest("Anna")
        await people.rename(guest.id, "Berta")
        assert heard == []
        await people.register("Berta", PASSWORD, guest.id)
        assert heard == [guest.id]
        await people.change_password(guest.id, PASSWORD, "another one")
        assert heard == [guest.id] * 2
        await people.register("Carl", PASSWORD)
        assert heard == [guest.id] * 2

    with_people(story)


class Eraser:
    """Takes as long as it is told to."""

    def __init__(self) -> None:
        self.began, self.go_on = asyncio.Event(), asyncio.Event()

    async def __call__(self, id: PersonId) -> None:
        self.began.set()
        await self.go_on.wait()


def test_who_is_being_deleted_is_out_before_the_first_thing_is_erased() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        order: list[str] = []
        eraser = Eraser()
        people.on_logout.append(lambda id: order.append("logged out"))
        people.erasers.append(eraser)
        anna = await people.register("Anna", PASSWORD)
        token = people.issue(anna)
        leaving = asyncio.ensure_future(people.delete(anna.id))
        await eraser.began.wait()
        assert order == ["logged out"]
        assert people.by_token(token) is None
        assert people.renewal(token) is None
        assert not people.are_valid(anna.credentials)
        with pytest.raises(WrongLogin):
            await people.login("Anna", PASSWORD)
        for wish in (people.delete(anna.id), people.change_password(anna.id, PASSWORD, "another one")):
            with pytest.raises(UnknownPerson):
                await wish
        with pytest.raises(NameTaken):
            await people.guest("Anna")
        eraser.go_on.set()
        await leaving
        assert people.person(anna.id) is None

    with_people(story)


def test_if_erasing_fails_they_can_come_in_and_try_again() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        async def broken(id: PersonId) -> None:
            raise OSError("disk full")

        people.erasers.append(broken)
        anna = await people.register("Anna", PASSWORD)
        with pytest.raises(OSError, match="disk full"):
            await people.delete(anna.id)
        people.erasers.clear()
        assert people.by_token(people.issue(anna)) is not None
        assert people.are_valid(anna.credentials)
        await people.delete(anna.id)

    with_people(story)


def test_a_guest_who_is_being_deleted_becomes_no_account() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        eraser = Eraser()
        people.erasers.append(eraser)
        guest = await people.guest("Anna")
        registering = asyncio.ensure_future(people.register("Anna", PASSWORD, guest.id))
        await asyncio.sleep(0)
        leaving = asyncio.ensure_future(people.delete(guest.id))
        await eraser.began.wait()
        with pytest.raises(UnknownPerson):
            await registering
        with pytest.raises(UnknownPerson):
            await people.rename(guest.id, "Berta")
        eraser.go_on.set()
        await leaving
        assert store.rows == {}

    with_people(story)


def test_of_two_registrations_of_one_guest_at_once_one_wins() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        guest = await people.guest("Anna")
        answers = await asyncio.gather(
            people.register("Anna", PASSWORD, guest.id),
            people.register("Berta", "another one", guest.id),
            return_exceptions=True,
        )
        assert sum(isinstance(answer, GuestsOnly) for answer in answers) == 1
        assert len(store.rows) == 1

    with_people(story)


def test_an_account_s_new_name_is_stored_before_it_is_told_and_not_told_if_it_is_not() -> None:
    async def run() -> None:
        store, clock = MemoryStore(), Clock()
        told: list[str] = []
        async with opened(store, clock) as people:
            anna = await people.register("Anna", PASSWORD)
            people.on_change.append(lambda person: told.append(store.rows[person.id].name))
            people.on_change.append(lambda person: told.append(person.name))

            def fails(row: PersonRow) -> None:
                raise LedgerError("database is locked")

            works, store.change = store.change, fails  # type: ignore[method-assign]
            with pytest.raises(NotStored):
                await people.rename_account(anna.id, "Berta", PASSWORD)
            assert not told
            assert await people.login("Anna", PASSWORD) == anna
            store.change = works  # type: ignore[method-assign]
            berta = await people.rename_account(anna.id, "Berta", PASSWORD)
            assert told == ["Berta", "Berta"]
        async with opened(store, clock) as people:
            assert await people.login("Berta", PASSWORD) == berta
            with pytest.raises(WrongLogin):
                await people.login("Anna", PASSWORD)

    asyncio.run(run())


def test_of_two_accounts_that_want_a_name_at_once_one_gets_it() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        two = [await people.register(name, PASSWORD) for name in ("Anna", "Berta")]
        answers = await asyncio.gather(
            *(people.rename_account(one.id, "Carla", PASSWORD) for one in two), return_exceptions=True
        )
        assert sum(isinstance(answer, NameTaken) for answer in answers) == 1
        names = {row.name for row in store.rows.values()}
        assert names in ({"Carla", "Anna"}, {"Carla", "Berta"})

    with_people(story)


def test_an_account_that_is_renamed_twice_at_once_has_said_its_password_right_both_times() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.register("Anna", PASSWORD)
        twice = await asyncio.gather(*(people.rename_account(anna.id, "Berta", PASSWORD) for _ in range(2)))
        assert [person.name for person in twice] == ["Berta", "Berta"]
        assert len({person.epoch for person in twice}) == 1, "the sessions of both go on"
        await asyncio.gather(
            people.rename_account(anna.id, "Carla", PASSWORD),
            people.rename_account(anna.id, "Dora", PASSWORD),
            people.change_password(anna.id, PASSWORD, "another one"),
            return_exceptions=True,
        )
        assert (await people.login(store.rows[anna.id].name, "another one")).id == anna.id

    with_people(story)


def test_who_was_overtaken_by_a_change_of_their_own_has_used_up_no_try() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.register("Anna", PASSWORD)
        await asyncio.gather(*(people.rename_account(anna.id, "Berta", PASSWORD) for _ in range(3)))
        for name in ("Carla", "Dora"):
            assert (await people.rename_account(anna.id, name, PASSWORD)).name == name
        with pytest.raises(TooManyTries):
            await people.rename_account(anna.id, "Eva", PASSWORD)

    with_people(story, replace(CHEAP, logins_per_name=Limit(3, Millis(DAY))))


def test_who_has_an_account_is_no_guest_however_often_guests_were_renamed() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna, guest = await people.register("Anna", PASSWORD), await people.guest("Gus", FAR)
        with pytest.raises(TooManyTries):
            await people.rename(guest.id, "Gustav", FAR)
        with pytest.raises(GuestsOnly):
            await people.rename(anna.id, "Berta", FAR)

    with_people(story, replace(CHEAP, guests_per_address=Limit(1, Millis(DAY))))


def test_a_store_that_fails_is_a_refusal_and_changes_nothing() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        def fails(*rows: PersonRow) -> None:
            raise LedgerError("database is locked")

        works, store.add = store.add, fails  # type: ignore[method-assign]
        with pytest.raises(NotStored):
            await people.guest("Anna")
        assert people.by_name("Anna") is None
        store.add = works  # type: ignore[method-assign]
        assert (await people.guest("Anna")).name == "Anna"

    with_people(story)
