"""Why a game ended without a result, for people at doors that can say so in words."""

from collections.abc import Mapping
from types import MappingProxyType

WHY_CLOSED: Mapping[str, str] = MappingProxyType(
    {
        "removed": "The host has removed a player: the game ends without a result.",
        "endless": "There were more moves than any game needs: the game ends without a result.",
    }
)
"""By why the table was closed, where anybody is there to hear it."""
