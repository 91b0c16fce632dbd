"""A node that lives is left alone, one that is gone is followed by its standby, and one that was ended is told so."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import psycopg
import pytest
from tests.ledger.postgres.conftest import registered

from gamut.hall.ids import Millis
from gamut.hall.store.storage import Fenced, LedgerError, StoreWentBack
from gamut.ledger.postgres import standby
from gamut.ledger.postgres.connecting import Source
from gamut.ledger.postgres.lease import Lease
from gamut.ledger.postgres.node import InWing, Node, drain, look, move, take_over
from gamut.ledger.postgres.standby import Turn
from gamut.ledger.store import Watcher

Sql = psycopg.Connection[Any]


class Heard:
    """What the lease has found out, in order."""

    def __init__(self) -> None:
        self.news: asyncio.Queue[Any] = asyncio.Queue()

    @property
    def watcher(self) -> Watcher:
        say = self.news.put_nowait
        return Watcher(
            lambda: say("away"), lambda: say("back"), lambda: say("drain"), say, move=lambda: say("move")
        )


async def nothing_lost() -> None:
    """The store has all that it had."""


@asynccontextmanager
async def kept(
    source: Any,
    node: int,
    check: Callable[[], Awaitable[None]] = nothing_lost,
    seconds: float = 1.0,
) -> AsyncIterator[Heard]:
    heard = Heard()
    keeping = asyncio.ensure_future(
        Lease(source, node, seconds, check, lambda: Millis(77)).keep(heard.watcher)
    )
    try:
        yield heard
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


@pytest.fixture
def first(source: Source) -> Node:
    """The active node."""
    node = registered(source, name="first")
    assert node is not None
    return node


async def seen(source: Source, wanted: Callable[[Any], bool]) -> None:
    """Wait until the active node looks like this."""
    async with await source.connect_soon() as connection:
        async with asyncio.timeout(20):
            while not wanted(await look(connection)):
                pass


class Standby:
    def __init__(self, source: Source) -> None:
        self.waits_for: asyncio.Queue[str] = asyncio.Queue()
        self.stopped = asyncio.Event()
        turn = Turn(source, "second", "0", standby=True)
        self.turn = asyncio.ensure_future(turn.wait(self.stopped, self.waits_for.put_nowait))


def run(story: Coroutine[Any, Any, None]) -> None:
    async def in_time() -> None:
        async with asyncio.timeout(30):
            await story

    asyncio.run(in_time())


def test_a_living_node_has_its_lease_and_its_lock(source: Source, first: Node, sql: Sql) -> None:
    async def story() -> None:
        async with kept(source, first.number):
            await seen(source, lambda found: not found.lock_free)
            await seen(source, lambda _: sql.execute("SELECT at FROM leases").fetchone() == (77,))
        await seen(source, lambda found: found.lock_free)

    run(story())


@pytest.mark.parametrize("seconds", [1.0, 20.0])
def test_a_lease_is_as_long_as_it_is_set(source: Source, first: Node, sql: Sql, seconds: float) -> None:
    left = "SELECT extract(epoch FROM until - clock_timestamp())::float FROM leases WHERE at = 77"

    def seconds_left() -> float:
        row = sql.execute(left).fetchone()
        return 0.0 if row is None else float(row[0])

    async def story() -> None:
        async with kept(source, first.number, seconds=seconds):
            await seen(source, lambda _: seconds_left() > 0.5 * seconds)
            assert seconds_left() <= seconds

    run(story())


def test_a_standby_waits_for_the_end_of_the_active_node(
    source: Source, first: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standby, "_SURE_AFTER", 0.0)

    async def story() -> None:
        async with kept(source, first.number):
            await seen(source, lambda found: not found.lock_free)
            standby = Standby(source)
            assert await standby.waits_for.get() == f"node {first.number} (first)"
            assert not standby.turn.done()
        second = await standby.turn
        assert second is not None
        assert second.number > first.number

    run(story())


def test_a_node_whose_lease_is_over_is_ended_although_its_process_lives(
    source: Source, first: Node, sql: Sql, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standby, "_SURE_AFTER", 0.0)

    async def story() -> None:
        async with kept(source, first.number) as heard:
            await seen(source, lambda found: not found.lock_free)
            standby = Standby(source)
            while not standby.turn.done():
                # As if it were frozen: the lock is held, and the lease is never renewed in time.
                sql.execute("UPDATE leases SET until = 'epoch' WHERE node = %s", (first.number,))
                await asyncio.wait((standby.turn,), timeout=0.01)
            error = await heard.news.get()
            assert isinstance(error, Fenced)
            assert f"number {first.number}" in str(error)

    run(story())


def test_after_a_restart_of_the_store_nobody_is_ended_for_it(source: Source, first: Node, sql: Sql) -> None:
    """The lock is free, since all connections were cut, but the lease is not over: the node may be about to return."""

    async def story() -> None:
        sql.execute("UPDATE leases SET until = 'infinity'")
        standby = Standby(source)
        await asyncio.wait((standby.turn,), timeout=0.5)
        assert not standby.turn.done()
        standby.stopped.set()
        assert await standby.turn is None

    run(story())


def test_a_node_that_has_just_taken_over_is_not_ended_by_the_next_standby(
    source: Source, first: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has its lease, but not yet its lock: first it opens the hall."""
    monkeypatch.setattr(standby, "_SURE_AFTER", 0.0)

    async def story() -> None:
        others = [Standby(source) for _ in range(4)]
        async with kept(source, first.number):
            await seen(source, lambda found: not found.lock_free)
            for other in others:
                await other.waits_for.get()
        done, waiting = await asyncio.wait(
            [other.turn for other in others], return_when=asyncio.FIRST_COMPLETED
        )
        # Until each of them has looked at the new one.
        for other in others:
            if other.turn in waiting:
                async with await source.connect_soon() as connection:
                    for _ in range(20):
                        await look(connection)
        assert len([turn for turn in (*done, *waiting) if turn.done()]) == 1
        for other in others:
            other.stopped.set()
        await asyncio.gather(*waiting)

    run(story())


def test_a_store_whose_tables_are_gone_is_not_waited_for(source: Source, first: Node, sql: Sql) -> None:
    async def story() -> None:
        async with kept(source, first.number) as heard:
            await seen(source, lambda found: not found.lock_free)
            sql.execute("DROP TABLE leases")
            failure = await heard.news.get()
            assert isinstance(failure, LedgerError)
            assert str(failure).endswith('fails: relation "leases" does not exist')

    run(story())


def test_no_node_is_ended_by_one_that_could_not_open(source: Source, first: Node, sql: Sql) -> None:
    class PortInUse(Exception):
        pass

    def in_use() -> None:
        raise PortInUse

    async def story() -> None:
        sql.execute("UPDATE leases SET until = 'epoch'")
        with pytest.raises(PortInUse):
            await Turn(source, "second", "0", in_use, standby=True).wait(asyncio.Event(), print)
        assert sql.execute("SELECT id FROM nodes WHERE ended IS NULL").fetchall() == [(first.number,)]

    run(story())


def test_without_standby_a_living_node_is_an_error(source: Source, first: Node) -> None:
    async def story() -> None:
        async with kept(source, first.number):
            await seen(source, lambda found: not found.lock_free)
            with pytest.raises(LedgerError, match=r"node \d+ \(first\)\. To wait .* --standby"):
                await Turn(source, "second", "0", standby=False).wait(asyncio.Event(), print)

    run(story())


def test_a_node_is_told_that_it_is_to_hand_over(source: Source, first: Node, sql: Sql) -> None:
    async def story() -> None:
        async with kept(source, first.number) as heard:
            assert drain(sql) == [InWing(0, first.number, "first")]
            assert await heard.news.get() == "drain"

    run(story())


def test_a_node_is_told_that_its_wing_is_to_be_elsewhere_and_that_its_process_is_to_end_after_all(
    source: Source, first: Node, sql: Sql
) -> None:
    async def story() -> None:
        async with kept(source, first.number) as heard:
            assert move(sql, 0) == [InWing(0, first.number, "first")]
            assert await heard.news.get() == "move"
            drain(sql)
            assert await heard.news.get() == "drain"

    run(story())


class Flickering:
    """A source that cannot be connected to as long as it is told not to be."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.away = True

    async def connect_soon(self) -> psycopg.AsyncConnection[Any]:
        if self.away:
            raise psycopg.OperationalError("connection refused")
        return await self._source.connect_soon()


def test_a_store_that_was_away_is_asked_whether_it_has_lost_something(source: Source, first: Node) -> None:
    async def story() -> None:
        flickering, asked = Flickering(source), list[bool]()

        async def check() -> None:
            asked.append(True)

        async with kept(flickering, first.number, check) as heard:
            assert await heard.news.get() == "away"
            flickering.away = False
            assert await heard.news.get() == "back"
            assert asked == [True]

        async def went_back() -> None:
            raise StoreWentBack("less than it had")

        flickering.away = True
        async with kept(flickering, first.number, went_back) as heard:
            assert await heard.news.get() == "away"
            flickering.away = False
            assert isinstance(await heard.news.get(), StoreWentBack)

    run(story())


def test_a_standby_judges_nobody_when_the_store_has_just_come_back(
    source: Source, first: Node, sql: Sql
) -> None:
    """After a fail-over all locks are free and all leases are over: the active node is given time to find its way."""

    async def story() -> None:
        sql.execute("UPDATE leases SET until = 'epoch'")
        flickering: Any = Flickering(source)
        standby = Standby(flickering)
        await asyncio.wait((standby.turn,), timeout=0.2)
        flickering.away = False
        await asyncio.wait((standby.turn,), timeout=0.5)
        assert not standby.turn.done()
        standby.stopped.set()
        assert await standby.turn is None

    run(story())


def test_a_node_that_was_ended_in_a_store_with_less_than_it_had_says_the_worse(
    source: Source, first: Node
) -> None:
    async def went_back() -> None:
        raise StoreWentBack("less than it had")

    async def story() -> None:
        async with kept(source, first.number, went_back) as heard:
            await seen(source, lambda found: not found.lock_free)
            async with await source.connect_soon() as connection:
                assert await take_over(connection, first.number, "second", "0") is not None
            assert isinstance(await heard.news.get(), StoreWentBack)

    run(story())
