"""What was taken out of the database is in none of its files, wherever SQLite has left a copy."""

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Connection
from tests.ledger.support.logbook import chain, entry

from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.people.person import PersonRow
from gamut.hall.store.storage import LedgerError, Row, clearing
from gamut.ledger.people import SqlPeopleStore
from gamut.ledger.sqlite import scrub
from gamut.ledger.sqlite.database import FILE, Database
from gamut.ledger.sqlite.gaps import Gaps
from gamut.ledger.sqlite.ledger import SqliteLedger

SECRET = b"the secret of"


def length(chance: Random) -> int:
    return chance.randrange(20, 150) if chance.random() < 0.9 else chance.randrange(300, 3_000)


class Played:
    """Tables whose logs have grown side by side; at many of them somebody has told a secret."""

    def __init__(self, ledger: SqliteLedger, tables: range = range(500)) -> None:
        self._ledger = ledger
        self.logs: dict[TableId, list[Row]] = {}
        chance = Random(tables.start)
        for number in tables:
            said = b"%s number %d" % (SECRET if chance.random() < 0.6 else b"nothing of", number)
            bodies = [said + b"." * length(chance) for _ in range(6)]
            self.logs[TableId(f"CQ{number}")] = chain(f"CQ{number}", bodies)
        waiting, rows = [list(log) for log in self.logs.values()], list[Row]()
        while waiting:
            rows.append(chance.choice(waiting[:20]).pop(0))
            waiting = [log for log in waiting if log]
        for start in range(0, len(rows), 100):
            ledger.append(rows[start : start + 100], [entry(rows[start].table)])

    def take_out(self) -> None:
        for table, log in self.logs.items():
            if SECRET in log[0].body:
                self.logs[table] = chain(table, [row.body.replace(SECRET, b"a former player") for row in log])
                self._ledger.append([clearing(table), *self.logs[table]], [])

    def check(self) -> None:
        for table, log in self.logs.items():
            assert self._ledger.log(table) == log


def checkpoint(folder: Path) -> None:
    with closing(sqlite3.connect(folder / FILE)) as connection:
        assert connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0


def left(folder: Path) -> int:
    return sum(file.read_bytes().count(SECRET) for file in folder.iterdir())


def assert_sound(folder: Path) -> None:
    with closing(sqlite3.connect(folder / FILE)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_copy_that_sqlite_has_left_on_a_page_is_overwritten(ledger: SqliteLedger, tmp_path: Path) -> None:
    played = Played(ledger)
    played.take_out()
    checkpoint(tmp_path)
    assert left(tmp_path), "deleting and emptying the log is not enough"
    assert ledger.scrub()
    assert left(tmp_path) == 0
    assert_sound(tmp_path)
    played.check()


def test_what_was_overwritten_does_not_come_back_from_somebodys_memory(
    ledger: SqliteLedger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has pages in memory as they were, and changes something on them, writes them whole."""
    played = Played(ledger)
    played.take_out()
    checkpoint(tmp_path)
    assert left(tmp_path)
    checkpointed = scrub._checkpointed
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as other:
        other.execute("PRAGMA cache_size=-100000")
        other.execute("SELECT sum(length(body)) FROM events").fetchone()

        def after_a_change(connection: Connection, how: str) -> bool:
            if how == "TRUNCATE":
                other.execute("BEGIN")
                for _ in range(2):
                    other.execute("UPDATE events SET seq = -seq")  # on every page, where it is
                other.execute("COMMIT")
            return checkpointed(connection, how)

        monkeypatch.setattr(scrub, "_checkpointed", after_a_change)
        assert ledger.scrub()
    assert left(tmp_path) == 0
    assert_sound(tmp_path)
    played.check()


def while_it_looks(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], None]) -> None:
    """Something happens in another thread after the whole file was looked through, and before it is cleaned."""
    look = Gaps.with_remains

    def looking(gaps: Gaps) -> set[int]:
        found = look(gaps)
        other = threading.Thread(target=happens)
        other.start()
        other.join(60)
        assert not other.is_alive(), "nobody waits while the file is looked through"
        return found

    monkeypatch.setattr(Gaps, "with_remains", looking)


def test_others_store_and_read_while_the_file_is_looked_through_and_what_they_leave_is_cleaned_as_well(
    ledger: SqliteLedger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = Played(ledger)
    assert ledger.scrub()
    with monkeypatch.context() as patched:
        while_it_looks(patched, played.take_out)
        assert ledger.scrub()
    assert left(tmp_path) == 0
    assert_sound(tmp_path)
    played.check()


def test_while_somebody_reads_it_is_too_early_and_everybody_goes_on(
    ledger: SqliteLedger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = Played(ledger)
    played.take_out()
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as reader:

        def read() -> None:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM people").fetchone()

        read()
        more = Played(ledger, range(1_000, 1_030))
        assert not ledger.scrub()
        reader.execute("ROLLBACK")
        with monkeypatch.context() as patched:
            # It begins only after the first look, which finds nothing in the way.
            while_it_looks(patched, lambda: ledger.append(chain("late", [b"late"]), ()))
            read()
            assert not ledger.scrub()
        reader.execute("ROLLBACK")
    more.take_out()
    assert ledger.scrub()
    assert left(tmp_path) == 0
    played.check()
    more.check()


def test_nothing_is_lost_or_damaged_by_cleaning_again_and_again_while_others_write(
    ledger: SqliteLedger, database: Database, tmp_path: Path
) -> None:
    store, end, played = SqlPeopleStore(database.engine), threading.Event(), list[Played]()

    def play() -> None:
        try:
            for number in range(5):
                played.append(Played(ledger, range(number * 1_000, number * 1_000 + 60)))
                played[-1].take_out()
        finally:
            end.set()

    def come() -> None:
        number = 0
        while not end.is_set():
            number += 1
            id = PersonId(f"person-{number}")
            store.add(
                PersonRow(
                    id=id,
                    name=f"N{number}",
                    name_key=f"n{number}",
                    password=None,
                    created=Millis(0),
                    last_seen=Millis(0),
                    epoch=0,
                )
            )
            if number % 2:
                store.delete(id)

    threads = [threading.Thread(target=each) for each in (play, come)]
    for thread in threads:
        thread.start()
    cleaned = 0
    try:
        while not end.is_set():
            cleaned += ledger.scrub()
    finally:
        end.set()
        for thread in threads:
            thread.join()
    assert cleaned
    assert ledger.scrub()
    assert left(tmp_path) == 0
    assert_sound(tmp_path)
    for some in played:
        some.check()
    assert all(int(person.name[1:]) % 2 == 0 for person in store.load())


def test_cleaning_leaves_the_locks_that_keep_other_programs_from_removing_the_log(
    ledger: SqliteLedger, tmp_path: Path
) -> None:
    """Whoever closes a file loses all locks on it; the last program at a database removes the log beside it."""
    assert ledger.scrub()
    ledger.append(chain("T", [b"one"]), ())
    program = (
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM events').fetchone()"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path / FILE)], check=True)
    assert (tmp_path / f"{FILE}-wal").stat().st_size > 0
    assert len(ledger.log(TableId("T"))) == 1


def test_a_page_that_contradicts_itself_is_left_alone(ledger: SqliteLedger, tmp_path: Path) -> None:
    Played(ledger, range(30))
    checkpoint(tmp_path)
    content = bytearray((tmp_path / FILE).read_bytes())
    leaf = next(at for at in range(4096, len(content), 4096) if content[at] == 13 and content[at + 4] > 1)
    content[leaf + 5 : leaf + 7] = (4095).to_bytes(2)  # as if the rows before that place were a gap
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(LedgerError, match=r"Page \d+ of the database is damaged"):
        ledger.scrub()
    assert (tmp_path / FILE).read_bytes()[leaf : leaf + 4096] == content[leaf : leaf + 4096]


def test_pages_that_say_where_others_belong_are_no_rows(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA auto_vacuum=FULL")
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("CREATE TABLE lines (id INTEGER PRIMARY KEY, line TEXT)")
        connection.execute("CREATE INDEX by_line ON lines (line)")
        lines = [(number, f"{number * 7919 % 20_011} " * 30) for number in range(20_000)]
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO lines VALUES (?, ?)", lines)
        connection.execute("COMMIT")
        connection.execute("DELETE FROM lines WHERE id % 3 = 0")
    gaps = Gaps(tmp_path / "other.db")
    assert gaps.clear(gaps.with_remains())
    assert not gaps.with_remains()
    gaps.close()
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
