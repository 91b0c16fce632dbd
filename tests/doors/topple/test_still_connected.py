"""What people in Topple rooms hear when another node takes over, and when others are cut off by a fault of ours."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.doors.support.topple_inn import Seated, ToppleInn, message, topple_inn
from tests.doors.topple.test_coming_back import kinds
from tests.doors.topple.test_playing import moved, quiet, skip_chess, turn

CLOCKS = message("sync", **{"PLAYER.1.time_left": 10, "PLAYER.2.time_left": 7})
"""After the second player has thought for three seconds."""
GRACE = 10 * 60_000


@pytest.fixture(name="inn")
def _inn() -> Iterator[ToppleInn]:
    with topple_inn() as house:
        yield house


def thinking(inn: ToppleInn) -> tuple[Seated, Seated]:
    """The second player has thought for three of ten seconds."""
    one, two = skip_chess(inn, 10, "lose")
    one.say("game:move", n=0)
    inn.advance(3_000)
    quiet([one, two])
    return one, two


def test_where_nobody_counts_time_a_takeover_is_not_heard(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    watcher = inn.watch(one.room)
    one.say("game:move", n=0)
    quiet([one, two, watcher])
    inn.take_over(one, two, watcher)
    assert [client.read() for client in (one, two, watcher)] == [[]] * 3
    assert two.say("game:move", n=8) == [moved(8, 2), turn(1)]
    assert one.read() == watcher.read() == [moved(8, 2), turn(1)]


def test_clocks_that_were_counted_down_in_the_pause_are_told_anew(inn: ToppleInn) -> None:
    one, two = thinking(inn)
    inn.take_over(one, two, pause=5_000)
    assert one.read() == two.read() == [CLOCKS]
    inn.advance(6_999)
    assert one.read() == []
    inn.advance(1)
    assert one.read()[0] == message("game:timeup", n=2)


def test_the_time_of_a_turn_is_told_anew_as_well(inn: ToppleInn) -> None:
    one, two = inn.playing(2, turnTime={"limit": 8_000, "penalty": "lose"})
    one.say("game:move", n=0)
    inn.advance(2_000)
    quiet([one, two])
    inn.take_over(one, two)
    assert one.read() == two.read() == [message("sync", **{"PLAYER.2.time_left": 6})]


def test_of_an_opponent_who_was_cut_off_nothing_is_heard_but_how_long_they_have(inn: ToppleInn) -> None:
    one, two = thinking(inn)
    inn.take_over(one)
    assert one.read() == [CLOCKS]
    inn.advance(20_000)
    assert one.read() == [], "the clock of whoever was cut off stands"
    back = inn.rejoin(two.room, 2, two.key)
    assert one.read() == [CLOCKS]
    assert back.payload("sync") == CLOCKS["payload"]
    assert kinds(back.heard).count("sync") == 1
    assert back.say("game:move", n=8)[:2] == [moved(8, 2), turn(1)]
    assert one.read()[:2] == [moved(8, 2), turn(1)]


def test_who_was_cut_off_in_the_turn_of_somebody_else_costs_nobody_a_word(inn: ToppleInn) -> None:
    one, two = thinking(inn)
    inn.take_over(two)
    assert two.read() == [CLOCKS]
    back = inn.rejoin(one.room, 1, one.key)
    assert two.read() == []
    assert back.payload("sync")["PLAYER.2.time_left"] == 7


def test_a_clock_that_has_been_waited_for_long_enough_is_told_as_it_begins_to_run(inn: ToppleInn) -> None:
    one = inn.create(turnTime={"style": "chess", "limit": 10_000, "penalty": "lose"})
    gil = inn.guest("Gil")
    gil.sure("sit", table=inn.table(one.room).id)
    one.say("waiting:start")
    one.say("game:move", n=0)
    inn.advance(3_000)
    one.read()
    inn.take_over(one)
    assert one.read() == [CLOCKS]
    inn.advance(GRACE - 1)
    assert one.read() == []
    inn.advance(1)
    assert one.read() == [CLOCKS]
    inn.advance(7_000)
    assert one.read()[0] == message("game:timeup", n=2)


@pytest.mark.parametrize("phase", ["setup", "paused", "over"])
@pytest.mark.parametrize("also_two", [False, True])
def test_where_no_clock_runs_nothing_is_heard(inn: ToppleInn, phase: str, *, also_two: bool) -> None:
    one = inn.create("t=1&s=1&d=0,2,2&p=2", turnTime={"style": "chess", "limit": 10_000, "penalty": "lose"})
    two = inn.join(one.room)
    if phase != "setup":
        one.say("waiting:start")
        one.say("game:move", n=0), two.say("game:move", n=3)
    if phase == "paused":
        one.say("game:pause")
    elif phase == "over":
        inn.advance(10_000)
    assert inn.table(one.room).table.phase == phase
    quiet([one, two])
    here = [one, two] if also_two else [one]
    inn.take_over(*here)
    assert [client.read() for client in here] == [[]] * len(here)


def test_whoever_is_cut_off_while_the_hall_lives_on_is_missed_as_little(inn: ToppleInn) -> None:
    one, two = thinking(inn)
    inn.cut_off(two)
    assert one.read() == []
    inn.advance(20_000)
    back = inn.rejoin(two.room, 2, two.key)
    left = {"PLAYER.1.time_left": 10, "PLAYER.2.time_left": 4}
    assert back.payload("sync") == left, "the clock ran until it was clear that they had not come back"
    assert one.read() == [message("sync", **left)]


def test_a_spectator_who_is_cut_off_is_another_one_when_they_come_back(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    watcher = inn.watch(one.room)
    who = watcher.payload("spectator:ownid")["n"]
    quiet([one, two])
    inn.cut_off(watcher, for_good=False)
    assert one.read() == two.read() == [message("spectator:leave", n=who)]
    again = inn.watch(one.room)
    assert one.read() == [message("spectator:join", n=again.payload("spectator:ownid")["n"])]


@pytest.mark.parametrize("query", ["t=1&s=1&d=0,3,3&p=3", "t=1&res=1&p=1"])
def test_who_is_still_on_the_way_in_can_be_cut_off(inn: ToppleInn, query: str) -> None:
    client: Any = inn.connect(query)
    client.read()
    inn.cut_off(client)
    assert client.session.is_deaf
    assert client.say("game:rules") == []
    assert not inn.hall.connected
    inn.advance(GRACE)
