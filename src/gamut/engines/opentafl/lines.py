"""What both sides of the OpenTafl Engine Protocol say: lines of US-ASCII, a word and what belongs to it."""

import re
from typing import NamedTuple

from gamut.games.tafl.layout import written_layout
from gamut.games.tafl.notation import BadNotation
from gamut.games.tafl.pieces import ATTACKERS, SIDES, Side
from gamut.games.tafl.rules_text import written_from
from gamut.games.tafl.state import TaflState

_CLOCK = re.compile(r"(\d{1,12})(\*?) (\d{1,12})(\*?) (\d{1,9}) (\d{1,9}) (\d{1,9})")


class ClockLine(NamedTuple):
    """What is left to each side, attackers first."""

    millis: tuple[int, int]
    in_overtime: tuple[bool, bool]
    """Whether that is what is left of the current period of overtime."""
    overtime_seconds: int
    periods: tuple[int, int]

    def __str__(self) -> str:
        attackers, defenders = (
            f"{left}{'*' if over else ''}" for left, over in zip(self.millis, self.in_overtime, strict=True)
        )
        return f"{attackers} {defenders} {self.overtime_seconds} {self.periods[0]} {self.periods[1]}"


def for_one_move(millis: int) -> ClockLine:
    """A clock by which whoever moves now has so long for it, and no more: the last period of overtime."""
    return ClockLine((millis, millis), (True, True), max(1, -(-millis // 1000)), (1, 1))


def parse_clock(text: str) -> ClockLine:
    found = _CLOCK.fullmatch(text)
    if found is None:
        raise BadNotation("A clock is two times, the seconds of overtime and two numbers of periods.")
    return ClockLine(
        (int(found[1]), int(found[3])),
        (found[2] == "*", found[4] == "*"),
        int(found[5]),
        (int(found[6]), int(found[7])),
    )


def layout_of(state: TaflState) -> str:
    return written_layout(state.board, state.size)


def rules_from_here(state: TaflState, turn: Side) -> str:
    """The rules of a game that begins with this position and side."""
    return written_from(state.on.written, state.board, turn == ATTACKERS)


def side_named(word: str) -> Side:
    if word not in SIDES:
        raise BadNotation("A side is attackers or defenders.")
    return 0 if word == SIDES[0] else 1


def words_of(line: bytes) -> tuple[str, str]:
    """The first word of a line, and the rest."""
    word, _, rest = line.decode("ascii", errors="replace").strip().partition(" ")
    return word, rest.strip()
