"""A node that takes over from another one: clocks ran for as long as that one was there, and the pause is nobody's."""

from typing import Any

import msgspec
import pytest
from tests.hall.support.inmemory import FOR_TWO, House, ManualTime, PonderingBots, make_hall
from tests.hall.support.restarts import restarted, settled, told

from gamut.games.files import JSON
from gamut.games.game import Seat
from gamut.games.registry import all_games
from gamut.hall.files.recording import file_of
from gamut.hall.ids import Millis, PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.live.restart import Before
from gamut.hall.table import clock as clocks
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import Bank, Overtime, PerTurn

ANN = PersonId("ann")
GAMES = all_games()
PAUSE = 40_000
SERVER = bytes(range(16))
TAFL = Opening(game="tafl", clock=Bank(15_000))


async def taken_over(house: House, pause: int = PAUSE, node: int = 2, bots: Any = None) -> House:
    """This moment is the last at which the node is known to have been there; the next one opens after the pause."""
    charged = house.time.now()
    time = ManualTime(Millis(charged + pause))
    again = make_hall(house.storage, time=time, played=house.hall.games, bots=bots)
    await again.start(Before(charged=charged, node=node))
    again.settle()
    return again


def left(house: House, live: LiveTable, seat: int) -> clocks.Time:
    return clocks.charge(live.table.clock, house.time.now()).times[seat]


def happened(live: LiveTable, after: int) -> list[str]:
    return [type(event).__name__ for event in live.whole_log[after:]]


@told
async def test_clocks_ran_until_the_node_was_gone_and_not_in_the_pause() -> None:
    house = make_hall(played=GAMES)
    live = house.open(TAFL, "ann", "ann", "bob")
    first, seq = live.awaited[0], live.table.seq
    house.advance(6_000)
    again = await taken_over(house)
    back = again.hall.live[live.id]
    assert happened(back, seq) == ["Handed", "Woken"]
    assert left(again, back, first).main == 9_000
    again.advance(60_000)
    assert left(again, back, first).main == 9_000, "it stands until they are back"
    again.attend(back, ("ann", "bob")[first])
    again.advance(4_000)
    assert left(again, back, first).main == 5_000
    third = await taken_over(again, node=3)
    assert [event.node for event in third.hall.live[live.id].whole_log if type(event) is e.Handed] == [2, 3]
    assert left(third, third.hall.live[live.id], first).main == 5_000


@pytest.mark.parametrize(
    ("clock", "last"),
    [
        (Bank(15_000), 15_000),
        (Bank(15_000, lag=500), 15_500),
        (PerTurn(9_000), 9_000),
        (Overtime(5_000, 2_000, 3), 11_000),
    ],
)
def test_whoever_was_late_before_the_node_was_gone_has_lost_and_nobody_else(clock: Any, last: int) -> None:
    @told
    async def story() -> None:
        for thought, over in ((last - 1, False), (last, True)):
            house = make_hall(played=GAMES)
            live = house.open(Opening(game="tafl", clock=clock), "ann", "ann", "bob")
            house.time.late = 10_000  # its flag was about to fall when the node was gone
            house.advance(thought)
            assert live.table.phase == "playing"
            again = await taken_over(house)
            back = await again.hall.load(live.id)
            assert back is not None
            assert (back.table.phase == "over") is over
            if over:
                assert back.table.outcome is not None
                assert back.table.outcome.reason == "time"
                assert happened(back, live.table.seq) == ["Handed", "Played"]

    story()


@told
async def test_all_who_were_late_at_the_same_time_were() -> None:
    house = make_hall()
    live = house.open(Opening(game="parlour", clock=PerTurn(10_000)), "ann", "ann", "bob", "cid")
    assert len(live.awaited) > 1
    house.time.late = 10_000
    house.advance(10_000)
    again = await taken_over(house)
    back = await again.hall.load(live.id)
    assert back is not None
    flagged = [event.seat for event in back.whole_log if type(event) is e.Played and event.why == "flagged"]
    assert flagged == list(live.awaited)


@told
async def test_no_clock_ran_before_a_node_that_was_gone_again_before_it_had_the_table() -> None:
    house = make_hall(played=GAMES)
    live = house.open(TAFL, "ann", "ann", "bob")
    opened = Millis(house.time.now() + 3_600_000)
    again = make_hall(house.storage, time=ManualTime(Millis(opened + 2_000)), played=GAMES)
    await again.start(Before(opened=opened, charged=Millis(opened + 1_000), node=3))
    back = again.hall.live[live.id]
    assert left(again, back, live.awaited[0]).main == 15_000


@told
async def test_a_bot_whose_turn_it_is_has_the_time_that_it_had() -> None:
    house = make_hall(played=GAMES, bots=PonderingBots())
    live = house.open(TAFL, "ann", "ann")
    house.do(live, c.SeatBot(ANN, live.game.traits.levels[0].name))
    if live.awaited[0] == live.table.seat_of(ANN):
        house.act(live)
    bot = live.awaited[0]
    before = left(house, live, bot).main
    house.advance(1_000)
    again = await taken_over(house, bots=PonderingBots())
    back = again.hall.live[live.id]
    assert left(again, back, bot).main == before - 1_000
    assert back.table.clock.running == (bot,)
    assert len(again.bots.thoughts) == 1


@told
async def test_a_server_that_is_alone_hands_nothing_to_itself() -> None:
    house = make_hall(played=GAMES)
    live = house.open(TAFL, "ann", "ann", "bob")
    again = await restarted(house, after=5_000)
    assert happened(again.hall.live[live.id], live.table.seq) == ["Woken"]


@told
async def test_a_table_that_is_read_again_by_its_node_is_not_handed_to_it_again() -> None:
    house = make_hall(played=GAMES)
    live = house.open(Opening(game="tafl"), "ann", "ann", "bob")
    again = await taken_over(house)
    back = await again.hall.load(live.id)
    assert back is not None
    log = happened(back, 0)
    await settled(again)
    again.hall.forget(back)
    del back
    assert again.hall.here(live.id) is None
    back = await again.hall.load(live.id)
    assert back is not None
    assert happened(back, 0) == log


@told
async def test_who_has_the_table_is_no_news_for_the_lobby() -> None:
    house = make_hall(played=GAMES)
    live = house.open(Opening(game="tafl"), "ann", "ann", "bob")
    again = await restarted(house)
    back = await again.hall.load(live.id)
    assert back is not None
    changed, seq = again.hall.register.unfinished[live.id], back.table.seq
    again.advance(1_000)
    again.hall.carry_out(back, c.Wake(node=2))
    assert happened(back, seq) == ["Handed"], "all of them have yet to come back already"
    assert again.hall.register.unfinished[live.id] == changed


@pytest.mark.parametrize("game", FOR_TWO)
def test_the_record_of_a_game_does_not_show_who_had_it(game: str) -> None:
    @told
    async def story() -> None:
        house = make_hall(played=GAMES)
        opening = Opening(game=game, clock=Bank(60_000), **FOR_TWO[game])
        live = house.open(opening, "ann", "ann", "bob")
        for _ in range(3):
            house.act(live)
        again = await taken_over(house)
        back = again.hall.live[live.id]
        assert type(back.whole_log[live.table.seq]) is e.Handed
        for viewer in (None, Seat(0)):
            known, then = back.state_for(viewer), live.state_for(viewer)
            assert msgspec.json.encode(known) == msgspec.json.encode(then)
            if live.game.files is not None:
                assert file_of(back, JSON, viewer, SERVER) == file_of(live, JSON, viewer, SERVER)

    story()
