"""Games of Power Chess that the page must fold as the rules do.

`python -m tests.games.support.powerchess_page` writes them.

Boxes come often and powers of every rarity, so that a few short games have all of them.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from gamut.games.game import Seat
from gamut.games.powerchess.decide import decided, legal
from gamut.games.powerchess.draws import ChanceDraws
from gamut.games.powerchess.evolve import evolve
from gamut.games.powerchess.options import PowerChessOptions
from gamut.games.powerchess.powers import RARITIES, Rarity
from gamut.games.powerchess.rules import PowerChess
from gamut.games.powerchess.state import Action, Event, Move, PowerChessState

FILE = Path(__file__).parents[2] / "vectors" / "powerchess" / "page.json"
SEEDS = (59, 54, 183, 0)
"""Between them they have every power, nets that save, rewinds that take back, and pieces that come back."""
_MOST_ACTIONS = 70
_EVERY = 4
"""So often how things stand is written down, and at the end."""


class _Plenty(ChanceDraws):
    def box_is_due(self, waited: int) -> bool:
        return True

    def box(self, squares: Sequence[int]) -> tuple[int, Rarity]:
        return self._chance.choice(squares), self._chance.choice(RARITIES)


def played(seed: int) -> list[Event]:
    chance = Random(seed)
    events = list(PowerChess().begin(PowerChessOptions(), 2, chance))
    state = PowerChess().replay(events)
    for _ in range(_MOST_ACTIONS):
        if state.turn is None:
            break
        for event in decided(state, state.turn, _wanted(state, state.turn, chance), _Plenty(chance)):
            events.append(event)
            state = evolve(state, event)
    return events


def _wanted(state: PowerChessState, seat: Seat, chance: Random) -> Action:
    """A box if there is one to be had, so that there are many powers."""
    actions = legal(state, seat)
    boxes = {box.square for box in state.boxes}
    on_boxes = [action for action in actions if isinstance(action, Move) and action.end in boxes]
    return chance.choice(on_boxes or actions)


def recorded(seed: int) -> dict[str, Any]:
    events = played(seed)
    states: dict[str, Any] = {}
    state: PowerChessState | None = None
    for number, event in enumerate(events):
        state = evolve(state, event)
        if number % _EVERY == 0 or number == len(events) - 1:
            states[str(number)] = msgspec.to_builtins(state)
    return {"events": [msgspec.to_builtins(event) for event in events], "states": states}


if __name__ == "__main__":
    FILE.write_bytes(msgspec.json.encode([recorded(seed) for seed in SEEDS]) + b"\n")
    sys.stdout.write(f"{FILE.name}: {FILE.stat().st_size} bytes\n")
