"""Coming back: after a crash, and after a table has left the memory. On each store."""

import asyncio

import msgspec
import pytest
from msgspec.structs import replace
from tests.hall.support.inmemory import (
    HeldCommitter,
    House,
    MemoryStorage,
    PonderingBots,
    make_hall,
    sitter,
)
from tests.hall.support.restarts import IDLE, loaded, over_time, restarted, settled, told
from tests.hall.support.twin import TwinStorage
from tests.ledger.support.stores import StoreUnderTest

from gamut.games.topple.rules import Topple
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import Bank, PerTurn
from gamut.hall.table.deciding.draft import Timeouts
from gamut.hall.table.state import Table

ANN, BOB, CID = PersonId("ann"), PersonId("bob"), PersonId("cid")
TOWER = Opening(game="tower")
TIMED = Opening(game="tower", clock=Bank(600_000))
DAY = Timeouts().abandoned_after


def written(table: Table) -> bytes:
    return msgspec.json.encode(table)


@pytest.fixture(autouse=True)
def hall_on_a_real_store(store: StoreUnderTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.hall.support.inmemory.MemoryStorage", lambda: TwinStorage(store.ledger))


# Restarts


@told
async def test_a_running_game_comes_back_with_its_clocks_as_they_were() -> None:
    house = make_hall()
    live = house.open(TIMED, "ann", "ann", "bob", "cid")
    house.advance(10_000)
    house.act(live)
    state = live.whole.state
    again = await restarted(house, after=7 * DAY)
    back = again.hall.live[live.id]
    assert back.table.state == state
    assert [time.main for time in back.table.clock.times] == [590_000, 600_000, 600_000]
    assert back.deadline == again.time.now() + 600_000


@told
async def test_a_flag_falls_after_the_restart_as_it_would_have_before() -> None:
    house = make_hall()
    live = house.open(Opening(game="tower", clock=PerTurn(10_000)), "ann", "ann", "bob", "cid")
    again = await restarted(house, after=DAY)
    back = again.hall.live[live.id]
    again.attend(back, "ann")
    again.advance(9_999)
    assert back.table.state.turn == 0
    again.advance(1)
    assert back.table.state.turn == 1


@told
async def test_a_flag_falls_after_the_restart_also_where_the_first_turn_was_free() -> None:
    house = make_hall(played={"topple": Topple()})
    live = house.open(Opening(game="topple", seats=2, clock=PerTurn(10_000)), "ann", "ann", "bob")
    assert not live.table.clock.running
    house.act(live)
    again = await restarted(house, after=DAY)
    again.attend(again.hall.live[live.id], "bob")
    again.advance(10_000)
    assert [event.why for event in again.hall.live[live.id].log if isinstance(event, e.Played)] == [
        "acted",
        "flagged",
    ]


@told
async def test_everybody_is_away_until_they_come_back() -> None:
    house = make_hall()
    live = house.open(TIMED, "ann", "ann", "bob", "cid")
    for name in ("ann", "bob", "cid"):
        house.attend(live, name)
    again = await restarted(house)
    back = again.hall.live[live.id]
    assert {gone.person for gone in back.table.away} == {ANN, BOB, CID}
    again.attend(back, "bob")
    assert not back.table.is_away(BOB)
    again.advance(Timeouts().host_grace)
    assert back.table.host == "bob"


@told
async def test_seats_rooms_limits_and_the_lobby_are_known_again() -> None:
    house = make_hall()
    quiet = house.open(TOWER, "ann", "ann", "bob", "cid")
    private = house.open(Opening(game="tower", private=True), "ann", "ann")
    room = house.open(Opening(game="tower", room="den"), "bob")
    house.sit(room, "bob", returns=False)
    over = house.open(TOWER, "cid", "cid")
    house.do(over, c.Leave(CID))
    again = await restarted(house)
    hall = again.hall
    assert hall.register.seated == {ANN: {quiet.id, private.id}, BOB: {quiet.id, room.id}, CID: {quiet.id}}
    assert hall.register.room("tower", "den") == room.id
    assert set(hall.register.unfinished) == {quiet.id, private.id, room.id}
    assert set(hall.lobby.tables) == {quiet.id, room.id}


@told
async def test_only_tables_where_something_happens_by_itself_are_read_at_once() -> None:
    house = make_hall()
    quiet = house.open(TOWER, "ann", "ann", "bob", "cid")
    timed = house.open(TIMED, "ann", "ann", "bob", "cid")
    setup = house.open(TOWER, "ann", "ann")
    paused = house.open(TIMED, "ann", "ann", "bob", "cid")
    house.do(paused, c.Pause(ANN))
    again = await restarted(house)
    assert set(again.hall.live) == {timed.id, setup.id}
    back = await loaded(again, quiet.id)
    assert back.table.state == quiet.table.state


@told
async def test_a_bot_whose_turn_it_was_is_asked_again() -> None:
    house = make_hall(bots=PonderingBots())
    live = house.open(TOWER, "ann", "ann")
    for _ in range(2):
        house.do(live, c.SeatBot(ANN, "casual"))
    house.act(live, 0)
    bots = PonderingBots()
    again = await restarted(house, bots=bots)
    assert [thought.seat for thought in bots.thoughts] == [1]
    bots.thoughts.pop().answer()
    assert again.hall.live[live.id].table.state.turn == 2


@told
async def test_a_seat_whose_time_away_is_limited_is_given_up_after_a_restart_too() -> None:
    house = make_hall()
    live = house.open(TOWER, "ann", "ann", "bob")
    house.do(live, c.Sit(replace(sitter("cid"), kept_for=Millis(30_000))))
    again = await restarted(house, after=DAY)
    back = again.hall.live[live.id]
    # Whom the server cut off may not have noticed that it was away.
    again.advance(again.hall.settings.timeouts.room_grace - 1)
    assert back.table.seat_of(CID) is not None
    again.advance(1)
    assert back.table.seat_of(CID) is None


@told
async def test_what_was_not_committed_was_never_there_and_nobody_heard_of_it() -> None:
    storage = MemoryStorage()
    committer = HeldCommitter(storage)
    house = make_hall(committer=committer)
    live = house.open(TOWER, "ann", "ann", "bob", "cid")
    committer.release_all()
    before = written(live.whole)
    ann = house.attend(live, "ann")
    house.act(live)
    house.journal.send(ann.wire, b"your move")
    house.settle()
    assert len(committer.held) == 1
    again = await restarted(house)
    back = await loaded(again, live.id)
    assert ann.wire.writes == []
    assert written(back.whole) != before, "it was woken"
    assert back.table.state == msgspec.convert(msgspec.json.decode(before)["state"], type(live.whole.state))


@told
async def test_a_game_can_be_played_on_through_any_number_of_restarts() -> None:
    house = make_hall(seed=3)
    live = house.open(Opening(game="parlour", clock=Bank(60_000, 500)), "ann", "ann", "bob", "cid")
    while live.table.phase != "over":
        house.act(live)
        house = await restarted(house, after=1_000)
        table = live.id
        live = await loaded(house, table)
    rows = house.storage.log(live.id)
    assert len(rows) == live.table.seq
    assert live.table.outcome is not None


# Leaving the memory


async def forgotten(house: House, table: TableId) -> None:
    """Nobody looks for a while."""
    house.advance(2 * IDLE)
    await settled(house)
    assert house.hall.here(table) is None


@told
async def test_a_table_that_nobody_looks_at_leaves_the_memory_and_comes_back_the_same() -> None:
    house = make_hall()
    await house.start()
    live = house.open(Opening(game="parlour"), "ann", "ann", "bob", "cid")
    for name in ("ann", "bob", "cid"):
        house.depart(live, house.attend(live, name))
    house.do(live, c.Drop(ANN))
    table, before = live.id, written(live.whole)
    del live
    await forgotten(house, table)
    back = await loaded(house, table)
    assert written(back.whole) == before
    assert back.checksum == house.storage.rows[table][-1].checksum
    house.attend(back, "ann")
    house.act(back, 0)
    assert len(house.storage.log(table)) == back.table.seq


@told
async def test_a_table_with_a_watcher_stays() -> None:
    house = make_hall()
    await house.start()
    live = house.open(TOWER, "ann", "ann", "bob", "cid")
    wim = house.attend(live, "wim")
    house.advance(10 * IDLE)
    assert house.hall.live[live.id] is live
    house.act(live)
    assert len(wim.news) == 1


@told
async def test_a_clock_that_runs_keeps_its_table_awake() -> None:
    house = make_hall()
    await house.start()
    live = house.open(Opening(game="tower", clock=PerTurn(DAY)), "ann", "ann", "bob", "cid")
    house.advance(DAY - 1)
    assert house.hall.live[live.id] is live
    assert live.whole.state.turn == 0
    house.advance(1)
    assert live.whole.state.turn == 1, "thinking time passes whether anyone looks or not"


@told
async def test_a_seat_held_for_long_is_given_up_though_nobody_looks() -> None:
    house = make_hall()
    await house.start()
    live = house.open(TOWER, "ann", "ann", "bob")
    house.do(live, c.Sit(replace(sitter("cid"), kept_for=Millis(4 * IDLE))))
    house.do(live, c.Drop(CID))
    house.advance(4 * IDLE)
    await settled(house)
    assert (await loaded(house, live.id)).table.seat_of(CID) is None


@told
async def test_a_bots_turn_keeps_its_table_awake() -> None:
    bots = PonderingBots()
    house = make_hall(bots=bots)
    await house.start()
    live = house.open(TOWER, "ann", "ann")
    for _ in range(2):
        house.do(live, c.SeatBot(ANN, "casual"))
    house.act(live, 0)
    house.advance(3 * IDLE)
    assert house.hall.live[live.id] is live


@told
async def test_an_old_game_that_was_read_stays_for_whoever_asked_for_it_and_no_longer() -> None:
    house = make_hall()
    live = house.open(TOWER, "ann", "ann", "bob", "cid")
    while live.table.phase != "over":
        house.act(live)
    again = await restarted(house, after=DAY)
    back = await loaded(again, live.id)
    again.advance(2 * IDLE)
    assert again.hall.here(live.id) is back
    del back
    await asyncio.sleep(0)  # the event loop itself holds what it has just handed over
    assert again.hall.here(live.id) is None


@told
async def test_an_old_game_that_somebody_follows_stays_until_they_go() -> None:
    house = make_hall()
    live = house.open(TOWER, "ann", "ann", "bob", "cid")
    while live.table.phase != "over":
        house.act(live)
    again = await restarted(house, after=DAY)
    back = await loaded(again, live.id)
    wim = again.attend(back, "wim")
    del back
    again.advance(2 * IDLE)
    back = await loaded(again, live.id)
    again.do(back, c.Say(PersonId("wim"), "wim", "well played", "kibitz"))
    assert len(wim.news) == 1
    again.depart(back, wim)
    again.advance(2 * IDLE)
    del back, wim
    await asyncio.sleep(0)
    assert again.hall.here(live.id) is None


@told
async def test_whoever_asks_for_a_table_while_it_is_being_read_gets_the_same_one() -> None:
    house = make_hall()
    live = house.open(TOWER, "ann", "ann", "bob", "cid")
    again = await restarted(house)
    first, second = await asyncio.gather(again.hall.load(live.id), again.hall.load(live.id))
    assert first is second is again.hall.live[live.id]


@told
async def test_one_who_gives_up_waiting_does_not_spoil_it_for_the_other() -> None:
    house = make_hall()
    live = house.open(TOWER, "ann", "ann", "bob", "cid")
    again = await restarted(house)
    first = asyncio.ensure_future(again.hall.load(live.id))
    second = asyncio.ensure_future(again.hall.load(live.id))
    await asyncio.sleep(0)
    first.cancel()
    assert await second is not None


@told
async def test_there_is_no_table_where_there_is_none() -> None:
    assert await make_hall().hall.load(TableId("nowhere")) is None


@told
async def test_who_was_away_before_the_server_has_as_much_time_left_as_then() -> None:
    """The time in which nobody could have come back is not counted."""
    house = make_hall()
    live = house.open(TOWER, "ann", "ann", "bob")
    house.do(live, c.Sit(replace(sitter("cid"), kept_for=Millis(30_000))))
    for person in (ANN, BOB, CID):
        house.do(live, c.Drop(person))
    house.advance(20_000)
    house.do(live, c.Say(PersonId("wim"), "wim", "where is everybody?", "kibitz"))
    again = await restarted(house, after=60_000)
    back = await loaded(again, live.id)
    again.advance(9_000)
    assert back.table.seat_of(CID) is not None
    again.advance(1_500)
    assert back.table.seat_of(CID) is None


@told
async def test_a_table_that_is_read_twice_waits_no_longer_for_that() -> None:
    house = make_hall()
    live = house.open(TOWER, "ann", "ann", "bob", "cid")
    for name in ("ann", "bob", "cid"):
        house.depart(live, house.attend(live, name))
    again = await restarted(house, after=DAY // 2)
    table, first = live.id, (await loaded(again, live.id)).table.away
    await forgotten(again, table)
    assert (await loaded(again, table)).table.away == first


# Forgotten games


@told
async def test_a_game_that_nobody_came_back_to_is_closed() -> None:
    house = make_hall()
    await house.start()
    live = house.open(TOWER, "ann", "ann", "bob", "cid")
    for name in ("ann", "bob", "cid"):
        house.depart(live, house.attend(live, name))
    table = live.id
    del live
    await forgotten(house, table)
    await over_time(house, DAY + 4 * IDLE)
    assert house.storage.entries[table].phase == "over"
    assert house.hall.register.seated == {}
    assert house.hall.register.unfinished == {}


@pytest.mark.parametrize("private", [False, True])
def test_a_game_left_alone_since_before_a_restart_is_closed_in_the_end(private: bool) -> None:
    async def story() -> None:
        house = make_hall()
        live = house.open(Opening(game="tower", private=private), "ann", "ann", "bob", "cid")
        again = await restarted(house)
        assert live.id not in again.hall.live
        await over_time(again, 2 * DAY + 10 * IDLE)
        assert house.storage.entries[live.id].phase == "over"

    asyncio.run(story())
