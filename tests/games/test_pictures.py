"""What links show of a position: what is on the board, and nothing that somebody may not see."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from tests.games.support.parlour import Parlour

from gamut.games.game import AnyGame
from gamut.games.picture import Disc, Mark, Picture, Shape
from gamut.games.registry import all_games

every_game = pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.traits.name)


def positions(game: AnyGame, moves: int = 40) -> list[tuple[Any, Any]]:
    """The position after each move of a random game, and as a watcher knows it."""
    chance = Random(7)
    options = game.options_type()
    events = list(game.begin(options, game.seats_for(options)[0], chance))
    found = []
    for _ in range(moves):
        state = game.replay(events)
        shown = [game.view(event, None) for event in events] if game.traits.hidden else events
        found.append((state, game.replay(event for event in shown if event is not None)))
        awaited = game.awaited(state)
        if not awaited:
            break
        events += game.decide(state, awaited[0], chance.choice(list(game.legal(state, awaited[0]))), chance)
    return found


def corners(shape: Shape) -> list[tuple[float, float]]:
    if isinstance(shape, Disc):
        return [
            (shape.x + dx * shape.radius, shape.y + dy * shape.radius) for dx in (-1, 1) for dy in (-1, 1)
        ]
    return list(shape.points)


@every_game
def test_every_game_has_a_mark_of_its_own_and_draws_within_its_picture(game: AnyGame) -> None:
    assert game.mark != Mark()
    assert all(0 <= x <= 10 and 0 <= y <= 10 for x, y in game.mark.points)
    for state, _ in positions(game):
        picture = game.picture(state)
        assert isinstance(picture, Picture)
        for shape in picture.shapes:
            for x, y in corners(shape):
                assert -0.5 <= x <= picture.width + 0.5
                assert -0.5 <= y <= picture.height + 0.5


@every_game
def test_a_picture_shows_what_was_played(game: AnyGame) -> None:
    pictures = [game.picture(state) for state, _ in positions(game)]
    assert sum(before != after for before, after in pairwise(pictures)) >= 6


@every_game
def test_nothing_that_is_hidden_is_in_a_picture(game: AnyGame) -> None:
    """Drawn from all that there is to know, hands and offers included, it is what watchers get."""
    for whole, seen in positions(game):
        assert game.picture(whole) == game.picture(seen)


def test_a_game_that_draws_nothing_has_a_mark_all_the_same() -> None:
    game = Parlour()
    state, _ = positions(game)[0]
    assert game.picture(state) is None
    assert game.mark == Mark()
