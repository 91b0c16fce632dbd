"""Clients that log in by a hash at every connection, and do not wait long for an answer."""

import asyncio
import threading

import pytest
from argon2 import PasswordHasher
from msgspec.structs import replace
from tests.hall.support.townsfolk import CHEAP, Clock, MemoryStore, with_people

from gamut.hall.ids import Millis
from gamut.hall.limits.attempts import Limit, TooManyTries
from gamut.hall.people.passwords import Passwords
from gamut.hall.people.people import People
from gamut.hall.people.person import WrongLogin
from gamut.hall.people.prehash import prehashed
from gamut.hall.people.recognition import Recognition

FAR = "203.0.113.7"


def of(name: str, password: str = "correct horse") -> str:
    return prehashed(name, password)


def test_who_was_here_before_waits_for_nobody_s_password_to_be_worked_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        ann = await people.register_hashed("Ann", of("Ann"))
        held, slow = threading.Event(), PasswordHasher.verify

        def verify(self: PasswordHasher, *args: str) -> bool:
            assert held.wait(20)
            return slow(self, *args)

        monkeypatch.setattr(PasswordHasher, "verify", verify)
        waiting = [
            asyncio.ensure_future(people.login_hashed("Ann", of("Ann", f"guess {n}"))) for n in range(50)
        ]
        try:
            await asyncio.sleep(0)
            assert await people.login_hashed("Ann", of("Ann")) == ann
            assert not any(task.done() for task in waiting)
        finally:
            held.set()
            results = await asyncio.gather(*waiting, return_exceptions=True)
        assert all(isinstance(result, WrongLogin) for result in results)

    with_people(story, replace(CHEAP, logins_per_name=Limit(100, Millis(60_000))))


def test_of_those_who_wait_the_last_is_answered_first() -> None:
    async def story() -> None:
        passwords = await asyncio.to_thread(Passwords, PasswordHasher(1, 8, 1), 1, 10)
        begun, held = threading.Event(), threading.Event()

        def first() -> str:
            begun.set()
            assert held.wait(20)
            return "first"

        answered: list[str] = []

        async def ask(name: str) -> None:
            answered.append(await passwords._begin(first if name == "first" else lambda: name, None))

        asking = [asyncio.ensure_future(ask("first"))]
        await asyncio.to_thread(begun.wait, 20)
        asking += [asyncio.ensure_future(ask(name)) for name in ("long ago", "a while ago", "just now")]
        await asyncio.sleep(0)
        held.set()
        await asyncio.gather(*asking)
        assert answered == ["first", "just now", "a while ago", "long ago"]
        await passwords.close()

    asyncio.run(story())


def test_a_right_hash_is_no_guess_and_a_wrong_one_is() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        ann = await people.register_hashed("Ann", of("Ann"), address=FAR)
        for _ in range(20):
            assert await people.login_hashed("Ann", of("Ann"), FAR) == ann
        for _ in range(3):
            with pytest.raises(WrongLogin):
                await people.login_hashed("Ann", of("Ann", "wrong one"), FAR)
        with pytest.raises(TooManyTries):
            await people.login_hashed("Ann", of("Ann", "wrong one"), FAR)
        with pytest.raises(TooManyTries):
            # Or else whoever has used up the tries could guess on, and would get in with the right one.
            await people.login_hashed("Ann", of("Ann"), FAR)

    with_people(story, replace(CHEAP, logins_per_name=Limit(3, Millis(60_000))))


def test_a_password_that_was_changed_is_not_recognised() -> None:
    async def story(people: People, store: MemoryStore, clock: Clock) -> None:
        ann = await people.register("Ann", "correct horse")
        await people.login_hashed("Ann", of("Ann"))
        await people.change_password(ann.id, "correct horse", "battery staple")
        with pytest.raises(WrongLogin):
            await people.login_hashed("Ann", of("Ann"))
        assert (await people.login_hashed("Ann", of("Ann", "battery staple"))).id == ann.id

    with_people(story)


def test_of_too_many_the_longest_unused_is_forgotten_and_no_hash_is_kept() -> None:
    recognition = Recognition(2)
    for name in ("a", "b", "a", "c"):
        recognition.remember(f"stored {name}", of(name))
    assert [recognition.knows(f"stored {name}", of(name)) for name in "abc"] == [True, False, True]
    assert not recognition.knows("stored a", of("b"))
    assert of("a") not in repr(vars(recognition))
    assert Recognition(2)._digest("x") != recognition._digest("x"), "another key each time"
