"""Notes, talk and people are what was stored, or they are not shown; one that is damaged spoils nothing else."""

from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import text
from tests.ledger.support.logbook import chain, entry
from tests.ledger.support.years import someone

from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.store.storage import Tail
from gamut.ledger.people import SqlPeopleStore
from gamut.ledger.sql import SqlLedger
from gamut.ledger.sqlite.database import Database

A, B, C, D = map(TableId, "ABCD")
ANN = PersonId("ann")

# Text that is no text, another letter, another number, another type, nothing much.
DAMAGE = [
    ("game", "CAST(x'ff746f77' AS TEXT)"),
    ("game", "'towfr'"),
    ("wakes", "2"),
    ("wakes", "'no'"),
    ("updated", "updated + 1"),
    ("updated", "'soon'"),
    ("summary", "'text'"),
    ("summary", "CAST(summary || ' ' AS BLOB)"),
    ("summary", "17"),
    ("summary", "x''"),
    ("checksum", "checksum + 1"),
    ("checksum", "x'00'"),
    ("checksum", "'?'"),
]


def spoil(database: Database, statement: str) -> None:
    with database.engine.begin() as connection:
        connection.execute(text(statement))


def tables(entries: list[Any]) -> list[TableId]:
    return [known.table for known in entries]


@pytest.mark.parametrize(("column", "value"), DAMAGE)
def test_a_damaged_note_is_left_out_of_every_list_and_the_others_are_there(
    ledger: SqlLedger, database: Database, column: str, value: str, caplog: pytest.LogCaptureFixture
) -> None:
    for table in "ABCD":
        ledger.append(chain(table, [b"x"]), [entry(table, "over", people=["ann"], listed=True)])
    spoil(database, f"UPDATE tables SET {column} = {value} WHERE id = 'B'")
    assert tables(ledger.finished(None, None, 10)) == [D, C, A]
    assert tables(ledger.finished(None, None, 3)) == [D, C, A], "a page is as long as it can be"
    assert tables(ledger.finished(None, C, 3)) == [A]
    assert tables(ledger.played_by(ANN, 10)) == [D, C, A]
    assert ledger.entry(B) is None
    assert ledger.tables_of(ANN, 10) == [D, C, B, A], "it is still theirs: exports and deletions find it"
    assert ledger.tables_of(ANN, 2, C) == [B, A]
    assert list(ledger.damage.notes) == [B]
    assert [record.message for record in caplog.records] == ["damaged note"], "told once"


@pytest.mark.parametrize(("column", "value"), DAMAGE)
def test_an_unfinished_table_with_a_damaged_note_is_known_until_it_is_noted_anew(
    ledger: SqlLedger, database: Database, column: str, value: str
) -> None:
    for table in "AB":
        ledger.append(chain(table, [b"x"]), [entry(table)])
    spoil(database, f"UPDATE tables SET {column} = {value} WHERE id = 'B'")
    assert tables(ledger.unfinished()) == [A]
    assert ledger.unnoted() == [B]
    ledger.append((), [entry("B", game="parlour")])
    assert [(known.table, known.game) for known in ledger.unfinished()] == [(A, "tower"), (B, "parlour")]
    assert ledger.unnoted() == []


def test_a_note_is_covered_however_often_it_is_changed(ledger: SqlLedger) -> None:
    for phase in ("setup", "playing", "over"):
        note = entry("A", phase, updated=7, listed=phase == "over")
        ledger.append((), [note])
        assert ledger.entry(A) == note


def test_a_commit_takes_one_statement_for_each_kind_of_thing(ledger: SqlLedger) -> None:
    said: list[str] = []
    connection: Any = ledger._connection.driver_connection
    connection.set_trace_callback(lambda statement: said.append(" ".join(statement.split()[:5])))
    ledger.append(chain("A", [b"x"]), [entry("A")])
    connection.set_trace_callback(None)
    assert said == [
        "BEGIN",
        "INSERT OR ROLLBACK INTO events",
        "INSERT OR ROLLBACK INTO tables",
        "COMMIT",
    ]


# Talk


@pytest.mark.parametrize("number", range(1, 7))
def test_a_damaged_line_is_left_out_and_the_others_are_there(
    ledger: SqlLedger, database: Database, number: int
) -> None:
    rows = chain("A", [b"%d" % line for line in range(6)])
    ledger.append(rows, ())
    spoil(database, f"UPDATE events SET body = x'00' WHERE seq = {number}")
    sound = [row for row in rows if row.seq != number]
    assert ledger.tail(A, 10) == Tail(sound, sound=False)
    assert ledger.tail(A, 3) == Tail([row for row in sound if row.seq > 3], sound=number <= 3)


@pytest.mark.parametrize("value", ["'text'", "17", "x''"])
@pytest.mark.parametrize("column", ["body", "checksum"])
def test_a_line_of_any_type_is_left_out(
    ledger: SqlLedger, database: Database, column: str, value: str
) -> None:
    rows = chain("A", [b"one", b"two"])
    ledger.append(rows, ())
    spoil(database, f"UPDATE events SET {column} = {value} WHERE seq = 2")
    assert ledger.tail(A, 10) == Tail(rows[:1], sound=False)


# People


@pytest.mark.parametrize(
    "change",
    [
        "name = 'Playfr 1'",
        "name = CAST(x'ff' AS TEXT)",
        "name = 17",
        "password = NULL",
        "password = x'00'",
        "created = 'today'",
        "seen = seen + 1",
        "epoch = epoch + 1",
        "checksum = 'x'",
    ],
)
def test_a_damaged_person_is_left_out_and_counted(database: Database, change: str) -> None:
    store = SqlPeopleStore(database.engine, database.damage)
    for number in range(3):
        store.add(someone(number))
    spoil(database, f"UPDATE people SET {change} WHERE id = 'person-001'")
    assert list(store.load()) == [someone(0), someone(2)]
    assert database.damage.people == 1


def test_a_person_is_covered_however_they_change(database: Database) -> None:
    store = SqlPeopleStore(database.engine, database.damage)
    store.add(someone(1))
    store.change(replace(someone(1), name="Another", name_key="another", password=None))
    later = Millis(someone(1).last_seen + 5)
    store.saw({someone(1).id: later, PersonId("nobody"): later})
    store.saw({someone(1).id: Millis(later - 1)})
    (person,) = store.load()
    assert (person.name, person.last_seen) == ("Another", later)
    assert database.damage.people == 0
