"""Stores that tests open, look into and damage, on whatever database they are."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

import psycopg

from gamut.hall.ids import Millis
from gamut.hall.people.people import PeopleStore
from gamut.ledger.postgres.store import PostgresStore, open_postgres
from gamut.ledger.sqlite.database import FILE
from gamut.ledger.sqlite.store import SqliteStore
from gamut.ledger.store import Ledger, Place, Store


class StoreUnderTest(Protocol):
    kind: str

    @property
    def store(self) -> Store: ...
    @property
    def ledger(self) -> Ledger: ...
    @property
    def people(self) -> PeopleStore: ...

    def connect(self) -> Any:
        """Another connection to the same database, past the product. Every statement is a transaction of its own."""
        ...

    def reopen(self) -> None:
        """After the process was gone from one instant to the next."""
        ...

    def close(self) -> None: ...


def spoil(store: StoreUnderTest, statement: str, *values: Any) -> None:
    """Change exactly one row of what is stored."""
    with closing(store.connect()) as connection:
        if store.kind == "sqlite":
            done = connection.execute(statement, values)
        else:
            done = connection.execute(statement.replace("?", "%s"), values or None)
        assert done.rowcount == 1


class _Opened:
    store: Store

    @property
    def ledger(self) -> Ledger:
        return self.store.ledger

    @property
    def people(self) -> PeopleStore:
        return self.store.people


class SqliteUnderTest(_Opened):
    kind = "sqlite"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.store: Store = SqliteStore(folder)

    def connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._folder / FILE, isolation_level=None)

    def reopen(self) -> None:
        self.close()
        self.store = SqliteStore(self._folder)

    def close(self) -> None:
        asyncio.run(self.store.close())


class PostgresUnderTest(_Opened):
    kind = "postgres"

    def __init__(self, url: str) -> None:
        self._url = url
        self.store: Store = asyncio.run(self._open())

    async def _open(self) -> PostgresStore:
        place = Place(url=self._url, folder=Path(), name="under test", version="")
        store = await open_postgres(place, asyncio.Event(), lambda _: None)
        assert store is not None
        return store

    def connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self._url, autocommit=True)

    def reopen(self) -> None:
        self.close()
        self.store = asyncio.run(self._open())

    def close(self) -> None:
        # In good order, so that the next one need not wait until it is sure that this one is gone.
        asyncio.run(self.store.stop(Millis(0)))
        asyncio.run(self.store.close())
