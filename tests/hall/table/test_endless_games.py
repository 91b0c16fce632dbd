"""Games that do not end by themselves: they are drawn, or closed, after more moves than any game has."""

from random import Random
from typing import Any

from msgspec.structs import replace
from tests.hall.support.inmemory import House, make_hall

from gamut.games.game import AnyGame
from gamut.games.powerchess import decide as powerchess_decide
from gamut.games.powerchess.rules import PowerChess
from gamut.games.powerchess.state import Move as ChessMove
from gamut.games.tafl import decide as tafl_decide
from gamut.games.tafl.rules import Tafl
from gamut.games.tafl.state import Move
from gamut.games.topple.rules import Topple
from gamut.games.tower.rules import Tower
from gamut.hall.files.recording import file_of
from gamut.hall.live.live_table import LiveTable
from gamut.hall.live.opening import Opening
from gamut.hall.table import events as e
from gamut.hall.table.clock import PerTurn
from gamut.hall.table.deciding.play import LONGEST_LOG

GAMES: dict[str, AnyGame] = {
    "tower": Tower(),
    "topple": Topple(),
    "tafl": Tafl(),
    "powerchess": PowerChess(),
}
ENDLESS = "dim:7 name:Endless surf:n atkf:y ks:w tfr:i cenh: cenhe: starti:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
TO_AND_FRO = [(45, 46), (17, 15), (46, 45), (15, 17)]
"""d7-e7, d3-b3, and both back."""


def after_moves(game: AnyGame, opening: Any, moves: list[Any], number: int) -> Any:
    """The state after so many of these moves, again and again, of which none may end the game."""
    chance = Random(1)
    state = game.replay(game.begin(opening, 2, chance))
    for turn in range(number):
        for event in game.decide(state, state.turn, moves[turn % len(moves)], chance):
            state = game.evolve(state, event)
    return state


def test_tafl_without_repetitions_is_a_draw_in_the_end() -> None:
    game = Tafl()
    options = game.checked(game.options_type(rules=ENDLESS))
    moves = [Move(start, end) for start, end in TO_AND_FRO]
    longest = tafl_decide.LONGEST
    state = after_moves(game, options, moves, longest - 1)
    assert game.outcome(state) is None
    last = game.decide(state, state.turn, moves[(longest - 1) % 4], Random(1))
    for event in last:
        state = game.evolve(state, event)
    outcome = game.outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((), "endless")


def test_kings_do_not_walk_for_ever() -> None:
    game = PowerChess()
    chance = Random(1)
    state = game.replay(game.begin(game.options_type(boxes=False), 2, chance))
    knight = [ChessMove(6, 21), ChessMove(62, 45), ChessMove(21, 6), ChessMove(45, 62)]
    for turn in range(powerchess_decide.LONGEST):
        assert state.turn is not None
        for event in game.decide(state, state.turn, knight[turn % 4], chance):
            state = game.evolve(state, event)
    outcome = game.outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((), "endless")


def phase(live: LiveTable) -> str:
    return live.table.phase


def long_since(house: House, live: LiveTable) -> None:
    """As if all this had gone on for longer than any game does."""
    live.whole = live.table = replace(live.whole, seq=LONGEST_LOG - 2)
    house.settle()


def test_a_game_whose_turns_only_pass_is_closed_in_the_end() -> None:
    house = make_hall(played=GAMES)
    opening = Opening(
        game="topple",
        seats=2,
        clock=PerTurn(1_000),
        options={"penalty": "skip", "idle_rounds": 100},
        start="full",
    )
    live = house.open(opening, "ann", "ann", "bob")
    house.act(live)
    long_since(house, live)
    house.advance(1_000)
    assert phase(live) == "playing"
    house.advance(1_000)
    assert phase(live) == "over"
    assert live.table.outcome is None
    assert isinstance(live.whole_log[-2], e.Played)
    assert isinstance(live.whole_log[-1], e.Closed)
    assert live.whole_log[-1].why == "endless"


def test_a_move_that_wins_wins_however_late_it_comes() -> None:
    house = make_hall(played=GAMES)
    live = house.open(Opening(game="tower"), "ann", "ann", "bob", "cid")
    while sum(mark != 3 for mark in live.whole.state.marks) < 22 and live.table.phase == "playing":
        house.act(live)
        if live.table.phase == "playing":
            live.whole = live.table = replace(live.whole, seq=LONGEST_LOG - 2)
    assert live.table.outcome is not None


def test_the_file_of_an_endless_game_says_how_it_ended(monkeypatch: Any) -> None:
    monkeypatch.setattr(powerchess_decide, "LONGEST", 4)
    house = make_hall(played=GAMES)
    live = house.open(Opening(game="powerchess", options={"boxes": False}), "ann", "ann", "bob")
    for move in (ChessMove(6, 21), ChessMove(62, 45), ChessMove(21, 6), ChessMove(45, 62)):
        house.act(live, action=move)
    assert live.table.outcome is not None
    files = live.game.files
    assert files is not None
    written = file_of(live, next(iter(files.endings)), None, b"")
    (record,) = files.read(written)
    assert live.game.outcome(files.played(record).state) == live.table.outcome
