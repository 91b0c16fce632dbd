"""Tafl's bots: they win where they can, see what threatens, and do as much as they were given."""

from itertools import pairwise
from random import Random

import pytest
from tests.games.support.tafl_tables import SMALL, move_named

from gamut.games.budget import UNLIMITED, Budget
from gamut.games.game import Seat
from gamut.games.search import WON, Found
from gamut.games.tafl.bots import AT_ONCE, LEVELS, found
from gamut.games.tafl.compiled import Compiled, compiled
from gamut.games.tafl.endings import ending
from gamut.games.tafl.judgement import judgement
from gamut.games.tafl.options import TaflOptions
from gamut.games.tafl.pieces import ATTACKERS, DEFENDERS
from gamut.games.tafl.play import after, moves
from gamut.games.tafl.position import Position
from gamut.games.tafl.rules import Tafl
from gamut.games.tafl.search import Search
from gamut.games.tafl.state import Move, TaflState
from gamut.games.tafl.variants import VARIANTS, rules_by_name

GAME = Tafl()
LOOKING = ("sensible", "strong")

ESCAPES = "dim:7 ks:w surf:n atkf:n start:/7/7/4t2/1t5/t6/6t/2K4/"
"""The king can go to a corner at once."""
CAPTURES = "dim:7 ks:w surf:n start:/7/2tK3/7/7/5t1/T4t1/4t2/"
"""An attacker can close in on a weak king."""
THREATENS = "dim:7 ks:w surf:n start:/1t1K3/7/1t5/5t1/t6/6t/1t2T2/"
"""One way to a corner is closed; the attackers are to move, and have to close the other."""


def state_of(rules: str, *played: str) -> TaflState:
    options = GAME.checked(TaflOptions(rules=rules, moves=played))
    return GAME.replay(GAME.begin(options, 2, Random(0)))


def chosen(state: TaflState, level: str, seed: int = 1, budget: Budget = UNLIMITED) -> Move:
    assert state.turn is not None
    return GAME.choose(state, state.turn, level, Random(seed), budget)


def played(state: TaflState, move: Move) -> TaflState:
    assert state.turn is not None
    for event in GAME.decide(state, state.turn, move, Random(0)):
        state = GAME.evolve(state, event)
    return state


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("rules", "reason"), [(ESCAPES, "escape"), (CAPTURES, "king_captured")])
def test_a_bot_that_can_win_at_once_does(level: str, rules: str, reason: str) -> None:
    for seed in range(5):
        state = state_of(rules)
        over = played(state, chosen(state, level, seed))
        assert over.ending is not None
        assert over.ending.reason == reason


@pytest.mark.parametrize("level", LOOKING)
def test_a_bot_that_looks_ahead_keeps_the_king_from_the_corner(level: str) -> None:
    for seed in range(5):
        state = state_of(THREATENS)
        state = played(state, chosen(state, level, seed))
        assert played(state, chosen(state, "casual", seed)).ending is None, "the king has not got away"


def brute(on: Compiled, position: Position, depth: int, ply: int = 0) -> int:
    """The value of a position without any short cut."""
    best = -2 * WON
    for move in moves(on, position):
        child = after(on, position, move)
        end = ending(on, child)
        if end is not None:
            value = 0 if end.winner is None else WON - ply - 1
            value = value if end.winner == position.turn else -value
        else:
            deeper = depth
            worth = judgement(on).worth(child, ply + 1) if depth <= 1 else None
            if worth is not None:
                value = worth if position.turn else -worth
            else:
                deeper = max(depth, 2)
                sign = 1 if child.turn == position.turn else -1
                value = sign * brute(on, child, deeper - 1, ply + 1)
        best = max(best, value)
    return best


@pytest.mark.parametrize("rules", [*SMALL[:3], rules_by_name()["brandub"]])
def test_short_cuts_do_not_change_what_two_moves_are_worth(rules: str) -> None:
    on = compiled(rules)
    for seed in range(8):
        chance = Random(seed)
        position = on.start()
        for _ in range(chance.randrange(12)):
            following = after(on, position, chance.choice(moves(on, position)))
            if ending(on, following) is not None:
                break
            position = following
        for depth in (1, 2):
            best = Search(on, Budget(nodes=10**9).work(0, 1), deepest=depth).best(position, Random(seed))
            assert best.depth == depth or abs(best.value) > WON - 1000
            assert best.value == brute(on, position, best.depth), (seed, depth)


def test_a_search_takes_the_steps_it_is_given_and_no_more() -> None:
    on = compiled(rules_by_name()["copenhagen"])
    for steps in (1, 50, 3000):
        search = Search(on, Budget(nodes=steps).work(0, AT_ONCE))
        search.best(on.start(), Random(1))
        assert search.nodes == steps


def test_the_more_steps_the_deeper() -> None:
    state = state_of(rules_by_name()["brandub"])
    depths = [found(state, Random(1), Budget(nodes=nodes), 0).depth for nodes in (30, 500, 5000, 40_000)]
    assert depths[0] < depths[-1]
    assert all(shallow <= deep for shallow, deep in pairwise(depths))


def test_without_a_clock_equal_chance_gives_equal_moves() -> None:
    state = state_of(rules_by_name()["tablut"])
    for level in LEVELS:
        assert chosen(state, level, 3, Budget(nodes=800)) == chosen(state, level, 3, Budget(nodes=800))


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_every_variant_is_played_by_every_level(variant: object) -> None:
    state = state_of(variant.rules)  # type: ignore[attr-defined]
    for ply in range(9):
        assert state.turn is not None
        move = chosen(state, list(LEVELS)[ply % 3], ply, Budget(nodes=300))
        assert move in GAME.legal(state, state.turn)
        state = played(state, move)


def test_nobody_loses_by_repeating_a_position_without_need() -> None:
    rules = "dim:7 ks:w surf:n tfr:w start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
    there_and_back = ["d1-c1", "d3-c3", "c1-d1", "c3-d3"]
    state = state_of(rules, *(there_and_back * 2)[:-1])
    assert state.turn == DEFENDERS
    losing = played(state, Move(*_spaces("c3-d3")))
    assert losing.ending is not None
    assert (losing.ending.reason, losing.ending.winner) == ("repetition", ATTACKERS)
    for level in LOOKING:
        for seed in range(5):
            assert played(state, chosen(state, level, seed, Budget(nodes=500))).ending is None


def test_a_position_that_was_there_is_worth_less_to_whoever_is_better() -> None:
    state = state_of(CAPTURES.replace("2tK3", "2t1K2"))
    on, position = compiled(state.rules), compiled(state.rules).start()

    def best(seen: dict[int, int]) -> Found[int]:
        return Search(on, Budget(nodes=10**6).work(0, 1), deepest=1).best(position, Random(1), seen)

    plain = best({})
    assert 0 < plain.value < WON - 1000
    assert best(dict.fromkeys(moves(on, position), 1)).value < plain.value


def _spaces(text: str) -> tuple[int, int]:
    move = move_named(text, 7)
    return move >> 9, move & 511


@pytest.mark.parametrize(
    ("better", "worse"),
    [pytest.param("strong", "sensible", marks=pytest.mark.slow), ("sensible", "casual")],
)
def test_the_stronger_bot_wins(better: str, worse: str) -> None:
    won = 0
    for number in range(4):
        state = state_of(rules_by_name()["brandub"])
        chance = Random(number)
        side = Seat(number % 2)
        while state.turn is not None:
            level = better if state.turn == side else worse
            budget = Budget(nodes=8000) if level == "strong" else UNLIMITED
            state = played(state, GAME.choose(state, state.turn, level, chance, budget))
        assert state.ending is not None
        won += state.ending.winner == side
    assert won >= 3
