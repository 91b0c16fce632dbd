"""Removing somebody from a game that is on: whoever removes does not win by it, in any game."""

from typing import Any

import pytest
from tests.hall.support.inmemory import FOR_TWO, House, make_hall

from gamut.games.game import Refused, Seat
from gamut.games.registry import all_games
from gamut.hall.ids import PersonId
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.lobby.summary import summary_of
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import Bank, PerTurn

ANN, BOB, CID, DOT = map(PersonId, ("ann", "bob", "cid", "dot"))
GAMES = all_games()


def phase(live: LiveTable) -> str:
    return live.table.phase


def a_house() -> House:
    return make_hall(played=GAMES)


def a_game(house: House, game: str, *people: str, **settings: Any) -> LiveTable:
    return house.open(Opening(game=game, start="full", **settings), people[0], *people)


def kinds(live: LiveTable, since: int) -> list[str]:
    return [type(event).__name__ for event in live.whole_log[since:]]


def test_two_people_play_every_game_but_tower() -> None:
    assert {name for name, game in GAMES.items() if 2 in game.traits.seats} == set(FOR_TWO)


@pytest.mark.parametrize("paused", [False, True])
@pytest.mark.parametrize("game", FOR_TWO)
def test_whoever_removes_the_opponent_has_no_result(game: str, paused: bool) -> None:
    house = a_house()
    live = a_game(house, game, "ann", "bob", **FOR_TWO[game])
    house.act(live)
    if paused:
        house.do(live, c.Pause(ANN))
    seat, seq = live.table.seat_of(BOB), live.table.seq
    assert seat is not None
    house.do(live, c.Unseat(ANN, seat))
    assert kinds(live, seq) == ["Stood", "Closed"]
    assert live.whole_log[-1].why == "removed"
    assert phase(live) == "over"
    assert live.table.outcome is None
    assert BOB in live.table.barred
    assert live.table.knows_of_it(BOB), "what was played may be looked at"
    assert not live.entry().listed
    assert summary_of(live.game, live.table).outcome is None
    assert live.id not in house.hall.register.unfinished


@pytest.mark.parametrize("game", FOR_TWO)
def test_whoever_removes_a_bot_has_no_result(game: str) -> None:
    house = a_house()
    live = a_game(house, game, "ann", **FOR_TWO[game])
    house.do(live, c.SeatBot(ANN, live.game.traits.levels[0].name))
    assert phase(live) == "playing"
    bot = next(Seat(seat) for seat in range(2) if live.table.persons[seat] is None)
    house.do(live, c.Unseat(ANN, bot))
    assert phase(live) == "over"
    assert live.table.outcome is None


@pytest.mark.parametrize("game", FOR_TWO)
def test_a_host_who_only_watches_makes_nobody_the_winner_either(game: str) -> None:
    house = a_house()
    live = house.open(Opening(game=game, **FOR_TWO[game]), "dot", "ann", "bob")
    seat = live.table.seat_of(BOB)
    assert seat is not None
    house.do(live, c.Unseat(DOT, seat))
    assert live.table.outcome is None
    assert phase(live) == "over"


@pytest.mark.parametrize("game", FOR_TWO)
def test_whoever_leaves_by_themselves_has_lost_as_ever(game: str) -> None:
    house = a_house()
    live = a_game(house, game, "ann", "bob", **FOR_TWO[game])
    house.do(live, c.Leave(BOB))
    if game == "acquire":
        # There the bank plays for whoever has left.
        assert phase(live) == "playing"
    else:
        assert live.table.outcome is not None
        assert live.table.outcome.winners == (live.table.seat_of(ANN),)


def test_in_tower_the_seat_waits_for_another() -> None:
    house = a_house()
    live = a_game(house, "tower", "ann", "bob", "cid", clock=Bank(60_000))
    house.do(live, c.Unseat(ANN, Seat(1)))
    assert live.table.waiting == (1,)
    assert live.table.clock.running == ()
    house.do(live, c.Unseat(ANN, Seat(2)))
    assert phase(live) == "playing"
    assert live.table.outcome is None
    house.do(live, c.Leave(ANN))
    assert live.whole_log[-1].why == "empty"


@pytest.mark.parametrize(
    ("game", "settings"),
    [("topple", {"seats": 3}), ("acquire", {"options": {"mode": "singles_3", "order": "exact"}})],
)
def test_of_three_one_can_be_removed_and_the_last_but_one_ends_it(game: str, settings: Any) -> None:
    house = a_house()
    live = a_game(house, game, "ann", "bob", "cid", **settings)
    house.act(live)
    house.do(live, c.Unseat(ANN, Seat(1)))
    assert phase(live) == "playing", "two are left who play on"
    house.do(live, c.Unseat(ANN, Seat(2)))
    assert phase(live) == "over"
    assert live.table.outcome is None


def test_who_is_left_after_the_others_went_cannot_be_removed_for_a_win() -> None:
    house = a_house()
    live = a_game(house, "topple", "ann", "bob", "cid", seats=3)
    house.act(live)
    house.do(live, c.Leave(BOB))
    house.do(live, c.Unseat(ANN, Seat(2)))
    assert live.table.outcome is None
    assert phase(live) == "over"


def test_a_team_does_not_win_by_removing_the_other() -> None:
    house = a_house()
    live = a_game(
        house, "acquire", "ann", "bob", "cid", "dot", options={"mode": "teams_2_vs_2", "order": "exact"}
    )
    house.do(live, c.Unseat(ANN, Seat(1)))
    assert phase(live) == "playing", "the partner of whoever was removed plays on"
    house.do(live, c.Unseat(ANN, Seat(3)))
    assert phase(live) == "over"
    assert live.table.outcome is None


def test_who_has_given_up_can_be_sent_off_and_the_game_goes_on() -> None:
    house = a_house()
    live = a_game(house, "acquire", "ann", "bob", **FOR_TWO["acquire"])
    house.do(live, c.Resign(BOB))
    seat, seq = live.table.seat_of(BOB), live.table.seq
    assert seat is not None
    house.do(live, c.Unseat(ANN, seat))
    assert kinds(live, seq) == ["Stood"]
    assert phase(live) == "playing"


def test_a_flag_that_has_fallen_comes_before_the_removal() -> None:
    house = a_house()
    live = a_game(house, "tafl", "ann", "bob", clock=PerTurn(10_000))
    on_turn = live.whole.state.turn
    house.time.late = 1  # the alarm is late
    house.time.advance(10_000)
    other = Seat(1 - on_turn)
    with pytest.raises(Refused, match="over"):
        house.do(live, c.Unseat(ANN, live.table.seat_of(BOB) or Seat(0)))
    assert live.table.outcome is not None
    assert live.table.outcome.winners == (other,)


def test_there_is_no_rematch_of_a_game_without_a_result() -> None:
    house = a_house()
    live = a_game(house, "tafl", "ann", "bob")
    seat = live.table.seat_of(BOB)
    assert seat is not None
    house.do(live, c.Unseat(ANN, seat))
    with pytest.raises(Refused, match="not over"):
        house.do(live, c.Rematch(ANN))
    assert not any(isinstance(event, e.Succeeded) for event in live.whole_log)
