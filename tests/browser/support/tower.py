"""Tower's tiles by the names that are read aloud, and a short game."""

from gamut.games.tower.board import COORDINATES, TILES

_RINGS = ("upper ring", "middle ring", "lower ring")
_PLACES = (
    ("back left", "back", "back right"),
    ("left", "", "right"),
    ("front left", "front", "front right"),
)


def short(tile: int) -> str:
    """A tile as the list of moves writes it, and as it stands on the board."""
    return f"{'ABC'[tile * 3 // TILES]}{tile % 8 + 1}"


NAMES = tuple(f"{short(tile)}, {_RINGS[at.y]}, {_PLACES[at.x][at.z]}" for tile, at in enumerate(COORDINATES))
MARKS = ("X", "O", "J")

LINE = (0, 1, 2)
SHORT_GAME = (0, 8, 16, 1, 9, 17, 2)
"""X fills the back edge of the upper ring while the others look elsewhere."""
