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


heard = msgspec.json.Decoder(Heard).decode


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
