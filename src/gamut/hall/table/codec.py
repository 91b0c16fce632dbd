"""Events of a table as bytes, for the ledger. docs/events.md says which changes stay readable."""

from functools import reduce
from operator import or_
from typing import Any

import msgspec

from gamut.games.game import AnyGame
from gamut.hall.table import events as e
from gamut.hall.table.evolve import EVOLVE

encode = msgspec.json.Encoder().encode


class Decoder:
    """Reads the events of tables of one game."""

    def __init__(self, game: AnyGame) -> None:
        # All that can happen: what opens a table, and what changes it.
        kinds: set[Any] = {e.Opened, e.TakenBack, *EVOLVE}
        generic: set[Any] = {e.Started, e.Played}
        happenings = reduce(or_, (kinds - generic) | {kind[game.event_type] for kind in generic})
        self._decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(happenings)

    def decode(self, body: bytes) -> Any:
        return self._decoder.decode(body)
