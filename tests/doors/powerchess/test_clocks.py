"""Power Chess on the server's clocks: the flag's allowance, increments, and losses that clients report."""

from collections.abc import Iterator

import pytest
from tests.doors.support.powerchess_inn import PowerInn, point, power_inn
from tests.games.support.powerchess_tables import from_fen, sq

from gamut.doors.powerchess.time_controls import number_of, setting
from gamut.games.powerchess.fen import START
from gamut.hall.ids import Millis
from gamut.hall.table.clock import Bank, ClockSetting, NoClock, Overtime, PerTurn

LOST, WON = {"type": 2, "reason": 2, "result": 1}, {"type": 2, "reason": 2, "result": 0}


def types(heard: list[dict[str, object]]) -> list[object]:
    return [message["type"] for message in heard]


@pytest.fixture(name="inn")
def _inn() -> Iterator[PowerInn]:
    with power_inn(debug=True) as house:
        yield house


@pytest.mark.parametrize(("control", "main", "increment"), [(0, 300, 5), ("1", 900, 15), (2, 2700, 45)])
def test_each_control_has_its_time_and_its_increment(
    inn: PowerInn, control: int | str, main: int, increment: int
) -> None:
    ann, bob = inn.pair(timeControl=control)
    inn.advance(2_000)
    (told,) = ann.move("e2e4")
    assert told["clocks"] == {"white": main - 2 + increment, "black": main}
    inn.advance(1_500)
    bob.read()
    (told,) = bob.move("e7e5")
    assert told["clocks"] == {"white": main - 2 + increment, "black": main - 1.5 + increment}


def test_the_flag_falls_a_second_after_the_time_is_over(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    inn.advance(300_000 + 999)
    assert ann.read() == bob.read() == []
    inn.advance(1)
    assert (ann.read(), bob.read()) == ([LOST], [WON])


def test_what_comes_within_that_second_still_counts(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    inn.advance(300_000 + 999)
    (told,) = ann.move("e2e4")
    assert told["clocks"] == {"white": 5.0, "black": 300.0}
    assert bob.read()[0]["action"] == 1
    inn.advance(300_000)
    bob.move("e7e5")
    ann.read()
    inn.advance(5_000 + 1_000)
    assert (ann.read(), bob.read()[-1]) == ([LOST], WON)


def test_whoever_chooses_a_power_has_the_increment_of_that_on_top(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    ann.say({"type": 8, "gameId": ann.game, "row": 2, "col": 0, "rarity": 0})
    ann.read(), bob.read()
    inn.chess.draws.offers = [(3, 1)]
    (told,) = ann.move("a2a3")
    assert told["action"] == 2
    left = told["clocks"]["white"] * 1000
    inn.advance(int(left) + 5_000 + 999)
    (told,) = ann.choose(True)
    assert told["action"] == 0
    assert told["clocks"]["white"] == 5.0, "and a turn with a power earns it twice"


def test_a_choice_that_is_not_made_in_time_loses(inn: PowerInn) -> None:
    inn.chess.first = from_fen(START)
    ann, bob = inn.pair()
    ann.say({"type": 8, "gameId": ann.game, "row": 2, "col": 0, "rarity": 0})
    (told,) = ann.move("a2a3")
    ann.read(), bob.read()
    inn.advance(int(told["clocks"]["white"] * 1000) + 5_000 + 1_000)
    assert (ann.read(), bob.read()) == ([LOST], [WON])


def test_an_action_after_the_flag_is_not_done_and_needs_no_further_word(inn: PowerInn) -> None:
    """The alarm rings late on a busy server: what comes first then is too late all the same."""
    ann, bob = inn.pair()
    inn.time._now = Millis(inn.time.now() + 301_000)
    assert ann.move("e2e4") == [LOST]
    assert bob.read() == [WON]
    assert "e2e4" not in str(inn.table(ann.game).log[-1])


@pytest.mark.parametrize("message", [{"type": 3}, {"type": 2, "reason": 1}])
def test_nor_do_offers_and_resignations(inn: PowerInn, message: dict[str, int]) -> None:
    ann, bob = inn.pair()
    inn.time._now = Millis(inn.time.now() + 301_000)
    assert bob.say({**message, "gameId": bob.game, "playerId": bob.player}) == [WON]
    assert ann.read() == [LOST]


def test_a_client_s_report_that_its_time_is_over_counts_once_it_is(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    inn.advance(300_000)
    assert ann.tell(2, reason="2", result={"WIN": 0}) == [], "its page shows it already"
    assert bob.read() == [WON]
    outcome = inn.table(ann.game).table.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((1,), "time")


def test_a_client_that_is_wrong_about_its_time_is_told_what_is_left_and_plays_on(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    inn.advance(299_000)
    clocks = {"white": 1.0, "black": 300.0}
    before = len(inn.table(ann.game).log)
    assert ann.tell(2, reason=2) == [{"type": 5, "updates": [], "action": 1, "clocks": clocks}]
    assert bob.tell(2, reason=2) == [{"type": 5, "updates": [], "action": 0, "clocks": clocks}]
    assert len(inn.table(ann.game).log) == before
    assert ann.move("e2e4")[0]["action"] == 0
    assert bob.read()[0]["action"] == 1


def test_whoever_is_wrong_about_their_time_has_their_choice_still_open(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    ann.say({"type": 9, "gameId": ann.game, "rarity": 0, "id1": 3, "id2": 2, "whereCaptured": point("e2")})
    (told,) = ann.tell(2, reason=2)
    assert (told["action"], told["options"]) == (2, {"rarity": 0, "id1": 3, "id2": 2})
    assert ann.choose(True)[0]["action"] == 0
    assert types(bob.read()) == [5, 5]


def test_where_there_is_no_clock_a_client_whose_own_has_run_out_plays_on(inn: PowerInn) -> None:
    page, bob = inn.guest("Pat"), inn.client()
    table = page.open("powerchess")
    (joined,) = bob.join(int(str(inn.load(table).table.room)))
    assert joined["timeControl"] == 2
    page.sure("act", table=table, action={"type": "move", "start": sq("e2"), "end": sq("e4")})
    assert "clocks" not in bob.read()[0]
    assert bob.tell(2, reason=2) == [{"type": 5, "updates": [], "action": 1}]
    assert inn.load(table).table.outcome is None
    assert bob.move("e7e5")[0]["action"] == 0


def test_in_a_pause_no_time_runs_out(inn: PowerInn) -> None:
    page, bob = inn.guest("Pat"), inn.client()
    table = page.open("powerchess", clock={"kind": "bank", "main": 60_000})
    bob.join(int(str(inn.load(table).table.room)))
    page.sure("act", table=table, action={"type": "move", "start": sq("e2"), "end": sq("e4")})
    inn.advance(10_000)
    page.sure("pause", table=table)
    bob.read()
    inn.advance(2_700_000)
    (told,) = bob.tell(2, reason=2)
    assert told["clocks"] == {"white": 60.0, "black": 50.0}
    assert inn.load(table).table.phase == "paused"
    assert types(bob.move("e7e5")) == [6]
    page.sure("resume", table=table)
    assert bob.read()[0]["action"] == 1


def test_a_longer_clock_than_a_client_can_show_decides(inn: PowerInn) -> None:
    page, bob = inn.guest("Pat"), inn.client()
    table = page.open("powerchess", clock={"kind": "bank", "main": 10_000_000})
    bob.join(int(str(inn.load(table).table.room)))
    page.sure("act", table=table, action={"type": "move", "start": sq("e2"), "end": sq("e4")})
    bob.read()
    inn.advance(2_700_000)
    (told,) = bob.tell(2, reason=2)
    assert told["clocks"] == {"white": 10_000.0, "black": 7_300.0}
    inn.advance(7_300_000)
    assert bob.tell(2, reason=2) == []
    assert inn.load(table).table.phase == "over"


def test_a_table_of_the_page_gets_the_allowance_of_those_who_join_from_here(inn: PowerInn) -> None:
    page, bob = inn.guest("Pat"), inn.client()
    clock = {"kind": "bank", "main": 60_000, "increment": 1_000}
    table = page.open("powerchess", clock=clock)
    (joined,) = bob.join(int(str(inn.load(table).table.room)))
    assert joined["timeControl"] == 0
    inn.advance(60_999)
    assert inn.load(table).table.phase == "playing"
    inn.advance(1)
    assert bob.read() == [WON]


@pytest.mark.parametrize(
    ("clock", "number"),
    [
        *((setting(number), number) for number in range(3)),
        (Bank(60_000), 0),
        (Bank(60_000, 10_000), 1),
        (Bank(301_000), 1),
        (Bank(10_000_000), 2),
        (NoClock(), 2),
        (PerTurn(10_000), 2),
        (Overtime(10_000, 0, 0), 2),
    ],
)
def test_other_clocks_are_told_as_the_first_that_gives_no_less_time(clock: ClockSetting, number: int) -> None:
    assert number_of(clock) == number


def test_what_lasts_is_told_with_the_plies_that_are_left(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    give = {"type": 9, "gameId": ann.game, "rarity": 0, "id1": 3, "id2": 0, "whereCaptured": point("e2")}
    (told,) = ann.say(give)
    assert "effects" not in told
    (told,) = ann.choose(True)
    assert told["effects"] == [{"kind": "shield", **point("e2"), "plies": 6}]
    told = bob.move("a7a6")[-1]
    assert told["effects"] == [{"kind": "shield", **point("e2"), "plies": 5}]
    for rarity, power, more, kinds in (
        (1, 0, point("e5"), {"shield", "black_hole"}),
        (1, 1, None, {"shield", "black_hole", "energize"}),
        (1, 3, None, {"shield", "black_hole", "energize", "safety_net"}),
        (2, 1, None, {"shield", "black_hole", "energize", "safety_net", "awaken", "invulnerable"}),
    ):
        other = (power + 1) % 4
        mover = ann if inn.table(ann.game).state_for(None).turn == 0 else bob
        where = point("e2") if mover is ann else point("e7")
        given = {"rarity": rarity, "id1": power, "id2": other, "whereCaptured": where}
        mover.say({"type": 9, "gameId": mover.game, **given})
        told = mover.choose(True, more)[-1]
        assert {effect["kind"] for effect in told["effects"]} == kinds
        assert all(effect.get("plies", 1) > 0 for effect in told["effects"])
    asleep = [effect for effect in told["effects"] if effect["kind"] == "awaken"]
    assert asleep[0]["piece"] == 5
