"""The bots of Power Chess."""

from random import Random

import pytest
from msgspec.structs import replace
from tests.games.powerchess_tables import choosing, from_fen, sq, step

from gamut.games.budget import Budget
from gamut.games.game import Seat
from gamut.games.powerchess.bots import LEVELS
from gamut.games.powerchess.options import PowerChessOptions
from gamut.games.powerchess.rules import PowerChess
from gamut.games.powerchess.state import Box, Marks, Use

GAME = PowerChess()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("nodes", [None, 0])
def test_every_bot_takes_a_king_that_it_can_take(level: str, nodes: int | None) -> None:
    state = from_fen("rnbq1bnr/pppp1kpp/8/4N3/8/8/PPPPQPPP/RNB1KB1R w KQ - 0 1")
    for seed in range(10):
        action = GAME.choose(state, Seat(0), level, Random(seed), Budget(nodes=nodes))
        assert state.board[action.end] == "k"  # type: ignore[union-attr]
    second = choosing(from_fen("4k3/8/8/8/8/8/4R3/3K4 w - - 0 1"), "e2", "second_effort")
    for seed in range(10):
        wanted = Use("second_effort", sq("e8"))
        assert GAME.choose(second, Seat(0), level, Random(seed), Budget(nodes=nodes)) == wanted


def test_the_sensible_bot_takes_what_is_worth_most() -> None:
    state = from_fen("4k3/8/8/1q3p2/3N4/8/8/4K3 w - - 0 1")
    assert GAME.choose(state, Seat(0), "sensible", Random(1)) == step("d4b5")


def test_the_sensible_bot_opens_the_rarest_box() -> None:
    state = from_fen("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1")
    boxes = (Box(sq("b5"), "common"), Box(sq("f5"), "legendary"), Box(sq("c6"), "rare"))
    assert GAME.choose(replace(state, boxes=boxes), Seat(0), "sensible", Random(1)) == step("d4f5")


def test_the_sensible_bot_does_not_count_what_a_net_saves() -> None:
    state = from_fen("4k3/8/8/1q3p2/3N4/8/8/4K3 w - - 0 1")
    state = replace(state, marks=(Marks(sq("b5"), net=True),))
    assert GAME.choose(state, Seat(0), "sensible", Random(1)) == step("d4f5")


def test_a_bot_takes_a_draw_unless_it_has_more() -> None:
    for fen, white, black in (
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", True, True),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", False, True),
    ):
        state = from_fen(fen)
        for level in LEVELS:
            assert GAME.accepts_draw(state, Seat(0), level) is white
            assert GAME.accepts_draw(state, Seat(1), level) is black


def test_the_stronger_bot_wins() -> None:
    wins = 0
    for seed in range(20):
        chance = Random(seed)
        names = ("sensible", "casual") if seed % 2 else ("casual", "sensible")
        state = GAME.replay(GAME.begin(PowerChessOptions(), 2, chance))
        while state.turn is not None:
            action = GAME.choose(state, state.turn, names[state.turn], chance)
            for event in GAME.decide(state, state.turn, action, chance):
                state = GAME.evolve(state, event)
        assert state.ending is not None
        wins += state.ending.winner is not None and names[state.ending.winner] == "sensible"
    assert wins >= 15
