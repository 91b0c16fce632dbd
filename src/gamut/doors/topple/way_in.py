"""How far somebody has come who is on the way into a room."""

import msgspec

from gamut.hall.ids import TableId


class WayIn(msgspec.Struct, omit_defaults=True):
    """What is waited for: at most one of these at a time."""

    password_of: TableId | None = None
    """The room whose password is waited for."""
    wants_file: bool = False
    """A suspended game is to be sent; also after it has come, until a seat in it is chosen."""
    file: bytes | None = None
    """The suspended game in which a seat is to be chosen."""
    locked: str | None = None
    """The password of the room in which it will go on, hashed."""
    seat_of: TableId | None = None
    """A resumed room in which a seat is to be chosen."""
    rules: bool = False
    """The room is there, and its creator may still say its rules before everybody else."""
