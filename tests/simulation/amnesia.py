"""Sessions that forget everything but their state: they are packed, thrown away and unpacked, and nobody may notice."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING, Any, Protocol
from unittest.mock import patch

from gamut.hall.hall import Hall
from gamut.hall.lobby.lobby import Lobby

if TYPE_CHECKING:
    from tests.simulation.world import Server

_OFTEN = 0.05


class Remembering(Protocol):
    """A connection with its session."""

    label: str

    @property
    def can_forget(self) -> bool: ...

    def forget(self) -> Any:
        """The session is thrown away, but for its state."""
        ...

    def remember(self, state: Any) -> None:
        """Another session goes on."""
        ...


class Amnesia:
    """When it strikes comes from a chance of its own: everybody does and hears what they would without."""

    def __init__(self, seed: int, trace: Callable[[str], None]) -> None:
        self._chance = Random(f"amnesia of {seed}")
        self._trace = trace
        self.count = 0

    def perhaps(self, server: "Server") -> None:
        """At some moments everybody is struck, at some a few are, and at most of them nobody is."""
        if self._chance.random() >= _OFTEN:
            return
        share = self._chance.choice((0.1, 0.5, 1.0))
        struck = [each for each in server.remembering() if each.can_forget and self._chance.random() < share]
        if not struck:
            return
        self.count += len(struck)
        self._trace(f"amnesia of {', '.join(each.label for each in struck)}")
        with _undisturbed(server.hall):
            states = [each.forget() for each in struck]
            for each, state in zip(struck, states, strict=True):
                each.remember(state)


@contextmanager
def _undisturbed(hall: Hall) -> Iterator[None]:
    """What could be otherwise afterwards and would be as right is as it was: in which order the doors of a table are
    told, and when the lobby looks next at how many people are here."""
    doors = {live: tuple(live.listeners) for live in hall.live.values()}
    with patch.object(Lobby, "people_changed"):
        yield
    for live, order in doors.items():
        live.listeners = {door: live.listeners[door] for door in order}
