"""A bot thinks as much as it may: so many steps, and no longer than its clock allows."""

from random import Random
from typing import Any

import pytest

from gamut.games import budget as budgets
from gamut.games.budget import UNLIMITED, Budget, Work
from gamut.games.game import AnyGame
from gamut.games.registry import all_games
from gamut.games.topple.options import ToppleOptions


class Ticking:
    """A time that passes by so much with each look at it."""

    def __init__(self, step: float) -> None:
        self.now, self.looks, self._step = 0.0, 0, step

    def __call__(self) -> float:
        self.looks += 1
        self.now += self._step
        return self.now


def granted(work: Work) -> list[int]:
    steps = []
    while step := work.next():
        steps.append(step)
    return steps


def test_without_a_clock_all_steps_are_granted_at_once_and_nobody_looks_at_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    time = Ticking(1)
    monkeypatch.setattr(budgets, "monotonic", time)
    assert granted(UNLIMITED.work(3000, 32)) == [3000]
    assert granted(Budget(nodes=70).work(3000, 32)) == [70]
    assert granted(Budget(nodes=0).work(3000, 32)) == []
    assert time.looks == 0


def test_with_a_clock_steps_are_granted_as_long_as_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "monotonic", Ticking(0.01))
    assert granted(Budget(millis=45).work(3000, 32)) == [32] * 4
    assert granted(Budget(millis=1000).work(70, 32)) == [32, 32, 6]
    assert granted(Budget(millis=1).work(3000, 32)) == []


GAMES = all_games()


def middle_of(game: AnyGame, seed: int) -> Any:
    """A position with some choice, a few moves into a game."""
    chance = Random(seed)
    options: Any = ToppleOptions(x=7, y=7) if game.traits.name == "topple" else game.options_type()
    state = game.replay(game.begin(options, 3, chance))
    for _ in range(6):
        (seat,) = game.awaited(state)
        for event in game.decide(state, seat, chance.choice(list(game.legal(state, seat))), chance):
            state = game.evolve(state, event)
    return state


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "budget", [Budget(millis=1), Budget(nodes=0), Budget(nodes=1), Budget(millis=1, nodes=50)]
)
def test_however_little_there_is_a_bot_has_an_answer(name: str, budget: Budget) -> None:
    game = GAMES[name]
    for seed in range(5):
        state = middle_of(game, seed)
        (seat,) = game.awaited(state)
        for level in game.traits.levels:
            assert game.choose(state, seat, level.name, Random(1), budget) in game.legal(state, seat)


@pytest.mark.parametrize("name", GAMES)
def test_the_strongest_bot_ends_its_thoughts_when_its_time_is_up(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = GAMES[name]
    state = middle_of(game, 1)
    (seat,) = game.awaited(state)
    level = game.traits.levels[-1].name

    def looks(millis: int) -> int:
        time = Ticking(0.001)
        with monkeypatch.context() as context:
            context.setattr(budgets, "monotonic", time)
            game.choose(state, seat, level, Random(1), Budget(millis=millis))
        return time.looks

    assert looks(1) <= 3
    assert looks(1) < looks(5) <= 7, "it goes on for as long as it may, and no longer"


@pytest.mark.parametrize("name", GAMES)
def test_with_time_enough_a_bot_plays_as_it_does_without_a_clock(name: str) -> None:
    game = GAMES[name]
    state = middle_of(game, 2)
    (seat,) = game.awaited(state)
    level = game.traits.levels[-1].name
    free = game.choose(state, seat, level, Random(3))
    assert game.choose(state, seat, level, Random(3), Budget(millis=10**9)) == free
