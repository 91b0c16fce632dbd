"""A ledger that has lost its end says so, and one that has not says nothing."""

import logging
import os
import shutil
import stat
import threading
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import text
from tests.ledger.support.logbook import chain, entry
from tests.ledger.support.years import someone

from gamut.hall.ids import Millis, PersonId, Seq, TableId
from gamut.hall.store.checksum import chained
from gamut.hall.store.storage import LedgerError, Row, clearing
from gamut.ledger.people import SqlPeopleStore
from gamut.ledger.sqlite.database import FILE as DATABASE
from gamut.ledger.sqlite.database import Database, open_database
from gamut.ledger.sqlite.ledger import SqliteLedger
from gamut.ledger.sqlite.mark import FILE, Mark, read_mark

GONE = "these events are gone: the database holds fewer than it did"


class Desk:
    """A ledger at work."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database: Database = open_database(folder)
        self.ledger = SqliteLedger(self.database.engine, self.database.high_water, self.database.damage)

    @property
    def gone(self) -> int:
        return self.database.damage.events

    def stop(self) -> None:
        self.ledger.close()
        self.database.close()

    def crash(self, copy: Path) -> Path:
        """What another process would find if this one were gone now."""
        copy.mkdir()
        for name in (DATABASE, f"{DATABASE}-wal", FILE):
            if (self.folder / name).exists():
                shutil.copy(self.folder / name, copy / name)
        return copy


def moves(table: str, number: int, at: int = 1_000) -> list[Row]:
    return chain(table, [b'{"type":"played","at":%d}' % (at + count) for count in range(number)])


def reopened(folder: Path) -> int:
    """How many events are found to be gone; and that is said once."""
    desk = Desk(folder)
    gone = desk.gone
    desk.stop()
    again = Desk(folder)
    assert again.gone == 0, "the mark was set anew"
    again.stop()
    return gone


def lose_it(wal: Path) -> None:
    wal.unlink()


def cut_it(wal: Path) -> None:
    wal.write_bytes(wal.read_bytes()[: wal.stat().st_size // 2])


def spoil_it(wal: Path) -> None:
    data = bytearray(wal.read_bytes())
    data[len(data) // 2] ^= 1
    wal.write_bytes(data)


@pytest.mark.parametrize("harm", [lose_it, cut_it, spoil_it])
def test_a_log_that_lost_its_end_is_noticed(
    tmp_path: Path, harm: object, caplog: pytest.LogCaptureFixture
) -> None:
    desk = Desk(tmp_path / "data")
    desk.ledger.append(moves("T", 10), [entry("T")])
    desk.stop()
    desk = Desk(tmp_path / "data")
    for number in range(50):
        desk.ledger.append(moves(f"U{number}", 4), [entry(f"U{number}")])
    desk.database.high_water.write()
    copy = desk.crash(tmp_path / "copy")
    desk.stop()
    assert callable(harm)
    harm(copy / f"{DATABASE}-wal")
    caplog.clear()
    gone = reopened(copy)
    assert 0 < gone <= 200
    assert gone == 200 or harm is not lose_it
    said = [record for record in caplog.records if record.message == GONE]
    assert [(record.levelno, vars(record)["events"]) for record in said] == [(logging.ERROR, gone)]


def test_a_crash_that_lost_nothing_is_no_alarm(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "data")
    desk.ledger.append(moves("T", 10), [entry("T")])
    desk.database.high_water.write()
    desk.ledger.append(moves("U", 10), [entry("U")])
    copy = desk.crash(tmp_path / "copy")
    desk.stop()
    assert reopened(copy) == 0
    assert reopened(tmp_path / "data") == 0


def test_events_that_were_taken_out_are_not_missed(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "data")
    talk = moves("lobby", 500)
    desk.ledger.append(talk, ())
    desk.database.high_water.write()
    desk.ledger.append([clearing(TableId("lobby")), *moves("lobby", 50)], ())
    copy = desk.crash(tmp_path / "copy")
    desk.ledger.append([clearing(TableId("lobby")), *moves("lobby", 5)], ())
    desk.stop()
    assert reopened(copy) == 0
    assert reopened(tmp_path / "data") == 0
    mark = read_mark(tmp_path / "data")
    assert mark is not None
    assert mark.stored == 555


def test_the_mark_is_never_ahead_of_what_is_stored(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    rows = moves("T", 3)
    desk.ledger.append(rows, ())
    with pytest.raises(LedgerError):
        desk.ledger.append([*moves("U", 5), rows[0]], ())
    desk.database.high_water.write()
    assert read_mark(tmp_path) == Mark(3, Millis(1_002)).signed()
    desk.stop()


def test_no_commit_waits_for_the_mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path)
    writers: list[threading.Thread] = []
    write = desk.database.high_water.write

    def watched() -> None:
        writers.append(threading.current_thread())
        write()

    monkeypatch.setattr(desk.database.high_water, "write", watched)
    for number in range(100):
        desk.ledger.append(moves(f"T{number}", 1), ())
    assert threading.current_thread() not in writers
    desk.stop()
    assert read_mark(tmp_path) == Mark(100, Millis(1_000)).signed(), "but the end is marked"


def test_the_mark_is_for_its_owner_alone_and_holds_no_secret(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        Desk(tmp_path).stop()
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert set(msgspec.json.decode((tmp_path / FILE).read_bytes())) == {"stored", "at", "checksum"}


@pytest.mark.parametrize(
    "content", [b"", b"{", b'{"stored":999,"at":99999999999999,"checksum":1}', b"\xff" * 99]
)
def test_a_mark_that_cannot_be_believed_is_none(tmp_path: Path, content: bytes) -> None:
    desk = Desk(tmp_path)
    desk.ledger.append(moves("T", 3), ())
    desk.stop()
    (tmp_path / FILE).write_bytes(content)
    desk = Desk(tmp_path)
    assert desk.gone == 0
    assert desk.ledger.latest() == 1_002
    desk.stop()


# How late it was


def test_the_latest_time_is_that_of_the_last_event(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    assert desk.ledger.latest() == 0
    desk.ledger.append(moves("T", 3, at=5_000), [entry("T", updated=5_001)])
    assert desk.ledger.latest() == 5_002
    # Taking somebody out stores old events anew.
    desk.ledger.append([clearing(TableId("U")), *moves("U", 30, at=100)], ())
    assert desk.ledger.latest() == 5_002
    desk.stop()
    for lost in ((), (FILE,)):
        for name in lost:
            (tmp_path / name).unlink()
        desk = Desk(tmp_path)
        assert desk.ledger.latest() == (5_001 if lost else 5_002)
        desk.stop()


def test_who_was_seen_last_counts_too(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    store = SqlPeopleStore(desk.database.engine)
    store.add(someone(1))
    store.saw({PersonId("person-001"): Millis(someone(1).last_seen + 7)})
    assert desk.ledger.latest() == someone(1).last_seen + 7
    desk.stop()


def test_a_time_that_is_damaged_does_not_count(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    SqlPeopleStore(desk.database.engine).add(someone(1))
    rows = moves("T", 3, at=someone(1).last_seen)
    desk.ledger.append(rows, [entry("T", updated=3)])
    body = b'{"type":"played","at":99999999999999}'
    damaged = Row(TableId("T"), Seq(4), body, chained(rows[0].checksum, body))
    with desk.database.engine.begin() as connection:
        connection.execute(text("UPDATE people SET seen = 99999999999999"))
        connection.execute(text("UPDATE tables SET updated = 99999999999999"))
        connection.execute(
            text(
                "INSERT INTO events (table_id, seq, body, checksum) VALUES (:table, :seq, :body, :checksum)"
            ),
            msgspec.structs.asdict(damaged),
        )
    assert desk.ledger.latest() == someone(1).last_seen + 2
    desk.stop()


def test_a_thread_that_cannot_be_started_fails_no_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(tmp_path / "data")

    def no_room(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as without:
        without.setattr(threading.Thread, "start", no_room)
        desk.ledger.append(moves("a", 3), [])
    desk.stop()
    mark = read_mark(desk.folder)
    assert mark is not None
    assert mark.stored == 3


def test_a_server_that_was_stopped_knows_until_when_it_was_there(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.ledger.append(moves("a table", 3), [])
    desk.database.high_water.stop(Millis(50_000))
    desk.stop()
    again = Desk(tmp_path)
    assert again.ledger.latest() == again.database.stopped_at == 50_000
    crashed = again.crash(tmp_path / "crashed")
    again.stop()
    third = Desk(crashed)
    assert third.database.stopped_at is None, "the one after it did not end in good order"
    third.stop()
