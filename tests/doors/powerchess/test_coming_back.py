"""Lost connections and crashes in Power Chess: seats and clocks stay, and a key leads back."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from tests.doors.support.powerchess_inn import PowerInn, point, power_inn

from gamut.hall.ids import Millis
from gamut.hall.table.deciding.draft import Timeouts

GRACE = Timeouts().room_grace
LOST, WON = {"type": 2, "reason": 2, "result": 1}, {"type": 2, "reason": 2, "result": 0}


@pytest.fixture(name="inn")
def _inn() -> Iterator[PowerInn]:
    with power_inn(debug=True) as house:
        yield house


def types(heard: list[dict[str, object]]) -> list[object]:
    return [message["type"] for message in heard]


def test_the_other_is_told_nothing_of_a_lost_connection_and_the_flag_decides(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    ann.hang_up()
    assert bob.read() == []
    inn.advance(301_000)
    assert bob.read() == [WON]


def test_whoever_has_the_key_gets_the_seat_back_with_a_clock_that_has_run_on(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    ann.move("e2e4")
    bob.read()
    bob.hang_up()
    inn.advance(10_000)
    back = inn.client()
    joined, picture = back.resume(bob)
    assert {name: joined[name] for name in ("type", "playerId", "color", "name", "timeControl")} == {
        "type": 1,
        "playerId": bob.player,
        "color": False,
        "name": "Ann",
        "timeControl": 0,
    }
    assert picture["action"] == 1
    assert picture["clocks"] == {"white": 305.0, "black": 290.0}
    assert len(picture["updates"]) == 64
    back.move("e7e5")
    assert ann.read()[-1]["action"] == 1


def test_the_key_is_another_one_after_each_return_and_the_one_that_was_used_counts_until_then(
    inn: PowerInn,
) -> None:
    ann, bob = inn.pair()
    first = bob.key
    bob.hang_up()
    back = inn.client()
    back.resume(bob)
    assert back.key != first
    back.hang_up()
    again = inn.client()
    again.resume(back)
    again.hang_up()
    bob.key = first
    assert types(inn.client().resume(bob)) == [7], "a newer one was used"
    assert ann.read() == []


def test_who_comes_by_another_connection_ends_the_one_before(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    back = inn.client()
    assert types(back.resume(bob)) == [1, 5]
    assert bob.wire.closed == 1000
    assert bob.say({"type": 3}) == []
    ann.move("e2e4")
    assert types(back.read()) == [5]
    bob.hang_up()
    assert not inn.table(ann.game).table.away


def test_who_asks_how_a_game_ended_takes_no_seat_and_ends_no_connection(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    ann.say({"type": 2, "gameId": ann.game, "playerId": ann.player, "reason": 1})
    bob.read()
    late = inn.client()
    first = bob.key
    assert types(late.resume(bob)) == [1, 5, 2]
    assert late.key == first
    assert bob.wire.closed is None
    assert late.session.live is None


def test_an_open_offer_of_powers_and_of_a_draw_is_told_to_whom_it_was_made(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    ann.say({"type": 9, "gameId": ann.game, "rarity": 1, "id1": 0, "id2": 3, "whereCaptured": point("e2")})
    bob.tell(3)
    ann.hang_up()
    bob.hang_up()
    chooser, other = inn.client(), inn.client()
    _, picture, draw = chooser.resume(ann)
    assert picture["action"] == 2
    assert picture["options"] == {"rarity": 1, "id1": 0, "id2": 3}
    assert draw == {"type": 3}
    _, picture = other.resume(bob)
    assert picture["action"] == 0
    assert not picture.keys() & {"rarity", "id1", "id2", "options"}
    assert types(chooser.tell(3)) == [2]
    assert types(other.read()) == [2]


def test_who_comes_back_to_a_choice_is_told_which_piece_has_it(inn: PowerInn) -> None:
    """Adjust and Second Effort move that piece, and a client that was away did not see which one took the box."""
    ann, bob = inn.pair()
    ann.say({"type": 8, "gameId": ann.game, "row": 2, "col": 2, "rarity": 0})
    inn.chess.draws.offers = [(0, 2)]
    (taken,) = ann.move("b1c3")
    assert "whereCaptured" not in taken, "whoever has just moved there knows"
    ann.hang_up()
    bob.hang_up()
    chooser, other = inn.client(), inn.client()
    picture = chooser.resume(ann)[1]
    assert picture["whereCaptured"] == point("c3")
    assert "whereCaptured" not in other.resume(bob)[1]
    inn.restart()
    chooser, other = inn.client(), inn.client()
    chooser.resume(ann)
    other.resume(bob)
    (goes_on,) = chooser.read()
    assert (goes_on["action"], goes_on["whereCaptured"]) == (2, point("c3"))
    follow_up = {"from": goes_on["whereCaptured"], "to": point("d5")}
    assert chooser.choose(1, follow_up)[0]["action"] == 0
    # A second box on the way: it is the piece where it is now.
    assert other.read()[-1]["move"] == follow_up


def test_after_a_crash_play_rests_with_stopped_clocks_until_both_are_back(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    inn.advance(5_000)
    ann.move("e2e4")
    inn.restart()
    inn.advance(GRACE - 1)
    white, black = inn.client(), inn.client()
    white.resume(ann)
    _, picture = black.resume(bob)
    assert picture["clocks"] == {"white": 300.0, "black": 300.0}
    assert black.move("e7e5")[0]["action"] == 0


def test_while_the_other_is_waited_for_a_piece_is_put_back(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    inn.restart()
    back = inn.client()
    back.resume(ann)
    assert types(back.move("e2e4")) == [6]
    assert types(back.tell(3)) == [7]
    other = inn.client()
    other.resume(bob)
    [goes_on] = back.read()
    assert (goes_on["type"], goes_on["updates"], goes_on["action"]) == (5, [], 1)
    assert goes_on["clocks"] == {"white": 300.0, "black": 300.0}
    assert types(back.move("e2e4")) == [5]


def test_who_does_not_come_back_after_a_crash_is_waited_for_and_then_loses_by_the_clock(
    inn: PowerInn,
) -> None:
    ann, _ = inn.pair()
    ann.move("e2e4")
    inn.restart()
    back = inn.client()
    back.resume(ann)
    inn.advance(GRACE - 1)
    assert back.read() == []
    inn.advance(1)
    [goes_on] = back.read()
    assert (goes_on["type"], goes_on["updates"], goes_on["action"]) == (5, [], 0)
    inn.advance(300_000)
    assert back.read() == []
    inn.advance(1_000)
    assert back.read() == [{"type": 2, "reason": 2, "result": 0}]


def test_where_nobody_comes_back_after_a_crash_there_is_no_result(inn: PowerInn) -> None:
    ann, _ = inn.pair()
    inn.restart()
    inn.advance(GRACE + 1)
    table = inn.table(ann.game).table
    assert table.phase == "over"
    assert table.outcome is None
    assert types(inn.client().resume(ann)) == [7]


def test_who_gives_up_while_play_rests_has_lost(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    inn.restart()
    back = inn.client()
    back.resume(ann)
    (told,) = back.tell(2, reason=2)
    assert (told["type"], told["clocks"]) == (5, {"white": 300.0, "black": 300.0}), (
        "no time runs out meanwhile"
    )
    assert back.tell(2, reason=1) == []
    outcome = inn.table(ann.game).table.outcome
    assert outcome is not None
    assert outcome.winners == (1,)
    assert types(back.create()) == [0]
    # The other comes too late to play, and is told how it ended.
    late = inn.client()
    joined, picture, over = late.resume(bob)
    assert (joined["name"], picture["action"]) == ("Ann", 0)
    assert over == {"type": 2, "reason": 1, "result": 0}
    assert types(late.create()) == [0]


def test_when_both_are_gone_the_clock_decides_however_long_it_takes(inn: PowerInn) -> None:
    ann, bob = inn.pair(timeControl=2)
    ann.hang_up()
    bob.hang_up()
    inn.advance(2_700_999)
    assert inn.table(ann.game).table.phase == "playing"
    inn.advance(1)
    outcome = inn.table(ann.game).table.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((1,), "time")
    _, _, over = inn.client().resume(ann)
    assert over == LOST


def test_a_game_that_nobody_has_joined_goes_with_its_creator_but_not_with_the_server(inn: PowerInn) -> None:
    ann = inn.client()
    ann.create(public=True)
    inn.restart()
    back, home = inn.client(), inn.home()
    assert list(home.read()[0]["games"]) == [str(ann.game)]
    (told,) = back.resume(ann)
    assert (told["type"], told["gameId"], told["playerId"]) == (0, ann.game, ann.player)
    bob = inn.client()
    bob.join(ann.game)
    assert back.read() == [{"type": 1, "name": "Bob"}]
    other = inn.client()
    other.create(public=True)
    other.hang_up()
    assert types(inn.client().join(other.game)) == [7]


def test_keys_cannot_be_tried_for_long(inn: PowerInn) -> None:
    _, bob = inn.pair()
    key = bob.key
    thief = inn.client("192.0.2.7")
    messages = set()
    for number in range(130):
        bob.key = f"{number}"
        (told,) = thief.resume(bob)
        messages.add(told["message"])
    assert len(messages) == 2, "first they are wrong, then not even looked at"
    bob.key = key
    assert types(thief.resume(bob)) == [7]
    assert types(inn.client("192.0.2.8").resume(bob)) == [1, 5]


def test_numbers_are_never_used_twice_and_fit_into_what_a_client_can_hold(inn: PowerInn) -> None:
    seen: list[int] = []
    for _ in range(3):
        for _ in range(3):
            ann, bob = inn.pair()
            seen += [ann.game]
            assert len({ann.player, bob.player}) == 2
            assert max(ann.player, bob.player) < 2**53
        page = inn.guest("Pat")
        seen.append(int(str(inn.load(page.open("powerchess")).table.room)))
        inn.advance(1)
        inn.restart()
    assert seen == sorted(set(seen))


def test_a_number_that_comes_next_cannot_be_guessed(inn: PowerInn) -> None:
    numbers = []
    for _ in range(5):
        ann, _ = inn.pair()
        numbers.append(ann.game)
    assert len({second - first for first, second in pairwise(numbers)}) == 4


def test_a_return_that_is_awaited_while_the_connection_ends_changes_nothing(inn: PowerInn) -> None:
    ann, bob = inn.pair()
    bob.hang_up()
    back = inn.client()
    log = len(inn.table(ann.game).log)
    body = f'{{"type":1,"gameId":{bob.game},"playerId":{bob.player},"key":"{bob.key}"}}'
    waiting = back.session.text(body.encode())
    back.session.closed()
    inn.run(waiting)
    inn.settle()
    assert len(inn.table(ann.game).log) == log
    assert inn.table(ann.game).table.is_away(inn.table(ann.game).table.persons[1])  # type: ignore[arg-type]


def test_time_stands_still_for_nobody_else(inn: PowerInn) -> None:
    """A pause on the page stops both clocks; a lost connection stops none."""
    ann, bob = inn.pair()
    bob.hang_up()
    inn.advance(10_000)
    (told,) = ann.move("e2e4")
    assert told["clocks"]["white"] == 295.0
    assert inn.table(ann.game).table.clock.since == Millis(inn.time.now())
