"""A store on PostgreSQL: one node for each wing of the hall uses it at a time, under a lease."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from time import time
from typing import Any

import psycopg
from sqlalchemy import Engine

from gamut.hall.ids import Millis, TableId
from gamut.hall.store.storage import Damage, LedgerError
from gamut.hall.wings import MAIN
from gamut.ledger.postgres import node as nodes
from gamut.ledger.postgres.connecting import Source, line_of
from gamut.ledger.postgres.durability import Durability, durability
from gamut.ledger.postgres.fence import Fence
from gamut.ledger.postgres.lease import Lease
from gamut.ledger.postgres.ledger import PostgresLedger, PostgresReading
from gamut.ledger.postgres.migrations import checked_version, migrate
from gamut.ledger.postgres.people import PostgresPeopleOfMain, PostgresPeopleReading, PostgresPeopleStore
from gamut.ledger.postgres.standby import Turn
from gamut.ledger.store import Hearing, Meanwhile, Place, Watcher

log = logging.getLogger("gamut.ledger")

_TO_LET_GO = 1.0
"""Seconds in which the lease is let go of, or it ends with the process."""


async def open_postgres(
    place: Place,
    stopped: asyncio.Event,
    waiting: Callable[[str], None],
    check_ready: Callable[[], None] = lambda: None,
    meanwhile: Meanwhile | None = None,
    hearing: Hearing | None = None,
) -> "PostgresStore | None":
    source = Source(place.url)
    await asyncio.to_thread(_make_ready, source)
    turn = Turn(
        source,
        place.name,
        place.version,
        check_ready,
        place.turn,
        hearing,
        standby=place.standby,
        wing=place.wing,
        wings=place.wings,
        burden=place.burden,
    )
    engine = source.engine()
    doing = None
    if meanwhile is not None:
        reading = meanwhile(PostgresReading(engine), PostgresPeopleReading(source, Damage()))
        doing = asyncio.ensure_future(reading)
    try:
        node = await turn.wait(stopped, waiting)
    finally:
        if doing is not None:
            doing.cancel()
            await asyncio.wait((doing,))
    try:
        return (
            None
            if node is None
            else await asyncio.to_thread(PostgresStore, source, node, place.lease, engine)
        )
    except psycopg.Error as error:
        raise LedgerError(f"The store {source.shown} fails: {line_of(error)}.") from None


def _make_ready(source: Source) -> None:
    """A new database gets its tables. One that another node may be using is brought up to date
    when this node takes over."""
    with source.first_connection() as connection:
        if checked_version(connection) == 0:
            migrate(connection)


class PostgresStore:
    def __init__(self, source: Source, node: nodes.Node, lease: float, engine: Engine) -> None:
        self._source = source
        self._seconds = lease
        self.node = node.number
        self.before = node.before, node.before_stored
        self.stopped_at = node.charged
        self.opened_before = node.opened_before
        self.damage = Damage()
        with source.first_connection() as connection:
            self.durability: Durability = durability(connection)
            lost = connection.execute("SELECT table_id FROM damaged").fetchall()
            row = connection.execute("SELECT extract(epoch FROM clock_timestamp()) * 1000").fetchone()
        assert row is not None
        self.clock_ahead = int(row[0]) - int(time() * 1000)
        self.damage.tables.update((TableId(table), None) for (table,) in lost)
        for doubt in self.durability.doubts:
            log.warning("the store promises less than it could: %s", doubt)
        self._engine = engine
        self._changes = Fence(source, self.node, "changes")
        self.ledger = PostgresLedger(source, self.node, self._changes, self._engine, self.damage)
        store_of_people = PostgresPeopleStore if node.wing == MAIN else PostgresPeopleOfMain
        self.people = store_of_people(source, self.node, self._changes, self.damage)
        self._lease: Lease | None = None
        self._keeping: asyncio.Task[None] | None = None

    def watch(self, now: Callable[[], Millis], watcher: Watcher) -> None:
        self._lease = Lease(self._source, self.node, self._seconds, self._check, now)
        self._keeping = asyncio.ensure_future(self._lease.keep(watcher))

    async def _check(self) -> None:
        try:
            await asyncio.to_thread(self.ledger.check)
            await asyncio.to_thread(self._changes.check)
        except psycopg.Error as error:
            raise OSError(str(error)) from None  # away again

    def batches(self) -> int:
        return self.ledger.batches

    def remains(self) -> str:
        return (
            "The database overwrites what you have left in its files when it needs the room, and its operator has to "
            "see to its backups."
        )

    def lease_age(self) -> float | None:
        return None if self._lease is None else self._lease.age

    def health(self) -> dict[str, Any]:
        lease = self._lease
        return {
            "kind": "postgresql",
            "node": self.node,
            "away": lease is not None and lease.is_away,
            "fsync": self.durability.fsync,
            "synchronous_commit": self.durability.synchronous_commit,
            "synchronous_standby": self.durability.standby,
        }

    async def stop(self, at: Millis) -> None:
        await self._let_go_of_lease()
        with suppress(psycopg.Error):  # the next node finds out by itself that this one is gone
            await asyncio.to_thread(self._end, at)

    def _end(self, at: Millis) -> None:
        with self._source.connect() as connection:
            nodes.end(connection, self.node, at)

    async def _let_go_of_lease(self) -> None:
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.wait((self._keeping,), timeout=_TO_LET_GO)
            self._keeping = None

    async def close(self) -> None:
        await self._let_go_of_lease()
        self.ledger.close()
        self._changes.close()
        await asyncio.to_thread(self._engine.dispose)
