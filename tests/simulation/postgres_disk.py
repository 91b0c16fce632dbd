"""The ledger on PostgreSQL as what is left when a server is gone."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any, TypeVar

from tests.simulation.disk import Flying

from gamut.hall.ids import TableId
from gamut.hall.store.storage import Fenced, Storage
from gamut.ledger.postgres.connecting import Source
from gamut.ledger.postgres.migrations import migrate
from gamut.ledger.postgres.node import Node, take_over
from gamut.ledger.postgres.store import PostgresStore
from gamut.ledger.store import Ledger

Result = TypeVar("Result")


def _apart(story: Coroutine[Any, Any, Result]) -> Result:
    """On an event loop of its own: that of the simulation is running, on other time."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, story).result()


class PostgresMedium:
    """Each server is a node, which a crash ends. What it had on its way is stored before that, or refused after it."""

    def __init__(self, url: str) -> None:
        self._source = Source(url)
        with self._source.connect() as connection:
            migrate(connection)
        self._node = self._next_node(None)
        self.refused = 0
        """Commits that came too late."""

    @property
    def storage(self) -> Storage:
        ledger: Ledger = self._node.ledger
        return ledger

    def tables(self) -> list[TableId]:
        with self._source.connect() as connection:
            found = connection.execute("SELECT DISTINCT table_id FROM events ORDER BY table_id")
            return [TableId(row[0]) for row in found]

    def crash(self, flying: Flying | None, chance: Random) -> None:
        before = self._node
        in_time = chance.random() < 0.5
        if flying is not None and in_time:
            before.ledger.append(*flying)
        self._node = self._next_node(before.node)
        if flying is not None and not in_time:
            try:
                before.ledger.append(*flying)
            except Fenced:
                self.refused += 1
            else:
                raise AssertionError("a node that was ended has stored something")
        _apart(before.close())

    def close(self) -> None:
        _apart(self._node.close())

    def _next_node(self, dead: int | None) -> PostgresStore:
        async def register() -> Node | None:
            async with await self._source.connect_soon() as connection:
                return await take_over(connection, dead, "simulated", "0")

        node = _apart(register())
        assert node is not None
        return PostgresStore(self._source, node, 1.0, self._source.engine())
