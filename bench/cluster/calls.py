"""A call of somebody who plays: who ended it, and what is still to be answered."""

from collections.abc import Callable
from typing import Any

from tests.simulation.surroundings import TEXT

from bench.soak.calls import SocketCall


class PlayersCall(SocketCall):
    def __init__(
        self,
        *args: Any,
        label: str,
        door: str,
        said: Callable[[bytes], None],
        left: Callable[[], None],
        **more: Any,
    ) -> None:
        self.label = label
        self.door = door
        self.hung_up = False
        """By the player."""
        self._said_something = said
        self._left = left
        super().__init__(*args, **more)

    def say(self, data: bytes, kind: int = TEXT) -> None:
        self._said_something(data)
        super().say(data, kind)

    def cut(self) -> None:
        if self.open:
            self.hung_up = True
            self._left()
        super().cut()

    @property
    def was_connected(self) -> bool:
        return self._connection is not None

    @property
    def is_connected(self) -> bool:
        return self.open and self.was_connected

    @property
    def port(self) -> int:
        """From which it comes, as long as it is connected."""
        assert self._connection is not None
        return self._connection.port

    @property
    def closed_with(self) -> str:
        """What the other side said when it ended the call."""
        return str(getattr(self._connection, "code", None) or "no word")
