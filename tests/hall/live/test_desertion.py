"""A game that is on, and at which nobody has been for a minute, is nothing to watch until somebody comes back."""

import asyncio

from msgspec.structs import replace
from tests.hall.support.inmemory import QUICK, FakeListener, House, MemoryStorage, make_hall

from gamut.hall.ids import Millis, PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import commands as c
from gamut.hall.table.clock import Bank

ANN = PersonId("ann")
TOWER = Opening(game="tower")
MINUTE = QUICK.deserted_after
MOMENT = 100


def is_deserted(house: House, live: LiveTable) -> bool:
    return house.hall.lobby.tables[live.id].deserted


def game_of_three(house: House, opening: Opening = TOWER) -> tuple[LiveTable, list[FakeListener]]:
    """A game that is on, with everybody there."""
    live = house.open(opening, "ann", "ann", "bob", "cid")
    return live, [house.attend(live, name) for name in ("ann", "bob", "cid")]


def abandoned(house: House, opening: Opening = TOWER) -> LiveTable:
    live, players = game_of_three(house, opening)
    for player in players:
        house.depart(live, player)
    house.advance(MINUTE)
    return live


def test_it_is_deserted_a_minute_after_the_last_has_gone_and_the_lobby_hears_it_once() -> None:
    house = make_hall()
    wim = house.listener("wim")
    live, (ann, bob, cid) = game_of_three(house)
    house.depart(live, ann)
    house.depart(live, bob)
    house.advance(10 * MINUTE)
    assert not is_deserted(house, live), "one is still there"
    house.depart(live, cid)
    house.hall.lobby.attend(wim)
    house.advance(MINUTE - 1)
    assert not is_deserted(house, live)
    assert wim.lobby == []
    house.advance(1)
    assert is_deserted(house, live)
    house.advance(10 * MINUTE)
    assert [[summary.deserted for summary in news.changed] for news in wim.lobby] == [[True]]


def test_who_comes_back_in_time_was_never_missed_and_the_minute_begins_anew() -> None:
    house = make_hall()
    live, players = game_of_three(house)
    for player in players:
        house.depart(live, player)
    house.advance(MINUTE - 1)
    ann = house.attend(live, "ann")
    house.advance(MINUTE)
    assert not is_deserted(house, live)
    house.depart(live, ann)
    house.advance(MINUTE - 1)
    assert not is_deserted(house, live)
    house.advance(1)
    assert is_deserted(house, live)


def test_each_table_has_its_own_minute() -> None:
    house = make_hall()
    first, players = game_of_three(house)
    second, others = game_of_three(house)
    for player in players:
        house.depart(first, player)
    house.advance(MINUTE // 2)
    for player in others:
        house.depart(second, player)
    house.advance(MINUTE // 2)
    assert [is_deserted(house, live) for live in (first, second)] == [True, False]
    house.advance(MINUTE // 2)
    assert [is_deserted(house, live) for live in (first, second)] == [True, True]


def test_whoever_comes_back_brings_it_back_at_once() -> None:
    house = make_hall()
    live = abandoned(house)
    wim = house.listener("wim")
    house.hall.lobby.attend(wim)
    house.attend(live, "bob")
    assert not is_deserted(house, live)
    house.advance(MOMENT)
    assert [[summary.deserted for summary in news.changed] for news in wim.lobby] == [[False]]


def test_a_watcher_is_somebody_and_a_small_picture_in_a_list_is_not() -> None:
    house = make_hall()
    live, players = game_of_three(house)
    wim, wes = house.attend(live, "wim"), house.listener("wes")
    house.hall.attendance.attend(live, wes, glance=True)
    for player in players:
        house.depart(live, player)
    house.advance(10 * MINUTE)
    assert not is_deserted(house, live)
    house.hall.attendance.looks(live, wim, glance=True)
    house.advance(MINUTE)
    assert is_deserted(house, live)
    house.hall.attendance.looks(live, wes, glance=False)
    assert not is_deserted(house, live)
    house.depart(live, wes)
    house.advance(MINUTE)
    assert is_deserted(house, live), "the small picture is still there"
    house.hall.attendance.attend(live, house.listener("ann"), glance=True)
    assert not is_deserted(house, live), "a player has come back, wherever they look"


def test_a_player_with_only_a_small_picture_who_stands_up_is_gone() -> None:
    house = make_hall()
    live = house.open(TOWER, "ann", "ann")
    for name in ("bob", "cid"):
        house.sit(live, name, returns=False)
    house.hall.attendance.attend(live, house.listener("ann"), glance=True)
    house.advance(MINUTE)
    assert not is_deserted(house, live)
    house.do(live, c.Leave(ANN))
    house.advance(MINUTE)
    assert is_deserted(house, live)


def test_what_happens_there_meanwhile_does_not_bring_it_back() -> None:
    house = make_hall()
    live = abandoned(house)
    before = live.table.host
    house.do(live, c.Promote(ANN, live.table.persons.index(PersonId("bob"))))  # type: ignore[arg-type]
    assert live.table.host != before
    assert is_deserted(house, live)


def test_the_clock_decides_and_the_result_is_shown() -> None:
    house = make_hall()
    live = abandoned(house, replace(TOWER, clock=Bank(3 * MINUTE)))
    assert is_deserted(house, live)
    house.advance(20 * MINUTE)
    assert live.table.phase == "over"
    assert live.table.outcome is not None
    assert not is_deserted(house, live)
    assert house.hall.lobby.deserted == set()
    assert house.storage.log(live.id), "its log stays"


def test_a_table_that_waits_for_players_is_not_deserted() -> None:
    house = make_hall(
        settings=replace(QUICK, timeouts=replace(QUICK.timeouts, setup_grace=Millis(10 * MINUTE)))
    )
    live = house.open(TOWER, "ann", "ann")
    house.depart(live, house.attend(live, "ann"))
    house.advance(5 * MINUTE)
    assert live.table.phase == "setup"
    assert not is_deserted(house, live)


def test_a_table_that_goes_on_as_another_one_takes_its_people_along() -> None:
    house = make_hall()
    live, players = game_of_three(house)
    house.hall.attendance.attend(live, house.listener("wes"), glance=True)
    while live.table.phase != "over":
        house.act(live)
    for name in ("ann", "bob", "cid"):
        house.do(live, c.Rematch(PersonId(name)))
    assert live.table.successor is not None
    following = house.hall.here(live.table.successor)
    assert following is not None
    assert following.table.phase == "playing"
    house.advance(2 * MINUTE)
    assert not is_deserted(house, following)
    for player in players:
        house.depart(following, player)
    house.advance(MINUTE)
    assert is_deserted(house, following), "what was a small picture is one still"


def test_after_a_restart_everybody_has_a_minute_to_come_back() -> None:
    async def story() -> None:
        storage = MemoryStorage()
        house = make_hall(storage)
        lives = [game_of_three(house)[0] for _ in range(2)]
        house.settle()
        again = make_hall(storage)
        await again.start()
        back = await again.hall.load(lives[0].id)
        assert back is not None
        again.attend(back, "cid")
        again.advance(MINUTE - 1)
        assert [is_deserted(again, live) for live in lives] == [False, False]
        again.advance(1)
        assert [is_deserted(again, live) for live in lives] == [False, True]
        late = await again.hall.load(lives[1].id)
        assert late is not None
        again.attend(late, "ann")
        assert not is_deserted(again, late)

    asyncio.run(story())


def test_it_stays_deserted_when_it_has_left_the_memory() -> None:
    async def story() -> None:
        house = make_hall()
        await house.start()
        live = abandoned(house)
        table = live.id
        house.advance(3 * QUICK.idle_after)
        del live
        assert table not in house.hall.live
        assert house.hall.lobby.tables[table].deserted
        back = await house.hall.load(table)
        assert back is not None
        assert is_deserted(house, back), "to look it up is not to be there"
        house.attend(back, "ann")
        assert not is_deserted(house, back)

    asyncio.run(story())
