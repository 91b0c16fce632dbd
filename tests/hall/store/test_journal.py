"""Nothing is sent before the commit that covers it, and each connection hears things in the order they were said."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import Contained
from tests.hall.support.inmemory import FakeWire, HeldCommitter, InlineCommitter, MemoryStorage

from gamut.hall.faults import Faults
from gamut.hall.ids import Millis, Seq, TableId
from gamut.hall.store.checksum import START, chained
from gamut.hall.store.journal import MOST_PENDING, Journal
from gamut.hall.store.storage import Entry, LedgerError, Row

T, U = TableId("T"), TableId("U")


def row(number: int, table: TableId = T) -> Row:
    body = b"%d" % number
    return Row(table, Seq(number), body, chained(START, body))


def entry(table: TableId = T, phase: str = "setup") -> Entry:
    return Entry(table, "tower", phase, False, Millis(0), b"", ())


class Desk:
    """A journal whose disk is slow, and two connections."""

    def __init__(self) -> None:
        self.storage = MemoryStorage()
        self.disk = HeldCommitter(self.storage)
        self.journal = Journal(self.disk)
        self.ann, self.bob = FakeWire(), FakeWire()

    def flush(self) -> None:
        """The event loop has dealt with everything that had arrived: the commit takes off."""
        self.disk.settle()

    def stored(self, table: TableId = T) -> list[int]:
        return [row.seq for row in self.storage.rows.get(table, ())]


def test_when_nothing_happened_an_answer_goes_out_at_once() -> None:
    desk = Desk()
    desk.journal.send(desk.ann, b"pong")
    assert desk.ann.writes == [b"pong"]
    assert not desk.journal.busy


def test_what_happened_is_told_after_its_commit_and_not_before() -> None:
    desk = Desk()
    desk.journal.append(row(1))
    desk.journal.send(desk.ann, b"1")
    assert desk.ann.writes == []
    desk.flush()
    assert desk.ann.writes == []
    assert desk.journal.busy
    desk.disk.release()
    assert desk.stored() == [1]
    assert desk.ann.writes == [b"1"]
    assert not desk.journal.busy


def test_one_commit_serves_everything_that_arrived_together() -> None:
    desk = Desk()
    for number in (1, 2, 3):
        desk.journal.append(row(number))
        desk.journal.send(desk.ann, b"%d" % number)
    desk.journal.append(row(1, U))
    desk.flush()
    assert [len(rows) for rows, _, _ in desk.disk.held] == [4]
    desk.disk.release()
    assert desk.ann.writes == [b"123"], "and one write serves the connection"
    assert (desk.journal.commits, desk.journal.events) == (1, 4)


def test_while_a_commit_is_in_flight_the_next_one_fills_and_waits_its_turn() -> None:
    desk = Desk()
    desk.journal.append(row(1))
    desk.journal.send(desk.ann, b"1")
    desk.flush()
    desk.journal.append(row(2))
    desk.journal.append(row(3))
    desk.journal.send(desk.ann, b"23")
    desk.flush()
    assert len(desk.disk.held) == 1, "one commit at a time"
    assert desk.journal.depth == 3
    desk.disk.release()
    assert desk.ann.data == b"1"
    desk.flush()
    assert len(desk.disk.held) == 1
    assert desk.journal.depth == 2
    desk.disk.release()
    assert desk.ann.data == b"123"
    assert desk.stored() == [1, 2, 3]


def test_an_error_said_while_a_commit_is_in_flight_does_not_overtake_it() -> None:
    desk = Desk()
    desk.journal.append(row(1))
    desk.journal.send(desk.ann, b"move;")
    desk.flush()
    desk.journal.send(desk.ann, b"error;")
    desk.journal.send(desk.bob, b"error;")
    assert desk.ann.writes == desk.bob.writes == []
    desk.disk.release()
    assert desk.ann.data == b"move;error;"
    assert desk.bob.data == b"error;"
    assert not desk.journal.busy, "no commit is needed for what is only said"


def test_an_answer_that_knows_of_an_event_waits_for_it_even_if_the_commit_has_not_begun() -> None:
    desk = Desk()
    desk.journal.append(row(1))
    desk.journal.send(desk.ann, b"picture with event 1")
    assert desk.ann.writes == []
    desk.flush()
    desk.disk.release()
    assert desk.ann.writes == [b"picture with event 1"]


def test_whoever_asks_for_more_than_may_wait_for_a_commit_is_let_go_and_nobody_else() -> None:
    desk = Desk()
    desk.journal.append(row(1))
    piece = bytes(MOST_PENDING // 4)
    for _ in range(4):
        desk.journal.send(desk.ann, piece)
    desk.journal.send(desk.bob, b"1")
    assert not desk.ann.dropped
    desk.journal.send(desk.ann, b"2")
    assert desk.ann.dropped
    desk.flush()
    desk.disk.release()
    assert not desk.bob.dropped
    assert desk.bob.data == b"1"


def test_what_was_sent_does_not_wait_any_more() -> None:
    desk = Desk()
    for number in range(1, 6):
        desk.journal.append(row(number))
        desk.journal.send(desk.ann, bytes(MOST_PENDING // 2))
        desk.flush()
        desk.journal.send(desk.ann, bytes(MOST_PENDING // 2))
        desk.disk.release()
    assert desk.ann.pending == 0
    assert not desk.ann.dropped


def test_a_batch_knows_when_it_is_stored() -> None:
    desk = Desk()
    desk.journal.append(row(1))
    first = desk.journal.batch
    desk.flush()
    desk.journal.append(row(2))
    second = desk.journal.batch
    assert desk.journal.stored < first < second
    desk.disk.release()
    assert first <= desk.journal.stored < second
    desk.flush()
    desk.disk.release()
    assert second <= desk.journal.stored


def test_a_connection_is_closed_after_what_was_said_to_it() -> None:
    desk = Desk()
    desk.journal.append(row(1))
    desk.journal.send(desk.ann, b"removed")
    desk.journal.close(desk.ann, 1008, "removed")
    desk.flush()
    assert desk.ann.closed is None
    desk.disk.release()
    assert desk.ann.writes == [b"removed"]
    assert desk.ann.closed == (1008, "removed")


def test_a_connection_is_closed_at_once_when_nothing_is_pending() -> None:
    desk = Desk()
    desk.journal.close(desk.ann, 1001, "bye")
    assert desk.ann.closed == (1001, "bye")


def test_a_close_during_a_commit_waits_for_it() -> None:
    desk = Desk()
    desk.journal.append(row(1))
    desk.flush()
    desk.journal.send(desk.ann, b"bye")
    desk.journal.close(desk.ann, 1001, "bye")
    assert desk.ann.closed is None
    desk.disk.release()
    assert desk.ann.writes == [b"bye"]
    assert desk.ann.closed is not None


def test_after_is_called_once_everything_so_far_is_durable_and_sent() -> None:
    desk = Desk()
    seen: list[tuple[list[int], bytes]] = []

    def look() -> None:
        seen.append((desk.stored(), desk.ann.data))

    desk.journal.after(look)
    assert seen == [([], b"")], "there is nothing to wait for"
    desk.journal.append(row(1))
    desk.journal.send(desk.ann, b"1")
    desk.journal.after(look)
    desk.flush()
    desk.journal.append(row(2))
    desk.journal.send(desk.ann, b"2")
    desk.journal.after(look)
    assert len(seen) == 1
    desk.disk.release()
    assert seen[1:] == [([1], b"1")]
    desk.disk.release()
    assert seen[2:] == [([1, 2], b"12")]


def test_what_is_done_after_a_commit_may_cause_the_next() -> None:
    desk = Desk()
    desk.journal.append(row(1))
    desk.journal.send(desk.ann, b"1")

    def go_on() -> None:
        desk.journal.send(desk.ann, b"answer")
        desk.journal.append(row(2))
        desk.journal.send(desk.ann, b"2")

    desk.journal.after(go_on)
    desk.flush()
    desk.disk.release()
    desk.flush()
    assert desk.ann.data == b"1", "the answer was said in the same breath as event 2"
    desk.disk.release()
    assert desk.ann.data == b"1answer2"


def test_what_is_said_in_answer_to_a_release_comes_after_it() -> None:
    desk = Desk()
    desk.journal.append(row(1))
    desk.journal.after(lambda: desk.journal.send(desk.ann, b"after"))
    desk.journal.send(desk.ann, b"1")
    desk.flush()
    desk.disk.release()
    assert desk.ann.data == b"1after"
    assert not desk.journal.busy


def test_a_tables_entry_is_written_once_in_a_batch_as_it_is_when_the_batch_takes_off() -> None:
    desk = Desk()
    phase = ["setup"]
    desk.journal.append(row(1))
    desk.journal.note(T, lambda: entry(T, phase[0]))
    phase[0] = "playing"
    desk.journal.append(row(2))
    desk.journal.note(T, lambda: entry(T, phase[0]))
    desk.flush()
    phase[0] = "over"
    assert [e.phase for e in desk.disk.held[0][1]] == ["playing"]
    desk.disk.release()
    assert desk.storage.entries[T].phase == "playing"


def test_a_log_that_is_rewritten_takes_the_place_of_all_that_was_appended_before() -> None:
    desk = Desk()
    desk.journal.append(row(1))
    desk.flush()
    desk.journal.append(row(2))
    desk.journal.append(row(1, U))
    desk.journal.rewrite(T, [Row(T, Seq(1), b"anew", chained(START, b"anew"))])
    desk.journal.append(Row(T, Seq(2), b"more", b""))
    desk.disk.release_all()
    assert [kept.body for kept in desk.storage.rows[T]] == [b"anew", b"more"]
    assert desk.stored(U) == [1]


def test_a_rewrite_alone_is_committed() -> None:
    desk = Desk()
    desk.journal.append(row(1))
    desk.journal.rewrite(T, [Row(T, Seq(1), b"anew", b"")])
    desk.journal.send(desk.ann, b"done")
    desk.disk.release_all()
    assert [kept.body for kept in desk.storage.rows[T]] == [b"anew"]
    assert desk.ann.writes == [b"done"]


class BrokenDisk(InlineCommitter):
    """Takes batches and never says that they are stored."""

    def commit(self, rows: Sequence[Row], entries: Sequence[Entry], done: Callable[[], None]) -> None:
        pass


def test_a_commit_that_fails_never_lets_anything_out() -> None:
    disk = BrokenDisk(MemoryStorage())
    journal = Journal(disk)
    ann, bob = FakeWire(), FakeWire()
    called: list[int] = []
    journal.append(row(1))
    journal.send(ann, b"1")
    journal.close(bob, 1000, "bye")
    journal.after(lambda: called.append(1))
    for number in range(2, 10):
        disk.settle()
        journal.append(row(number))
        journal.send(ann, b"more")
        journal.send(bob, b"more")
        journal.close(ann, 1000, "bye")
        journal.after(lambda: called.append(1))
    disk.settle()
    assert ann.writes == bob.writes == []
    assert called == []
    assert ann.closed is bob.closed is None
    assert journal.busy


def test_a_storage_that_refuses_lets_nothing_out() -> None:
    desk = Desk()
    desk.journal.append(row(1))
    desk.journal.append(row(1))
    desk.journal.send(desk.ann, b"1")
    desk.flush()
    with pytest.raises(LedgerError):
        desk.disk.release()
    assert desk.ann.writes == []
    assert desk.stored() == []


@settings(max_examples=150, deadline=None, print_blob=True)
@given(
    steps=st.lists(
        st.sampled_from(["append", "append", "ann", "bob", "after", "flush", "release", "answer"]),
        max_size=40,
    )
)
def test_whatever_happens_in_whatever_order(steps: list[str]) -> None:
    """Every message says how many events there were when it was said; none goes out before they are stored."""
    desk = Desk()
    said: dict[Any, list[bytes]] = {desk.ann: [], desk.bob: []}
    called: list[int] = []
    expected: list[int] = []
    appended = 0

    def say(wire: FakeWire) -> None:
        message = b"<%d:%d>" % (len(said[wire]), appended)
        said[wire].append(message)
        desk.journal.send(wire, message)

    def check() -> None:
        stored = len(desk.stored())
        for wire, messages in said.items():
            heard = wire.data
            assert b"".join(messages).startswith(heard), "in order, nothing twice, nothing left out"
            if heard:
                known = int(heard.rpartition(b":")[2].rstrip(b">"))
                assert known <= stored, "nobody hears of what could still be lost"

    for step in steps:
        match step:
            case "append":
                appended += 1
                desk.journal.append(row(appended))
            case "ann":
                say(desk.ann)
            case "bob":
                say(desk.bob)
            case "after":
                number = len(expected)
                expected.append(number)
                desk.journal.after(lambda number=number: called.append(number))  # type: ignore[misc]
            case "answer":
                desk.journal.after(lambda: say(desk.bob))
            case "flush":
                desk.flush()
            case "release" if desk.disk.held:
                desk.disk.release()
        check()
    desk.disk.release_all()
    check()
    assert desk.stored() == list(range(1, appended + 1))
    assert [wire.data for wire in said] == [b"".join(messages) for messages in said.values()]
    assert called == expected
    assert not desk.journal.busy


# Faults: each stays with the one connection, table or call that it is about.


def broken(*args: Any) -> Any:
    raise ZeroDivisionError


@pytest.mark.faults
def test_a_wire_that_cannot_be_written_to_is_dropped_and_the_others_get_theirs(
    contained: Contained, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk()
    monkeypatch.setattr(desk.ann, "write", broken)
    desk.journal.append(row(1))
    desk.journal.send(desk.ann, b"1")
    desk.journal.send(desk.bob, b"1")
    desk.journal.broadcast((desk.ann, desk.bob), b"2")
    desk.flush()
    desk.disk.release()
    assert desk.bob.data == b"12"
    assert desk.ann.dropped
    assert not desk.journal.busy
    desk.journal.send(desk.ann, b"3")
    desk.journal.broadcast((desk.ann, desk.bob), b"4")
    assert desk.bob.data == b"124", "also when there is nothing to wait for"
    assert contained.kinds == ["write"] * 4
    assert desk.journal.faults.counts == {"write": 4}


@pytest.mark.faults
def test_a_wire_that_can_be_neither_closed_nor_dropped_holds_nobody_up(
    contained: Contained, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk()
    for way in ("close", "drop", "fail"):
        monkeypatch.setattr(desk.ann, way, broken)
    desk.journal.append(row(1))
    desk.journal.close(desk.ann, 1000, "bye")
    desk.journal.close(desk.bob, 1000, "bye")
    desk.journal.fail(desk.ann)
    desk.flush()
    desk.disk.release()
    assert desk.bob.closed == (1000, "bye")
    assert not desk.journal.busy
    assert contained.kinds == ["close", "drop"] * 2


@pytest.mark.faults
def test_a_call_that_fails_keeps_nobody_from_being_called(contained: Contained) -> None:
    desk = Desk()
    called: list[int] = []
    desk.journal.append(row(1))
    desk.journal.after(broken)
    desk.journal.after(lambda: called.append(1))
    desk.flush()
    desk.disk.release()
    assert called == [1]
    assert not desk.journal.busy
    assert contained.kinds == ["afterwards"]


@pytest.mark.faults
def test_a_table_that_cannot_be_described_keeps_nobody_from_being_told_and_is_described_with_the_next_commit(
    contained: Contained,
) -> None:
    desk = Desk()
    tries = iter([broken, lambda: entry(T, "playing")])
    desk.journal.append(row(1))
    desk.journal.note(T, lambda: next(tries)())
    desk.journal.append(row(1, U))
    desk.journal.note(U, lambda: entry(U))
    desk.journal.send(desk.ann, b"1")
    desk.disk.release_all()
    assert desk.ann.data == b"1"
    assert desk.stored() == desk.stored(U) == [1], "events are the truth"
    assert list(desk.storage.entries) == [U]
    assert contained.faults[0]["table"] == T
    desk.journal.append(row(2, U))
    desk.disk.release_all()
    assert desk.storage.entries[T].phase == "playing"


@pytest.mark.faults
def test_a_table_that_can_never_be_described_is_not_tried_for_ever(contained: Contained) -> None:
    desk = Desk()
    desk.journal.append(row(1))
    desk.journal.note(T, broken)
    for number in range(2, 20):
        desk.disk.release_all()
        desk.journal.append(row(number))
    desk.disk.release_all()
    assert contained.kinds == ["describe"] * 5
    desk.journal.append(row(20))
    desk.journal.note(T, lambda: entry(T))
    desk.disk.release_all()
    assert T in desk.storage.entries, "the next change is noted"


class BrokenHandover(InlineCommitter):
    def commit(self, rows: Sequence[Row], entries: Sequence[Entry], done: Callable[[], None]) -> None:
        raise ZeroDivisionError


def test_a_batch_that_cannot_be_handed_over_stops_the_server() -> None:
    stopped: list[BaseException] = []
    disk, ann = BrokenHandover(MemoryStorage()), FakeWire()
    journal = Journal(disk, faults=Faults(stopped.append))
    journal.append(row(1))
    journal.send(ann, b"1")
    disk.settle()
    assert isinstance(stopped[0], ZeroDivisionError)
    assert ann.writes == []
    assert journal.busy


def test_a_commit_that_nobody_asked_for_stops_the_server() -> None:
    stopped: list[BaseException] = []
    disk = HeldCommitter(MemoryStorage())
    journal = Journal(disk, faults=Faults(stopped.append))
    journal.append(row(1))
    disk.settle()
    _, _, done = disk.held[0]
    disk.release()
    assert stopped == []
    done()
    assert isinstance(stopped[0], AssertionError)


def test_it_is_known_for_how_long_a_batch_has_been_under_way() -> None:
    now = [100.0]
    disk = HeldCommitter(MemoryStorage())
    journal = Journal(disk, now=lambda: now[0])
    now[0] += 50
    assert journal.under_way_for == 0
    journal.append(row(1))
    now[0] += 3
    assert journal.under_way_for == 3, "it has not even been handed over"
    disk.settle()
    journal.append(row(2))
    now[0] += 3
    assert journal.under_way_for == 6
    disk.release()
    assert journal.under_way_for == 0, "one is done, and the next has just begun"
    now[0] += 1
    assert journal.under_way_for == 1
    disk.release_all()
    assert journal.under_way_for == 0
