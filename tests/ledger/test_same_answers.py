"""Every store answers alike: whatever a hall has stored in years, and whatever it asks for."""

import pytest
from tests.hall.support.twin import TwinStorage
from tests.ledger.support.stores import StoreUnderTest
from tests.ledger.support.years import Years

from gamut.hall.ids import PersonId, TableId
from gamut.hall.lobby.talk import TALK


@pytest.fixture(scope="module")
def years() -> Years:
    return Years(tables=40, people=10)


def test_what_a_hall_has_stored_in_years_is_found_by_every_question(
    store: StoreUnderTest, years: Years
) -> None:
    twin = TwinStorage(store.ledger)
    for rows, entries in years.storage.history:
        twin.append(rows, entries)
    tables = sorted(twin.entries)
    for table in tables:
        assert twin.log(table)
        twin.entry(table)
        twin.tail(table, 3)
    assert len(twin.tail(TALK, 100).rows) > 10
    assert twin.unfinished()
    rooms = [entry.room for entry in twin.entries.values() if entry.room is not None]
    assert all(twin.named("tower", room) for room in rooms)
    assert twin.last_name("tower")
    before: TableId | None = None
    while page := twin.finished("tower", before, 3):
        before = page[-1].table
    assert before is not None
    for person in years.people:
        assert twin.played_by(person.id, 4, tables[20]) is not None
        assert len(twin.tables_of(person.id, 100)) > 3
    assert twin.latest() > 0
    twin.forget(years.people[0].id)
    assert twin.tables_of(PersonId(years.people[0].id), 10) == []
