"""The lobby: what is shown of the tables, to whom, how often; and the talk there."""

import asyncio

import pytest
from tests.hall.support.inmemory import FakeListener, House, MemoryStorage, make_hall

from gamut.games.game import Refused
from gamut.hall.ids import PersonId
from gamut.hall.live.opening import Opening
from gamut.hall.lobby.talk import MOST_STORED, REMEMBERED, TALK
from gamut.hall.table import commands as c
from gamut.hall.table.deciding.talk import MOST_CHARACTERS

ANN, BOB = PersonId("ann"), PersonId("bob")
TOWER = Opening(game="tower")
MOMENT = 100


def in_the_lobby(house: House, name: str) -> FakeListener:
    listener = house.listener(name)
    house.hall.lobby.attend(listener)
    return listener


def test_changes_are_gathered_for_a_moment_and_told_together() -> None:
    house = make_hall()
    wim = in_the_lobby(house, "wim")
    first = house.open(TOWER, "ann", "ann")
    second = house.open(TOWER, "bob")
    house.sit(first, "cid")
    assert wim.lobby == []
    house.advance(MOMENT)
    assert len(wim.lobby) == 1
    shown = {summary.id: summary for summary in wim.lobby[0].changed}
    assert set(shown) == {first.id, second.id}
    assert [holder and holder.name for holder in shown[first.id].seats] == ["ann", "cid", None]
    house.advance(10_000)
    assert len(wim.lobby) == 1, "nothing happened, nothing is told"


def test_moves_and_talk_at_a_table_are_no_news_for_the_lobby() -> None:
    house = make_hall()
    live = house.open(TOWER, "ann", "ann", "bob", "cid")
    house.advance(MOMENT)
    wim = in_the_lobby(house, "wim")
    house.act(live)
    house.do(live, c.Say(ANN, "ann", "hm", "table"))
    house.do(live, c.Drop(ANN))
    house.advance(MOMENT)
    assert wim.lobby == []


def test_the_end_of_a_game_is_news_and_it_stays_on_show() -> None:
    house = make_hall()
    wim = in_the_lobby(house, "wim")
    live = house.open(TOWER, "ann", "ann", "bob", "cid")
    while live.table.phase != "over":
        house.act(live)
    house.advance(MOMENT)
    assert wim.lobby[-1].changed[-1].phase == "over"
    assert wim.lobby[-1].changed[-1].outcome == live.table.outcome
    assert live.id in house.hall.lobby.tables


def test_only_the_latest_games_stay_on_show() -> None:
    house = make_hall()
    lives = []
    for _ in range(35):
        live = house.open(TOWER, "ann", "ann", "bob", "cid")
        while live.table.phase != "over":
            house.act(live)
        house.advance(MOMENT)
        lives.append(live.id)
    assert sorted(house.hall.lobby.tables) == sorted(lives[-30:])


def test_a_table_that_closes_without_a_result_is_gone() -> None:
    house = make_hall()
    wim = in_the_lobby(house, "wim")
    live = house.open(TOWER, "ann", "ann")
    house.advance(MOMENT)
    house.do(live, c.Leave(ANN))
    house.advance(MOMENT)
    assert wim.lobby[-1].gone == [live.id]
    assert live.id not in house.hall.lobby.tables


def test_a_table_that_came_and_went_within_a_moment_is_not_shown() -> None:
    house = make_hall()
    wim = in_the_lobby(house, "wim")
    live = house.open(TOWER, "ann", "ann")
    house.do(live, c.Leave(ANN))
    house.advance(MOMENT)
    assert all(live.id not in [summary.id for summary in news.changed] for news in wim.lobby)


def test_private_tables_are_never_shown() -> None:
    house = make_hall()
    wim = in_the_lobby(house, "wim")
    live = house.open(Opening(game="tower", private=True), "ann", "ann", "bob", "cid")
    house.advance(MOMENT)
    while live.table.phase != "over":
        house.act(live)
    house.advance(MOMENT)
    assert wim.lobby == []
    assert house.hall.lobby.tables == {}


def test_a_table_that_becomes_private_disappears_and_one_that_becomes_public_appears() -> None:
    house = make_hall()
    wim = in_the_lobby(house, "wim")
    live = house.open(TOWER, "ann", "ann")
    house.advance(MOMENT)
    house.do(live, c.Configure(ANN, private=True))
    house.advance(MOMENT)
    assert wim.lobby[-1].gone == [live.id]
    assert house.hall.lobby.tables == {}
    house.do(live, c.Configure(ANN, private=False))
    house.advance(MOMENT)
    assert [summary.id for summary in wim.lobby[-1].changed] == [live.id]


def test_what_is_shown_never_has_the_key() -> None:
    house = make_hall()
    live = house.open(TOWER, "ann", "ann")
    house.advance(MOMENT)
    assert live.table.key.encode() not in house.storage.entries[live.id].summary
    assert live.table.key not in repr(house.hall.lobby.tables)


def test_how_many_people_are_here_is_news() -> None:
    house = make_hall()
    wim = in_the_lobby(house, "wim")
    house.hall.arrived(ANN, "127.0.0.1")
    house.hall.arrived(BOB, "127.0.0.1")
    house.advance(MOMENT)
    assert [news.here for news in wim.lobby] == [2]
    house.hall.gone(BOB)
    house.hall.arrived(BOB, "127.0.0.1")
    house.advance(MOMENT)
    assert [news.here for news in wim.lobby] == [2], "who left and came back within a moment was never gone"


# Talk


def test_everybody_in_the_lobby_hears_what_is_said_once_and_in_order() -> None:
    house = make_hall()
    wim = in_the_lobby(house, "wim")
    house.hall.lobby.say(ANN, "ann", "hello")
    house.hall.lobby.say(BOB, "bob", "  good\nevening ")
    house.advance(MOMENT)
    house.hall.lobby.say(ANN, "ann", "a game?")
    house.advance(MOMENT)
    assert [said.text for news in wim.lobby for said in news.said] == ["hello", "good evening", "a game?"]


def test_a_newcomer_finds_earlier_talk_in_the_picture_and_hears_the_rest_once() -> None:
    house = make_hall()
    lobby = house.hall.lobby
    wim = in_the_lobby(house, "wim")
    lobby.say(ANN, "ann", "one")
    wes = in_the_lobby(house, "wes")
    picture = [said.text for said in lobby.talk.lines]
    lobby.say(ANN, "ann", "two")
    house.advance(MOMENT)
    assert picture + [said.text for news in wes.lobby for said in news.said] == ["one", "two"]
    assert [said.text for news in wim.lobby for said in news.said] == ["one", "two"]


def test_a_newcomer_is_told_of_no_table_that_was_in_the_picture() -> None:
    house = make_hall()
    live = house.open(TOWER, "ann", "ann")
    wes = in_the_lobby(house, "wes")
    assert live.id in house.hall.lobby.tables
    house.advance(MOMENT)
    assert wes.lobby == []


def test_who_has_left_the_lobby_hears_nothing_more() -> None:
    house = make_hall()
    wim = in_the_lobby(house, "wim")
    house.hall.lobby.depart(wim)
    house.hall.lobby.depart(wim)
    house.hall.lobby.say(ANN, "ann", "hello")
    house.advance(MOMENT)
    assert wim.lobby == []


@pytest.mark.parametrize(("text", "code"), [(" \n\t", "empty"), ("x" * (MOST_CHARACTERS + 1), "too_long")])
def test_what_cannot_be_said_is_refused_and_not_stored(text: str, code: str) -> None:
    house = make_hall()
    with pytest.raises(Refused) as refusal:
        house.hall.lobby.say(ANN, "ann", text)
    assert refusal.value.code == code
    house.settle()
    assert house.storage.rows == {}


def test_talk_lives_through_a_restart_and_its_log_goes_on_unbroken() -> None:
    async def story() -> None:
        storage = MemoryStorage()
        house = make_hall(storage)
        for number in range(REMEMBERED + 5):
            house.hall.lobby.say(ANN, "ann", f"line {number}")
        house.settle()
        again = make_hall(storage)
        await again.start()
        assert [said.text for said in again.hall.lobby.talk.lines] == [
            f"line {n}" for n in range(5, REMEMBERED + 5)
        ]
        again.hall.lobby.say(BOB, "bob", "we are back")
        again.settle()
        assert len(storage.log(TALK)) == REMEMBERED + 6, "its checksums hold"

    asyncio.run(story())


def test_only_the_last_of_the_talk_is_kept() -> None:
    async def story() -> None:
        storage = MemoryStorage()
        house = make_hall(storage)
        for number in range(5 * MOST_STORED):
            house.hall.lobby.say(ANN, "ann", f"line {number}")
            house.settle()
            assert len(storage.rows[TALK]) <= MOST_STORED
        last = [f"line {number}" for number in range(5 * MOST_STORED)][-REMEMBERED:]
        assert [said.text for said in house.hall.lobby.talk.lines] == last
        again = make_hall(storage)
        await again.start()
        assert [said.text for said in again.hall.lobby.talk.lines] == last
        assert len(storage.log(TALK)) <= MOST_STORED, "its checksums hold"

    asyncio.run(story())


def test_what_somebody_said_is_taken_back_while_others_talk_on() -> None:
    house = make_hall()
    lobby = house.hall.lobby
    for number in range(2 * REMEMBERED):
        lobby.say(ANN, "ann", f"secret {number}")
        lobby.say(BOB, "bob", f"line {number}")
    lobby.take_back(ANN)
    lobby.say(BOB, "bob", "and on")
    house.settle()
    stored = repr(house.storage.log(TALK))
    assert "secret" not in stored
    assert "and on" in stored


def test_the_talk_is_not_a_table() -> None:
    async def story() -> None:
        house = make_hall()
        house.hall.lobby.say(ANN, "ann", "hello")
        assert await house.hall.load(TALK) is None

    asyncio.run(story())
