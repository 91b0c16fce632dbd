"""Until when clocks ran is the last sign of life of the node before. That one may never have had all tables."""

import asyncio
from pathlib import Path

from tests.hall.support.restarts import told

from gamut.hall.ids import Millis
from gamut.ledger.postgres.store import PostgresStore, open_postgres
from gamut.ledger.store import Place


async def a_node(url: str, name: str) -> PostgresStore:
    place = Place(url=url, folder=Path(), name=name, version="1")
    store = await open_postgres(place, asyncio.Event(), lambda _: None)
    assert store is not None
    return store


def test_a_node_knows_when_the_one_before_it_was_there(database_url: str) -> None:
    @told
    async def story() -> None:
        known = []
        for number, ended_at in enumerate((1_000, 2_000, 2_500), 1):
            store = await a_node(database_url, f"node {number}")
            known.append((store.node, store.opened_before, store.stopped_at))
            await store.stop(Millis(ended_at))
            await store.close()
        assert known == [(1, 0, None), (2, 0, 1_000), (3, 1_001, 2_000)]

    story()
