"""How long a move takes while nothing goes wrong: from saying it until whoever made it hears that it was made."""

from collections import defaultdict
from time import monotonic

from bench.cluster.spread import Spread

_BEGINS = {
    "web": b'{"type":"act"',
    "topple": b'{"type":"game:move"',
    "tafl": b"move ",
    "acquire": b'{"type":"DoGameAction"',
    "powerchess": b'{"type":4,"gameId":',
    "tower": b'{"type":"place_mark"',
}
"""How a move begins at each door."""
_POWER = b'"action":2'
"""What begins like a move and is none: the choice of a power."""
_REFUSED = b'{"type":"error"', b'{"type":"Error"', b'{"type":6,', b"error "
"""How the answer begins that says no."""


class Moves:
    def __init__(self) -> None:
        self.taken: defaultdict[str, Spread] = defaultdict(Spread)
        """By door."""
        self._said: dict[str, tuple[str, float]] = {}
        self._counts = False

    def said(self, label: str, door: str, data: bytes) -> None:
        if self._counts and data.startswith(_BEGINS[door]) and _POWER not in data:
            self._said[label] = door, monotonic()

    def heard(self, label: str, body: bytes) -> None:
        if body.startswith(_REFUSED):
            self.forget(label)

    def moved(self, label: str) -> None:
        """They have heard of one more move."""
        if (said := self._said.pop(label, None)) is not None:
            door, at = said
            self.taken[door].add(monotonic() - at)

    def forget(self, label: str) -> None:
        """They have hung up, or come anew."""
        self._said.pop(label, None)

    def begin(self) -> None:
        """From now on nothing goes wrong."""
        self._said.clear()
        self._counts = True

    def over(self) -> None:
        """What is still to be heard counts for as long as it has been waited for, if that is longer than most."""
        now = monotonic()
        for door, at in self._said.values():
            if now - at > self.taken[door].part(0.99):
                self.taken[door].add(now - at)
        self._said.clear()
        self._counts = False
