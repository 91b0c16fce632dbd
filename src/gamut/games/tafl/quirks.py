"""How another program plays: whoever sits there with a client that simulates the game must see the same board.

Existing clients deviate from the rules in a few places. A game for them is played as they play it; which rules
they misread is said here, which captures and endings they see otherwise beside the rules themselves.
"""

from msgspec.structs import replace

from gamut.games.tafl.pieces import LETTERS
from gamut.games.tafl.ruleset import AREAS, UNLIMITED, Area, Rules, default_areas


def as_read_elsewhere(rules: Rules) -> Rules:
    """The rules that such a client takes these for."""
    areas = {
        name: replace(area, hostile=_whole_sides(area.hostile))
        for name, area in zip(AREAS, _entered(rules), strict=True)
    }
    return replace(
        rules,
        **areas,
        empty_centre_hostile=_whole_sides(rules.empty_centre_hostile),
        repetition="draw" if rules.repetition == "ignored" else rules.repetition,
        guard_jump="never",
        speeds=_speeds(rules.speeds),
    )


def _entered(rules: Rules) -> tuple[Area, ...]:
    """The lists of who may enter are read only beside the centre's, and those that are missing are then empty."""
    usual = default_areas(rules.size)
    if rules.centre.entering == usual[1].entering:
        return tuple(
            replace(area, entering=other.entering) for area, other in zip(rules.areas, usual, strict=True)
        )
    return tuple(
        replace(area, entering="") if area.entering == other.entering else area
        for area, other in zip(rules.areas, usual, strict=True)
    )


def _whole_sides(pieces: str) -> str:
    """What is said of the taflmen holds for their whole side."""
    half = len(LETTERS) // 2
    attackers = LETTERS[:half] if "t" in pieces else ""
    return attackers + (LETTERS[half:] if "T" in pieces else "")


def _speeds(speeds: tuple[int, ...]) -> tuple[int, ...]:
    half = len(speeds) // 2
    if len(set(speeds)) > 1 and len(set(speeds[:half])) == len(set(speeds[half:])) == 1:
        return (UNLIMITED,) * len(speeds)
    return speeds
