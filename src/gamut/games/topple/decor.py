"""How a table of Topple looks."""

from typing import Annotated

import msgspec

from gamut.games.topple.state import TEAMS

Colour = Annotated[int, msgspec.Meta(ge=0, le=0xFFFFFF)]
Colours = Annotated[tuple[Colour, ...], msgspec.Meta(min_length=TEAMS + 1, max_length=TEAMS + 1)]


class ToppleDecor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    colours: Colours | None = None
    """0xRRGGBB of what is nobody's and of each team; None: the usual ones."""
