"""Rooms are found by the names that a game's own door gave them."""

from gamut.hall.ids import Millis, Seq, TableId
from gamut.hall.store.storage import Entry, Row, Storage


def entry(table: str, room: str | None, phase: str = "setup") -> Entry:
    return Entry(TableId(table), "topple", phase, True, Millis(1), b"{}", (), room)


def stored(ledger: Storage, *entries: Entry) -> None:
    rows = [Row(entry.table, Seq(1), b"{}", b"") for entry in entries]
    ledger.append(rows, entries)


def test_a_name_leads_to_the_last_table_that_had_it(ledger: Storage) -> None:
    stored(ledger, entry("t1", "AM8AAAAA"), entry("t2", None), entry("t3", "AM8BBBBB"))
    assert ledger.named("topple", "AM8AAAAA") == "t1"
    assert ledger.named("tower", "AM8AAAAA") is None
    assert ledger.named("topple", "AM8CCCCC") is None
    stored(ledger, entry("t4", "AM8AAAAA"), entry("t5", "AM8AAAAA"))
    assert ledger.named("topple", "AM8AAAAA") == "t5"
    # A game that ends does not take the name back from the one that follows it.
    ledger.append([], [entry("t4", "AM8AAAAA", "over")])
    assert ledger.named("topple", "AM8AAAAA") == "t5"


def test_the_last_name_is_that_of_the_table_that_was_opened_last(ledger: Storage) -> None:
    assert ledger.last_name("topple") is None
    stored(ledger, entry("t1", "9"), entry("t2", "10"), entry("t3", None))
    assert ledger.last_name("topple") == "10"
    assert ledger.last_name("tower") is None


def test_a_table_that_is_over_before_it_is_stored_has_had_its_name_all_the_same(ledger: Storage) -> None:
    stored(ledger, entry("t1", "1"), entry("t2", "2", "over"))
    assert ledger.named("topple", "2") == "t2"
    assert ledger.last_name("topple") == "2"
    stored(ledger, entry("t4", "2", "over"), entry("t3", "2"))
    assert ledger.named("topple", "2") == "t4", "the later one, in whatever order they are stored"
