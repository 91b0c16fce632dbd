"""A page of the database that cannot be read costs the tables on it, and nothing else."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from tests.ledger.support.logbook import chain, entry
from tests.ledger.support.stores import PostgresUnderTest
from tests.support.postgres import Postgres

from gamut.hall.ids import TableId
from gamut.hall.store.storage import DamagedLog, LedgerError

PAGE = 8192


@pytest.fixture
def own() -> Iterator[Postgres]:
    """One that checks its pages, as every operator's should."""
    with Postgres(page_checksums=True) as postgres:
        yield postgres


def spoil_first_page(postgres: Postgres, relation: str) -> None:
    with postgres.connect() as connection:
        row = connection.execute("SELECT pg_relation_filepath(%s)", [relation]).fetchone()
    assert row is not None
    postgres.stop()
    file: Path = postgres.data / row[0]
    content = bytearray(file.read_bytes())
    content[PAGE // 2] ^= 0xFF
    file.write_bytes(content)
    postgres.start()


def test_a_bad_page_costs_the_tables_on_it(own: Postgres) -> None:
    store = PostgresUnderTest(own.url())
    logs = {name: chain(name, [Random(name).randbytes(1_500)] * 2) for name in "ABCD"}
    for name, rows in logs.items():
        store.ledger.append(rows, [entry(name)])
    store.close()
    spoil_first_page(own, "events")
    store = PostgresUnderTest(own.url())
    assert store.ledger.logs([TableId("A"), TableId("D")]) == {}
    assert store.ledger.logs([TableId("D")]) == {"D": logs["D"]}
    store.store.damage.reads = 0
    with pytest.raises(DamagedLog):
        store.ledger.log(TableId("A"))
    assert store.ledger.log(TableId("D")) == logs["D"]
    assert store.store.damage.reads == 1
    store.ledger.append(chain("E", [b"one"]), [entry("E")])
    assert len(store.ledger.unfinished()) == 5
    store.close()


def test_a_list_on_a_bad_page_cannot_be_read(own: Postgres) -> None:
    store = PostgresUnderTest(own.url())
    store.ledger.append(chain("A", [b"one"]), [entry("A")])
    store.close()
    spoil_first_page(own, "tables")
    store = PostgresUnderTest(own.url())
    with pytest.raises(LedgerError) as failure:
        store.ledger.unfinished()
    assert "\n" not in str(failure.value)
    assert len(store.ledger.log(TableId("A"))) == 1
    store.close()
