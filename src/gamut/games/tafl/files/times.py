"""Times in files: `300 30/3 5i` are five minutes, three times half a minute, and five seconds for each move."""

import re

import msgspec

from gamut.games.tafl.notation import BadNotation

_NUMBER = r"([0-9]{1,7})"
_TIMES = re.compile(rf"{_NUMBER}(?: {_NUMBER}/{_NUMBER})?(?: {_NUMBER}i)?(?= |,|$)")


class Times(msgspec.Struct, frozen=True, gc=False):
    """Seconds, and how many periods there are after the main time."""

    main: int
    overtime: int = 0
    periods: int = 0
    increment: int = 0

    def __str__(self) -> str:
        return f"{self.main} {self.overtime}/{self.periods} {self.increment}i"

    @property
    def unlimited(self) -> bool:
        return not self.main and not (self.overtime and self.periods)


def parse_times(text: str) -> Times:
    """A time control. Raises BadNotation."""
    found = _TIMES.fullmatch(text)
    if found is None:
        raise BadNotation(f"{text[:40]!r} is no time such as 300 30/3 5i.")
    return Times(*(int(number or 0) for number in found.groups()))


def parse_remaining(text: str) -> tuple[Times, Times]:
    """What the attackers and the defenders have left. Raises BadNotation."""
    attackers, comma, defenders = text.partition(",")
    if not comma:
        raise BadNotation("There must be the times of both sides with a comma between them.")
    return parse_times(attackers.strip()), parse_times(defenders.strip())


def written_remaining(attackers: Times, defenders: Times) -> str:
    return ", ".join(f"{each.main} {each.overtime}/{each.periods}" for each in (attackers, defenders))


def split_comment(text: str) -> tuple[Times | None, str]:
    """The time that a comment begins with, if it does, and the rest of it.

    A bare number is no time: people count things in comments.
    """
    found = _TIMES.match(text)
    if found is None or found[2] is None:
        return None, text
    return Times(*(int(number or 0) for number in found.groups())), text[found.end() :].removeprefix(" ")
