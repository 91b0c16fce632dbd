"""The first lesson of each game: what the page plays through is what the rules say."""

import json
from functools import reduce
from random import Random

import pytest
from tests.games.support.lessons import GAMES, file_of, seen, steps, written


@pytest.mark.parametrize("name", GAMES)
def test_what_a_lesson_says_of_its_positions_is_what_the_rules_say(name: str) -> None:
    assert file_of(name).read_bytes() == written(name), "write it anew: python -m tests.games.support.lessons"


@pytest.mark.parametrize("name", GAMES)
def test_a_lesson_is_five_positions_in_which_something_is_right(name: str) -> None:
    positions = json.loads(file_of(name).read_bytes())
    assert len(positions) == 5
    assert all(position["right"] for position in positions)
    one_way = [position for position in positions if len(position["right"]) < len(position["legal"])]
    assert len(one_way) >= 3, "most of them can be got wrong"


@pytest.mark.parametrize("name", GAMES)
def test_what_a_seat_is_told_leads_from_what_it_knew_to_what_it_knows(name: str) -> None:
    game = GAMES[name]
    for state, _, seat in steps(name):
        for action in game.legal(state, seat):
            events = game.decide(state, seat, action, Random(0))
            told = [event for each in events if (event := game.view(each, seat)) is not None]
            known = reduce(game.evolve, told, seen(state, seat))
            assert known == seen(reduce(game.evolve, events, state), seat)
