"""What is heard at the web door, and what somebody knows of a table by it."""

from typing import Any

import msgspec


class Heard(msgspec.Struct):
    """Whatever the server says at this door."""

    type: str
    id: int | None = None
    table: str = ""
    to: str = ""
    key: str | None = None
    person: str = ""
    token: str | None = None
    code: str = ""
    message: str = ""
    after: int = 0
    seq: int = 0
    now: int = 0
    phase: str = ""
    awaited: list[int] = []
    waiting: list[int] = []
    times: dict[str, Any] | None = None
    outcome: Any = None
    events: list[msgspec.Raw] = []
    actions: list[Any] = []
    tables: list[msgspec.Raw] = []
    changed: list[msgspec.Raw] = []
    said: list[msgspec.Raw] = []


class _Happening(msgspec.Struct):
    type: str
    seat: int | None = None
    moves: int = 0


heard = msgspec.json.Decoder(Heard).decode
_happening = msgspec.json.Decoder(_Happening).decode


class Known:
    """A table as this person knows it."""

    def __init__(self) -> None:
        self.seq: int | None = None
        """The last event that this connection was told."""
        self.last = 0
        """The last event that this person was ever told."""
        self.asked: list[int] = []
        """From where on this connection wanted to be told."""
        self.you: int | None = None
        self.phase = "setup"
        self.seats = 3
        self.mine = False
        """It is this person's turn."""
        self.legal: list[Any] = []
        self.game = ""
        self.over = False
        self.movers: list[int | None] | None = None
        """Whose the moves were that stand, one after the other; None: this person has not followed the game."""

    def happened(self, after: int, seq: int, events: list[msgspec.Raw]) -> None:
        """Whose moves these are, if it is known whose those before them were."""
        if after == 0:
            self.movers = []
        elif after != self.last and seq > self.last:
            self.movers = None
        if self.movers is None or after not in (0, self.last):
            return
        for event in map(_happening, events):
            if event.type == "played":
                self.movers.append(event.seat)
            elif event.type == "taken_back":
                del self.movers[event.moves :]
