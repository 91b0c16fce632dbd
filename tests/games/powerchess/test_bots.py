"""The bots of Power Chess."""

from random import Random

import pytest
from msgspec.structs import replace
from tests.games.support.powerchess_tables import choosing, from_fen, sq, step, swap_secrets

from gamut.games.budget import Budget
from gamut.games.game import Seat
from gamut.games.powerchess.bots import LEVELS, found
from gamut.games.powerchess.cases import cases
from gamut.games.powerchess.fen import START
from gamut.games.powerchess.judgement import prize
from gamut.games.powerchess.moves import moves
from gamut.games.powerchess.options import PowerChessOptions
from gamut.games.powerchess.play import after
from gamut.games.powerchess.position import DRAWN, Position
from gamut.games.powerchess.rules import PowerChess
from gamut.games.powerchess.search import Option, Search
from gamut.games.powerchess.squares import NOWHERE
from gamut.games.powerchess.state import Action, Box, Event, Marks, PowerChessState, Use
from gamut.games.powerchess.translation import position_of
from gamut.games.search import WON

GAME = PowerChess()


def played(state: PowerChessState, action: Action, chance: Random | None = None) -> PowerChessState:
    assert state.turn is not None
    for event in GAME.decide(state, state.turn, action, chance or Random(0)):
        state = GAME.evolve(state, event)
    return state


def can_take_a_king(state: PowerChessState) -> bool:
    position = position_of(state)
    return any(after(position, move).winner == state.turn for move in moves(position))


def boxed(fen: str, square: str) -> PowerChessState:
    return replace(from_fen(fen), boxes=(Box(sq(square), "common"),))


def move_number(text: str) -> int:
    return sq(text[:2]) << 6 | sq(text[2:])


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


@pytest.mark.parametrize(
    ("fen", "ply", "white", "black"),
    [
        pytest.param(START, 0, False, False, id="at the start"),
        pytest.param("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 19, False, False, id="so young, whoever has more"),
        pytest.param("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 20, False, True, id="only who has less"),
        pytest.param(START, 60, False, False, id="all is still to play for"),
        pytest.param(START, 200, True, True, id="nobody has got any further for long"),
        pytest.param("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 20, True, True, id="nothing is left"),
        pytest.param("4k3/8/8/8/q7/8/8/RR2K3 w - - 0 1", 20, False, True, id="a queen is about to be lost"),
        pytest.param("3rk3/8/8/8/8/8/8/3K3R b - - 0 1", 20, True, False, id="a king is about to be lost"),
    ],
)
def test_a_bot_takes_a_draw_where_it_stands_worse_or_nobody_gets_any_further(
    fen: str, ply: int, white: bool, black: bool
) -> None:
    state = replace(from_fen(fen), ply=ply)
    for level in LEVELS:
        assert GAME.accepts_draw(state, Seat(0), level) is white
        assert GAME.accepts_draw(state, Seat(1), level) is black


@pytest.mark.parametrize(
    ("stronger", "weaker", "games", "nodes"),
    [("sensible", "casual", 20, None), pytest.param("strong", "sensible", 8, 400, marks=pytest.mark.slow)],
)
def test_the_stronger_bot_wins(stronger: str, weaker: str, games: int, nodes: int | None) -> None:
    wins = 0
    for seed in range(games):
        chance = Random(seed)
        names = (stronger, weaker) if seed % 2 else (weaker, stronger)
        state = GAME.replay(GAME.begin(PowerChessOptions(), 2, chance))
        while state.turn is not None:
            action = GAME.choose(state, state.turn, names[state.turn], chance, Budget(nodes=nodes))
            for event in GAME.decide(state, state.turn, action, chance):
                state = GAME.evolve(state, event)
        assert state.ending is not None
        wins += state.ending.winner is not None and names[state.ending.winner] == stronger
    assert wins >= games * 3 // 4


def test_a_king_with_a_net_is_taken_only_where_he_has_nowhere_to_go() -> None:
    net = (Marks(sq("e5"), net=True),)
    at_large = replace(from_fen("8/8/3p4/4k3/8/8/8/K3Q3 w - - 0 1"), marks=net)
    caught = replace(from_fen("rnbqrbnr/8/3p4/4k3/8/8/8/K3Q3 w - - 0 1"), marks=net)
    assert strong(at_large) != step("e1e5"), "the pawn would take the queen"
    for level in LEVELS:
        assert GAME.choose(caught, Seat(0), level, Random(1), Budget(nodes=0)) == step("e1e5")


# The strong one


def strong(state: PowerChessState, nodes: int = 1500, seed: int = 1) -> Action:
    assert state.turn is not None
    return GAME.choose(state, state.turn, "strong", Random(seed), Budget(nodes=nodes))


def test_the_strong_bot_leaves_alone_what_is_protected() -> None:
    state = from_fen("4k3/8/3p4/4p3/8/5N2/8/4K3 w - - 0 1")
    assert GAME.choose(state, Seat(0), "sensible", Random(1)) == step("f3e5"), "that one does not look so far"
    assert strong(state) != step("f3e5")


def test_the_strong_bot_saves_its_king() -> None:
    state = from_fen("4r1k1/8/8/8/8/8/3P1P2/3QKB2 w - - 0 1")
    for seed in range(5):
        action = strong(state, seed=seed)
        following = played(state, action)
        assert not can_take_a_king(following)


def test_the_strong_bot_finds_a_win_that_takes_three_moves() -> None:
    """The rook on the back rank: the king has nowhere to go, and is captured after whatever Black does."""
    state = from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    possible = GAME.legal(state, Seat(0))
    won = found(state, possible, Random(1), Budget(nodes=20_000))
    assert won.choice.action == step("a1a8")
    assert won.value == WON - 3


def test_the_strong_bot_opens_a_box_that_costs_nothing_and_none_that_costs_a_queen() -> None:
    free = from_fen("4k3/5ppp/8/8/3N4/8/5PPP/4K3 w - - 0 1")
    assert strong(replace(free, boxes=(Box(sq("b5"), "common"),))) == step("d4b5")
    guarded = from_fen("4k3/p4ppp/8/8/3Q4/8/5PPP/4K3 w - - 0 1")
    assert strong(replace(guarded, boxes=(Box(sq("b6"), "common"),))) != step("d4b6")


def test_a_box_from_which_a_king_is_in_reach_counts_for_more() -> None:
    """A Second Effort from there would take him."""
    near = after(position_of(boxed("4k3/8/8/8/1R6/8/8/K7 w - - 0 1", "e4")), move_number("b4e4"))
    far = after(position_of(boxed("4k3/8/8/8/1R6/8/8/K7 w - - 0 1", "f4")), move_number("b4f4"))
    assert prize(near) > prize(far) > 0


def test_the_strong_bot_uses_a_power_to_save_its_king() -> None:
    # Black's queen would take the king; sent away she does not.
    state = choosing(from_fen("6k1/5ppp/8/8/4N3/8/4q3/4K3 w - - 0 1"), "e4", "send_away")
    action = strong(state, nodes=20_000)
    assert isinstance(action, Use)
    following = played(state, action)
    assert not can_take_a_king(following)


def test_the_strong_bot_takes_the_steps_it_is_given_and_no_more() -> None:
    position = position_of(from_fen(START))
    options = [Option(action, cases(position, action)) for action in GAME.legal(from_fen(START), Seat(0))]
    for steps in (0, 1, 50, 3000):
        search = Search(Budget(nodes=steps).work(0, 32))
        search.best(position, options, Random(1))
        assert search.nodes == steps


def test_the_more_steps_the_deeper() -> None:
    state = from_fen(START)
    possible = GAME.legal(state, Seat(0))
    depths = [found(state, possible, Random(1), Budget(nodes=nodes)).depth for nodes in (10, 300, 5000)]
    assert depths == sorted(set(depths))


def test_a_strong_bot_without_any_time_still_acts() -> None:
    state = from_fen(START)
    action = GAME.choose(state, Seat(0), "strong", Random(1), Budget(millis=0))
    assert action in GAME.legal(state, Seat(0))


def brute(position: Position, depth: int, ply: int = 0) -> int:
    """The value of a position without any short cut, captures at the end left to the search itself."""
    if position.winner is not None:
        return 0 if position.winner == DRAWN else WON - ply if position.winner == position.turn else ply - WON
    if depth == 0:
        return Search(Budget(nodes=10**9).work(0, 1))._value(position, 0, -2 * WON, 2 * WON, ply)
    return max((-outlook(after(position, move), depth, ply) for move in moves(position)), default=0)


def outlook(child: Position, depth: int, ply: int) -> int:
    """For the side that is next."""
    if child.winner is not None:
        # Nobody is next any more: it is still the turn of whoever moved.
        return -brute(child, 0, ply + 1)
    if child.chosen_for == NOWHERE:
        return brute(child, depth - 1, ply + 1)
    won = prize(child)
    passed_on = child.copy()
    passed_on.chosen_for, passed_on.turn = NOWHERE, 1 if child.turn == 0 else 0
    value = brute(passed_on, depth - 1, ply + 1)
    return value if abs(value) > WON - 1000 else value - won


@pytest.mark.parametrize("depth", [1, 2])
def test_short_cuts_do_not_change_what_two_moves_are_worth(depth: int) -> None:
    compared = 0
    for seed in range(6):
        chance = Random(seed)
        state = GAME.replay(GAME.begin(PowerChessOptions(), 2, chance))
        for _ in range(4 + 4 * seed):
            if state.turn is not None:
                state = played(state, chance.choice(GAME.legal(state, state.turn)), chance)
        if state.turn is None or state.choice is not None or any(mark.net for mark in state.marks):
            continue
        budget = Budget(nodes=10**9)
        best = found(state, GAME.legal(state, state.turn), Random(seed), budget, deepest=depth)
        assert best.value == brute(position_of(state), best.depth), seed
        compared += 1
    assert compared >= 3


def test_the_strong_bot_does_not_depend_on_what_was_offered_to_the_other() -> None:
    compared = 0
    for seed in range(3):
        chance = Random(seed)
        log = list(GAME.begin(PowerChessOptions(), 2, chance))
        state = GAME.replay(log)
        while state.turn is not None and len(log) < 60:
            seat = state.turn
            action = strong(state, nodes=60, seed=len(log))
            otherwise = swap_secrets(log, seat, Random(seed))
            if otherwise != log:
                compared += 1
                assert strong(GAME.replay(otherwise), nodes=60, seed=len(log)) == action
            events = GAME.decide(state, seat, action, chance)
            log += events
            state = GAME.replay(log)
    assert compared > 20


def test_equal_seeds_give_equal_games_of_strong_bots() -> None:
    def game() -> list[Event]:
        chance = Random(7)
        log = list(GAME.begin(PowerChessOptions(), 2, chance))
        state = GAME.replay(log)
        while state.turn is not None and len(log) < 40:
            action = GAME.choose(state, state.turn, "strong", chance, Budget(nodes=100))
            log += GAME.decide(state, state.turn, action, chance)
            state = GAME.replay(log)
        return log

    assert game() == game()
