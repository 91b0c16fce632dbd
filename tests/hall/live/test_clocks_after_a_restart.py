"""The clock of somebody whom a stop of the server has cut off stands until they are back, or were waited for."""

from typing import Any

import msgspec
import pytest
from tests.hall.support.inmemory import FOR_TWO, House, ManualTime, PonderingBots, make_hall
from tests.hall.support.restarts import IDLE, restarted, settled, told

from gamut.games.game import Seat
from gamut.games.registry import all_games
from gamut.hall.ids import Millis, PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.live.restart import Before
from gamut.hall.table import clock as clocks
from gamut.hall.table import codec
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import Bank, Overtime, PerTurn
from gamut.hall.table.deciding.draft import Timeouts
from gamut.hall.table.evolve import replayed
from gamut.hall.table.seats import Sitter

ANN, BOB = PersonId("ann"), PersonId("bob")
GRACE = Timeouts().room_grace
DAY = Timeouts().abandoned_after
GAMES = all_games()
AGAINST_A_BOT: dict[str, dict[str, Any]] = {"tower": {}, **FOR_TWO}


def left(house: House, live: LiveTable, seat: Seat) -> int:
    return clocks.charge(live.table.clock, house.time.now()).times[seat].main


def running(live: LiveTable) -> tuple[int, ...]:
    return live.table.clock.running


def against_bots(house: House, game: str, clock: Any) -> LiveTable:
    """Ann plays against bots, who wait until they are told to go on; it is her turn, and not the first one."""
    live = house.open(Opening(game=game, clock=clock, **AGAINST_A_BOT[game]), "ann", "ann")
    while live.table.phase == "setup":
        house.do(live, c.SeatBot(ANN, live.game.traits.levels[0].name))
    for _ in range(2):
        while live.awaited and live.table.seats[live.awaited[0]] != live.table.seats[own(live)]:
            house.bots.thoughts.pop(0).answer()
            house.settle()
        if not live.table.clock.running:
            house.act(live)
    return live


def own(live: LiveTable) -> Seat:
    seat = live.table.seat_of(ANN)
    assert seat is not None
    return seat


@pytest.mark.parametrize("game", AGAINST_A_BOT)
def test_a_person_against_a_bot_who_is_back_after_20_seconds_has_lost_no_time(game: str) -> None:
    @told
    async def story() -> None:
        house = make_hall(played=GAMES, bots=PonderingBots())
        live = against_bots(house, game, Bank(15_000))
        before = left(house, live, own(live))
        again = await restarted(house, after=5_000, bots=PonderingBots())
        back = again.hall.live[live.id]
        again.advance(20_000)
        assert back.table.phase == "playing"
        again.attend(back, "ann")
        assert left(again, back, own(back)) == before
        again.advance(4_000)
        assert left(again, back, own(back)) == before - 4_000

    story()


@pytest.mark.parametrize("game", ["tafl", "powerchess"])
def test_whoever_does_not_come_back_at_all_loses_by_the_clock(game: str) -> None:
    @told
    async def story() -> None:
        house = make_hall(played=GAMES, bots=PonderingBots())
        live = against_bots(house, game, Bank(15_000))
        again = await restarted(house, bots=PonderingBots())
        back = again.hall.live[live.id]
        again.advance(GRACE)
        assert back.table.phase == "playing"
        assert isinstance(back.whole_log[-1], e.WaitedOut)
        again.advance(15_000)
        assert back.table.outcome is not None
        assert back.table.outcome.reason == "time"

    story()


@told
async def test_the_turn_of_somebody_who_is_not_back_begins_without_their_clock() -> None:
    house = make_hall(played=GAMES)
    live = house.open(Opening(game="tafl", clock=PerTurn(10_000)), "ann", "ann", "bob")
    again = await restarted(house)
    back = again.hall.live[live.id]
    first = back.awaited[0]
    names = [holder.name for holder in back.table.seats if isinstance(holder, Sitter)]
    again.attend(back, names[first])
    assert running(back) == (first,)
    again.advance(3_000)
    again.act(back)
    assert running(back) == (), "the other one is not back"
    again.advance(60_000)
    assert back.table.phase == "playing"
    again.attend(back, names[1 - first])
    assert running(back) == (1 - first,)
    assert left(again, back, Seat(1 - first)) == 10_000


@told
async def test_a_second_stop_during_the_wait_begins_no_new_one() -> None:
    house = make_hall(played=GAMES)
    live = house.open(Opening(game="tafl", clock=Bank(15_000)), "ann", "ann", "bob")
    again = await restarted(house)
    again.advance(GRACE - 10_000)
    again.open(Opening(game="tower"), "dot")  # something that says until when the server was there
    third = await restarted(again, after=7 * DAY)
    back = third.hall.live[live.id]
    assert running(back) == ()
    third.advance(9_999)
    assert running(back) == ()
    third.advance(1)
    assert running(back) == back.awaited
    third.advance(15_000)
    assert back.table.outcome is not None


@told
async def test_whoever_was_gone_before_the_stop_is_not_spared() -> None:
    house = make_hall(played=GAMES)
    live = house.open(Opening(game="tafl", clock=Bank(15_000)), "ann", "ann", "bob")
    holder = live.table.seats[live.awaited[0]]
    assert isinstance(holder, Sitter)
    house.do(live, c.Drop(holder.person))
    again = await restarted(house)
    back = again.hall.live[live.id]
    assert running(back) == back.awaited
    again.advance(15_000)
    assert back.table.outcome is not None


async def stopped_and_started(house: House) -> House:
    """In good order, and a week later."""
    stopped = house.time.now()
    again = make_hall(house.storage, time=ManualTime(Millis(stopped + 7 * DAY)), played=GAMES)
    await again.start(Before(charged=stopped))
    return again


@told
async def test_a_stop_in_good_order_gives_no_time_back_that_was_used_up_before_it() -> None:
    house = make_hall(played=GAMES)
    live = house.open(Opening(game="tafl", clock=Bank(15_000)), "ann", "ann", "bob")
    first = live.awaited[0]
    house.advance(6_000)
    again = await stopped_and_started(house)
    back = again.hall.live[live.id]
    assert left(again, back, first) == 9_000
    again.attend(back, ("ann", "bob")[first])
    again.advance(4_000)
    third = await stopped_and_started(again)
    assert left(third, third.hall.live[live.id], first) == 5_000


@told
async def test_where_neither_comes_back_the_clock_decides_unless_play_rests_for_both() -> None:
    house = make_hall(played=GAMES)
    tables = {}
    for rests in (False, True):
        live = tables[rests] = house.open(Opening(game="tafl", clock=Bank(3 * DAY)), "ann")
        house.do(live, c.Sit(Sitter(ANN, "ann", rests=rests)))
        house.do(live, c.Sit(Sitter(BOB, "bob", rests=True, kept_for=Millis(GRACE + 1))))
    again = await restarted(house)
    mixed, old = (again.hall.live[tables[rests].id] for rests in (False, True))
    again.advance(GRACE)
    assert running(mixed) == mixed.awaited
    assert old.table.phase == "over"
    assert old.whole_log[-1].why == "abandoned"
    again.advance(2 * DAY)
    assert mixed.table.phase == "playing"
    again.advance(DAY)
    assert mixed.table.outcome is not None
    assert mixed.table.outcome.reason == "time"


@told
async def test_the_lobby_hears_when_whoever_was_waited_for_is_back() -> None:
    house = make_hall(played=GAMES)
    live = house.open(Opening(game="tafl"), "ann")
    for person in (ANN, BOB):
        house.do(live, c.Sit(Sitter(person, person, rests=True)))
    again = await restarted(house)
    back = await again.hall.load(live.id)
    assert back is not None
    again.attend(back, "ann")
    assert again.hall.lobby.tables[live.id].waiting
    again.attend(back, "bob")
    again.settle()
    assert not again.hall.lobby.tables[live.id].waiting


@told
async def test_a_pause_ends_with_the_clocks_of_those_who_are_there() -> None:
    house = make_hall(played=GAMES)
    live = house.open(Opening(game="tower", clock=Bank(15_000)), "ann", "ann", "bob", "cid")
    house.act(live)
    house.do(live, c.Pause(ANN))
    again = await restarted(house)
    back = await again.hall.load(live.id)
    assert back is not None
    again.attend(back, "ann")
    again.do(back, c.Resume(ANN))
    assert running(back) == ()
    again.attend(back, "bob")
    assert running(back) == (1,)


@told
async def test_what_older_servers_stored_of_a_stop_means_what_it_meant() -> None:
    house = make_hall(played=GAMES)
    live = house.open(Opening(game="tafl", clock=Bank(15_000)), "ann", "ann", "bob")
    then = Millis(live.table.at + 5_000)
    old = codec.Decoder(live.game).decode(msgspec.json.encode({"type": "woken", "at": then, "away": 5_000}))
    table = replayed(live.game, [*live.whole_log, old])
    assert table.clock.running == live.game.awaited(table.state)
    assert table.clock.since == then
    assert not any(gone.clock_stands for gone in table.away)


# Clocks of days


@told
async def test_a_clock_of_days_decides_though_nobody_has_been_there_for_one() -> None:
    house = make_hall(played=GAMES)
    await house.start()
    live = house.open(Opening(game="tafl", clock=PerTurn(3 * DAY)), "ann", "ann", "bob")
    for name in ("ann", "bob"):
        house.depart(live, house.attend(live, name))
    assert all(live.table.is_away(person) for person in (ANN, BOB))
    house.advance(3 * DAY - 1)
    assert live.table.phase == "playing"
    house.act(live)
    house.advance(3 * DAY)
    assert live.table.outcome is not None
    assert live.table.outcome.reason == "time"


@told
async def test_a_clock_of_days_decides_after_a_restart_as_well() -> None:
    house = make_hall(played=GAMES)
    live = house.open(Opening(game="tafl", clock=PerTurn(3 * DAY)), "ann", "ann", "bob")
    again = await restarted(house, after=10 * DAY)
    back = again.hall.live[live.id]
    again.advance(GRACE + 3 * DAY - 1)
    assert back.table.phase == "playing"
    again.advance(1)
    assert back.table.outcome is not None


@told
async def test_the_longest_clock_decides_after_a_restart() -> None:
    house = make_hall(played=GAMES)
    clocks_of_a_month = (PerTurn(30 * DAY), Bank(30 * DAY))
    tables = [
        house.open(Opening(game="tafl", clock=clock), "ann", "ann", "bob") for clock in clocks_of_a_month
    ]
    again = await restarted(house, after=DAY)
    again.advance(GRACE + 30 * DAY)
    for live in tables:
        ended = await again.hall.load(live.id)
        assert ended is not None
        assert ended.table.outcome is not None


@told
async def test_a_clock_that_runs_for_years_keeps_no_empty_table_for_years() -> None:
    house = make_hall(played=GAMES)
    await house.start()
    live = house.open(Opening(game="tafl", clock=Overtime(0, 30 * DAY, 1000)), "ann", "ann", "bob")
    for name in ("ann", "bob"):
        house.depart(live, house.attend(live, name))
    house.advance(30 * DAY)
    assert live.table.phase == "playing"
    house.advance(GRACE)
    assert live.whole_log[-1].why == "abandoned"


@told
async def test_a_free_first_turn_may_take_as_long_as_the_clock_gives() -> None:
    house = make_hall(played=GAMES)
    await house.start()
    live = house.open(Opening(game="topple", seats=2, clock=PerTurn(3 * DAY)), "ann", "ann", "bob")
    assert live.table.untimed
    for name in ("ann", "bob"):
        house.depart(live, house.attend(live, name))
    for after, phase in ((3 * DAY - IDLE, "playing"), (2 * IDLE, "over")):
        house.advance(after)
        await settled(house)
        house.advance(1)
        assert live.table.phase == phase


@told
async def test_a_deserted_game_without_a_clock_is_closed_as_ever() -> None:
    house = make_hall(played=GAMES)
    await house.start()
    live = house.open(Opening(game="tafl"), "ann", "ann", "bob")
    for name in ("ann", "bob"):
        house.depart(live, house.attend(live, name))
    house.advance(DAY + 2 * IDLE)
    await settled(house)
    house.advance(1)
    assert live.table.phase == "over"
    assert live.whole_log[-1].why == "abandoned"
