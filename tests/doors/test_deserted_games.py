"""Games that are on and that everybody has left, in the lists of each door: gone, or there as the way back."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.doors.support.acquire_inn import acquire_inn
from tests.doors.support.inn import Guest, Inn, Message, inn
from tests.doors.support.powerchess_inn import PowerInn, power_inn
from tests.doors.support.tafl_inn import tafl_inn
from tests.doors.support.topple_inn import topple_inn

from gamut.hall.ids import TableId

MINUTE = 60_000
MOMENT = 100


@pytest.fixture(name="power")
def _power() -> Iterator[PowerInn]:
    with power_inn(debug=True) as house:
        yield house


def listed(house: Inn) -> list[str]:
    """The tables in the picture of the lobby that a newcomer on the page gets."""
    looker = house.guest("Newcomer")
    (picture,) = [message for message in looker.sure("lobby") if message["type"] == "lobby"]
    looker.hang_up()
    return [table["id"] for table in picture["tables"]]


def told(guest: Guest) -> list[tuple[list[str], list[str]]]:
    """Which tables have changed, and which are gone."""
    news = [message for message in guest.read() if message["type"] == "lobby_changed"]
    return [
        (_ids(message), message.get("gone", [])) for message in news if _ids(message) or "gone" in message
    ]


def _ids(message: Message) -> list[str]:
    return [table["id"] for table in message.get("changed", [])]


def test_a_game_both_of_whose_players_are_gone_for_a_minute_leaves_the_lobby_and_can_be_come_back_to(
    power: PowerInn,
) -> None:
    ann, bob = power.pair(public=True)
    live = power.table(ann.game)
    power.advance(MOMENT)
    wim = power.guest("Wim")
    wim.sure("lobby")
    ann.hang_up()
    power.advance(MINUTE)
    told(wim)
    bob.hang_up()
    power.advance(MINUTE - 1)
    assert live.id in listed(power)
    told(wim)
    power.advance(1 + MOMENT)
    assert told(wim) == [([], [live.id])]
    assert live.id not in listed(power)
    assert live.table.phase == "playing", "its clock decides"
    back = power.client()
    back.resume(ann)
    power.advance(MOMENT)
    assert told(wim) == [([live.id], [])]
    assert live.id in listed(power)
    back.move("e2e4")
    assert live.table.last_play == live.table.seq


def test_somebody_on_the_page_comes_back_to_a_game_that_had_left_the_lists(power: PowerInn) -> None:
    pat, bob = power.guest("Pat"), power.client()
    table = pat.open("powerchess")
    bob.join(int(str(power.load(table).table.room)))
    pat.hang_up()
    bob.hang_up()
    power.advance(MINUTE)
    assert table not in listed(power)
    power.guest("Pat").sure("watch", table=table, glance=True)
    assert table in listed(power), "who plays is there, wherever on the page"


def test_the_clock_of_a_game_that_has_left_the_lists_decides_it_and_its_log_stays(power: PowerInn) -> None:
    ann, bob = power.pair(public=True)
    live = power.table(ann.game)
    log = power.bytes_of(live.id)
    ann.hang_up()
    bob.hang_up()
    power.advance(3_600_000)
    assert live.table.outcome is not None
    assert live.table.outcome.winners == (1,)
    assert power.bytes_of(live.id)[: len(log)] == log


def test_a_small_picture_in_the_lobby_keeps_no_game_there(power: PowerInn) -> None:
    ann, bob = power.pair(public=True)
    table = power.table(ann.game).id
    wim = power.guest("Wim")
    wim.sure("watch", table=table, glance=True)
    ann.hang_up()
    bob.hang_up()
    power.advance(MINUTE)
    assert table not in listed(power)
    wim.sure("watch", table=table)
    assert table in listed(power), "somebody watches"
    wim.sure("watch", table=table, glance=True)
    power.advance(MINUTE)
    assert table not in listed(power)


def test_a_crowded_lobby_is_told_without_them() -> None:
    with inn() as house:
        gone = []
        for number in range(210):
            guest = house.guest(f"Guest {number}")
            gone.append(guest.open(bots=["casual", "casual"]))
            guest.hang_up()
        stays = house.guest("Ann").open()
        house.advance(MINUTE + MOMENT)
        looker = house.guest("Wim")
        looker.say({"type": "lobby"})
        house.advance(MOMENT)
        data = looker.raw.decode("utf-8", "replace")
        assert stays in data
        assert not any(table in data for table in gone)


def left(house: Inn, game: str, **fields: Any) -> TableId:
    """A game against a bot that somebody on the page has left a minute ago."""
    page = house.guest("Pat")
    level = house.hall.games[game].traits.levels[0].name
    table = page.open(game, bots=[level], start="full", **fields)
    assert house.load(table).table.phase == "playing"
    page.hang_up()
    house.advance(MINUTE)
    assert house.hall.lobby.tables[table].deserted
    return table


def test_topple_clients_do_not_find_it_in_their_list_until_somebody_is_back() -> None:
    with topple_inn() as house:
        table = left(house, "topple", seats=2)
        assert house.topple.rooms.listed() == []
        house.guest("Pat").sure("watch", table=table)
        assert [record.phase for record in house.topple.rooms.listed()] == ["play"]


def test_tafl_clients_find_every_game_that_is_on_in_their_list_as_it_is_their_way_back() -> None:
    with tafl_inn() as house:
        table = left(house, "tafl")
        room = house.load(table).table.room
        (line,) = house.client("Bob").say("get-game-list")
        assert line.startswith(f"game-list {room} ")


def test_acquire_clients_find_it_in_their_lobby_as_it_is_their_way_back() -> None:
    with acquire_inn() as house:
        number, players = house.playing(2, "Ann", "Bob")
        looker = house.somebody()
        looker.ok("LobbyConnect", lastEventIndex=0)
        for player in players:
            player.hang_up()
        house.advance(2 * MINUTE)
        assert not any(message["type"] == "GameRemoved" for message in looker.read())
        (lobby,) = house.somebody().ok("LobbyConnect", lastEventIndex=0)
        assert [game["gameNumber"] for game in lobby["checkpoint"]["games"]] == [number]
        assert house.client("Ann").enter(number)["playerID"] is not None
