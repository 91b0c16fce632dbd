"""A ledger of every former version, as it was left: it opens, nothing of it is lost, and it goes on."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.hall.support.inmemory import NOON, ManualTime, make_hall
from tests.ledger.old.make import HERE, SECRET
from tests.ledger.support.years import someone

from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.lobby.summary import summary_from
from gamut.hall.lobby.talk import TALK
from gamut.hall.store.storage import Tail
from gamut.ledger.migrations import CURRENT
from gamut.ledger.people import SqlPeopleStore
from gamut.ledger.sqlite.database import FILE, open_database
from gamut.ledger.sqlite.ledger import SqliteLedger


def test_there_is_one_of_every_version() -> None:
    assert sorted(file.name for file in HERE.glob("*.db")) == [
        f"v{number}.db" for number in range(1, CURRENT)
    ]


@pytest.mark.parametrize("version", range(1, CURRENT))
def test_a_ledger_of_a_former_version_goes_on(version: int, tmp_path: Path) -> None:
    shutil.copy(HERE / f"v{version}.db", tmp_path / FILE)
    asyncio.run(played_on(tmp_path, version))
    asyncio.run(still_there(tmp_path))


async def played_on(folder: Path, version: int) -> None:
    database = open_database(folder)
    ledger = SqliteLedger(database.engine, database.high_water, database.damage)
    store = SqlPeopleStore(database.engine, database.damage)
    assert store.secret() == SECRET
    assert list(store.load()) == [someone(number) for number in range(3)]
    (over,) = ledger.finished(None, None, 10)
    outcome = summary_from(None, over).outcome
    assert outcome is not None
    assert outcome.reason == "line"
    lengths = {len(row.checksum) for row in ledger.log(over.table)}
    assert lengths == ({8} if version < 3 else {4})
    assert len(ledger.unfinished()) == 2
    assert ledger.unnoted() == []
    assert over.table in ledger.tables_of(PersonId("person-000"), 10)
    assert (ledger.named("tower", "den") is None) == (version == 1), "rooms came with version 2"
    assert ledger.tail(TALK, 10).sound

    house: Any = make_hall(storage=as_any(ledger), time=ManualTime(Millis(NOON + 60_000)))
    await house.start()
    assert [said.text for said in house.hall.lobby.talk.lines] == ["hello", "anybody here?", "a game?"]
    (running,) = [table.id for table in house.hall.lobby.tables.values() if table.phase == "playing"]
    live = await house.hall.load(running)
    for person in ("person-000", "person-001", "person-002"):
        house.attend(live, person)
    moves = live.table.seq
    house.act(live)
    house.hall.lobby.say(PersonId("person-000"), "Player 0", "we go on")
    house.settle()
    assert len(ledger.log(running)) == moves + 1
    assert ledger.latest() == NOON + 60_000
    assert not database.damage
    ledger.close()
    database.close()


async def still_there(folder: Path) -> None:
    database = open_database(folder)
    ledger = SqliteLedger(database.engine, database.high_water, database.damage)
    house: Any = make_hall(storage=as_any(ledger))
    await house.start()
    assert house.hall.lobby.talk.lines[-1].text == "we go on"
    for entry in (*ledger.unfinished(), *ledger.finished(None, None, 10)):
        assert await house.hall.load(TableId(entry.table)) is not None
    assert ledger.tail(TALK, 10) == Tail(ledger.log(TALK))
    assert not database.damage
    ledger.close()
    database.close()


def as_any(ledger: SqliteLedger) -> Any:
    return ledger


@pytest.mark.parametrize("version", range(1, CURRENT))
def test_a_damaged_ledger_of_a_former_version_is_rescued_as_one_of_today(
    version: int, tmp_path: Path
) -> None:
    content = (HERE / f"v{version}.db").read_bytes()
    (tmp_path / FILE).write_bytes(content)
    before = open_database(tmp_path)
    logs = {TableId(table): SqliteLedger(before.engine).log(TableId(table)) for table in tables_of(before)}
    before.close()
    for end in ("", "-wal", "-shm"):
        (tmp_path / f"{FILE}{end}").unlink(missing_ok=True)
    (tmp_path / FILE).write_bytes(content[:100] + bytes(412) + content[512:])
    asyncio.run(rescued(tmp_path, logs))


def tables_of(database: Any) -> list[str]:
    with database.engine.connect() as connection:
        return list(connection.exec_driver_sql("SELECT DISTINCT table_id FROM events").scalars())


async def rescued(folder: Path, logs: dict[TableId, Any]) -> None:
    database = open_database(folder)
    ledger = SqliteLedger(database.engine, database.high_water, database.damage)
    assert {table: ledger.log(table) for table in logs} == logs
    assert len(SqlPeopleStore(database.engine, database.damage).load()) == 3
    house: Any = make_hall(storage=as_any(ledger))
    await house.start()
    assert len(ledger.finished(None, None, 10)) == 1, "what was noted is worked out from the logs"
    assert len(ledger.unfinished()) == 2
    assert len(house.hall.lobby.talk.lines) == 3
    ledger.close()
    database.close()
