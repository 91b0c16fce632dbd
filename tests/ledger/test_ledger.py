"""What the hall may rely on, whatever database the ledger is on."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from hashlib import blake2b

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.ledger.support.logbook import chain, entry
from tests.ledger.support.stores import StoreUnderTest, spoil

from gamut.hall.ids import PersonId, Seq, TableId
from gamut.hall.store.checksum import chained
from gamut.hall.store.storage import DamagedLog, LedgerError, Row, Storage, Tail, clearing

T, U = TableId("T"), TableId("U")


def test_what_is_appended_is_read_back_in_order(ledger: Storage) -> None:
    t, u = chain("T", [b"one", b"", b"\x00\xff three"]), chain("U", [b"other"])
    ledger.append([t[0], u[0], t[1]], ())
    ledger.append([t[2]], ())
    assert ledger.log(T) == t
    assert ledger.log(U) == u
    assert ledger.log(TableId("nowhere")) == []


def test_what_was_appended_just_before_a_log_is_written_anew_goes_with_it(ledger: Storage) -> None:
    before, anew = chain("T", [b"one", b"two"]), chain("T", [b"uno"])
    ledger.append(before[:1], ())
    ledger.append([before[1], *chain("U", [b"other"]), clearing(T), *anew], ())
    assert ledger.log(T) == anew
    assert ledger.log(U) == chain("U", [b"other"])


def test_nothing_has_a_name_that_no_name_can_be(ledger: Storage) -> None:
    """Clients name tables and rooms, and may write what they like."""
    nul = TableId("a\0b")
    ledger.append(chain("a", [b"one"]), [entry("a", "over", listed=True)])
    assert ledger.log(nul) == []
    assert ledger.entry(nul) is None
    assert ledger.named("tower", nul) is None
    assert ledger.played_by(PersonId(nul), 10) == []
    assert ledger.finished("tower\0", None, 10) == []


def test_nothing_at_all_can_be_appended(ledger: Storage) -> None:
    ledger.append([], ())
    ledger.append([], [entry("T")])
    assert ledger.log(T) == []


def test_what_came_after_an_event_is_read_with_that_event_for_many_tables_at_once(
    store: StoreUnderTest,
) -> None:
    t, u = chain("T", [b"one", b"two", b"three"]), chain("U", [b"other"])
    others = [chain(f"V{number}", [b"first", b"second"]) for number in range(700)]
    store.ledger.append([*t, *u, *(row for log in others for row in log)], ())
    assert store.ledger.since({T: Seq(2), U: Seq(1), TableId("nowhere"): Seq(1)}) == {T: t[1:], U: u}
    assert store.ledger.since({T: Seq(4)}) == {}
    assert store.ledger.since({}) == {}
    many = store.ledger.since({log[0].table: Seq(2) for log in others})
    assert many == {log[0].table: log[1:] for log in others}


def test_several_logs_are_read_together_but_for_damaged_ones(store: StoreUnderTest) -> None:
    t, u = chain("T", [b"one", b"two"]), chain("U", [b"other"])
    store.ledger.append([*t, *u, *chain("V", [b"not asked for"])], ())
    nowhere = TableId("nowhere")
    assert store.ledger.logs([U, nowhere, T]) == {T: t, U: u}
    assert store.ledger.logs([]) == {}
    spoil(store, "UPDATE events SET body = ? WHERE table_id = 'T' AND seq = 1", b"no")
    assert store.ledger.logs([T, U]) == {U: u}
    store.store.damage.tables[U] = None
    assert store.ledger.logs([T, U]) == {}


def test_the_tail_is_the_end_of_a_log_in_order(ledger: Storage) -> None:
    rows = chain("T", [b"%d" % number for number in range(10)])
    ledger.append(rows, ())
    assert ledger.tail(T, 3) == Tail(rows[-3:])
    assert ledger.tail(T, 9) == Tail(rows[-9:])
    assert ledger.tail(T, 10) == ledger.tail(T, 99) == Tail(rows)
    assert ledger.tail(U, 3) == Tail([])


def test_it_is_all_there_after_a_restart(store: StoreUnderTest) -> None:
    rows = chain("T", [b"one", b"two"])
    store.ledger.append(rows, [entry("T", people=["ann"])])
    # Before anything is closed: the process may be gone from one instant to the next.
    with closing(store.connect()) as other:
        stored = other.execute("SELECT body FROM events ORDER BY seq").fetchall()
    assert stored == [(b"one",), (b"two",)]
    store.reopen()
    assert store.ledger.log(T) == rows
    assert [known.table for known in store.ledger.unfinished()] == [T]


def test_a_big_batch_is_stored_whole(ledger: Storage) -> None:
    rows = chain("T", [b"%d" % number for number in range(2_500)])
    ledger.append(rows, ())
    assert ledger.log(T) == rows


@pytest.mark.parametrize("size", [2, 1000, 1001, 2500])
@pytest.mark.parametrize("noted", [False, True])
def test_a_batch_is_stored_whole_or_not_at_all(ledger: Storage, size: int, noted: bool) -> None:
    rows = chain("T", [b"%d" % number for number in range(size)])
    ledger.append(chain("U", [b"before"]), [entry("U")])
    with pytest.raises(LedgerError):
        ledger.append([*rows, rows[0]], [entry("T"), entry("U", "over")] if noted else [])
    assert ledger.log(T) == []
    assert [(known.table, known.phase) for known in ledger.unfinished()] == [(U, "setup")]
    ledger.append(rows, ())
    assert ledger.log(T) == rows, "and it can go on"


def test_an_event_is_stored_once(ledger: Storage) -> None:
    rows = chain("T", [b"one"])
    ledger.append(rows, ())
    with pytest.raises(LedgerError):
        ledger.append(rows, ())
    assert ledger.log(T) == rows


def test_an_error_does_not_repeat_what_was_to_be_stored(ledger: Storage) -> None:
    rows = [Row(T, Seq(1), b"a secret hand", b"")]
    ledger.append(rows, ())
    with pytest.raises(LedgerError) as failure:
        ledger.append(rows, ())
    assert "secret" not in str(failure.value)
    assert "\n" not in str(failure.value)


def test_a_log_can_be_written_anew_in_one_commit(ledger: Storage) -> None:
    ledger.append(chain("T", [b"one", b"two", b"three"]) + chain("U", [b"other"]), ())
    anew = chain("T", [b"uno", b"due"])
    ledger.append([clearing(T), *anew], ())
    assert ledger.log(T) == anew
    assert ledger.log(U) == chain("U", [b"other"])
    with pytest.raises(LedgerError):
        ledger.append([clearing(T), *anew, anew[0]], ())
    assert ledger.log(T) == anew, "or not at all"


# Damage


def former(bodies: list[bytes]) -> list[Row]:
    """A log as ledgers of schema 2 have it."""
    rows: list[Row] = []
    checksum = bytes(8)
    for number, body in enumerate(bodies, 1):
        checksum = blake2b(body, digest_size=8, key=checksum).digest()
        rows.append(Row(T, Seq(number), body, checksum))
    return rows


def test_a_log_begun_with_former_checksums_is_read_and_goes_on(ledger: Storage) -> None:
    old = former([b"one", b"two"])
    new = Row(T, Seq(3), b"three", chained(old[-1].checksum, b"three"))
    ledger.append([*old, new], ())
    assert ledger.log(T) == [*old, new]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_damage_to_a_log_begun_with_former_checksums_is_noticed(ledger: Storage, number: int) -> None:
    old = former([b"one", b"two"])
    rows = [*old, Row(T, Seq(3), b"three", chained(old[-1].checksum, b"three"))]
    rows[number - 1] = replace(rows[number - 1], body=b"another")
    ledger.append(rows, ())
    with pytest.raises(DamagedLog):
        ledger.log(T)


def is_noticed(store: StoreUnderTest, statement: str, *values: object) -> bool:
    """Whether the log is refused after somebody has tampered with it; then all is as it was."""
    ledger = store.ledger
    before = ledger.log(T)
    spoil(store, statement, *values)
    try:
        ledger.log(T)
    except DamagedLog:
        return True
    else:
        return False
    finally:
        ledger.append([clearing(T), *before], ())
        assert ledger.log(T) == before


bodies = st.lists(st.binary(min_size=1, max_size=40), min_size=1, max_size=8)
examples = settings(max_examples=60, deadline=None, print_blob=True)


@examples
@given(bodies=bodies, data=st.data())
def test_a_changed_byte_anywhere_is_noticed(
    shelf: StoreUnderTest, bodies: list[bytes], data: st.DataObject
) -> None:
    ledger = shelf.ledger
    rows = chain("T", bodies)
    ledger.append([clearing(T), *rows], ())
    row = data.draw(st.sampled_from(rows))
    column = data.draw(st.sampled_from(["body", "checksum"]))
    content = bytearray(getattr(row, column))
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    changed = f"UPDATE events SET {column} = ? WHERE table_id = 'T' AND seq = ?"
    assert is_noticed(shelf, changed, bytes(content), row.seq)


@examples
@given(bodies=bodies, data=st.data())
def test_a_lost_or_added_byte_is_noticed(
    shelf: StoreUnderTest, bodies: list[bytes], data: st.DataObject
) -> None:
    ledger = shelf.ledger
    rows = chain("T", bodies)
    ledger.append([clearing(T), *rows], ())
    row = data.draw(st.sampled_from(rows))
    place = data.draw(st.integers(0, len(row.body) - 1))
    content = data.draw(
        st.sampled_from(
            [row.body[:place] + row.body[place + 1 :], row.body[:place] + b"\0" + row.body[place:]]
        )
    )
    changed = "UPDATE events SET body = ? WHERE table_id = 'T' AND seq = ?"
    assert is_noticed(shelf, changed, content, row.seq)


@examples
@given(bodies=st.lists(st.binary(max_size=10), min_size=2, max_size=8), data=st.data())
def test_a_lost_event_is_noticed_if_anything_came_after_it(
    shelf: StoreUnderTest, bodies: list[bytes], data: st.DataObject
) -> None:
    ledger = shelf.ledger
    rows = chain("T", bodies)
    ledger.append([clearing(T), *rows], ())
    lost = data.draw(st.integers(1, len(rows) - 1))
    assert is_noticed(shelf, "DELETE FROM events WHERE table_id = 'T' AND seq = ?", lost)


@examples
@given(
    bodies=st.lists(st.binary(max_size=10), min_size=2, max_size=8, unique=True),
    data=st.data(),
)
def test_a_lost_event_is_noticed_even_if_the_numbers_are_mended(
    shelf: StoreUnderTest, bodies: list[bytes], data: st.DataObject
) -> None:
    ledger = shelf.ledger
    rows = chain("T", bodies)
    ledger.append([clearing(T), *rows], ())
    lost = data.draw(st.integers(1, len(rows) - 1))
    kept = [row for row in rows if row.seq != lost]
    ledger.append(
        [clearing(T), *(Row(T, Seq(n), row.body, row.checksum) for n, row in enumerate(kept, 1))], ()
    )
    with pytest.raises(DamagedLog):
        ledger.log(T)


@examples
@given(bodies=st.lists(st.binary(max_size=10), min_size=2, max_size=8, unique=True), data=st.data())
def test_swapped_and_repeated_events_are_noticed(
    shelf: StoreUnderTest, bodies: list[bytes], data: st.DataObject
) -> None:
    ledger = shelf.ledger
    rows = chain("T", bodies)
    one, other = data.draw(
        st.lists(st.integers(0, len(rows) - 1), min_size=2, max_size=2, unique=True).map(tuple)
    )
    contents = [(row.body, row.checksum) for row in rows]
    if data.draw(st.booleans()):
        contents[one], contents[other] = contents[other], contents[one]
    else:
        contents.insert(one, contents[other])
    tampered = [Row(T, Seq(number), body, check) for number, (body, check) in enumerate(contents, 1)]
    ledger.append([clearing(T), *tampered], ())
    with pytest.raises(DamagedLog):
        ledger.log(T)


def test_an_event_of_another_table_is_noticed(ledger: Storage) -> None:
    ledger.append([*chain("T", [b"a", b"b"]), *chain("U", [b"c", b"d"])], ())
    foreign = ledger.log(U)[1]
    ledger.append([clearing(T), ledger.log(T)[0], Row(T, Seq(2), foreign.body, foreign.checksum)], ())
    with pytest.raises(DamagedLog):
        ledger.log(T)
    assert len(ledger.log(U)) == 2, "the other table is as good as ever"


# Entries


def test_an_entry_is_what_was_noted_last(ledger: Storage) -> None:
    ledger.append(chain("T", [b"one"]), [entry("T", "setup")])
    noted = ledger.entry(T)
    assert noted is not None
    assert (noted.phase, noted.load_at_start, noted.summary) == ("setup", True, b"T setup")
    ledger.append([], [entry("T", "playing", updated=7)])
    noted = ledger.entry(T)
    assert noted is not None
    assert (noted.phase, noted.load_at_start, noted.updated, noted.summary) == (
        "playing",
        False,
        7,
        b"T playing",
    )
    assert ledger.entry(U) is None


def test_many_entries_are_noted_in_one_commit(ledger: Storage) -> None:
    ledger.append(
        chain("T", [b"one"]), [entry(f"{number:05}", people=["ann", "bob"]) for number in range(2_500)]
    )
    assert len(ledger.unfinished()) == 2_500
    assert len(ledger.played_by(PersonId("bob"), 9_999)) == 2_500


def test_unfinished_tables_are_those_not_over_oldest_first(ledger: Storage) -> None:
    ledger.append([], [entry("C", "paused"), entry("B", "over"), entry("A", "playing"), entry("D", "setup")])
    assert [known.table for known in ledger.unfinished()] == ["A", "C", "D"]
    ledger.append([], [entry("A", "over")])
    assert [known.table for known in ledger.unfinished()] == ["C", "D"]


def test_finished_games_are_found_page_by_page_latest_first(ledger: Storage) -> None:
    ids = [f"{number:03}" for number in range(25)]
    played = [entry(table, "over", game=("tower", "parlour")[int(table) % 2], listed=True) for table in ids]
    ledger.append([], played)
    ledger.append([], [entry("900"), entry("901", "playing"), entry("902", "over")])
    found: list[str] = []
    while page := ledger.finished(None, TableId(found[-1]) if found else None, 10):
        found += [known.table for known in page]
    assert found == ids[::-1], "each once, none left out"
    assert [known.table for known in ledger.finished("parlour", TableId("010"), 3)] == ["009", "007", "005"]
    assert ledger.finished("chess", None, 10) == []


def test_a_persons_games_come_page_by_page(ledger: Storage) -> None:
    ledger.append([], [entry(f"{number:03}", people=["ann"]) for number in range(25)])
    ann, found = PersonId("ann"), list[str]()
    while page := ledger.played_by(ann, 10, TableId(found[-1]) if found else None):
        found += [known.table for known in page]
    assert found == [f"{number:03}" for number in reversed(range(25))]


def test_a_persons_games_are_those_they_sat_at_even_if_they_left(ledger: Storage) -> None:
    ledger.append(
        [], [entry("A", people=["ann", "bob"]), entry("B", people=["bob"]), entry("C", people=["ann"])]
    )
    ledger.append([], [entry("A", "over"), entry("C", "playing", people=["ann"])])
    ann, bob = PersonId("ann"), PersonId("bob")
    assert [(known.table, known.phase) for known in ledger.played_by(ann, 10)] == [
        ("C", "playing"),
        ("A", "over"),
    ]
    assert [known.table for known in ledger.played_by(bob, 1)] == ["B"]
    assert ledger.played_by(PersonId("nobody"), 10) == []
    ledger.forget(ann)
    assert ledger.played_by(ann, 10) == []
    assert len(ledger.played_by(bob, 10)) == 2


def test_reading_does_not_wait_for_writing(store: StoreUnderTest) -> None:
    store.ledger.append(chain("T", [b"one"]), [entry("T")])
    with closing(store.connect()) as writing:
        writing.execute("BEGIN")
        writing.execute("UPDATE tables SET phase = 'over'")
        assert [known.phase for known in store.ledger.unfinished()] == ["setup"]
        assert len(store.ledger.log(T)) == 1
        writing.execute("ROLLBACK")


def test_several_threads_may_read_while_one_writes(ledger: Storage) -> None:
    rows = chain("T", [b"%d" % number for number in range(200)])

    def read(_: int) -> int:
        return len(ledger.log(T))

    with ThreadPoolExecutor(4) as threads:
        for row in rows:
            ledger.append([row], [entry("T")])
            sizes = list(threads.map(read, range(4)))
            assert set(sizes) == {row.seq}
