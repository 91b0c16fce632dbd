"""Server time stands until the doors are open, and never goes back."""

import asyncio
import gc
import weakref

import pytest

from gamut.hall.ids import Millis
from gamut.net import timekeeper
from gamut.net.timekeeper import LoopTime


class Clocks:
    """The two clocks of the machine."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall, self.since_boot = 1_700_000_000.0, 50.0
        monkeypatch.setattr(timekeeper, "time", lambda: self.wall)
        monkeypatch.setattr(timekeeper, "monotonic", lambda: self.since_boot)

    def passes(self, seconds: float) -> None:
        self.wall += seconds
        self.since_boot += seconds


@pytest.fixture(name="clocks")
def _clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    return Clocks(monkeypatch)


class _Something:
    def happens(self) -> None:
        raise AssertionError


class ImmediateLoop:
    """Remembers what is to be called, and after which delay."""

    def __init__(self) -> None:
        self.calls: list[float] = []

    def call_later(self, delay: float, call: object) -> None:
        self.calls.append(delay)


def test_time_stands_until_people_can_come(clocks: Clocks) -> None:
    time = LoopTime(ImmediateLoop())  # type: ignore[arg-type]
    began = time.now()
    clocks.passes(3.4)
    assert time.now() == began, "nobody pays for the time in which the server starts"
    time.go()
    assert time.now() == began
    clocks.passes(1.5)
    assert time.now() == began + 1500


def test_what_is_due_later_is_waited_for_from_the_moment_at_which_people_can_come(clocks: Clocks) -> None:
    loop = ImmediateLoop()
    time = LoopTime(loop)  # type: ignore[arg-type]
    time.later(Millis(30_000), lambda: None)
    time.later(Millis(10_000), lambda: None).cancel()
    clocks.passes(20)
    assert loop.calls == []
    time.go()
    assert loop.calls == [30.0]
    time.later(Millis(5_000), lambda: None)
    assert loop.calls == [30.0, 5.0]


def test_a_call_can_be_cancelled_after_time_has_begun_to_pass(clocks: Clocks) -> None:
    async def story() -> None:
        called, done = list[int](), asyncio.Event()
        time = LoopTime(asyncio.get_running_loop())
        first = time.later(Millis(0), lambda: called.append(1))
        time.later(Millis(1), done.set)
        time.go()
        first.cancel()
        await done.wait()
        assert called == []

    asyncio.run(story())


def test_time_does_not_go_back_with_the_wall_clock(clocks: Clocks) -> None:
    known = Millis(int(clocks.wall * 1000))
    clocks.wall -= 3600
    time = LoopTime(ImmediateLoop(), not_before=known)  # type: ignore[arg-type]
    time.go()
    assert time.now() == known
    clocks.wall -= 3600
    clocks.since_boot += 1
    assert time.now() == known + 1000


def test_while_time_stands_nothing_is_due_and_then_it_goes_on_where_it_was(clocks: Clocks) -> None:
    async def story() -> None:
        rung = list[str]()
        loop = asyncio.get_running_loop()
        time = LoopTime(loop)
        time.go()
        began = time.now()
        time.later(Millis(0), lambda: rung.append("before"))
        clocks.passes(1)
        time.stand()
        time.later(Millis(0), lambda: rung.append("meanwhile"))
        time.later(Millis(0), lambda: rung.append("never")).cancel()
        clocks.passes(60)
        assert time.now() == began + 1000
        for _ in range(5):
            await asyncio.sleep(0.001)
        assert rung == [], "what was about to happen waits as well"
        time.go()
        assert time.now() == began + 1000
        for _ in range(5):
            await asyncio.sleep(0.001)
        assert sorted(rung) == ["before", "meanwhile"]
        clocks.passes(2)
        assert time.now() == began + 3000

    asyncio.run(story())


def test_at_the_end_nothing_is_due_any_more_and_nothing_is_kept(clocks: Clocks) -> None:
    async def story() -> None:
        time = LoopTime(asyncio.get_running_loop())
        rang: list[str] = []
        time.later(Millis(0), lambda: rang.append("while it stands"))
        time.go()
        about = _Something()
        time.later(Millis(0), about.happens)
        time.later(Millis(86_400_000), about.happens)
        gone = weakref.ref(about)
        del about
        time.end()
        time.later(Millis(0), lambda: rang.append("after the end"))
        await asyncio.sleep(0)
        gc.collect()
        assert gone() is None
        assert rang == []

    asyncio.run(story())
