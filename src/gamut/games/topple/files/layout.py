"""What both the reader and the writer must know of how a file is laid out."""

from gamut.games.topple.files.record import Style
from gamut.games.topple.state import Penalty, Scoring

VERSION = 6
TIMESTAMP, ORDER, CTOPOLOGY, EXTMETA, EXTEVS = 0x80, 0x10, 0x08, 0x04, 0x02
SIZE_SHIFT = 5
BEGIN = bytes.fromhex("f00f")
END = bytes.fromhex("fff00fff")
REMOVED, MOVED, WAITED, MARKED = range(4)

MOVE_WIDTHS = ((3, 5), (6, 10), (8, 16), (12, 20))
"""By SIZE: how many bits a move has for its player and for its tile."""

PENALTIES: tuple[Penalty, ...] = ("random", "skip", "lose")
STYLES: tuple[Style, ...] = ("per turn", "chess")
SCORINGS: tuple[Scoring, ...] = ("elim", "tile", "piece")
"""As numbered in the rules entry of the metadata."""

LONGEST_FILE = 1 << 18
"""Ten times what the longest possible game on a board of 36x36 takes."""
MOST_TILES = 1 << 20
"""What the widest move can name."""


def size_for(capacity: int, tiles: int) -> int:
    """The SIZE of a file: the narrowest moves that can name every player and tile."""
    for size, (players, most) in enumerate(((7, 32), (63, 1024), (255, 65536))):
        if capacity <= players and tiles <= most:
            return size
    return 3
