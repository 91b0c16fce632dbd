"""What can be chosen before a game of Power Chess."""

import msgspec


class PowerChessOptions(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    boxes: bool = True
    """Boxes with powers come onto the board; without them it is chess in which kings are captured."""
