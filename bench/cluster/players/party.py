"""Some who sit together, and play one game after the other."""

from collections import Counter
from time import monotonic
from typing import Any, Protocol


class Player(Protocol):
    """Comes back after every cut as a client of its protocol does, plays on, and remembers all that it is told."""

    label: str

    @property
    def connected(self) -> bool: ...

    @property
    def back(self) -> bool:
        """On this connection they are where they were, or where the party begins another game."""
        ...

    @property
    def progress(self) -> int:
        """How far the game has come that this player hears of."""
        ...

    def act(self) -> None: ...

    def crashed(self) -> None:
        """The connection is gone."""
        ...


class Party:
    def __init__(self, door: str, number: int) -> None:
        self.door = door
        self.number = number
        self.players: list[Player] = []
        self.where: Any = None
        """The game that is on, by the name that its door has for it; None: the host has yet to open one."""
        self.games = 0
        """That are over."""
        self.moved = 0.0
        """When one of them last heard of a move."""
        self.moves = 0
        self.refusals: Counter[str] = Counter()
        """Why somebody who came back was not let in."""

    @property
    def name(self) -> str:
        return f"{self.door} {self.number}"

    def over(self, where: Any) -> None:
        """The game of this name has ended, or is not there any more."""
        if where == self.where:
            self.where = None
            self.games += 1

    def refused(self, why: str) -> None:
        self.refusals[f"{self.door}: {why}"] += 1

    def heard(self, before: int, player: Player) -> bool:
        """Whether it was of a move."""
        # More than one step at a time is how it stands, as it is told to those who come back.
        if player.progress != before + 1:
            return False
        self.moved = monotonic()
        self.moves += player is self.players[0]
        return True
