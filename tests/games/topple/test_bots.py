"""What the bots of Topple promise. How strong they are is for the arena to say."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from gamut.games.budget import Budget
from gamut.games.game import Seat
from gamut.games.topple.bots import LEVELS
from gamut.games.topple.events import Moved
from gamut.games.topple.forecast import Forecast
from gamut.games.topple.options import ToppleOptions
from gamut.games.topple.rules import Topple
from gamut.games.topple.search import Position, Search
from gamut.games.topple.state import ToppleState
from gamut.games.topple.topology import TOPOLOGIES, field

GAME = Topple()


def random_positions(seed: int, seats: int = 2) -> Iterator[ToppleState]:
    """Positions of random games that are not over."""
    chance = Random(seed)
    while True:
        options = ToppleOptions(
            topology=chance.choice(TOPOLOGIES), x=chance.randint(2, 5), y=chance.randint(2, 4)
        )
        state = GAME.replay(GAME.begin(options, seats, chance))
        while state.turn is not None:
            yield state
            state = after(state, chance.choice(GAME.legal(state, state.turn)).tile)


def after(state: ToppleState, tile: int) -> ToppleState:
    assert state.turn is not None
    return GAME.evolve(state, Moved(state.turn, tile))


def tiles(state: ToppleState) -> list[int]:
    assert state.turn is not None
    return [place.tile for place in GAME.legal(state, state.turn)]


def winning(state: ToppleState) -> set[int]:
    return {tile for tile in tiles(state) if after(state, tile).winner is not None}


def chosen(state: ToppleState, level: str, seed: int = 0) -> int:
    assert state.turn is not None
    return GAME.choose(state, state.turn, level, Random(seed)).tile


@pytest.mark.parametrize("level", ["sensible", "strong"])
@pytest.mark.parametrize("seats", [2, 3])
def test_a_bot_wins_when_it_can(level: str, seats: int) -> None:
    cases = [(state, wins) for state in islice(random_positions(1, seats), 3000) if (wins := winning(state))]
    assert len(cases) > 30
    for state, wins in cases:
        assert chosen(state, level) in wins


def test_the_strong_bot_does_not_let_the_other_win_if_it_can_help_it() -> None:
    cases = 0
    for state in islice(random_positions(2), 1500):
        if winning(state):
            continue
        safe = {tile for tile in tiles(state) if not winning(after(state, tile))}
        if safe and len(safe) < len(tiles(state)):
            cases += 1
            if cases % 4 == 0:
                assert chosen(state, "strong") in safe
    assert cases > 40


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_chance_gives_the_same_game(level: str) -> None:
    def game(seed: int) -> list[int]:
        chance = Random(seed)
        state = GAME.replay(GAME.begin(ToppleOptions(x=4, y=4), 2, chance))
        played: list[int] = []
        while len(played) < 6:
            assert state.turn is not None
            played.append(GAME.choose(state, state.turn, level, chance).tile)
            state = after(state, played[-1])
        return played

    first = game(1)
    assert game(1) == first
    assert game(2) != first


@pytest.mark.parametrize("kind", [Search, Forecast])
@pytest.mark.parametrize("work", [0, 1, 100, 10_000])
def test_a_search_ends_with_its_work_and_still_has_a_move(work: int, kind: type[Search | Forecast]) -> None:
    on = field(3, 15, 15)
    chance = Random(work)
    board = bytearray(chance.randint(3, 4) for _ in range(on.tiles))
    owners = bytearray(chance.randint(0, 6) for _ in range(on.tiles))
    owned = [owners.count(team) for team in range(7)]
    search = kind(on, [2, 3, 4, 5, 6, 1, 2, 3, 4, 1], Budget(nodes=work))
    assert owners[search.best(Position(board, owners, owned, 0), chance)] in (0, 2)
    # Looking at each move once comes first, whatever it costs; after that nothing goes far beyond what is left.
    assert search._left > -on.tiles * on.tiles


def test_the_strong_bot_leaves_the_win_to_its_partner() -> None:
    """Players 1 and 7 are a team: what 7 cannot win at once, 1 may win with the next move."""
    cases = 0
    chance = Random(3)
    absent = [Seat(seat) for seat in range(2, 6)]
    for _ in range(60):
        state = GAME.replay(GAME.begin_with_empty_seats(ToppleOptions(x=3, y=3), 7, absent, chance))
        while state.turn is not None:
            if state.turn == 6 and not winning(state):
                helpful = {tile for tile in tiles(state) if winning(after(state, tile))}
                if helpful and len(helpful) < len(tiles(state)):
                    cases += 1
                    assert chosen(state, "strong") in helpful
            state = after(state, chance.choice(tiles(state)))
    assert cases > 10
