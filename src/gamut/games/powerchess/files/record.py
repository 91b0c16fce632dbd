"""What is in a file of one game: its tags, and what was done in it with what chance brought."""

import msgspec

from gamut.games.files import Tagged

VARIANT = "Power Chess"
UNKNOWN = "?"
"""In the place of a power that whoever wrote the file did not see."""
NO_SQUARE = "none"
"""A box was due, and there was no vacant square for it."""


class RecordedAction(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A move, a power, or an end that is neither; what does not apply is left out."""

    move: str = ""
    """Such as `e2-e4`, `Qd1xf7` or `e7-e8=R`."""
    use: str = ""
    """The name of a power."""
    target: str = ""
    """The square that was named with it."""
    end: str = ""
    """`white resigned`, `black resigned`, `white time`, `black time` or `agreed`."""
    drawn: str = ""
    """The square of a back rank that chance chose."""
    piece: str = ""
    """The letter of the piece that came back from its grave."""
    box: str = ""
    """The box that came, such as `d4 rare`, or `none`."""
    offer: tuple[str, ...] = ()
    """The two powers of the box that was taken."""
    millis: int = 0
    """How long after the one before."""
    comment: str = ""


class Record(Tagged, frozen=True, gc=False):
    actions: tuple[RecordedAction, ...]
