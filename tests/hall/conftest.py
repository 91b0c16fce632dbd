"""With `--hall-on postgres`, or sqlite, every hall of these tests is on such a store, beside the one in memory."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.hall.support.inmemory import MemoryStorage
from tests.hall.support.twin import TwinStorage
from tests.ledger.support.stores import PostgresUnderTest, SqliteUnderTest, StoreUnderTest


@pytest.fixture(autouse=True)
def halls_on_real_stores(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[None]:
    kind: str | None = request.config.getoption("--hall-on")
    if kind is None or "store" in request.fixturenames or request.node.get_closest_marker("in_memory"):
        yield
        return
    new_database: Callable[[], str] = request.getfixturevalue("new_database")
    opened: list[StoreUnderTest] = []

    def another() -> MemoryStorage:
        if kind == "sqlite":
            opened.append(SqliteUnderTest(tmp_path / f"store{len(opened)}"))
        else:
            # Elsewhere: opening it runs an event loop, and this may be called on one.
            opened.append(thread.submit(PostgresUnderTest, new_database()).result())
        return TwinStorage(opened[-1].ledger)

    monkeypatch.setattr("tests.hall.support.inmemory.MemoryStorage", another)
    with ThreadPoolExecutor(1) as thread:
        yield
    for store in opened:
        store.close()
