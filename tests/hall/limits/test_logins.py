"""Passwords, log-ins, their limits, and sessions."""

import asyncio
import threading
from typing import Any

import pytest
from argon2 import PasswordHasher
from msgspec.structs import replace
from tests.hall.support.townsfolk import CHEAP, PASSWORD, Clock, MemoryStore, opened, with_people

from gamut.hall.ids import Millis, PersonId
from gamut.hall.limits.attempts import Limit, TooManyTries
from gamut.hall.people.passwords import Busy, PasswordRefused
from gamut.hall.people.people import DAY, People
from gamut.hall.people.person import (
    AccountsOnly,
    WrongLogin,
    WrongPassword,
)

AWAY = Millis(30 * DAY + 1)
FAR = "203.0.113.7"


def test_passwords_are_kept_as_argon2id_hashes() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.register("Anna", PASSWORD)
        password = store.rows[anna.id].password
        assert password is not None
        assert password.startswith("sha512$argon2id$")
        assert PASSWORD not in password

    with_people(story)


def test_the_right_password_logs_in_however_it_is_typed() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.register("Anna Lena", "Mu\u0308ller \U0001f600")
        assert await people.login(" anna  LENA", "M\u00fcller \U0001f600") == anna

    with_people(story)


def test_an_unknown_name_a_guest_and_a_wrong_password_are_told_the_same() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        await people.register("Anna", PASSWORD)
        await people.guest("Gast")
        told = set()
        for name, password in [
            ("Anna", "wrong password"),
            ("Anna", ""),
            ("Anna", "\ud800"),
            ("Nobody", PASSWORD),
            ("Gast", PASSWORD),
            ("", PASSWORD),
            ("x" * 5000, PASSWORD),
            ("\ud800\u202e", PASSWORD),
        ]:
            with pytest.raises(WrongLogin) as refused:
                await people.login(name, password)
            told.add((refused.value.code, refused.value.reason))
        assert len(told) == 1

    with_people(story)


def test_an_unknown_name_takes_the_same_work_as_a_wrong_password(monkeypatch: pytest.MonkeyPatch) -> None:
    verified: list[str] = []
    verify = PasswordHasher.verify

    def watched(self: PasswordHasher, hash: str, password: bytes) -> bool:
        verified.append(hash.rpartition("$")[0].rpartition("$")[0])
        return verify(self, hash, password)

    monkeypatch.setattr(PasswordHasher, "verify", watched)

    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        await people.register("Anna", PASSWORD)
        for name in ("Anna", "Nobody"):
            with pytest.raises(WrongLogin):
                await people.login(name, "wrong password")
        assert len(verified) == 2
        assert verified[0] == verified[1], "the same parameters, hence the same time"

    with_people(story)


def test_hashing_never_runs_on_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []
    for method in ("hash", "verify"):
        original = getattr(PasswordHasher, method)

        def watched(*args: Any, original: Any = original) -> Any:
            threads.append(threading.current_thread())
            return original(*args)

        monkeypatch.setattr(PasswordHasher, method, watched)

    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.register("Anna", PASSWORD)
        await people.login("Anna", PASSWORD)
        await people.change_password(anna.id, PASSWORD, "another one")

    with_people(story)
    assert len(threads) == 5
    assert threading.main_thread() not in threads


def test_when_too_many_passwords_wait_the_server_is_busy() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        wishes = [people.register(f"Anna {number}", PASSWORD) for number in range(5)]
        answers = await asyncio.gather(*wishes, return_exceptions=True)
        assert sum(isinstance(answer, Busy) for answer in answers) == 3
        assert people.refusals()["hashes_waiting"] == 3
        await people.register("Berta", PASSWORD)

    with_people(story, replace(CHEAP, hashes_at_once=1, hashes_waiting=1))


def test_hashes_with_old_parameters_are_renewed_at_the_next_log_in() -> None:
    async def run() -> None:
        store, clock = MemoryStore(), Clock()
        async with opened(store, clock) as people:
            anna = await people.register("Anna", PASSWORD)
        old = store.rows[anna.id].password
        async with opened(store, clock, replace(CHEAP, hash_time_cost=2)) as people:
            token = people.issue(anna)
            with pytest.raises(WrongLogin):
                await people.login("Anna", "wrong password")
            assert store.rows[anna.id].password == old
            await people.login("Anna", PASSWORD)
            new = store.rows[anna.id].password
            assert new is not None
            assert ",t=2," in new
            await people.login("Anna", PASSWORD)
            assert store.rows[anna.id].password == new
            assert people.by_token(token) is not None

    asyncio.run(run())


def test_log_ins_are_limited_by_name() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        await people.register("Anna", PASSWORD)
        for name in ("Anna", "ANNA", "anna"):
            with pytest.raises(WrongLogin):
                await people.login(name, "wrong password")
        with pytest.raises(TooManyTries) as refused:
            await people.login("Anna", PASSWORD)
        assert people.refusals()["logins_per_name"] == 1
        clock.forward(refused.value.wait)
        await people.login("Anna", PASSWORD)

    with_people(story, replace(CHEAP, logins_per_name=Limit(3, Millis(60_000))))


def test_log_ins_that_fail_are_limited_by_address_but_not_on_this_machine() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        await people.register("Anna", PASSWORD)
        for _ in range(5):
            await people.login("Anna", PASSWORD, FAR)
        for number in range(3):
            with pytest.raises(WrongLogin):
                await people.login(f"Name {number}", PASSWORD, FAR)
        with pytest.raises(TooManyTries):
            await people.login("Anna", PASSWORD, FAR)
        await people.login("Anna", PASSWORD, "203.0.113.8")
        for number in range(10):
            with pytest.raises(WrongLogin):
                await people.login(f"Name {number}", PASSWORD, "127.0.0.1")
        assert people.refusals()["logins_per_address"] == 1

    with_people(story, replace(CHEAP, logins_per_address=Limit(3, Millis(60_000))))


def test_a_refused_address_does_not_use_up_the_tries_of_a_name() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        await people.register("Anna", PASSWORD)
        with pytest.raises(WrongLogin):
            await people.login("Other", PASSWORD, FAR)
        for _ in range(5):
            with pytest.raises(TooManyTries):
                await people.login("Anna", "wrong password", FAR)
        await people.login("Anna", PASSWORD, "203.0.113.8")

    few = Limit(1, Millis(60_000))
    with_people(story, replace(CHEAP, logins_per_address=few, logins_per_name=few))


def test_guests_and_registrations_are_limited_by_address() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        await people.guest("Anna", FAR)
        await people.register("Berta", PASSWORD, None, FAR)
        with pytest.raises(TooManyTries):
            await people.guest("Carl", FAR)
        with pytest.raises(TooManyTries):
            await people.register("Carl", PASSWORD, None, FAR)
        await people.guest("Carl", "203.0.113.8")
        await people.guest("Dora", "::1")
        assert people.refusals()["guests_per_address"] == 1
        assert people.refusals()["registrations_per_address"] == 1

    few = Limit(1, Millis(60_000))
    with_people(story, replace(CHEAP, guests_per_address=few, registrations_per_address=few))


def test_by_default_five_hundred_people_fit_behind_one_address() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        for number in range(500):
            await people.guest(f"Guest {number}", FAR)
        for number in range(500):
            await people.register(f"Account {number}", PASSWORD, None, FAR)
        for number in range(500):
            await people.login(f"Account {number}", PASSWORD, FAR)

    with_people(story)


def test_a_token_is_good_until_it_expires_and_is_renewed_after_a_day() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.register("Anna", PASSWORD)
        token = people.issue(anna)
        clock.forward(DAY)
        assert people.renewal(token) is None
        clock.forward(2000)
        fresh = people.renewal(token)
        assert fresh is not None
        clock.forward(29 * DAY)
        assert people.by_token(token) is None
        assert people.renewal(token) is None
        found = people.by_token(fresh)
        assert found is not None
        assert found.id == anna.id
        assert people.by_token("rubbish") is None

    with_people(story)


def test_logging_out_everywhere_voids_every_token_at_once() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        heard: list[PersonId] = []
        people.on_logout.append(heard.append)
        anna = await people.register("Anna", PASSWORD)
        berta = await people.guest("Berta")
        old, other = people.issue(anna), people.issue(berta)
        anna = await people.log_out_everywhere(anna.id)
        assert people.by_token(old) is None
        assert people.renewal(old) is None
        assert people.by_token(people.issue(anna)) is not None
        assert people.by_token(other) is not None
        assert heard == [anna.id]

    with_people(story)


def test_void_tokens_stay_void_after_a_restart() -> None:
    async def run() -> None:
        store, clock = MemoryStore(), Clock()
        async with opened(store, clock) as people:
            anna = await people.register("Anna", PASSWORD)
            void = people.issue(anna)
            good = people.issue(await people.log_out_everywhere(anna.id))
        async with opened(store, clock) as people:
            assert people.by_token(void) is None
            assert people.by_token(good) == people.person(anna.id)

    asyncio.run(run())


def test_changing_the_password_needs_the_old_one_and_voids_all_sessions() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.register("Anna", PASSWORD)
        token = people.issue(anna)
        with pytest.raises(WrongPassword):
            await people.change_password(anna.id, "wrong password", "another one")
        with pytest.raises(PasswordRefused):
            await people.change_password(anna.id, PASSWORD, "short")
        assert people.by_token(token) is not None
        anna = await people.change_password(anna.id, PASSWORD, "another one")
        assert people.by_token(token) is None
        assert people.by_token(people.issue(anna)) is not None
        with pytest.raises(WrongLogin):
            await people.login("Anna", PASSWORD)
        await people.login("Anna", "another one")
        guest = await people.guest("Gast")
        with pytest.raises(AccountsOnly):
            await people.change_password(guest.id, "", "another one")

    with_people(story)


def test_of_two_changes_of_a_password_at_once_one_wins() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.register("Anna", PASSWORD)
        answers = await asyncio.gather(
            people.change_password(anna.id, PASSWORD, "the first one"),
            people.change_password(anna.id, PASSWORD, "the second one"),
            return_exceptions=True,
        )
        assert sum(isinstance(answer, WrongPassword) for answer in answers) == 1

    with_people(story)


def test_a_stolen_session_cannot_be_used_to_guess_the_password() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.register("Anna", PASSWORD)
        for _ in range(2):
            with pytest.raises(WrongPassword):
                await people.confirm(anna.id, "wrong password")
        with pytest.raises(TooManyTries):
            await people.change_password(anna.id, PASSWORD, "another one")

    with_people(story, replace(CHEAP, logins_per_name=Limit(2, Millis(60_000))))


def test_a_log_in_under_way_does_not_survive_logging_out_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    verifying, go_on = threading.Event(), threading.Event()
    verify = PasswordHasher.verify

    def slow(self: PasswordHasher, hash: str, password: bytes) -> bool:
        verifying.set()
        assert go_on.wait(10)
        return verify(self, hash, password)

    monkeypatch.setattr(PasswordHasher, "verify", slow)

    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.register("Anna", PASSWORD)
        login = asyncio.ensure_future(people.login("Anna", PASSWORD))
        await asyncio.to_thread(verifying.wait, 10)
        await people.log_out_everywhere(anna.id)
        go_on.set()
        with pytest.raises(WrongLogin):
            await login

    with_people(story)


def test_a_log_in_with_the_old_password_does_not_outlive_its_change() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.register("Anna", PASSWORD)
        login = asyncio.ensure_future(people.login("Anna", PASSWORD))
        await people.change_password(anna.id, PASSWORD, "another one")
        try:
            token = people.issue(await login)
        except WrongLogin:
            return
        assert people.by_token(token) is None

    with_people(story)
