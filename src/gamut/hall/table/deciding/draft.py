"""A decision being made at a table."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from gamut.games.game import AnyGame
from gamut.hall.ids import Millis
from gamut.hall.table import events as e
from gamut.hall.table.evolve import EVOLVE, taken_back
from gamut.hall.table.state import Table


class Timeouts(msgspec.Struct, frozen=True, kw_only=True):
    """How long the house waits for people without a connection."""

    host_grace: Millis = Millis(60_000)
    """Then somebody who is there becomes host."""
    setup_grace: Millis = Millis(120_000)
    """Then their seat at a table that has not begun is free again."""
    abandoned_after: Millis = Millis(24 * 3_600_000)
    """A table that nobody comes back to is closed."""
    room_grace: Millis = Millis(600_000)
    """The same, where play rests until the people are back."""


class Draft(msgspec.Struct, gc=False):
    """A decision being made: the events so far and the table they lead to."""

    game: AnyGame
    table: Table
    now: Millis
    """Not before the last event of the table."""
    chance: Random
    timeouts: Timeouts
    log: Sequence[Any] = ()
    """All that has happened at the table so far, for decisions about the past."""
    events: list[e.Happening] = []

    def add(self, event: e.Happening) -> None:
        self.events.append(event)
        self.table = EVOLVE[type(event)](self.game, self.table, event)

    def go_back(self, event: e.TakenBack, state: Any) -> None:
        """The game stands again as it did before."""
        self.events.append(event)
        self.table = taken_back(self.game, self.table, event, state)
