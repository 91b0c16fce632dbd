"""A store of the version before is used by its own nodes until a newer one takes over, which brings it up to date."""

import asyncio
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.ledger.support.logbook import chain, entry

from gamut.hall.ids import Millis, TableId
from gamut.hall.store.storage import Fenced, LedgerError
from gamut.ledger.meta import VERSION
from gamut.ledger.postgres import commit, standby
from gamut.ledger.postgres.connecting import Source
from gamut.ledger.postgres.draining import drain_active
from gamut.ledger.postgres.fence import Fence
from gamut.ledger.postgres.migrations import CURRENT, version_of
from gamut.ledger.postgres.node import InWing, active, end, take_over_older, wings_of
from gamut.ledger.postgres.store import PostgresStore, open_postgres
from gamut.ledger.postgres.versions import STEPS
from gamut.ledger.store import Place

Sql = psycopg.Connection[Any]
T = TableId("T")
LOG = chain("T", [b'{"at":7000}', b'{"at":8000}'])

_TAKE_OVER = "SELECT node FROM gamut_take_over(%s, 'old', '0', interval '1 hour')"
"""As nodes of that version do it."""


@pytest.fixture
def older(database_url: str) -> Source:
    """A store in which an older node is active."""
    source = Source(database_url)
    with source.connect() as connection:
        for statements in STEPS[0]:
            connection.execute(statements)
        connection.execute("INSERT INTO meta (key, value) VALUES (%s, '1')", (VERSION,))
        assert connection.execute(_TAKE_OVER, (None,)).fetchone() == (1,)
    return source


@pytest.fixture
def old(older: Source) -> Any:
    """How the older node commits."""
    fence = Fence(older, 1, "batch", commit.prepare)
    yield fence
    fence.close()


class Standby:
    """A newer node that waits."""

    def __init__(self, url: str, wing: int = 0, wings: int = 1) -> None:
        self.waits_for: asyncio.Queue[str] = asyncio.Queue()
        self.stopped = asyncio.Event()
        place = Place(url=url, folder=Path(), name="new", version="1", standby=True, wing=wing, wings=wings)
        self.turn = asyncio.ensure_future(open_postgres(place, self.stopped, self.waits_for.put_nowait))

    async def holding_lock(self, source: Source) -> psycopg.AsyncConnection[Any]:
        """The older node lives, for the newer one to see."""
        connection = await source.connect_soon()
        await connection.execute("SELECT pg_advisory_lock(%s, 1)", (0x67616D02,))
        return connection


def asked(sql: Sql) -> None:
    """Wait until the older node is asked to hand over."""
    while sql.execute("SELECT draining FROM nodes").fetchone() != (True,):
        time.sleep(0.01)


def test_a_newer_node_stands_by_takes_over_and_brings_the_store_up_to_date(
    older: Source, old: Fence, database_url: str
) -> None:
    async def story() -> None:
        new = Standby(database_url)
        async with await new.holding_lock(older):
            assert await new.waits_for.get() == "node 1 (old)"
            # Which the older one does not notice.
            old.run(commit.Commit(1, LOG[:1], [entry("T")]))
            with older.connect() as sql:
                assert version_of(sql) == 1
                assert active(sql) == [InWing(0, 1, "old")]
                draining = asyncio.ensure_future(asyncio.to_thread(list, drain_active(database_url, 30)))
                await asyncio.to_thread(asked, sql)
                end(sql, 1, Millis(9000))
        store = await new.turn
        assert isinstance(store, PostgresStore)
        (said,) = await draining
        assert said.startswith("Node 1 (old) has handed over to new in ")
        assert (store.before, store.stopped_at) == ((1, 1), 9000)
        store.ledger.append(LOG[1:], [])
        assert store.ledger.log(T) == LOG
        with older.connect() as sql:
            assert version_of(sql) == CURRENT
            assert wings_of(sql) == 1
            assert active(sql) == [InWing(0, store.node, "new")]
        with pytest.raises(Fenced):
            old.run(commit.Commit(1, chain("U", [b"one"]), ()))
        await store.close()

    asyncio.run(asyncio.wait_for(story(), 30))


def test_an_older_node_that_is_gone_is_ended_in_the_store_that_is_brought_up_to_date(
    older: Source, old: Fence, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standby, "_SURE_AFTER", 0.0)
    old.run(commit.Commit(1, LOG[:1], [entry("T")]))

    async def story() -> None:
        new = Standby(database_url)
        with older.connect() as sql:
            sql.execute("UPDATE leases SET until = 'epoch'")
        store = await new.turn
        assert isinstance(store, PostgresStore)
        assert (store.before, store.stopped_at) == ((1, 1), 7000)
        with pytest.raises(Fenced):
            old.run(commit.Commit(1, LOG[1:], ()))
        await store.close()

    asyncio.run(asyncio.wait_for(story(), 30))


def test_a_store_in_which_an_older_node_was_faster_stays_as_it_is(older: Source, sql_of: Sql) -> None:
    """It ended the one that the newer node was about to end."""
    sql_of.execute(_TAKE_OVER, (1,))

    assert take_over_older(older, 1, "new", "1", 0, 1) is None
    assert version_of(sql_of) == 1
    assert sql_of.execute("SELECT node, name FROM claims").fetchall() == [(2, "")]


def test_a_store_of_an_older_hall_stays_as_it_is_for_a_hall_of_more_wings(
    older: Source, sql_of: Sql, database_url: str
) -> None:
    async def story() -> None:
        for wing in range(2):
            with pytest.raises(
                LedgerError, match=r"^This hall has 1 wing \(--wings 1\); nodes of it are active$"
            ):
                await Standby(database_url, wing, 2).turn

    asyncio.run(asyncio.wait_for(story(), 30))
    assert version_of(sql_of) == 1


def test_when_nobody_is_active_an_older_hall_gets_as_many_wings_as_are_wanted(
    older: Source, sql_of: Sql, database_url: str
) -> None:
    end(sql_of, 1, Millis(9000))

    async def story() -> None:
        found = [await Standby(database_url, wing, 3).turn for wing in (2, 0, 1)]
        for store in found:
            assert store is not None
            assert store.stopped_at == 9000, "the one node before had all tables"
            await store.close()

    asyncio.run(asyncio.wait_for(story(), 30))
    assert wings_of(sql_of) == 3
    assert version_of(sql_of) == CURRENT


@pytest.fixture
def sql_of(older: Source) -> Any:
    with older.connect() as connection:
        yield connection
