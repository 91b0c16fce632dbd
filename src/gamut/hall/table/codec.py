"""Events of a table as bytes, for the ledger. docs/events.md says which changes stay readable."""

from typing import Any

import msgspec

from gamut.games.game import AnyGame
from gamut.hall.table.events import AnyEvent

encode = msgspec.json.Encoder().encode


class Decoder:
    """Reads the events of tables of one game."""

    def __init__(self, game: AnyGame) -> None:
        happenings: Any = AnyEvent
        self._decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(happenings[game.event_type])

    def decode(self, body: bytes) -> Any:
        return self._decoder.decode(body)
