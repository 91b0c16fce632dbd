"""A hall that opens while people are still connected to tables of the one before it, and people who are cut off."""

import asyncio
from collections.abc import Iterable

import pytest
from tests.conftest import Contained
from tests.hall.support.inmemory import FakeListener, House, ManualTime, PonderingBots, make_hall
from tests.hall.support.restarts import settled, told

from gamut.games.registry import all_games
from gamut.games.tower.rules import Place
from gamut.hall.hall import NotOpen
from gamut.hall.ids import Millis, PersonId, TableId
from gamut.hall.live import waking as waking_module
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.live.restart import Before
from gamut.hall.settings import HallSettings
from gamut.hall.table import clock as clocks
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import Bank
from gamut.hall.table.deciding.draft import Timeouts

ANN, BOB = PersonId("ann"), PersonId("bob")
GAMES = all_games()
PAUSE = 40_000
TAFL = Opening(game="tafl", clock=Bank(15_000))
SETTINGS = HallSettings()
OFTEN = SETTINGS.lost_connections.tries
MINUTE = SETTINGS.deserted_after


def happened(live: LiveTable, after: int = 0) -> list[str]:
    return [type(event).__name__ for event in live.whole_log[after:]]


async def opened(house: House, pause: int = PAUSE, bots: PonderingBots | None = None) -> House:
    """A node that takes over now, and has read what it must; nothing has happened there yet."""
    charged = house.time.now()
    again = make_hall(
        house.storage, time=ManualTime(Millis(charged + pause)), played=house.hall.games, bots=bots
    )
    await again.hall.start(Before(charged=charged, node=2))
    return again


async def still_at(house: House, table: TableId, *people: str) -> tuple[LiveTable, list[FakeListener]]:
    """The connections of these people are taken up at this node."""
    live = await house.hall.load(table)
    assert live is not None
    listeners = [house.listener(name) for name in people]
    for listener in listeners:
        house.hall.attendance.attend_again(live, listener)
    return live, listeners


async def awake(house: House) -> House:
    await house.hall.wake()
    house.settle()
    return house


def away(live: LiveTable) -> set[PersonId]:
    return {gone.person for gone in live.table.away}


def kinds(listeners: Iterable[FakeListener]) -> list[list[str]]:
    return [[type(event).__name__ for event in listener.events] for listener in listeners]


# Opening in two steps


@told
async def test_nothing_happens_at_a_table_before_the_hall_is_woken() -> None:
    house = make_hall(played=GAMES, bots=PonderingBots())
    live = house.open(TAFL, "ann", "ann")
    house.do(live, c.SeatBot(ANN, live.game.traits.levels[0].name))
    if live.awaited[0] == live.table.seat_of(ANN):
        house.act(live)
    bots = PonderingBots()
    again = await opened(house, bots=bots)
    back = again.hall.live[live.id]
    again.advance(60_000)
    assert back.table.seq == live.table.seq, "no flag has fallen"
    assert back.alarm is None
    assert bots.thoughts == []
    for command in (c.Leave(ANN), c.Act(ANN, None), c.Tick(), c.Drop(ANN)):
        with pytest.raises(NotOpen):
            again.do(back, command)
    assert back.table.seq == live.table.seq
    await awake(again)
    assert happened(back, live.table.seq) == ["Handed", "Woken"]
    assert len(bots.thoughts) == 1
    assert back.table.clock.since == again.time.now(), (
        "what has passed since it was read is charged to nobody"
    )


@told
async def test_a_table_that_nobody_had_to_read_sleeps_as_well_if_it_is_read_before() -> None:
    house = make_hall(played=GAMES)
    live = house.open(Opening(game="tafl"), "ann", "ann", "bob")
    again = await opened(house)
    assert live.id not in again.hall.live
    back, listeners = await still_at(again, live.id, "ann")
    assert back.table.seq == live.table.seq
    await awake(again)
    assert kinds(listeners) == [["Handed", "Woken"]]
    assert away(back) == {BOB}


@told
async def test_a_table_that_is_read_later_is_woken_when_it_is_read() -> None:
    house = make_hall(played=GAMES)
    live = house.open(Opening(game="tafl"), "ann", "ann", "bob")
    again = await awake(await opened(house))
    again.advance(5_000)
    back = await again.hall.load(live.id)
    assert back is not None
    assert happened(back, live.table.seq) == ["Handed", "Woken"]
    assert away(back) == {ANN, BOB}


def test_many_tables_are_woken_in_turns_in_which_others_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waking_module, "_AT_ONCE", 2)

    @told
    async def story() -> None:
        house = make_hall(played=GAMES)
        tables = [house.open(TAFL, f"ann{number}", f"ann{number}", f"bob{number}").id for number in range(5)]
        again = await opened(house)
        turns: list[int] = []
        waking = asyncio.ensure_future(again.hall.wake())
        while not waking.done():
            await asyncio.sleep(0)
            turns.append(sum("Handed" in happened(again.hall.live[table]) for table in tables))
        assert turns[:3] == [2, 4, 5]

    story()


@pytest.mark.faults
def test_a_table_that_cannot_be_woken_keeps_no_other_from_it(contained: Contained) -> None:
    @told
    async def story() -> None:
        house = make_hall(played=GAMES)
        tables = [house.open(TAFL, "ann", "ann", "bob") for _ in range(2)]
        again = await opened(house)
        broken, listeners = await still_at(again, tables[0].id, "ann")
        broken.whole = None  # type: ignore[assignment]  # nothing can be decided here
        await awake(again)
        assert list(again.hall.out_of_order) == [tables[0].id]
        assert listeners[0].wire.failed
        assert happened(again.hall.live[tables[1].id], tables[1].table.seq) == ["Handed", "Woken"]

    story()
    assert contained.kinds == ["read"]


@told
async def test_a_game_that_ended_unheard_is_recalled_however_long_the_server_was_gone() -> None:
    house = make_hall()
    playing = house.open(Opening(game="parlour", clock=Bank(10_000_000)), "ann", "ann", "bob", "cid")
    tower = house.open(Opening(game="tower", room="den"), "ann")
    for name in ("ann", "bob", "cid"):
        house.sit(tower, name, returns=False)
    house.advance(1_000)
    for tile in (0, 8, 16, 1, 9, 17, 2):
        house.act(tower, action=Place(tile))
    again = await awake(await opened(house, pause=3_600_000))
    assert "Woken" in happened(again.hall.live[playing.id])
    assert again.hall.register.endings == {("tower", "den"): tower.id}


# Who is still connected when a node takes over


@told
async def test_who_has_noticed_nothing_plays_on_with_the_time_that_they_had() -> None:
    house = make_hall(played=GAMES)
    live = house.open(TAFL, "ann", "ann", "bob")
    house.advance(6_000)
    again = await opened(house)
    back, listeners = await still_at(again, live.id, "ann", "bob")
    await awake(again)
    assert kinds(listeners) == [["Handed"], ["Handed"]]
    assert away(back) == set()
    again.advance(4_000)
    assert clocks.charge(back.table.clock, again.time.now()).times[back.awaited[0]].main == 5_000
    again.act(back)
    assert kinds(listeners) == [["Handed", "Played"]] * 2
    again.advance(15_000)
    assert back.table.outcome is not None, "alarms are set as ever"


@told
async def test_a_game_at_which_somebody_stayed_is_not_deserted() -> None:
    house = make_hall(played=GAMES)
    tables = [house.open(Opening(game="tafl"), "ann", "ann", "bob").id for _ in range(2)]
    again = await opened(house)
    back, (ann,) = await still_at(again, tables[0], "ann")
    await awake(again)
    again.advance(MINUTE)
    assert [again.hall.lobby.tables[table].deserted for table in tables] == [False, True]
    again.depart(back, ann)
    again.advance(MINUTE - 1)
    assert not again.hall.lobby.tables[tables[0]].deserted
    again.advance(1)
    assert again.hall.lobby.tables[tables[0]].deserted


# Who is cut off while the hall lives on


@told
async def test_whoever_was_cut_off_by_a_fault_has_yet_to_come_back_and_the_others_hear_of_it() -> None:
    house = make_hall(played=GAMES)
    await house.start()
    live = house.open(TAFL, "ann", "ann", "bob")
    first = ("ann", "bob")[live.awaited[0]]
    other = ("bob", "ann")[live.awaited[0]]
    cut, still = house.attend(live, first), house.attend(live, other)
    house.advance(6_000)
    live.depart(cut)
    house.hall.attendance.cut_off(live)
    house.settle()
    assert kinds([cut, still]) == [[], ["Woken"]]
    assert away(live) == {first}
    house.advance(60_000)
    house.attend(live, first)
    assert clocks.charge(live.table.clock, house.time.now()).times[live.awaited[0]].main == 9_000


def test_whoever_is_back_by_then_was_not_cut_off() -> None:
    house = make_hall(played=GAMES)
    live = house.open(TAFL, "ann", "ann", "bob")
    listeners = [house.attend(live, name) for name in ("ann", "bob")]
    live.depart(listeners[0])
    house.attend(live, "ann")
    seq = live.table.seq
    house.hall.attendance.cut_off(live)
    assert live.table.seq == seq


def test_a_flag_that_was_due_falls_before_anybody_counts_as_cut_off() -> None:
    house = make_hall(played=GAMES)
    live = house.open(TAFL, "ann", "ann", "bob")
    house.time.late = 10_000
    house.advance(15_000)
    house.hall.attendance.cut_off(live)
    assert live.table.outcome is not None
    assert happened(live)[-1] == "Played"


def test_whoever_loses_the_connection_again_and_again_is_not_taken_for_cut_off() -> None:
    house = make_hall(played=GAMES)
    live = house.open(Opening(game="tafl"), "ann", "ann", "bob")
    house.attend(live, "ann")
    for _ in range(OFTEN + 1):
        house.depart(live, house.attend(live, "bob"))
    assert not live.table.is_away(BOB), "for a minute he counts as present"
    house.hall.attendance.cut_off(live)
    assert not live.table.is_away(BOB)
    house.advance(SETTINGS.gone_after)
    (gone,) = live.table.away
    assert (gone.person, gone.cut_off) == (BOB, False)


def test_a_game_whose_last_person_was_cut_off_leaves_the_lists_after_a_minute() -> None:
    house = make_hall(played=GAMES)
    live = house.open(Opening(game="tafl"), "ann", "ann", "bob")
    listener = house.attend(live, "ann")
    live.depart(listener)
    house.hall.attendance.cut_off(live)
    house.advance(MINUTE)
    assert house.hall.lobby.tables[live.id].deserted


def test_who_was_cut_off_before_the_game_keeps_the_seat_as_after_a_restart() -> None:
    house = make_hall(played=GAMES)
    live = house.open(Opening(game="tafl"), "ann", "ann")
    live.depart(house.attend(live, "ann"))
    house.hall.attendance.cut_off(live)
    (gone,) = live.table.away
    assert gone.cut_off
    house.attend(live, "ann")
    assert away(live) == set()
    house.advance(Timeouts().setup_grace)
    assert live.table.seat_of(ANN) is not None


@told
async def test_a_table_that_is_woken_again_knows_who_was_cut_off_and_who_was_not() -> None:
    house = make_hall(played=GAMES)
    live = house.open(TAFL, "ann", "ann", "bob")
    house.attend(live, "ann")
    house.hall.attendance.cut_off(live)
    house.settle()
    (woken,) = [event for event in live.whole_log if type(event) is e.Woken]
    assert (woken.cut_off, woken.stopped_at) == ((BOB,), house.time.now())
    again = await awake(await opened(house))
    await settled(again)
    assert away(again.hall.live[live.id]) == {ANN, BOB}
