"""Taking a move back in a game with bots: what stands then, who may do it, and that it gives nobody time."""

import asyncio
from typing import Any

import pytest
from tests.hall.support.inmemory import QUICK, House, PonderingBots, make_hall

from gamut.games.game import Refused, Seat
from gamut.games.registry import all_games
from gamut.games.topple.events import Place as Topple
from gamut.games.tower.rules import Place, Tower, TowerState
from gamut.hall.files.recording import played_game
from gamut.hall.ids import Millis, PersonId
from gamut.hall.limits.attempts import Limit
from gamut.hall.limits.pace import Pace
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.settings import HallSettings
from gamut.hall.table import commands as c
from gamut.hall.table import events as e
from gamut.hall.table.clock import Bank, PerTurn
from gamut.hall.table.evolve import replayed
from gamut.hall.table.seats import Sitter
from gamut.hall.table.standing import StandingPlays, standing

ANN, BOB = map(PersonId, ("ann", "bob"))
GAMES = all_games()
TAKES_BACK = [name for name, game in GAMES.items() if game.traits.takes_back]


def a_house(bots: Any = None, settings: HallSettings = QUICK) -> House:
    return make_hall(played=GAMES, bots=bots, settings=settings)


def with_bots(house: House, game: str = "tower", **opening: Any) -> LiveTable:
    """Ann on the first seat, bots on all others."""
    live = house.open(Opening(game=game, start="host", **opening), "ann", "ann")
    for _ in live.table.seats[1:]:
        house.do(live, c.SeatBot(ANN, "casual"))
    house.do(live, c.Start(ANN))
    return live


def take_back(house: House, live: LiveTable, moves: int | None = None) -> e.TakenBack:
    """What Ann did last, unless another number of moves is to stand."""
    mine = [number for number, play in enumerate(standing(live.log)[1:]) if play.seat == 0]
    house.do(live, c.TakeBack(ANN, mine[-1] if moves is None else moves))
    taken: e.TakenBack = live.log[-1]
    assert type(taken) is e.TakenBack
    return taken


def refused(house: House, live: LiveTable, person: PersonId = ANN, moves: int = 0) -> str:
    log = list(live.log)
    with pytest.raises(Refused) as refusal:
        house.do(live, c.TakeBack(person, moves))
    assert live.log == log
    return refusal.value.code


def moves_of(live: LiveTable) -> int:
    return len(standing(live.log)) - 1


# What stands


@pytest.mark.parametrize("game", TAKES_BACK)
def test_it_is_ones_turn_again_as_it_was_before(game: str) -> None:
    house = a_house()
    live = with_bots(house, game)
    positions = []
    for _ in range(2):
        positions.append((moves_of(live), live.table.state))
        house.act(live, 0)
    for moves, state in reversed(positions):
        assert take_back(house, live).moves == moves
        assert live.table.state == state
        assert live.awaited == (Seat(0),)
    assert refused(house, live) == "nothing_to_take_back"


def test_what_happened_stays_in_the_log_and_what_stands_is_the_game() -> None:
    house = a_house()
    live = with_bots(house)
    house.act(live, 0, Place(0))
    before = list(live.log)
    take_back(house, live)
    assert live.log[: len(before)] == before
    house.act(live, 0, Place(23))
    assert replayed(live.game, live.log) == live.table
    turns = played_game(live).turns
    assert [turn.seat for turn in turns] == [None, 0, 1, 2], "a file has the moves that stand"
    assert turns[1].events[0].tile == 23


def test_a_game_from_the_ledger_goes_on_where_it_was_taken_back_to() -> None:
    house = a_house(PonderingBots())
    live = with_bots(house)
    house.act(live, 0, Place(5))
    take_back(house, live)
    house.act(live, 0, Place(6))
    house.settle()
    again = make_hall(house.storage, played=GAMES, bots=PonderingBots())
    found = asyncio.run(again.hall.load(live.id))
    assert found is not None
    assert found.table.state == live.table.state
    assert found.table.state.marks[6] == 0


class Counted(Tower):
    """Counts how many events it has folded."""

    def __init__(self) -> None:
        self.folded = 0

    def evolve(self, state: Any, event: Any) -> TowerState:
        self.folded += 1
        return super().evolve(state, event)


def test_a_log_is_folded_once_however_often_something_was_taken_back() -> None:
    house = a_house(settings=HallSettings(bot_delay=Millis(0), pace=Pace(take_backs=Limit(1000, Millis(1)))))
    live = with_bots(house)
    for _ in range(200):
        house.act(live, 0)
        take_back(house, live)
    game = Counted()
    assert replayed(game, live.log) == live.table
    events = sum(len(event.events) for event in live.log if isinstance(event, (e.Started, e.Played)))
    assert game.folded == events


def test_the_plays_that_stand_are_known_at_every_moment_of_a_log() -> None:
    house = a_house()
    live, plays = with_bots(house), StandingPlays()
    for moves in (None, 0, None, None, 3, 0, None):
        if moves is None:
            house.act(live, 0)
        else:
            take_back(house, live, moves)
        assert [live.log[number - 1] for number in plays.numbers(live.log)] == standing(live.log)


# Bots


def test_what_a_bot_has_thought_of_for_a_position_that_is_gone_is_not_played() -> None:
    bots = PonderingBots()
    house = a_house(bots)
    live = with_bots(house)
    house.act(live, 0, Place(0))
    (late,) = bots.thoughts
    take_back(house, live)
    late.answer(Place(1))
    assert live.awaited == (Seat(0),)
    assert moves_of(live) == 0
    house.act(live, 0, Place(2))
    late.answer(Place(3))
    assert moves_of(live) == 1, "nor in the position that came instead"
    assert len(bots.thoughts) == 2, "the bot was asked anew"
    bots.thoughts[1].answer(Place(4))
    assert live.table.state.marks[4] == 1


def test_who_clicks_twice_or_meant_another_move_takes_back_nothing_more() -> None:
    house = a_house()
    live = with_bots(house)
    house.act(live, 0)
    house.act(live, 0)
    take_back(house, live, 3)
    assert refused(house, live, moves=3) == "stale"
    with pytest.raises(Refused, match="Something happened"):
        house.do(live, c.Act(ANN, Place(23), seen=live.table.seq - 1))  # type: ignore[arg-type]
    assert moves_of(live) == 3


# Who may


def test_only_games_without_secrets_and_chance_take_back() -> None:
    for name, game in GAMES.items():
        if game.traits.takes_back:
            assert not game.traits.hidden
            assert not game.traits.chance
        else:
            house = a_house()
            options = {"mode": "singles_2"} if name == "acquire" else {}
            assert refused(house, with_bots(house, name, options=options)) == "no_take_back"


def test_nobody_takes_back_where_another_person_plays() -> None:
    house = a_house()
    live = house.open(Opening(game="tower", start="host"), "ann", "ann", "bob")
    house.do(live, c.SeatBot(ANN, "casual"))
    house.do(live, c.Start(ANN))
    house.act(live, 0)
    assert refused(house, live) == "not_alone"
    house.do(live, c.Leave(BOB))
    assert refused(house, live) == "waiting"
    house.do(live, c.SeatBot(ANN, "casual", Seat(1)))
    assert refused(house, live) == "nothing_to_take_back"
    house.act(live, 0)
    take_back(house, live)
    assert refused(house, live) == "nothing_to_take_back"


def test_what_a_person_has_played_stands_also_when_a_bot_sits_in_their_place() -> None:
    house = a_house()
    live = with_bots(house)
    house.do(live, c.Unseat(ANN, Seat(2)))
    house.sit(live, "bob")
    house.act(live, 0)
    house.act(live, 2)
    house.do(live, c.Leave(BOB))
    house.do(live, c.SeatBot(ANN, "casual"))
    assert refused(house, live) == "nothing_to_take_back"
    house.act(live, 0)
    assert take_back(house, live).moves == 3


def test_nothing_is_taken_back_behind_a_person_whose_lost_seat_a_bot_has_taken() -> None:
    """When the server was away, the seat of whoever has no way back is taken over: nobody has stood up."""
    house = a_house()
    live = house.open(Opening(game="tower", start="host"), "ann", "ann")
    house.do(live, c.Sit(Sitter(BOB, "bob", returns=False), Seat(1)))
    house.do(live, c.SeatBot(ANN, "casual"))
    house.do(live, c.Start(ANN))
    house.act(live, 0)
    house.act(live, 1)
    house.do(live, c.Wake(away=Millis(1)))
    house.do(live, c.Return(ANN))
    house.do(live, c.SeatBot(ANN, "casual", Seat(1)))
    assert e.Stood not in map(type, live.log)
    assert refused(house, live) == "nothing_to_take_back"


def test_whoever_only_watches_takes_back_nothing() -> None:
    house = a_house()
    live = with_bots(house)
    house.act(live, 0)
    assert refused(house, live, BOB) == "not_seated"


def test_a_seat_that_was_given_up_does_not_come_back_into_the_game() -> None:
    house = a_house(PonderingBots())
    live = house.open(
        Opening(game="topple", start="host", options={"x": 2, "y": 2}, seats=3), "ann", "ann", "bob"
    )
    house.do(live, c.SeatBot(ANN, "casual"))
    house.do(live, c.Start(ANN))
    house.act(live, 0, Topple(0))
    house.do(live, c.Leave(BOB))
    assert refused(house, live) == "nothing_to_take_back"


def test_a_game_that_is_paused_or_over_stays_as_it_is() -> None:
    house = a_house()
    live = with_bots(house)
    house.act(live, 0)
    house.do(live, c.Pause(ANN))
    assert refused(house, live) == "paused"
    house.do(live, c.Resume(ANN))
    while live.table.phase == "playing":
        house.act(live, 0)
    assert refused(house, live) == "over"


def test_one_person_takes_back_so_often_and_no_more() -> None:
    house = a_house()
    live = with_bots(house)
    for _ in range(30):
        house.act(live, 0)
        take_back(house, live)
    house.act(live, 0)
    assert refused(house, live) == "too_many_tries"
    house.advance(2_000)
    take_back(house, live)


def test_who_takes_back_too_often_still_hears_why_nothing_is_taken_back_here() -> None:
    house = a_house()
    live, other = with_bots(house), house.open(Opening(game="tower", start="host"), "ann", "ann", "bob")
    for _ in range(30):
        house.act(live, 0)
        take_back(house, live)
    house.do(other, c.SeatBot(ANN, "casual"))
    house.do(other, c.Start(ANN))
    house.act(other, 0)
    assert refused(house, other) == "not_alone"
    house.act(live, 0)
    house.do(live, c.Pause(ANN))
    assert refused(house, live) == "paused"


# Time


def left(live: LiveTable, seat: int = 0) -> int:
    return live.table.clock.times[seat].main


def test_no_time_comes_back() -> None:
    bots = PonderingBots()
    house = a_house(bots)
    live = with_bots(house, clock=Bank(60_000))
    house.advance(10_000)
    house.act(live, 0)
    house.advance(500)
    take_back(house, live)
    assert left(live) == 50_000
    assert left(live, 1) == 59_500
    assert live.table.clock.running == (0,)
    house.advance(5_000)
    house.act(live, 0)
    assert left(live) == 45_000


def test_the_time_for_a_turn_goes_on_and_does_not_begin_anew() -> None:
    house = a_house()
    live = with_bots(house, clock=PerTurn(20_000))
    house.advance(15_000)
    house.act(live, 0)
    house.advance(4_000)
    take_back(house, live)
    assert left(live) == 16_000
    house.advance(16_001)
    assert [play.seat for play in standing(live.log)[1:] if play.why == "flagged"] == [0]


def test_without_time_nothing_is_taken_back() -> None:
    house = a_house(PonderingBots())
    live = with_bots(house, clock=PerTurn(20_000))
    house.act(live, 0)
    for _ in live.table.seats:
        house.advance(20_001)
    last = standing(live.log)[-1]
    assert (last.seat, last.why) == (0, "flagged")
    assert refused(house, live) == "no_time"


def test_a_first_turn_that_is_free_is_free_again() -> None:
    house = a_house()
    live = with_bots(house, "topple", seats=2, clock=PerTurn(20_000))
    house.act(live, 0)
    assert live.table.clock.running
    take_back(house, live)
    assert live.table.untimed
    assert live.table.clock.running == ()
