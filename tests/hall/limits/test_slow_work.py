"""Work that takes long: counted for each person and address, and never more than one piece at a time."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from tests.hall.support.inmemory import ManualTime

from gamut.hall.ids import Millis
from gamut.hall.limits.attempts import Limit, TooManyTries
from gamut.hall.limits.slow_work import SlowWork, SlowWorkSettings

HOME, ABROAD, HERE = "192.0.2.7", "198.51.100.8", "127.0.0.1"


class Thread:
    """Does what it is given only when it is told to."""

    def __init__(self) -> None:
        self.given: list[tuple[str, asyncio.Future[str]]] = []

    async def run(self, call: Callable[..., str], *args: Any) -> str:
        done: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.given.append((call(*args), done))
        return await done

    async def finish(self) -> None:
        name, done = self.given.pop(0)
        done.set_result(name)
        for _ in range(5):
            await asyncio.sleep(0)


def work(thread: Any, time: ManualTime | None = None, **settings: Limit) -> SlowWork:
    return SlowWork(thread, (time or ManualTime()).now, SlowWorkSettings(**settings))


async def at_once(call: Callable[..., Any], *args: Any) -> Any:
    return call(*args)


def test_one_piece_is_done_at_a_time_and_one_person_has_one() -> None:
    async def story() -> None:
        thread = Thread()
        slow = work(thread.run)
        wanted = [
            asyncio.ensure_future(slow.run(person, HOME, str, person))
            for person in ("ann", "bob", "ann", "cid")
        ]
        for _ in range(5):
            await asyncio.sleep(0)
        assert [name for name, _ in thread.given] == ["ann"], "a second thread is left for everybody else"
        with pytest.raises(TooManyTries):
            wanted[2].result()
        await thread.finish()
        assert [name for name, _ in thread.given] == ["bob"]
        again = asyncio.ensure_future(slow.run("ann", HOME, str, "ann again"))
        await thread.finish()
        assert [name for name, _ in thread.given] == ["cid"], "nobody is overtaken"
        await thread.finish()
        await thread.finish()
        assert [await wanted[0], await wanted[1], await wanted[3], await again] == [
            "ann",
            "bob",
            "cid",
            "ann again",
        ]

    asyncio.run(story())


def test_a_few_strangers_of_one_address_wait_at_once_and_no_more() -> None:
    async def story() -> None:
        thread = Thread()
        slow = work(thread.run)
        wanted = [asyncio.ensure_future(slow.run(None, HOME, str, number)) for number in range(6)]
        wanted.append(asyncio.ensure_future(slow.run(None, ABROAD, str, "abroad")))
        wanted += [asyncio.ensure_future(slow.run(None, HERE, str, "here")) for _ in range(6)]
        for _ in range(5):
            await asyncio.sleep(0)
        for refused in wanted[4:6]:
            with pytest.raises(TooManyTries):
                refused.result()
        for _ in range(11):
            await thread.finish()
        assert [await done for done in (*wanted[:4], *wanted[6:])] == ["0", "1", "2", "3", "abroad"] + [
            "here"
        ] * 6
        again = asyncio.ensure_future(slow.run(None, HOME, str, "again"))
        await asyncio.sleep(0)
        await thread.finish()
        assert await again == "again"

    asyncio.run(story())


def test_many_guests_of_one_address_do_not_keep_another_waiting() -> None:
    async def story() -> None:
        thread = Thread()
        slow = work(thread.run)
        crowd = [asyncio.ensure_future(slow.run(f"guest {n}", HOME, str, f"guest {n}")) for n in range(20)]
        ann = asyncio.ensure_future(slow.run("ann", ABROAD, str, "ann"))
        for _ in range(5):
            await asyncio.sleep(0)
        order = []
        while thread.given:
            order.append(thread.given[0][0])
            await thread.finish()
        assert order[:4] == ["guest 0", "guest 1", "ann", "guest 2"]
        assert await ann == "ann"
        assert len([await done for done in crowd]) == 20

    asyncio.run(story())


@pytest.mark.parametrize("when", ["waiting", "its turn has just come", "at work"])
def test_whoever_does_not_want_it_any_more_holds_nobody_up(when: str) -> None:
    async def story() -> None:
        thread = Thread()
        slow = work(thread.run)
        ann, bob, cid = (
            asyncio.ensure_future(slow.run(name, HOME, str, name)) for name in ("ann", "bob", "cid")
        )
        for _ in range(5):
            await asyncio.sleep(0)
        if when == "at work":
            await thread.finish()
        elif when == "its turn has just come":
            thread.given.pop(0)[1].set_result("ann")
            await asyncio.sleep(0)
        bob.cancel()
        for _ in range(5):
            await asyncio.sleep(0)
        thread.given = [given for given in thread.given if not given[1].cancelled()]
        while thread.given:
            await thread.finish()
        assert [await ann, await cid] == ["ann", "cid"]
        assert bob.cancelled()

    asyncio.run(story())


def test_a_person_may_ask_for_so_much_and_then_for_more_when_time_has_passed() -> None:
    async def story() -> None:
        time = ManualTime()
        slow = work(at_once, time, per_person=Limit(2, Millis(60_000)))
        for _ in range(2):
            await slow.run("ann", HOME, int)
        with pytest.raises(TooManyTries):
            await slow.run("ann", HOME, int)
        await slow.run("bob", HOME, int)
        time.advance(30_000)
        await slow.run("ann", HOME, int)

    asyncio.run(story())


def test_many_people_of_one_address_are_counted_together_but_not_on_this_machine() -> None:
    async def story() -> None:
        slow = work(at_once, per_person=Limit(2, Millis(60_000)), per_address=Limit(3, Millis(60_000)))
        for number in range(3):
            await slow.run(f"guest {number}", HOME, int)
        for _ in range(3):
            with pytest.raises(TooManyTries):
                await slow.run("ann", HOME, int)
        for _ in range(2):
            await slow.run("ann", ABROAD, int)  # being refused there has not been counted
        for number in range(20):
            await slow.run(f"player {number}", HERE, int)
        await slow.run(None, ABROAD, int)
        with pytest.raises(TooManyTries):
            await slow.run(None, ABROAD, int)

    asyncio.run(story())


def test_what_fails_is_told_and_stands_in_nobody_s_way() -> None:
    async def story() -> None:
        slow = work(at_once)
        for _ in range(2):
            with pytest.raises(ValueError, match="invalid literal"):
                await slow.run("ann", HOME, int, "no number")
        assert await slow.run("ann", HOME, int, "7") == 7

    asyncio.run(story())
