"""Nobody guesses a password, and nobody is locked out by those who try."""

import asyncio
import threading
from collections.abc import Callable

import pytest
from msgspec.structs import replace
from tests.hall.support.townsfolk import (
    CHEAP,
    PASSWORD,
    Clock,
    MemoryStore,
    kinds_verified,
    opened,
    with_people,
)

from gamut.hall.ids import Millis, PersonId
from gamut.hall.limits.attempts import Attempts, Limit, TooManyTries, site_key
from gamut.hall.limits.logins import Logins, give_back
from gamut.hall.people.passwords import Busy, decoy, kind_of
from gamut.hall.people.people import DAY, People, PeopleSettings
from gamut.hall.people.person import WrongLogin, WrongPassword

HOME, FAR = "198.51.100.4", "203.0.113.7"
FEW = Limit(3, Millis(60_000))


async def fail(people: People, name: str, address: str, token: str | None = None) -> bool:
    """Try a wrong password; whether it was looked at."""
    try:
        await people.login(name, "wrong password", address, token)
    except WrongLogin:
        return True
    except TooManyTries:
        return False
    raise AssertionError("a wrong password was right")


def test_strangers_do_not_lock_the_owner_of_a_name_out() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        await people.register("Anna", PASSWORD)
        assert [await fail(people, "Anna", FAR) for _ in range(5)] == [True, True, True, False, False]
        await people.login("Anna", PASSWORD, HOME)

    with_people(story, replace(CHEAP, logins_per_name=FEW))


def test_guesses_from_very_many_addresses_end_too() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.register("Anna", PASSWORD)
        tried = [await fail(people, "Anna", f"203.0.113.{number}") for number in range(30)]
        assert tried == [True] * 20 + [False] * 10
        assert people.refusals()["logins_per_name_anywhere"] == 10
        with pytest.raises(TooManyTries):
            await people.login("Anna", PASSWORD, HOME)
        await people.login("Anna", PASSWORD, HOME, people.issue(anna))
        clock.forward(3000)
        await people.login("Anna", PASSWORD, HOME)

    with_people(story, replace(CHEAP, logins_per_name_anywhere=Limit(20, Millis(60_000))))


def test_names_that_nobody_has_are_refused_just_as_soon() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        await people.register("Anna", PASSWORD)
        for name in ("Anna", "Nobody"):
            near = [await fail(people, name, FAR) for _ in range(5)]
            assert near == [True, True, True, False, False]
            everywhere = [await fail(people, name, f"203.0.114.{number}") for number in range(10)]
            assert everywhere == [True] * 7 + [False] * 3

    with_people(
        story, replace(CHEAP, logins_per_name=FEW, logins_per_name_anywhere=Limit(10, Millis(60_000)))
    )


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda clock: None, id="still logged in"),
        pytest.param(lambda clock: clock.forward(40 * DAY), id="expired"),
    ],
)
def test_a_browser_in_which_somebody_was_logged_in_is_let_through(spoil: Callable[[Clock], None]) -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.register("Anna", PASSWORD)
        other = await people.register("Berta", PASSWORD)
        token = people.issue(anna)
        spoil(clock)
        await people.log_out_everywhere(anna.id)
        while await fail(people, "Anna", HOME):
            pass
        for useless in (None, "rubbish", people.issue(other), token[:-1] + "x"):
            with pytest.raises(TooManyTries):
                await people.login("Anna", PASSWORD, HOME, useless)
        await people.login("Anna", PASSWORD, HOME, token)
        tried = [await fail(people, "Anna", HOME, token) for _ in range(5)]
        assert tried == [True, True, False, False, False], "but not without limit"

    with_people(story, replace(CHEAP, logins_per_name=FEW, logins_per_address=FEW))


def test_a_very_old_token_is_a_strangers() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.register("Anna", PASSWORD)
        token = people.issue(anna)
        clock.forward(181 * DAY)
        for _ in range(3):
            await fail(people, "Anna", HOME)
        with pytest.raises(TooManyTries):
            await people.login("Anna", PASSWORD, HOME, token)

    with_people(story, replace(CHEAP, logins_per_name=FEW))


def test_strangers_do_not_keep_anyone_from_changing_the_password_or_leaving() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        anna = await people.register("Anna", PASSWORD)
        for number in range(20):
            await fail(people, "Anna", f"203.0.113.{number}")
        await people.confirm(anna.id, PASSWORD)
        await people.change_password(anna.id, PASSWORD, "another one")
        with pytest.raises(WrongPassword):
            await people.confirm(anna.id, PASSWORD)
        with pytest.raises(TooManyTries):
            await people.confirm(anna.id, "another one")

    with_people(story, replace(CHEAP, logins_per_name=FEW, logins_per_name_anywhere=FEW))


def test_a_try_that_one_limit_refuses_is_not_counted_by_the_others() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        await people.register("Anna", PASSWORD)
        for _ in range(50):
            await fail(people, "Anna", FAR)
        assert await fail(people, "Berta", FAR), "the address has tries left for other names"
        await people.login("Anna", PASSWORD, HOME)

    few_for_all = replace(
        CHEAP,
        logins_per_name=FEW,
        logins_per_name_anywhere=Limit(4, Millis(60_000)),
        logins_per_address=Limit(5, Millis(60_000)),
    )
    with_people(story, few_for_all)


def limits(clock: Clock) -> Logins:
    return Logins(FEW, Limit(10, Millis(60_000)), Limit(30, Millis(60_000)), clock, keys_at_most=1000)


def looked_at(take: Callable[[], object]) -> bool:
    try:
        take()
    except TooManyTries:
        return False
    return True


def test_a_flood_of_names_from_one_address_is_stopped_by_the_address() -> None:
    logins = limits(Clock())
    tried = sum(looked_at(lambda n=n: logins.stranger(f"name {n}", None, FAR)) for n in range(100_000))  # type: ignore[misc]
    assert tried == 30
    assert looked_at(lambda: logins.stranger("name 0", None, HOME))


@pytest.mark.parametrize("address", ["127.0.0.1", None])
def test_a_flood_of_names_neither_resets_nor_uses_up_the_tries_of_an_account(address: str | None) -> None:
    logins = limits(Clock())
    anna, berta = PersonId("anna"), PersonId("berta")
    for number in range(10):
        logins.stranger("anna", anna, f"203.0.113.{number}")
    logins.known("berta's browser")
    for _ in range(3):
        logins.again(berta)
    for number in range(100_000):
        logins.stranger(f"name {number}" + "\ufdfa" * 400, None, address)
    assert not looked_at(lambda: logins.stranger("anna", anna, HOME)), "guessing goes on where it was"
    assert not looked_at(lambda: logins.again(berta))
    assert looked_at(lambda: logins.stranger("berta", berta, HOME))


def test_what_is_remembered_of_a_name_does_not_grow_with_the_name() -> None:
    logins = limits(Clock())
    taken = logins.stranger("\ufdfa" * 500, None, FAR)
    assert all(len(key) < 64 for _, key in taken)
    give_back(taken)


def test_limits_that_strangers_cannot_fill_forget_nothing_but_full_buckets() -> None:
    clock = Clock()
    attempts = Attempts(Limit(1, Millis(1000)), clock, None)
    for number in range(200_000):
        attempts.take(str(number))
    assert len(attempts) == 200_000
    assert not looked_at(lambda: attempts.take("0"))
    clock.forward(1000)
    attempts.take("late")
    assert len(attempts) == 1


# What a log-in costs


def test_by_default_a_hash_costs_what_owasp_asks_for_and_no_more() -> None:
    settings = PeopleSettings()
    assert (settings.hash_memory_cost, settings.hash_time_cost, settings.hash_parallelism) == (19_456, 2, 1)


def test_while_old_hashes_are_about_unknown_names_cost_what_accounts_cost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    verified = kinds_verified(monkeypatch)

    async def kinds_of(people: People, names: list[str]) -> list[str]:
        verified.clear()
        for name in names:
            with pytest.raises(WrongLogin):
                await people.login(name, "wrong password")
        return list(verified)

    async def run() -> None:
        store, clock = MemoryStore(), Clock()
        nobodies = [f"Nobody {number}" for number in range(40)]
        async with opened(store, clock, replace(CHEAP, hash_time_cost=3)) as people:
            await people.register("Anna", PASSWORD)
        async with opened(store, clock) as people:
            (old,) = set(await kinds_of(people, ["Anna"]))
            assert ",t=3," in old
            assert set(await kinds_of(people, nobodies)) == {old}
            await people.register("Berta", PASSWORD)
            both = await kinds_of(people, nobodies)
            assert set(both) == {old, *(await kinds_of(people, ["Berta"]))}
            assert await kinds_of(people, nobodies) == both, "each name always costs the same"
            await people.login("Anna", PASSWORD)
            assert old not in await kinds_of(people, nobodies)

    asyncio.run(run())


def test_a_decoy_is_as_likely_of_a_kind_as_accounts_are() -> None:
    kinds = {"$argon2id$v=19$m=8,t=1,p=1": 1, "$argon2id$v=19$m=8,t=2,p=1": 3}
    found = [kind_of(decoy(kinds, str(number), "secret") or "") for number in range(4000)]
    assert 800 < found.count("$argon2id$v=19$m=8,t=1,p=1") < 1200
    assert decoy({}, "name", "secret") is None


def test_one_place_does_not_keep_everybody_else_from_logging_in() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        hold = threading.Event()
        running = people._passwords._threads.submit(hold.wait, 60)
        crowd = [
            asyncio.ensure_future(people.register(f"Bot {n}", PASSWORD, None, f"2001:db8:1:{n}::1"))
            for n in range(30)
        ]
        await asyncio.sleep(0)
        own = asyncio.ensure_future(people.register("Anna", PASSWORD, None, HOME))
        await asyncio.sleep(0)
        hold.set()
        await asyncio.wrap_future(running)
        answers = await asyncio.gather(*crowd, return_exceptions=True)
        assert sum(isinstance(answer, Busy) for answer in answers) == 28
        assert (await own).name == "Anna"

    with_people(story, replace(CHEAP, hashes_at_once=1, hashes_waiting=15))


def test_a_try_that_the_server_was_too_busy_for_does_not_count_for_the_address() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        await people.register("Anna", PASSWORD)
        hold = threading.Event()
        running = people._passwords._threads.submit(hold.wait, 60)
        waiting = asyncio.ensure_future(people.login("Anna", PASSWORD, HOME))
        await asyncio.sleep(0)
        for number in range(5):
            with pytest.raises(Busy):
                await people.login(f"Name {number}", PASSWORD, FAR)
        hold.set()
        await asyncio.wrap_future(running)
        await waiting
        await people.login("Anna", PASSWORD, FAR)

    with_people(story, replace(CHEAP, logins_per_address=FEW, hashes_at_once=1, hashes_waiting=0))


# What one place can fill


def test_one_place_cannot_fill_the_server_with_guests_in_the_life_of_a_guest() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        made = 0
        for hour in range(20):
            for number in range(10):
                address = f"2001:db8:1:{hour:x}::{number:x}"
                try:
                    await people.guest(f"Guest {hour} {number}", address)
                except TooManyTries:
                    continue
                made += 1
            clock.forward(3_600_000)
        assert made == 50
        await people.guest("Somebody else", "2001:db8:2::1")
        assert people.refusals()["people_per_site"] == 150

    with_people(story, replace(CHEAP, people_per_site=Limit(50, Millis(300 * DAY))))


def test_nor_with_accounts() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        for number in range(3):
            await people.register(f"Account {number}", PASSWORD, None, FAR)
        with pytest.raises(TooManyTries):
            await people.register("One more", PASSWORD, None, FAR)
        await people.register("One more", PASSWORD, None, HOME)

    with_people(story, replace(CHEAP, people_per_site=FEW))


def test_names_that_turn_out_to_be_taken_do_not_count_for_the_place() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        await people.register("Anna", PASSWORD)
        for _ in range(10):
            for wish in (people.guest("Anna", FAR), people.register("Anna", PASSWORD, None, FAR)):
                with pytest.raises(Exception, match="already has this name"):
                    await wish
        await people.guest("Berta", FAR)
        await people.register("Carl", PASSWORD, None, FAR)

    with_people(story, replace(CHEAP, people_per_site=Limit(1, Millis(60_000))))


def test_a_place_is_an_address_or_an_ipv6_site() -> None:
    assert site_key("2001:db8:1:2::7") == site_key("2001:db8:1:ffff::") == "2001:db8:1::/48"
    assert site_key("2001:db8:1::7") != site_key("2001:db8:2::7")
    assert site_key("::ffff:10.0.0.1") == site_key("10.0.0.1") == "10.0.0.1"
    assert site_key("unknown") == "unknown"
