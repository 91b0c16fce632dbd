"""Clocks at the Tafl door: exact to the recorded cases, told in time, and the server alone notices a flag."""

from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest
from tests.doors.support.tafl_inn import BRANDUB, TIMED, TaflInn, create, guid, join, spectate, tafl_inn
from tests.games.support.tafl_tables import vectors

SHUFFLES = (("a4-a3", "a3-a4"), ("d3-c3", "c3-d3"))
"""Moves of each side that lead nowhere, over and over again."""
ENDLESS = BRANDUB.replace("ks:w", "tfr:i ks:w")


@pytest.fixture(name="inn")
def _inn() -> Iterator[TaflInn]:
    with tafl_inn() as house:
        yield house


CASES = vectors("clocks.json")


@pytest.mark.parametrize("number", range(len(CASES)))
def test_clocks_go_as_recorded(inn: TaflInn, number: int) -> None:
    case: dict[str, Any] = CASES[number]
    first = ("attackers", "defenders").index(case["first"])
    rules = ENDLESS if first == 0 else ENDLESS.replace("atkf:y", "atkf:n")
    players = inn.client("Ann", "ext"), inn.client("Bob", "ext")
    create(players[0], time=case["spec"], rules=rules)
    join(players[1])
    players[0].say("ready-for-game")
    assert told(case, case["at_start"]) in players[1].say("ready-for-game")
    moves = [cycle(side) for side in SHUFFLES]
    turn = first
    for event in case["events"]:
        if event["event"] == "berserk-move":
            return  # there is none in these rules; the arithmetic itself is tried with it elsewhere
        players[turn].read()
        inn.advance(event["elapsed"])
        expected = told(case, event["clocks"])
        heard = [line for line in players[turn].read() if not line.startswith("lobby-chat")]
        if event["flag"]:
            winner = "DEFENDER" if turn == 0 else "ATTACKER"
            assert heard[-3:] == [expected, f"victory {winner}", "end-game"]
            assert players[turn].say(f"move {next(moves[turn])}") == ["error game-over"]
            return
        if event["event"] == "tick":
            assert players[turn].say("clock-update") == [expected]
            continue
        assert players[turn].say(f"move {next(moves[turn])}") == ["move-result 0", expected]
        turn = 1 - turn


def told(case: dict[str, Any], recorded: list[str]) -> str:
    """Clocks as they were recorded, in the words of the plain dialect: with the length of a period."""
    length = case["spec"].split("|")[1].split("/")[0]
    times = []
    for clock in recorded:
        main, period, _ = clock.split("|")
        overtime, count = period.split("/")
        times.append(f"{main}/{overtime}/{length}/{count}")
    return f"clock-update {' '.join(times)}"


def test_whoever_runs_out_of_time_has_lost_at_once(inn: TaflInn) -> None:
    ann, bob = inn.playing(time="3000|0/0|0", kinds=("", "ext"))
    cid = inn.client("Cid")
    spectate(cid)
    cid.read()
    inn.advance(2_999)
    ann.read(), bob.read(), cid.read()
    inn.advance(1)
    clock = "clock-update 0/0/0/0 3000/0/0/0"
    assert ann.read() == cid.read() == [clock, "end-game"]
    assert bob.read() == [clock, "victory DEFENDER", "end-game"]
    assert ann.say("move a4-a3") == ["error game-over"]
    inn.advance(60_000)
    assert ann.read() == bob.read() == []


def test_clocks_are_told_when_a_period_begins_and_every_five_seconds(inn: TaflInn) -> None:
    ann, bob = inn.playing(time="6000|2000/2|0")
    rest = "6000/2000/2000/2"
    inn.advance(4_999)
    assert ann.read() == []
    inn.advance(1)
    assert ann.read() == bob.read() == [f"clock-update 1000/2000/2000/2 {rest}"]
    inn.advance(1_000)
    assert ann.read() == bob.read() == [f"clock-update 0/2000/2000/2 {rest}"]
    inn.advance(2_000)
    assert ann.read() == bob.read() == [f"clock-update 0/2000/2000/1 {rest}"]
    inn.advance(2_000)
    assert ann.read() == [f"clock-update 0/0/2000/0 {rest}", "end-game"]


def test_a_move_puts_the_next_update_off_but_a_new_period_comes_on_time(inn: TaflInn) -> None:
    ann, bob = inn.playing(time="6000|2000/2|0")
    inn.advance(3_000)
    ann.say("move a4-a3")
    bob.read()
    inn.advance(4_999)
    assert ann.read() == []
    inn.advance(1)
    assert ann.read() == ["clock-update 3000/2000/2000/2 1000/2000/2000/2"]
    inn.advance(500)
    bob.read()
    assert bob.say("move d3-c3") == ["move-result 0", "clock-update 3000/2000/2000/2 500/2000/2000/2"]
    ann.read()
    inn.advance(3_000)
    assert bob.read() == ["clock-update 0/2000/2000/2 500/2000/2000/2"]


def test_who_comes_to_watch_gets_the_updates_too(inn: TaflInn) -> None:
    page = [inn.guest("Ann"), inn.guest("Bob")]
    clock = {"kind": "overtime", "main": 60_000, "length": 1_000, "periods": 1}
    table = page[0].open("tafl", clock=clock)
    page[1].sure("sit", table=table)
    live = inn.load(table)
    cid = inn.client("Cid")
    heard = cid.say(f"spectate-game {live.table.room}")
    assert heard[0] == "success"
    inn.advance(5_000)
    assert cid.read()[-1] == "clock-update 55000/1000/1000/1 60000/1000/1000/1"


def test_clocks_of_the_page_that_have_no_periods_are_told_as_main_time(inn: TaflInn) -> None:
    ann = inn.guest("Ann")
    for clock, timed in (
        ({"kind": "bank", "main": 60_000, "increment": 1_000}, "60000|0/0|1000"),
        ({"kind": "turn", "limit": 9_000}, "9000|0/0|0"),
    ):
        table = ann.open("tafl", clock=clock)
        bob = inn.client("Bob", "7")
        assert timed in bob.say("game-list")[0]
        main = timed.partition("|")[0]
        heard = bob.say(f"join-game {inn.load(table).table.room} false none")
        assert heard[2] == f"clock-update {main}|0/0|0 {main}|0/0|0"
        bob.say(f"leave-game {inn.load(table).table.room}")
        bob.hang_up()


def test_the_clocks_of_a_saved_game_are_the_host_s_to_say_before_the_start(inn: TaflInn) -> None:
    ann, bob = inn.client("Ann", "ext"), inn.client("Bob", "ext")
    create(ann, time=TIMED)
    join(bob)
    spec = "1000|10/1|0 2000|20/2|0"
    assert bob.say(f"clock-update {spec}") == ["error not-allowed"]
    assert ann.say("clock-update 0|0/0|0 0|0/0|0") == ["error not-allowed"]
    for bad in ("x y", "1000|10/1|0", "1|1/1|1 1|1/1|1 1|1/1|1", "99999999999|0/0|0 1|0/0|0"):
        assert ann.say(f"clock-update {bad}") == ["error malformed"]
    assert ann.say(f"clock-update {spec}") == []
    ann.say("ready-for-game")
    assert bob.say("ready-for-game")[2] == "clock-update 1000/10/30000/1 2000/20/30000/2"
    assert ann.say(f"clock-update {spec}")[-1] == "error already-started"
    untimed = inn.client("Cid", "ext")
    create(untimed, 2)
    assert untimed.say(f"clock-update {spec}") == ["error not-allowed"]
    assert untimed.say("clock-update") == []


def test_a_time_that_no_clock_can_have_is_refused(inn: TaflInn) -> None:
    ann = inn.client("Ann")
    for spec in ("99999999999|0/0|0", "1000|1000/1001|0"):
        assert ann.say(f"create-game {guid(1)} attackers open {spec} {BRANDUB}") == ["error malformed"]
    assert create(ann, time="0|0/5|7") == ["success"]
    assert inn.table().table.clock_setting.__class__.__name__ == "NoClock"
