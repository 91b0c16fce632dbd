"""What lies on pieces and squares for a while: shields, guards, awakenings, nets, holes and Energize.

Everything that ends by itself is kept as the number of the MOVE with which it ends, so that nothing has to be counted
down. An `Effects` is a value: whatever changes it gives another one.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeVar

from gamut.games.powerchess.squares import BIT, squares_in

_NEVER = 1 << 60
_NONE: Mapping[int, int] = MappingProxyType({})
_NOBODY: Mapping[int, tuple[int, int]] = MappingProxyType({})

T = TypeVar("T")


class Effects:
    __slots__ = (
        "_after",
        "awakened",
        "energized",
        "first_end",
        "guarded",
        "guards",
        "hole_bits",
        "holes",
        "marked",
        "nets",
        "shields",
    )

    def __init__(
        self,
        shields: Mapping[int, int] = _NONE,
        guards: Mapping[int, int] = _NONE,
        awakened: Mapping[int, tuple[int, int]] = _NOBODY,
        nets: int = 0,
        holes: Mapping[int, int] = _NONE,
        energized: tuple[int, int] = (0, 0),
    ) -> None:
        self.shields = shields
        """By square, when it ends; the shield also ends when its piece captures."""
        self.guards = guards
        """What makes invulnerable whether its piece captures or not."""
        self.awakened = awakened
        """When it ends, and what the piece really is."""
        self.nets = nets
        self.holes = holes
        self.energized = energized
        """When it ends for each side; 0: it is not running."""
        guarded = 0
        for square in shields:
            guarded |= BIT[square]
        for square in guards:
            guarded |= BIT[square]
        self.guarded = guarded
        """The squares of pieces that are invulnerable."""
        marked = guarded | nets
        for square in awakened:
            marked |= BIT[square]
        self.marked = marked
        """The squares of pieces on which anything lies."""
        hole_bits = 0
        for square in holes:
            hole_bits |= BIT[square]
        self.hole_bits = hole_bits
        first = _NEVER
        for ends in (shields, guards, holes):
            if ends:
                first = min(first, *ends.values())
        for end, _ in awakened.values():
            first = min(first, end)
        for end in energized:
            if end:
                first = min(first, end)
        self._after: tuple[int, Effects] | None = None
        self.first_end = first
        """With which MOVE the next of them ends."""

    # What happens to pieces

    def moved(self, start: int, end: int) -> "Effects":
        """A piece took all that lies on it to another square; what was there is gone."""
        if not self.marked & (BIT[start] | BIT[end]):
            return self
        return self.relocated({start: end, end: None})

    def without(self, square: int) -> "Effects":
        """The piece that stood there is gone."""
        return self.relocated({square: None}) if self.marked & BIT[square] else self

    def relocated(self, to: Mapping[int, int | None]) -> "Effects":
        """Pieces change squares all at once, or are gone (None)."""
        nets = 0
        for square in squares_in(self.nets):
            now = to.get(square, square)
            nets |= 0 if now is None else BIT[now]
        return Effects(
            _renumbered(self.shields, to),
            _renumbered(self.guards, to),
            _renumbered(self.awakened, to),
            nets,
            self.holes,
            self.energized,
        )

    # What powers lay on them

    def shielded(self, square: int, end: int) -> "Effects":
        return self._with(shields={**self.shields, square: max(end, self.shields.get(square, 0))})

    def unshielded(self, square: int) -> "Effects":
        return self._with(shields={each: end for each, end in self.shields.items() if each != square})

    def guarding(self, square: int, end: int) -> "Effects":
        return self._with(guards={**self.guards, square: max(end, self.guards.get(square, 0))})

    def awakening(self, square: int, end: int, piece: int) -> "Effects":
        """A piece that is awake already stays what it really is."""
        _, really = self.awakened.get(square, (0, piece))
        return self._with(awakened={**self.awakened, square: (end, really)})

    def being(self, square: int, piece: int) -> "Effects":
        """An awakened piece will be something else in the end."""
        end, _ = self.awakened[square]
        return self._with(awakened={**self.awakened, square: (end, piece)})

    def netted(self, square: int) -> "Effects":
        return self._with(nets=self.nets | BIT[square])

    def unnetted(self, square: int) -> "Effects":
        return self._with(nets=self.nets & ~BIT[square])

    def with_hole(self, square: int, end: int) -> "Effects":
        return self._with(holes={**self.holes, square: end})

    def energizing(self, side: int, end: int) -> "Effects":
        return self._with(energized=(end, self.energized[1]) if side == 0 else (self.energized[0], end))

    def after(self, ply: int) -> "Effects":
        """Without all that ends with this MOVE: worked out once, as all moves from a position come to the same."""
        if self._after is not None and self._after[0] == ply:
            return self._after[1]
        white, black = self.energized
        left = Effects(
            {square: end for square, end in self.shields.items() if end > ply},
            {square: end for square, end in self.guards.items() if end > ply},
            {square: awake for square, awake in self.awakened.items() if awake[0] > ply},
            self.nets,
            {square: end for square, end in self.holes.items() if end > ply},
            (white if white > ply else 0, black if black > ply else 0),
        )
        self._after = (ply, left)
        return left

    def _with(
        self,
        shields: Mapping[int, int] | None = None,
        guards: Mapping[int, int] | None = None,
        awakened: Mapping[int, tuple[int, int]] | None = None,
        nets: int | None = None,
        holes: Mapping[int, int] | None = None,
        energized: tuple[int, int] | None = None,
    ) -> "Effects":
        return Effects(
            self.shields if shields is None else shields,
            self.guards if guards is None else guards,
            self.awakened if awakened is None else awakened,
            self.nets if nets is None else nets,
            self.holes if holes is None else holes,
            self.energized if energized is None else energized,
        )


def _renumbered(kept: Mapping[int, T], to: Mapping[int, int | None]) -> Mapping[int, T]:
    if to.keys().isdisjoint(kept):
        return kept
    found = {}
    for square, what in kept.items():
        now = to.get(square, square)
        if now is not None:
            found[now] = what
    return found


NO_EFFECTS = Effects()
