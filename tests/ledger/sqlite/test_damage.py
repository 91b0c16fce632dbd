"""A damaged database: what can be read is served exactly, and what is damaged never looks as if it were not."""

import asyncio
import errno
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import create_engine
from tests.hall.support.inmemory import ManualTime, make_hall
from tests.ledger.support.wreck import PAGE, wreck
from tests.ledger.support.years import Years, pour, went_on

from gamut.games.game import Refused
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.live.opening import Opening
from gamut.hall.lobby.summary import summary_from
from gamut.hall.lobby.talk import TALK
from gamut.hall.store.storage import DamagedLog, Entry, LedgerError, Tail
from gamut.ledger.people import SqlPeopleStore
from gamut.ledger.sqlite import mending
from gamut.ledger.sqlite.database import FILE, Database, open_database
from gamut.ledger.sqlite.ledger import SqliteLedger

TRIALS = 30
AMONG_THEM = {
    0: "the end of the file is cut off",
    1: "a page of rows is zeroed",
    3: "a page of rows is a copy of another page",
    4: "a page of an index is zeroed",
    6: "the first page and seven more",
    8: "one bit of a page of rows",
    10: "pages that lead to others and six more, by noise and scratches",
}
"""Every way to ruin a page and every kind of page, alone or many of them; `make slow` has the other trials."""


class Original:
    """The ledger before it was damaged."""

    def __init__(self, folder: Path) -> None:
        self.years = Years(tables=300, people=150)
        self.folder = folder
        self.years.store(folder)
        self.file = folder / FILE
        self.storage = self.years.storage
        self.tables = [table for table in self.storage.rows if table != TALK]
        self.people = {person.id: person for person in self.years.people}
        self.notes = {entry.table: entry for entry in self.storage.entries.values()}
        self.said = [row.body for row in self.storage.rows[TALK]]
        data = self.file.read_bytes()
        self._pages = [data[at : at + PAGE] for at in range(0, len(data), PAGE)]

    def spared(self, ruined: set[int]) -> bytes:
        return b"\0\0\0\0".join(page for number, page in enumerate(self._pages) if number not in ruined)

    def people_hit(self, ruined: set[int]) -> set[PersonId]:
        spared = self.spared(ruined)
        return {
            id
            for id, person in self.people.items()
            if f"{id}{person.name}{person.name_key}".encode() not in spared
        }

    def hit(self, ruined: set[int]) -> set[TableId]:
        """Tables with an event that is not, in one piece, on a page that was left as it was."""
        spared = self.spared(ruined)
        return {
            table
            for table in self.tables
            # Long ones go over several pages, which nobody looks for here.
            if any(
                len(row.body) > 900 or row.body + row.checksum not in spared
                for row in self.storage.rows[table]
            )
        }


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Original:
    return Original(tmp_path_factory.mktemp("original"))


class Found:
    """What a ledger on a ruined copy has to show."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.ledger = SqliteLedger(database.engine, database.high_water, database.damage)
        self.store = SqlPeopleStore(database.engine, database.damage)

    def close(self) -> None:
        self.ledger.close()
        self.database.close()


def opened(folder: Path) -> Found:
    return Found(open_database(folder))


def without_times(entry: Entry) -> Any:
    """A note that is written anew knows of the last event; the one before it may not have."""
    summary = summary_from(None, entry)
    return replace(summary, changed=Millis(0)), entry.game, entry.phase, entry.load_at_start, entry.listed


def check_logs(original: Original, found: Found) -> set[TableId]:
    """Each log is the very same or refused; says which are refused."""
    refused = set()
    for table in original.tables:
        try:
            rows = found.ledger.log(table)
        except DamagedLog:
            refused.add(table)
            continue
        if rows:
            assert rows == original.storage.log(table), table
        else:
            refused.add(table)
    return refused


async def check_hall(original: Original, found: Found, refused: set[TableId]) -> None:
    storage: Any = found.ledger
    house = make_hall(storage, time=ManualTime(found.ledger.latest()))
    hall = house.hall
    await hall.start()
    await hall.wake()
    house.settle()
    for table in original.tables:
        entry = original.notes[table]
        if table in refused:
            with pytest.raises((Refused, AssertionError)):
                assert await hall.load(table) is not None
            assert table not in hall.register.unfinished
        elif entry.phase != "over":
            assert table in hall.register.unfinished
            if not summary_from(None, entry).private:
                known = hall.lobby.tables[table]
                assert known.seats == summary_from(None, entry).seats
    lines = [msgspec.json.encode(said) for said in hall.lobby.talk.lines]
    assert lines == [body for body in original.said if body in lines], "in order, and as they were said"
    # And it goes on.
    live = house.open(Opening(game="tower"), "ann", "ann", "bob", "cid")
    house.act(live)
    hall.lobby.say(PersonId("ann"), "ann", "we are back")
    house.settle()
    assert len(found.ledger.log(live.id)) == live.table.seq


def check_lists(original: Original, found: Found, refused: set[TableId], ruined: set[int]) -> None:
    ledger = found.ledger
    listed = {entry.table: entry for entry in ledger.finished(None, None, 10_000)}
    for table, entry in listed.items():
        assert without_times(entry) == without_times(original.notes[table])
    expected = {table for table, entry in original.notes.items() if entry.listed}
    assert expected - set(listed) <= refused | set(found.database.damage.notes)
    known = {person.id: person for person in found.store.load()}
    assert known.items() <= original.people.items()
    assert original.people.keys() - known.keys() <= original.people_hit(ruined)
    for person in list(known)[:20]:
        played = set(ledger.tables_of(person, 1_000))
        assert {entry.table for entry in ledger.played_by(person, 1_000)} <= played
        assert played <= set(original.storage.seats.get(person, {}))


def trial(original: Original, folder: Path, seed: int) -> tuple[set[int], set[TableId]]:
    chance = Random(seed)
    shutil.copytree(original.folder, folder)
    ruined = wreck(folder / FILE, chance, chance.choice([1, 1, 2, 3, 8]))
    found = opened(folder)
    try:
        refused = check_logs(original, found)
        asyncio.run(check_hall(original, found, refused))
        check_lists(original, found, refused, ruined)
    finally:
        found.close()
    # It was made sound at once: the next start finds nothing more to mend.
    copies = sorted(folder.glob(f"{FILE}.damaged-*"))
    opened(folder).close()
    assert sorted(folder.glob(f"{FILE}.damaged-*")) == copies
    return ruined, refused


@pytest.mark.parametrize(
    "seed",
    [pytest.param(seed, marks=() if seed in AMONG_THEM else pytest.mark.slow) for seed in range(TRIALS)],
)
def test_whatever_is_ruined_the_rest_is_served_exactly(original: Original, tmp_path: Path, seed: int) -> None:
    ruined, refused = trial(original, tmp_path / "data", seed)
    if len(ruined) == 1:
        assert refused <= original.hit(ruined), "one bad page costs only the tables that are on it"


@pytest.fixture
def copy(original: Original, tmp_path: Path) -> Path:
    shutil.copytree(original.folder, tmp_path / "copy")
    return tmp_path / "copy"


def spoiled(file: Path, page: int, content: bytes = bytes(PAGE)) -> None:
    data = bytearray(file.read_bytes())
    data[page * PAGE : (page + 1) * PAGE] = content
    file.write_bytes(data)


def roots(file: Path) -> dict[str, int]:
    """On which page, the first being 0, each table and index begins."""
    with closing(sqlite3.connect(file)) as connection:
        return {
            name: root - 1 for name, root in connection.execute("SELECT name, rootpage FROM sqlite_schema")
        }


def test_the_page_that_all_others_are_reached_from_costs_nothing(original: Original, copy: Path) -> None:
    spoiled(copy / FILE, 0)
    found = opened(copy)
    assert check_logs(original, found) == set()
    assert {person.id for person in found.store.load()} == set(original.people)
    assert found.database.damage.events == 0
    found.close()


@pytest.mark.parametrize(
    "name", ["events", "sqlite_autoindex_events_1", "tables", "tables_unfinished", "tables_listed", "people"]
)
def test_the_page_that_a_table_or_index_is_reached_from_costs_nothing(
    original: Original, copy: Path, name: str
) -> None:
    spoiled(copy / FILE, roots(copy / FILE)[name])
    found = opened(copy)
    assert check_logs(original, found) == set()
    asyncio.run(check_hall(original, found, set()))
    check_lists(original, found, set(), set())
    assert {entry.table for entry in found.ledger.finished(None, None, 10_000)} == {
        table for table, entry in original.notes.items() if entry.listed
    }
    assert {person.id for person in found.store.load()} == set(original.people)
    found.close()


def test_events_that_never_reached_the_disk_are_missed_by_the_index(
    original: Original, copy: Path, tmp_path: Path
) -> None:
    """The disk said that it had written a page, and had not: the page is sound, but of another time."""
    original.years.store(tmp_path / "older", lacking=100)
    older = (tmp_path / "older" / FILE).read_bytes()
    last = original.storage.history[-100][0][-1]
    leaf = original.file.read_bytes().index(last.body + last.checksum) // PAGE
    assert older[leaf * PAGE] == 13, "it was a page of rows then, too"
    spoiled(copy / FILE, leaf, older[leaf * PAGE : (leaf + 1) * PAGE])
    found = opened(copy)
    refused = check_logs(original, found)
    assert last.table in refused
    assert found.database.damage.events > 0
    found.close()


def test_who_played_where_and_the_names_of_rooms_are_worked_out_again(original: Original, copy: Path) -> None:
    before = opened(original.folder)
    seats = {person: before.ledger.tables_of(person, 1_000) for person in original.people}
    names = {f"room {number}": before.ledger.named("tower", f"room {number}") for number in range(300)}
    rooms = {name: table for name, table in names.items() if table is not None}
    assert rooms
    before.close()
    for name in ("seats", "sqlite_autoindex_seats_1", "rooms"):
        spoiled(copy / FILE, roots(original.file)[name])
    found = opened(copy)
    assert {person: found.ledger.tables_of(person, 1_000) for person in original.people} == seats
    assert {name: found.ledger.named("tower", name) for name in rooms} == rooms
    found.close()


def test_the_damaged_database_is_kept_as_it_was(copy: Path) -> None:
    spoiled(copy / FILE, 20)
    damaged = (copy / FILE).read_bytes()
    opened(copy).close()
    kept = copy / f"{FILE}.damaged-1"
    assert kept.read_bytes() == damaged
    assert kept.stat().st_mode & 0o077 == 0
    assert (copy / FILE).stat().st_mode & 0o077 == 0
    spoiled(copy / FILE, 20)
    opened(copy).close()
    assert (copy / f"{FILE}.damaged-2").exists()
    assert kept.read_bytes() == damaged


def test_what_was_not_yet_in_the_database_itself_is_rescued_too(original: Original, tmp_path: Path) -> None:
    """Pages are written to a log beside the database first, and the rest may be damaged meanwhile."""
    before = opened(tmp_path / "data")
    pour(original.storage.history[:400], before.ledger)
    copy = tmp_path / "copy"
    copy.mkdir()
    for end in ("", "-wal"):
        shutil.copy(tmp_path / "data" / f"{FILE}{end}", copy / f"{FILE}{end}")
    stored = {table: before.ledger.log(table) for table in original.tables}
    before.close()
    assert any(stored.values())
    assert (copy / f"{FILE}-wal").stat().st_size > 20 * PAGE
    (copy / FILE).write_bytes(b"\xff" * (copy / FILE).stat().st_size)
    found = opened(copy)
    assert {table: found.ledger.log(table) for table in original.tables} == stored
    found.close()


def test_a_rescue_that_was_cut_off_is_finished(original: Original, copy: Path) -> None:
    spoiled(copy / FILE, 0)
    opened(copy).close()
    # As if the process had ended just before the last step: the new one is whole, the old one in its place.
    (copy / FILE).rename(copy / f"{FILE}.rescued")
    (copy / FILE).write_bytes(b"\xff" * PAGE)
    (copy / f"{FILE}-wal").write_bytes(b"of the old one")
    (copy / f"{FILE}.rescuing").write_bytes(b"")
    found = opened(copy)
    assert check_logs(original, found) == set()
    found.close()


def test_where_there_is_no_room_for_a_new_one_everything_stays(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoiled(copy / FILE, 0)
    before = (copy / FILE).read_bytes()

    def full(damaged: Path, target: Path) -> None:
        target.with_name(target.name + "-journal").write_bytes(b"half of it")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(mending, "rescue", full)
    with pytest.raises(LedgerError, match="cannot be opened: No space left on device"):
        open_database(copy)
    assert (copy / FILE).read_bytes() == before
    assert sorted(file.name for file in copy.iterdir()) == [FILE, "gamut.lock", "gamut.mark"]


def test_a_table_that_lost_events_stays_refused_after_any_number_of_starts(
    original: Original, copy: Path
) -> None:
    last = original.storage.rows[original.tables[150]][-1]
    leaf = original.file.read_bytes().index(last.body + last.checksum) // PAGE
    spoiled(copy / FILE, leaf)
    found = opened(copy)
    refused = check_logs(original, found)
    assert refused
    assert refused == set(found.database.damage.tables)
    assert found.database.damage.events > 0
    found.close()
    spoiled(copy / FILE, 0)
    again = opened(copy)
    assert check_logs(original, again) == refused == set(again.database.damage.tables)
    assert again.database.damage.events == 0, "that was said once"
    again.close()


@pytest.mark.parametrize("content", [b"", b"\0", b"\xff", b"Dear diary, today I played Tower. "])
def test_where_nothing_is_left_there_is_one_line_and_everything_stays(tmp_path: Path, content: bytes) -> None:
    database = open_database(tmp_path)
    database.close()
    ruin = (content * PAGE * 4)[: 4 * PAGE]
    (tmp_path / FILE).write_bytes(ruin)
    if not ruin:
        open_database(tmp_path).close()  # an empty file is a new ledger
        return
    with pytest.raises(LedgerError) as failure:
        open_database(tmp_path)
    assert "\n" not in str(failure.value)
    assert str(failure.value).startswith(f"The database {tmp_path / FILE} cannot be opened: ")
    assert (tmp_path / FILE).read_bytes() == ruin
    assert sorted(file.name for file in tmp_path.iterdir()) == [FILE, "gamut.lock", "gamut.mark"]


# Pages that go bad while the server runs


@pytest.fixture
def unchecked(original: Original, copy: Path) -> Iterator[SqliteLedger]:
    """A ledger whose pages have gone bad since it was opened."""
    for name in ("events", "sqlite_autoindex_events_1", "tables", "rooms", "sqlite_autoindex_rooms_1"):
        spoiled(copy / FILE, roots(original.file)[name])
    engine = create_engine(f"sqlite:///{copy / FILE}")
    ledger = SqliteLedger(engine)
    yield ledger
    ledger.close()
    engine.dispose()


def test_a_bad_page_met_later_refuses_what_is_on_it_in_one_line(
    original: Original, unchecked: SqliteLedger
) -> None:
    with pytest.raises(DamagedLog, match="cannot be read"):
        unchecked.log(original.tables[0])
    assert unchecked.tail(TALK, 50) == Tail([], sound=False)
    assert unchecked.named("tower", "room 0") is None
    for read in (
        lambda: unchecked.finished(None, None, 10),
        lambda: unchecked.played_by(PersonId("person-001"), 10),
        unchecked.unfinished,
        unchecked.latest,
    ):
        with pytest.raises(LedgerError) as failure:
            read()
        assert "\n" not in str(failure.value)
    assert unchecked.damage.reads == 7


def test_what_cannot_be_written_is_never_acknowledged(original: Original, unchecked: SqliteLedger) -> None:
    table = original.tables[-1]
    with pytest.raises(LedgerError) as failure:
        unchecked.append([went_on(original.storage.rows[table], b"{}")], ())
    assert "\n" not in str(failure.value)
