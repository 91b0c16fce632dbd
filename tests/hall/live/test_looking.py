"""A wing of the hall looks at tables of other wings without acting there, and starts with its own."""

import asyncio
from collections.abc import Callable
from typing import Any
from weakref import ref

import pytest
from msgspec.structs import replace
from tests.hall.support.inmemory import (
    HeldCommitter,
    House,
    InlineCommitter,
    ManualTime,
    MemoryStorage,
    make_hall,
)
from tests.hall.support.restarts import told

from gamut.games.game import Refused
from gamut.hall.ids import PersonId, Slot, TableId, TableIds
from gamut.hall.live.erasure import erase
from gamut.hall.live.live_table import LiveTable, OnlyACopy
from gamut.hall.live.opening import Opening
from gamut.hall.live.reading_ahead import Ahead, read_ahead
from gamut.hall.live.rebuilding import Rebuilding
from gamut.hall.live.restart import Before
from gamut.hall.lobby.talk import TALK
from gamut.hall.people.person import Person
from gamut.hall.store.storage import LedgerError, Row
from gamut.hall.table import codec
from gamut.hall.table import commands as c
from gamut.hall.wings import MAIN, Elsewhere, Wings

ANN, BOB, CID = (PersonId(name) for name in ("ann", "bob", "cid"))
TOWER = Opening(game="tower", stays=True)
PEOPLE = ("ann", "bob", "cid")
OTHER = 1
"""The wing that is not the main one."""


class Counted(MemoryStorage):
    """Counts how often a log is read by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0

    def log(self, table: TableId) -> list[Row]:
        self.reads += 1
        return super().log(table)


def wing(number: int, storage: MemoryStorage, time: ManualTime | None = None, **others: Any) -> House:
    committer = others.pop("committer", None)
    return make_hall(
        storage,
        committer=InlineCommitter(storage) if committer is None else committer,
        time=time,
        wings=Wings(number, 2),
        **others,
    )


def two_wings(storage: MemoryStorage | None = None) -> tuple[House, House]:
    storage = MemoryStorage() if storage is None else storage
    time = ManualTime()
    return wing(MAIN, storage, time), wing(OTHER, storage, time)


def finished(house: House, opening: Opening = TOWER, *, returns: bool = True) -> LiveTable:
    live = house.open(opening, "ann")
    for name in PEOPLE:
        house.sit(live, name, returns=returns)
    while live.table.phase != "over":
        house.act(live)
    return live


def name_in(house: House) -> str:
    """A room's name that belongs to this wing."""
    return next(name for name in map(str, range(100)) if house.hall.wings.has_name("tower", name))


async def copy_of(house: House, live: LiveTable) -> LiveTable:
    copy = await house.hall.look(live.id)
    assert copy is not None
    return copy


# Looking


@told
async def test_a_table_of_another_wing_is_seen_as_it_is_there() -> None:
    main, other = two_wings()
    playing, over = other.open(TOWER, "ann", *PEOPLE), finished(other)
    other.act(playing)
    for live in (playing, over):
        copy = await copy_of(main, live)
        assert copy is not live
        assert (copy.table, copy.whole_log, copy.checksum) == (live.table, live.whole_log, live.checksum)
    assert await main.hall.look(TALK) is None
    assert await main.hall.look(TableId(playing.id[:-1] + ("3" if playing.id[-1] == "2" else "2"))) is None


@told
async def test_a_copy_is_nobody_s_but_whoever_s_who_asked_for_it() -> None:
    main, other = two_wings()
    live = other.open(Opening(game="tower"), "ann", "ann")
    other.do(live, c.SeatBot(ANN, "casual"))
    stored, timers = main.storage.appends, main.time.pending
    copy = await copy_of(main, live)
    assert main.hall.in_memory(live.id) is None
    assert not main.hall.live
    assert not main.hall.register.unfinished
    assert main.storage.appends == stored
    assert main.time.pending == timers, "nothing will happen there by itself"
    is_there = ref(copy)
    del copy
    for _ in range(5):
        await asyncio.sleep(0)
    assert is_there() is None


@told
async def test_an_own_table_is_no_copy() -> None:
    main, _ = two_wings()
    live = main.open(TOWER, "ann", *PEOPLE)
    assert await main.hall.look(live.id) is live


ACTIONS: dict[str, Callable[[House, LiveTable], object]] = {
    "say": lambda house, live: house.hall.do(live, c.Say(BOB, "bob", "hello", "table")),
    "leave": lambda house, live: house.hall.do(live, c.Leave(BOB)),
    "time": lambda house, live: house.hall.carry_out(live, c.Tick()),
    "wake": lambda house, live: house.hall.carry_out(live, c.Wake()),
    "what is refused": lambda house, live: house.hall.carry_out(live, c.Start(PersonId("nobody"))),
    "rename": lambda house, live: house.hall.do(live, c.Rename(BOB, "Bobby", False), granted=True),
    "take up": lambda house, live: house.hall.take_up(live),
    "attend": lambda house, live: house.hall.attendance.attend(live, house.listener("bob")),
    "attend again": lambda house, live: house.hall.attendance.attend_again(live, house.listener("bob")),
    "look closer": lambda house, live: house.hall.attendance.looks(live, house.listener("bob"), glance=False),
    "rewrite": lambda house, live: house.hall.rewrite(
        live, live.whole, live.whole_log, house.storage.log(live.id)
    ),
}


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("over", [False, True])
def test_nothing_can_be_done_at_a_copy(action: str, over: bool) -> None:
    async def story() -> None:
        main, other = two_wings()
        live = finished(other) if over else other.open(TOWER, "ann", *PEOPLE)
        copy = await copy_of(main, live)
        stored = main.storage.appends
        with pytest.raises(OnlyACopy):
            ACTIONS[action](main, copy)
        main.settle()
        main.advance(3_600_000)
        assert main.storage.appends == stored
        assert (copy.table, copy.listeners, copy.kept) == (live.table, {}, False)
        assert main.hall.in_memory(live.id) is None

    asyncio.run(story())


@told
async def test_a_copy_that_is_held_stays_as_it_was_and_another_look_shows_what_happened_since() -> None:
    main, other = two_wings()
    live = other.open(TOWER, "ann", *PEOPLE)
    copy, then = await copy_of(main, live), live.table
    other.act(live)
    assert copy.table == then
    assert (await copy_of(main, live)).table == live.table


@told
async def test_nothing_is_seen_of_what_is_not_stored() -> None:
    storage = MemoryStorage()
    disk = HeldCommitter(storage)
    main, other = wing(MAIN, storage), wing(OTHER, storage, committer=disk)
    live = other.open(TOWER, "ann")
    assert await main.hall.look(live.id) is None
    disk.release_all()
    other.sit(live, "ann")
    assert (await copy_of(main, live)).table.seat_of(ANN) is None
    disk.release_all()
    assert (await copy_of(main, live)).table.seat_of(ANN) is not None


@told
async def test_a_crowd_that_looks_at_the_same_moment_reads_the_log_once() -> None:
    storage = Counted()
    main, other = two_wings(storage)
    live = other.open(TOWER, "ann", *PEOPLE)
    storage.reads = 0
    copies = await asyncio.gather(*(main.hall.look(live.id) for _ in range(1_000)))
    # One for the first, and one for all who came while that was going on.
    assert storage.reads <= 2
    assert all(copy is not None and copy.table == live.table for copy in copies)
    await main.hall.look(live.id)
    assert storage.reads == 3, "and nothing is kept of it"


@told
async def test_whoever_comes_while_a_table_is_being_read_sees_what_was_stored_before_they_came() -> None:
    main, other = two_wings()
    live = other.open(TOWER, "ann", *PEOPLE)
    go_on = asyncio.Event()

    async def slowly(call: Callable[..., Any], *args: Any) -> Any:
        found = call(*args)
        await go_on.wait()
        return found

    main.hall.run_blocking = slowly
    early, before = asyncio.ensure_future(copy_of(main, live)), live.table
    for _ in range(5):
        await asyncio.sleep(0)
    other.act(live)
    late = asyncio.ensure_future(copy_of(main, live))
    await asyncio.sleep(0)
    go_on.set()
    assert (await early).table == before
    assert (await late).table == live.table


@pytest.mark.in_memory
@told
async def test_a_damaged_table_of_another_wing_is_refused_and_left_to_that_wing() -> None:
    main, other = two_wings()
    live = other.open(TOWER, "ann", *PEOPLE)
    again = wing(MAIN, main.storage)
    await again.start()
    rows = again.storage.rows[live.id]
    rows[1] = Row(live.id, rows[1].seq, b"{}", rows[1].checksum)
    with pytest.raises(Refused):
        await again.hall.look(live.id)
    assert live.id in again.hall.lobby.tables
    assert not again.storage.damage
    assert not again.hall.out_of_order


@told
async def test_a_room_of_another_wing_is_found_by_whoever_only_looks() -> None:
    main, other = two_wings()
    name = name_in(other)
    live = other.open(Opening(game="tower", room=name), "ann")
    with pytest.raises(Elsewhere):
        await main.hall.find("tower", name)
    for known_as in (name, live.id):
        found = await main.hall.look_for("tower", known_as)
        assert (found is not None and found.id == live.id) == (known_as == name), (
            "what is on no list has no id here"
        )
    again = wing(MAIN, main.storage)
    await again.start()
    found = await again.hall.look_for("tower", live.id)
    assert found is not None
    assert found.is_copy
    assert await again.hall.look_for("tower", "no such room") is None
    own = again.open(Opening(game="tower", room=name_in(again)), "ann")
    assert await again.hall.look_for("tower", str(own.table.room)) is own


@told
async def test_no_table_of_another_wing_is_brought_into_memory_ahead_of_its_people() -> None:
    main, other = two_wings()
    live = other.open(TOWER, "ann", *PEOPLE)
    assert await main.hall.read_ahead([live.id]) == []
    assert main.hall.in_memory(live.id) is None


# Starting


@told
async def test_each_wing_starts_with_its_own_tables() -> None:
    main, other = two_wings()
    mine = main.open(Opening(game="tower", room=name_in(main)), "ann", "ann")
    theirs = other.open(Opening(game="tower", room=name_in(other)), "ann", "ann", "bob")
    for house, own in ((main, mine), (other, theirs)):
        hall = wing(house.hall.wings.wing, house.storage)
        await hall.start()
        assert set(hall.hall.live) == set(hall.hall.register.unfinished) == {own.id}
        assert list(hall.hall.register.rooms.values()) == [own.id]
        assert hall.hall.register.seated[ANN] == {own.id}
    with pytest.raises(Elsewhere):
        await main.hall.load(theirs.id)


@told
async def test_the_main_wing_shows_the_tables_of_all_and_knows_who_sits_there() -> None:
    main, other = two_wings()
    mine, theirs = main.open(TOWER, "ann", "ann"), other.open(TOWER, "ann", "ann", "bob")
    secret = other.open(Opening(game="tower", private=True), "cid", "cid")
    again, annex = wing(MAIN, main.storage), wing(OTHER, main.storage)
    await again.start()
    await annex.start()
    assert set(again.hall.lobby.tables) == {mine.id, theirs.id}
    assert again.hall.register.tables_of(ANN) == sorted([mine.id, theirs.id])
    assert again.hall.register.tables_of(BOB) == [theirs.id]
    assert again.hall.register.tables_of(CID) == [secret.id]
    assert set(annex.hall.lobby.tables) == {theirs.id}
    assert annex.hall.register.tables_of(ANN) == [theirs.id]


@pytest.mark.in_memory
@told
async def test_only_the_owner_of_a_table_writes_its_damaged_note_anew() -> None:
    main, other = two_wings()
    mine, theirs = main.open(TOWER, "ann", "ann"), other.open(TOWER, "ann", "ann")
    storage = main.storage
    for live in (mine, theirs):
        storage.torn.add(live.id)
        storage.damage.notes[live.id] = None
    again = wing(MAIN, storage)
    await again.start()
    assert storage.torn == {theirs.id}
    assert not storage.damage.notes, "the other wing reports its own"
    annex = wing(OTHER, storage)
    await annex.start()
    assert not storage.torn
    assert set(annex.hall.register.unfinished) == {theirs.id}


@told
async def test_a_game_that_ended_unheard_is_remembered_by_its_own_wing() -> None:
    main, other = two_wings()
    ended = {}
    for house in (main, other):
        opening = Opening(game="tower", room=name_in(house))
        ended["tower", opening.room] = finished(house, opening, returns=False).id
    for number in (MAIN, OTHER):
        again = wing(number, main.storage, ManualTime(main.time.now()))
        await again.start()
        assert again.hall.register.endings == {
            room: table for room, table in ended.items() if again.hall.wings.has(table)
        }


@pytest.mark.in_memory
@told
async def test_what_is_said_in_the_lobby_is_the_main_wing_s() -> None:
    main = wing(MAIN, MemoryStorage())
    main.hall.say(ANN, "ann", "hello everybody")
    main.settle()
    rows = list(main.storage.rows[TALK])
    rows[0] = Row(TALK, rows[0].seq, rows[0].body, b"damaged")
    main.storage.rows[TALK] = rows
    annex = wing(OTHER, main.storage)
    await annex.start()
    annex.settle()
    assert not annex.hall.lobby.talk.lines
    assert main.storage.rows[TALK] == rows, "nor does another wing mend it"
    again = wing(MAIN, main.storage)
    await again.start()
    again.settle()
    assert main.storage.rows[TALK] != rows


@told
async def test_what_other_wings_have_stored_does_not_shorten_how_long_this_one_was_away() -> None:
    main, other = two_wings()
    live = other.open(TOWER, "ann", "ann")
    gone = other.time.now()
    main.advance(60_000)
    main.open(TOWER, "ann")
    for known_of_others in (True, False):
        annex = wing(OTHER, main.storage, ManualTime(main.time.now()))
        latest = main.time.now() if known_of_others else gone
        await annex.hall.start(Before(latest=latest, charged=gone, node=7))
        annex.hall.opens()
        asleep = annex.hall.in_memory(live.id)
        assert asleep is not None
        assert annex.hall._restart.command(asleep).away == 60_000


@told
async def test_a_standby_knows_only_the_tables_of_the_wing_that_it_may_have_to_take_over() -> None:
    main, other = two_wings()
    main.open(TOWER, "ann")
    theirs = other.open(TOWER, "ann")
    games = other.hall.games
    ahead = Ahead(games, (), Wings(OTHER, 2))
    rebuilding = Rebuilding(main.storage, games, ahead.tables)
    reading = asyncio.ensure_future(read_ahead(main.storage, rebuilding, every=0.0, wings=Wings(OTHER, 2)))
    async with asyncio.timeout(10):
        while not ahead.tables:  # noqa: ASYNC110 - threads are read in
            await asyncio.sleep(0)
    reading.cancel()
    assert set(ahead.tables) == {theirs.id}


# Erasing and renaming


async def erased_from(house: House) -> None:
    erasing = asyncio.ensure_future(erase(house.hall, ANN))
    while not erasing.done():
        house.settle()
        await asyncio.sleep(0)
    await erasing


@told
async def test_each_wing_takes_somebody_out_of_its_own_tables_and_the_main_wing_forgets_them_last() -> None:
    main, other = two_wings()
    storage = main.storage
    tables = {house: (house.open(TOWER, "ann", "ann", "bob"), finished(house)) for house in (main, other)}
    main.hall.say(ANN, "ann", "hello everybody")
    for house in (main, other):
        for live in tables[house]:
            house.do(live, c.Say(ANN, "ann", "call 12345", "table"))
    before = {live.id: list(storage.rows[live.id]) for live in tables[main]}
    await erased_from(other)
    for live in tables[other]:
        assert b"12345" not in b"".join(map(codec.encode, live.whole_log))
        assert b"12345" not in b"".join(row.body for row in storage.log(live.id))
    assert tables[other][0].table.seat_of(ANN) is None
    assert {live.id: storage.rows[live.id] for live in tables[main]} == before
    assert len(storage.tables_of(ANN, 10)) == 4, "by this the wings find their logs"
    assert [said.text for said in main.hall.lobby.talk.lines] == ["hello everybody"]
    await erased_from(main)
    for live in tables[main]:
        assert b"12345" not in b"".join(row.body for row in storage.log(live.id))
    assert storage.tables_of(ANN, 10) == []
    assert [said.text for said in main.hall.lobby.talk.lines] != ["hello everybody"]


@told
async def test_a_new_name_is_taken_at_the_own_tables() -> None:
    main, other = two_wings()
    theirs = other.open(TOWER, "ann", "ann")
    main.open(TOWER, "bob", "ann")
    again = wing(MAIN, main.storage)
    await again.start()
    seq = theirs.table.seq
    now = again.time.now()
    again.hall.renamed(Person(ANN, "Annie", guest=False, created=now, last_seen=now, epoch=0))
    for _ in range(10):
        await asyncio.sleep(0)
        again.settle()
    assert len(again.storage.log(theirs.id)) == seq
    (mine,) = again.hall.register.unfinished
    live = await again.hall.load(mine)
    assert live is not None
    assert [sitter.name for _, sitter in live.table.sitters()] == ["Annie"]


@told
async def test_now_and_then_a_wing_ends_only_its_own_tables() -> None:
    main, other = two_wings()
    theirs = other.open(TOWER, "ann", "ann")
    again = wing(MAIN, main.storage, ManualTime(main.time.now()))
    await again.start()
    stored = again.storage.appends
    settings = again.hall.settings
    for _ in range(3):
        again.advance(settings.timeouts.abandoned_after)
        for _ in range(5):
            await asyncio.sleep(0)
    assert again.storage.appends == stored
    assert theirs.id in again.hall.lobby.tables


@told
async def test_a_hall_whose_games_are_from_before_it_could_be_divided_stays_whole_until_they_are_over() -> (
    None
):
    whole = make_hall()
    live = whole.open(Opening(game="tower", room=name_in(wing(OTHER, MemoryStorage()))), "ann", *PEOPLE)
    astray = next(slot for slot in range(256) if slot % 2 == MAIN)
    old = TableIds().new(live.table.at, Slot(astray))
    storage = whole.storage
    storage.entries[old] = replace(storage.entries.pop(live.id), table=old)
    entry = storage.entries[old]
    storage.entries[old] = replace(entry, summary=entry.summary.replace(live.id.encode(), old.encode()))
    with pytest.raises(LedgerError, match="--wings 1"):
        await wing(MAIN, storage).start()
