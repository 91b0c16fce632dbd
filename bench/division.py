"""Where things are in a hall of several wings, as somebody knows it who is in none of them."""

from typing import Any

from gamut.doors.registry import all_doors, doors_for, games_at_main
from gamut.games.registry import all_games
from gamut.hall.wings import Wings

_WEB = "web"


def divided(count: int) -> Wings:
    """A hall of so many wings."""
    return Wings(count=count, at_main=games_at_main(doors_for(all_games(), all_doors)))


def wing_of(wings: Wings, door: str, where: Any) -> int | None:
    """Of a game, by the name that this door has for it."""
    if where is None:
        return None
    if door == _WEB:
        return wings.of_table(where)
    return wings.of_slot(wings.slot_of_name(door, str(where)))
