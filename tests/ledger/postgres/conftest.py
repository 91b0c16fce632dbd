"""Nodes on an empty database."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from gamut.ledger.postgres.connecting import Source
from gamut.ledger.postgres.migrations import migrate
from gamut.ledger.postgres.node import Node, take_over
from gamut.ledger.postgres.store import PostgresStore


@pytest.fixture
def source(database_url: str) -> Source:
    source = Source(database_url)
    with source.connect() as connection:
        migrate(connection)
    return source


@pytest.fixture
def sql(source: Source) -> Iterator[psycopg.Connection[Any]]:
    """A connection beside those of the nodes."""
    with source.connect() as connection:
        yield connection


def registered(
    source: Source, dead: int | None = None, name: str = "node", wing: int = 0, wings: int = 1
) -> Node | None:
    async def register() -> Node | None:
        connection = await source.connect_soon()
        async with connection:
            return await take_over(connection, dead, name, "0", wing, wings)

    return asyncio.run(register())


@pytest.fixture
def open_node(source: Source) -> Iterator[Callable[..., PostgresStore]]:
    """Opens the store as the active node, in place of another one if that is named."""
    opened: list[PostgresStore] = []

    def open_it(dead: PostgresStore | None = None, wing: int = 0, wings: int = 1) -> PostgresStore:
        node = registered(source, None if dead is None else dead.node, wing=wing, wings=wings)
        assert node is not None
        opened.append(PostgresStore(source, node, 1.0, source.engine()))
        return opened[-1]

    yield open_it
    for store in opened:
        asyncio.run(store.close())
