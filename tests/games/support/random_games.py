"""Games played at random, from their options to the end, whichever game it is."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import strategies as st
from tests.games.support import acquire_tables, parlour, powerchess_tables, tafl_tables, topple_tables
from tests.games.support.anything import anything

from gamut.games.game import AnyGame, Refused, Seat

SwapSecrets = Callable[[Sequence[Any], Seat | None, Random], Sequence[Any]]
SWAP_SECRETS: dict[str, SwapSecrets] = {
    "parlour": parlour.swap_secrets,
    "acquire": acquire_tables.swap_secrets,
    "powerchess": powerchess_tables.swap_secrets,
}
"""For each game that hides things: another log, which differs only in what this viewer may not know."""

OPTIONS: dict[str, Callable[[], st.SearchStrategy[Any]]] = {
    "topple": topple_tables.options,
    "tafl": tafl_tables.options,
}
"""For each game whose options cannot be made up from their types alone: some that make a short game."""

LONGEST = 5000
"""Actions after which a random game counts as endless."""

seeds = st.integers(0, 2**32)


def written(value: Any) -> tuple[bytes, bytes]:
    return msgspec.json.encode(value), msgspec.msgpack.encode(value)


class Position:
    """A moment of a game: the log that led there, and what it made."""

    def __init__(self, game: AnyGame, log: list[Any], state: Any, seats: int) -> None:
        self.game = game
        self.log = log
        self.state = state
        self.seats = [Seat(seat) for seat in range(seats)]

    def seen_by(self, viewer: Seat | None) -> list[Any]:
        views = (self.game.view(event, viewer) for event in self.log)
        return [event for event in views if event is not None]

    def after(self, events: Sequence[Any]) -> Any:
        """The state once these have happened, too."""
        state = self.state
        for event in events:
            state = self.game.evolve(state, event)
        return state


def interrupted(game: AnyGame, state: Any, chance: Random, seats: int) -> Sequence[Any] | None:
    """Now and then something happens that is no action: a flag falls, someone quits, a draw is agreed."""
    kind = chance.random()
    if kind < 0.05:
        return game.flag(state, chance.choice(game.awaited(state)), chance)
    if kind < 0.08 and game.traits.resigning:
        try:
            return game.resign(state, Seat(chance.randrange(seats)), chance)
        except Refused:  # that seat has left before, or nobody may as the game stands
            return None
    if kind < 0.09 and game.traits.draw_offers:
        return game.draw(state)
    return None


def positions(game: AnyGame, options: Any, seed: int) -> Iterator[Position]:
    """Every position of a random game, from the first to the one that is over."""
    chance = Random(seed)
    seats = chance.choice(game.seats_for(options))
    log = list(game.begin(options, seats, chance))
    state = game.replay(log)
    for _ in range(LONGEST):
        yield Position(game, list(log), state, seats)
        awaited = game.awaited(state)
        if not awaited:
            return
        events = interrupted(game, state, chance, seats)
        if events is None:
            seat = chance.choice(awaited)
            events = game.decide(state, seat, chance.choice(game.legal(state, seat)), chance)
        for event in events:
            state = game.evolve(state, event)
        log += events
    pytest.fail(f"{game.traits.name} goes on and on")


def folded(game: AnyGame, moments: Sequence[Position], seen: Sequence[Any]) -> Iterator[Any]:
    """For each moment of a game what these views of its events make: folded anew from the first, and only once."""
    state, done = None, 0
    for moment in moments:
        for event in seen[done : len(moment.log)]:
            state = state if event is None else game.evolve(state, event)
        done = len(moment.log)
        yield state


def options_of(game: AnyGame) -> st.SearchStrategy[Any]:
    made_up = OPTIONS.get(game.traits.name)
    return made_up() if made_up else st.just(game.options_type()) | anything(game.options_type)


def position_of(game: AnyGame) -> st.SearchStrategy[Position]:
    """Any position of a random game."""

    def pick(options: Any, seed: int, where: float) -> Position:
        all_of_them = list(positions(game, options, seed))
        return all_of_them[round(where * (len(all_of_them) - 1))]

    return st.builds(pick, options_of(game), seeds, st.floats(0, 1))
