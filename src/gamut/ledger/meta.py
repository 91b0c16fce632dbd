"""The facts that a ledger keeps about itself, by name."""

from typing import Any

VERSION = "schema_version"
SECRET = "session_secret"  # noqa: S105 - the name of the entry, not the secret
TAKEN_OUT = "events_taken_out"
"""How many events were stored and taken out again."""
CLEANED = "times_cleaned"
"""How often something was left on the pages that had to be overwritten."""
WINGS = "wings"
"""How many wings the hall has."""
MOVING = "move_not_completed"
"""There is one while a hall is being moved into this store (`moving`), and for ever if that was cut off."""
NOT_COMPLETED = (
    "A move into this store was not completed: repeat it (gamut move-store), or choose another store."
)


def counted(value: Any) -> int:
    """A number that is kept as text; 0 if there is none."""
    return int(value) if str(value).isdecimal() else 0
