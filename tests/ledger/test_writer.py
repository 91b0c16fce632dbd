"""The thread that commits: in order, off the event loop, and never a promise that was not kept."""

import asyncio
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from tests.hall.support.inmemory import FakeWire, MemoryStorage
from tests.ledger.support.logbook import chain, entry

from gamut.hall.ids import TableId
from gamut.hall.store.journal import Journal
from gamut.hall.store.storage import Entry, LedgerError, Row, Storage
from gamut.ledger.writer import ThreadedCommitter

T = TableId("T")


class Disk(MemoryStorage):
    """Stores when it is let, or fails."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.gate.set()
        self.failure: BaseException | None = None
        self.threads: set[int] = set()

    def append(self, rows: Sequence[Row], entries: Iterable[Entry]) -> None:
        self.gate.wait()
        self.threads.add(threading.get_ident())
        if self.failure is not None:
            raise self.failure
        super().append(rows, entries)


class Scene:
    def __init__(self, disk: Any) -> None:
        self.failures: list[BaseException] = []
        self.failed = asyncio.Event()
        self.seen: list[int] = []
        self.committer = ThreadedCommitter(
            asyncio.get_running_loop(), disk, lambda seconds, rows: self.seen.append(rows), self.fail
        )

    def fail(self, error: BaseException) -> None:
        self.failures.append(error)
        self.failed.set()

    async def close(self) -> None:
        await asyncio.to_thread(self.committer.close)


def committed(scene: Scene, rows: Sequence[Row], entries: Sequence[Entry] = ()) -> asyncio.Event:
    done = asyncio.Event()
    scene.committer.commit(rows, entries, done.set)
    return done


def test_done_is_called_on_the_event_loop_once_it_is_stored() -> None:
    async def story() -> None:
        disk = Disk()
        scene = Scene(disk)
        where: list[int] = []
        done = asyncio.Event()

        def stored() -> None:
            where.append(threading.get_ident())
            done.set()

        rows = chain("T", [b"one", b"two"])
        scene.committer.commit(rows, [entry("T")], stored)
        await done.wait()
        assert disk.log(T) == rows
        assert disk.entries.keys() == {"T"}
        assert where == [threading.get_ident()]
        assert disk.threads.isdisjoint(where), "the loop did not wait for the disk"
        assert scene.seen == [2]
        await scene.close()

    asyncio.run(story())


def test_batches_are_stored_in_order() -> None:
    async def story() -> None:
        disk = Disk()
        scene = Scene(disk)
        order: list[int] = []
        last = asyncio.Event()
        rows = chain("T", [b"%d" % number for number in range(100)])

        def stored(number: int) -> Callable[[], None]:
            def call() -> None:
                order.append(number)
                if number == 100:
                    last.set()

            return call

        for row in rows:
            scene.committer.commit([row], (), stored(row.seq))
        await last.wait()
        assert order == list(range(1, 101))
        assert disk.log(T) == rows
        await scene.close()

    asyncio.run(story())


def test_a_commit_that_fails_is_reported_once_and_nothing_more_is_stored_or_promised() -> None:
    async def story() -> None:
        disk = Disk()
        scene = Scene(disk)
        first, second, third = chain("T", [b"one", b"two", b"three"])
        await committed(scene, [first]).wait()
        disk.gate.clear()
        disk.failure = LedgerError("database or disk is full")
        broken, after = committed(scene, [second]), committed(scene, [third])
        disk.gate.set()
        await scene.failed.wait()
        disk.failure = None
        late = committed(scene, [third])
        await scene.close()
        assert [str(failure) for failure in scene.failures] == ["database or disk is full"]
        assert not broken.is_set()
        assert not after.is_set()
        assert not late.is_set()
        assert disk.log(T) == [first]
        assert scene.seen == [1]

    asyncio.run(story())


def test_even_the_unexpected_is_a_failure() -> None:
    async def story() -> None:
        disk = Disk()
        disk.failure = KeyboardInterrupt()
        scene = Scene(disk)
        done = committed(scene, chain("T", [b"one"]))
        await scene.failed.wait()
        assert not done.is_set()
        await scene.close()

    asyncio.run(story())


def test_closing_waits_for_what_was_given_before() -> None:
    async def story() -> None:
        disk = Disk()
        scene = Scene(disk)
        disk.gate.clear()
        rows = chain("T", [b"one", b"two"])
        events = [committed(scene, [row]) for row in rows]
        closing = asyncio.ensure_future(scene.close())
        await asyncio.sleep(0)
        assert not closing.done()
        disk.gate.set()
        await closing
        for event in events:
            await event.wait()
        assert disk.log(T) == rows

    asyncio.run(story())


def test_soon_comes_after_what_has_arrived_already() -> None:
    async def story() -> None:
        scene = Scene(Disk())
        order: list[str] = []
        done = asyncio.Event()
        asyncio.get_running_loop().call_soon(order.append, "arrived")
        scene.committer.soon(lambda: order.append("soon"), enough=False)
        asyncio.get_running_loop().call_soon(done.set)
        await done.wait()
        assert order == ["arrived", "soon"]
        await scene.close()

    asyncio.run(story())


def test_after_much_little_waits_a_moment_but_much_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamut.ledger.writer._BREATHER_SECONDS", 0.3)

    async def story() -> None:
        scene = Scene(Disk())
        order: list[str] = []

        def say(word: str, event: asyncio.Event | None = None) -> None:
            order.append(word)
            if event is not None:
                event.set()

        stored, little = asyncio.Event(), asyncio.Event()
        scene.committer.commit(chain("T", [b"x"] * 100), (), stored.set)
        scene.committer.soon(lambda: say("never: a later call counts"), enough=False)
        scene.committer.soon(lambda: say("much"), enough=True)
        asyncio.get_running_loop().call_soon(order.append, "next")
        await stored.wait()
        scene.committer.commit(chain("U", [b"x"] * 100), (), stored.set)
        scene.committer.soon(lambda: say("little", little), enough=False)
        asyncio.get_running_loop().call_soon(order.append, "before it")
        await little.wait()
        assert order == ["much", "next", "before it", "little"]
        await scene.close()

    asyncio.run(story())


def test_a_journal_on_a_real_database_sends_only_what_is_stored(ledger: Storage) -> None:
    async def story() -> None:
        scene = Scene(ledger)
        journal = Journal(scene.committer)
        wire = FakeWire()
        rows = chain("T", [b"%d" % number for number in range(500)])
        done = asyncio.Event()
        for row in rows:
            journal.append(row)
            journal.send(wire, b"%d " % row.seq)
            if row.seq % 50 == 0:
                await asyncio.sleep(0)
                heard = wire.data.split()
                assert len(ledger.log(T)) >= len(heard)
        journal.after(done.set)
        await done.wait()
        assert ledger.log(T) == rows
        assert wire.data.split() == [b"%d" % row.seq for row in rows]
        assert journal.commits <= 11, "one commit serves many events"
        await scene.close()

    asyncio.run(story())


def test_when_the_database_fails_nobody_hears_of_what_was_lost(ledger: Storage) -> None:
    async def story() -> None:
        scene = Scene(ledger)
        journal = Journal(scene.committer)
        wire = FakeWire()
        row = chain("T", [b"one"])[0]
        ledger.append([row], ())
        journal.append(row)
        journal.send(wire, b"it happened")
        await scene.failed.wait()
        assert isinstance(scene.failures[0], LedgerError)
        assert wire.writes == []
        await scene.close()

    asyncio.run(story())
