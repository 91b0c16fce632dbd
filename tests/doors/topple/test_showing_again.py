"""The board once more, for clients that were not ready for it when they came into a game."""

from typing import Any

import pytest
from tests.doors.support.topple_inn import Message, ToppleInn, message, topple_inn
from tests.doors.topple.test_coming_back import kinds
from tests.doors.topple.test_playing import moved, quiet, turn, win


@pytest.fixture(name="inn")
def _inn() -> Any:
    with topple_inn() as house:
        yield house


def board_of(inn: ToppleInn, room: str) -> bytes:
    """As somebody is shown it who comes now."""
    watcher = inn.watch(room)
    (board,) = [m for m in watcher.heard if isinstance(m, bytes)]
    watcher.say("spectator:leave")
    return board


def scores(*known: int) -> Message:
    """Of the teams from 0 on; the others have none."""
    points = [*known, *[0] * (7 - len(known))]
    return {f"TEAM.{team}.score": score for team, score in enumerate(points)}


def test_who_comes_back_or_watches_gets_the_board_once_more_a_moment_later(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    watcher, back = inn.watch(one.room), inn.rejoin(one.room, 2, two.key)
    board = board_of(inn, one.room)
    quiet([one, watcher, back])
    inn.advance(999)
    assert back.read() == watcher.read() == []
    inn.advance(1)
    assert back.read() == watcher.read() == [board]
    inn.advance(20_000)
    assert back.read() == watcher.read() == one.read() == [], "once is enough where nobody has moved"


def test_what_is_played_while_a_client_loads_it_knows_a_moment_later(inn: ToppleInn) -> None:
    one, two = inn.playing(2, turnTime={"limit": 60_000}, scoring={"style": "tile"})
    watcher, back = inn.watch(one.room), inn.rejoin(one.room, 2, two.key)
    one.say("game:move", n=4)
    inn.advance(500)
    back.say("game:move", n=8)
    board = board_of(inn, one.room)
    quiet([one, watcher, back])  # but those two take nothing in
    inn.advance(500)
    told = [
        board,
        message("sync", **scores(0, 1 + 1, 1)),
        turn(1),
        message("sync", **{"PLAYER.1.time_left": 60}),
    ]
    assert back.read() == watcher.read() == told
    assert one.read() == []


def test_a_game_that_ends_while_a_client_loads_is_told_as_over(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    watcher = inn.watch(one.room)
    two.say("player:leave")
    quiet([one, watcher])
    inn.advance(1_000)
    assert kinds(watcher.read()) == [0, "game:win"]


@pytest.mark.parametrize("scoring", [None, {"style": "tile"}])
def test_who_comes_after_the_end_is_told_once_more_who_has_won(
    inn: ToppleInn, scoring: dict[str, str] | None
) -> None:
    """The existing client draws the board only after it has heard of the end, which it forgets with that."""
    rules = {} if scoring is None else {"scoring": scoring}
    one, two = win(inn, **rules)
    late, back = inn.watch(one.room), inn.rejoin(one.room, 2, two.key)
    (won,) = [m for m in late.heard if isinstance(m, dict) and m["type"] == "game:win"]
    known = kinds(late.heard)[kinds(late.heard).index(0) :]
    quiet([one, late])
    inn.advance(1_000)
    told = late.read()
    assert kinds(told) == known == ([0, "game:win"] if scoring is None else [0, "sync", "game:win"])
    assert told[-1] == won
    assert back.read() == told
    inn.advance(20_000)
    assert late.read() == back.read() == one.read() == []


def test_scores_are_told_with_every_board(inn: ToppleInn) -> None:
    """The existing client sets its scores anew with a board that it takes in late, and counts on from there."""
    one, two = inn.playing(2, scoring={"style": "tile"})
    one.say("game:move", n=4)
    two.say("game:move", n=8)
    watcher, back = inn.watch(one.room), inn.rejoin(one.room, 2, two.key)
    inn.advance(1_000)
    heard = watcher.read()
    assert heard[1:] == [message("sync", **scores(0, 1 + 1, 1))], (
        "nobody has moved, so it is still the same turn"
    )
    assert back.read()[-2:] == heard[-2:]


def test_a_move_right_upon_the_board_is_in_the_scores_that_come_with_the_next(inn: ToppleInn) -> None:
    one, two = inn.playing(2, scoring={"style": "tile"})
    back = inn.rejoin(one.room, 2, two.key)
    inn.advance(1_000)
    back.read()
    inn.advance(50)
    one.say("game:move", n=4)
    back.read()  # but it was just taking in the board
    inn.advance(50 + 1_000)
    heard = back.read()
    assert kinds(heard) == [0, "sync", "game:turn"]
    assert heard[1:] == [message("sync", **scores(0, 1)), message("game:turn", n=2, t=False)]


def test_who_came_in_a_pause_hears_that_it_is_over_though_it_was_still_loading(inn: ToppleInn) -> None:
    one, _ = inn.playing(2)
    one.say("game:pause")
    watcher = inn.watch(one.room)
    one.say("game:resume")
    watcher.read()
    inn.advance(1_000)
    assert kinds(watcher.read()) == [0, "game:resume", "game:turn"]


def test_a_board_upon_which_somebody_moves_is_followed_by_another(inn: ToppleInn) -> None:
    one, two = inn.playing(2, "t=1&d=0,5,5&p=2")
    back = inn.rejoin(one.room, 2, two.key)
    back.read()
    people = [one, back]
    for number in range(8):
        inn.advance(1_000 if not number else 960)
        heard = back.read()
        assert (0 in kinds(heard)) == (number < 5), "and that has an end"
        if number < 5:
            assert heard[0] == board_of(inn, one.room)
        inn.advance(40)
        tile = number % 2 * 24
        quiet(people)
        assert people[number % 2].say("game:move", n=tile)[0] == moved(tile, number % 2 + 1)
        quiet(people)
        inn.advance(100)


def test_who_has_gone_again_is_shown_nothing(inn: ToppleInn) -> None:
    one, two = inn.playing(2)
    back = inn.rejoin(one.room, 2, two.key)
    back.read()
    back.hang_up()
    inn.advance(1_000)
    assert back.read() == []


def test_scores_are_told_to_whoever_comes_back(inn: ToppleInn) -> None:
    one, two = inn.playing(2, scoring={"style": "tile"})
    one.say("game:move", n=4)
    two.say("game:move", n=8)
    two.hang_up()
    back = inn.rejoin(one.room, 2, two.key)
    assert kinds(back.heard)[-4:] == [0, "game:rules", "sync", "game:turn"]
    assert back.payload("sync") == scores(0, 1 + 1, 1)
    assert kinds(inn.watch(one.room).heard)[-3:] == [0, "sync", "game:turn"]
