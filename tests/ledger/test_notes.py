"""Notes, talk and people are what was stored, or they are not shown; one that is damaged spoils nothing else."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.ledger.support.logbook import chain, entry
from tests.ledger.support.stores import StoreUnderTest, spoil
from tests.ledger.support.years import someone

from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.people.people import PeopleStore
from gamut.hall.store.storage import Storage, Tail

A, B, C, D = map(TableId, "ABCD")
ANN = PersonId("ann")

# Another letter, another number, something less or more.
ANYWHERE = [
    ("game", "'towfr'"),
    ("updated", "updated + 1"),
    ("checksum", "checksum + 1"),
]
# SQLite keeps any type in any column, and text that is no text.
DAMAGE = {
    "sqlite": [
        *ANYWHERE,
        ("game", "CAST(x'ff746f77' AS TEXT)"),
        ("wakes", "2"),
        ("wakes", "'no'"),
        ("updated", "'soon'"),
        ("summary", "'text'"),
        ("summary", "CAST(summary || ' ' AS BLOB)"),
        ("summary", "17"),
        ("summary", "x''"),
        ("checksum", "x'00'"),
        ("checksum", "'?'"),
    ],
    "postgres": [
        *ANYWHERE,
        ("wakes", "NOT wakes"),
        ("summary", "summary || ' '::bytea"),
        ("summary", "''"),
    ],
}
EVERY_DAMAGE = pytest.mark.parametrize(
    ("store", "column", "value"),
    [(kind, *damage) for kind, found in DAMAGE.items() for damage in found],
    indirect=["store"],
)


def tables(entries: list[Any]) -> list[TableId]:
    return [known.table for known in entries]


@EVERY_DAMAGE
def test_a_damaged_note_is_left_out_of_every_list_and_the_others_are_there(
    store: StoreUnderTest, ledger: Storage, column: str, value: str, caplog: pytest.LogCaptureFixture
) -> None:
    for table in "ABCD":
        ledger.append(chain(table, [b"x"]), [entry(table, "over", people=["ann"], listed=True)])
    spoil(store, f"UPDATE tables SET {column} = {value} WHERE id = 'B'")
    assert tables(ledger.finished(None, None, 10)) == [D, C, A]
    assert tables(ledger.finished(None, None, 3)) == [D, C, A], "a page is as long as it can be"
    assert tables(ledger.finished(None, C, 3)) == [A]
    assert tables(ledger.played_by(ANN, 10)) == [D, C, A]
    assert ledger.entry(B) is None
    assert ledger.tables_of(ANN, 10) == [D, C, B, A], "it is still theirs: exports and deletions find it"
    assert ledger.tables_of(ANN, 2, C) == [B, A]
    assert list(ledger.damage.notes) == [B]
    told = [record.message for record in caplog.get_records("call")]
    assert told == ["damaged note"], "told once"


@EVERY_DAMAGE
def test_an_unfinished_table_with_a_damaged_note_is_known_until_it_is_noted_anew(
    store: StoreUnderTest, ledger: Storage, column: str, value: str
) -> None:
    for table in "AB":
        ledger.append(chain(table, [b"x"]), [entry(table)])
    spoil(store, f"UPDATE tables SET {column} = {value} WHERE id = 'B'")
    assert tables(ledger.unfinished()) == [A]
    assert ledger.unnoted() == [B]
    ledger.append((), [entry("B", game="parlour")])
    assert [(known.table, known.game) for known in ledger.unfinished()] == [(A, "tower"), (B, "parlour")]
    assert ledger.unnoted() == []


def test_a_table_goes_on_whatever_has_become_of_its_note(store: StoreUnderTest, ledger: Storage) -> None:
    for table, phase in {"C": "setup", "A": "playing", "B": "playing", "D": "over"}.items():
        ledger.append(chain(table, [b"x"]), [entry(table, phase)])
    spoil(store, "UPDATE tables SET summary = ? WHERE id = 'B'", b"no")
    assert tables(ledger.unfinished()) == [A, C]
    assert ledger.going_on() == [A, B, C]


def test_a_note_is_covered_however_often_it_is_changed(ledger: Storage) -> None:
    for phase in ("setup", "playing", "over"):
        note = entry("A", phase, updated=7, listed=phase == "over")
        ledger.append((), [note])
        assert ledger.entry(A) == note


# Talk


@pytest.mark.parametrize("number", range(1, 7))
def test_a_damaged_line_is_left_out_and_the_others_are_there(
    store: StoreUnderTest, ledger: Storage, number: int
) -> None:
    rows = chain("A", [b"%d" % line for line in range(6)])
    ledger.append(rows, ())
    spoil(store, "UPDATE events SET body = ? WHERE seq = ?", b"\0", number)
    sound = [row for row in rows if row.seq != number]
    assert ledger.tail(A, 10) == Tail(sound, sound=False)
    assert ledger.tail(A, 3) == Tail([row for row in sound if row.seq > 3], sound=number <= 3)


@pytest.mark.parametrize("value", ["'text'", "17", "x''"])
@pytest.mark.parametrize("column", ["body", "checksum"])
def test_a_line_of_any_type_is_left_out(
    store: StoreUnderTest, ledger: Storage, column: str, value: str
) -> None:
    rows = chain("A", [b"one", b"two"])
    ledger.append(rows, ())
    spoil(store, f"UPDATE events SET {column} = ? WHERE seq = 2", value)
    assert ledger.tail(A, 10) == Tail(rows[:1], sound=False)


# People


PEOPLE_CHANGED = {
    "sqlite": [
        "name = CAST(x'ff' AS TEXT)",
        "name = 17",
        "password = x'00'",
        "created = 'today'",
        "checksum = 'x'",
    ],
    "postgres": [],
}
IN_ANY_STORE = ["name = 'Playfr 1'", "password = NULL", "seen = seen + 1", "epoch = epoch + 1"]


@pytest.mark.parametrize(
    ("store", "change"),
    [(kind, change) for kind, found in PEOPLE_CHANGED.items() for change in (*IN_ANY_STORE, *found)],
    indirect=["store"],
)
def test_a_damaged_person_is_left_out_and_counted(
    store: StoreUnderTest, people: PeopleStore, change: str
) -> None:
    for number in range(3):
        people.add(someone(number))
    spoil(store, f"UPDATE people SET {change} WHERE id = 'person-001'")
    assert sorted(people.load(), key=lambda person: person.id) == [someone(0), someone(2)]
    assert store.store.damage.people == 1


def test_a_person_is_covered_however_they_change(store: StoreUnderTest, people: PeopleStore) -> None:
    people.add(someone(1))
    people.change(replace(someone(1), name="Another", name_key="another", password=None))
    later = Millis(someone(1).last_seen + 5)
    people.saw({someone(1).id: later, PersonId("nobody"): later})
    people.saw({someone(1).id: Millis(later - 1)})
    (person,) = people.load()
    assert (person.name, person.last_seen) == ("Another", later)
    assert store.store.damage.people == 0
