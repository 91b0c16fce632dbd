"""Clocks as the files and the protocol put them, and as all games do."""

from gamut.games.files import TimeControl
from gamut.games.topple.files.record import Clock, Style
from gamut.games.topple.state import Penalty

_GRACE = 250
"""Milliseconds into each turn after which somebody without any time left gets the penalty again."""


def control_of(style: Style, limit: int | None, penalty: Penalty) -> TimeControl | None:
    """`limit` is milliseconds; None: there is no clock."""
    if limit is None:
        return None
    if style == "per turn":
        return TimeControl(style="turn", main=limit)
    # Where running out is not the end, whoever has no time left still gets a moment in each turn.
    return TimeControl(style="bank", main=limit, grace=0 if penalty == "lose" else _GRACE)


def clock_of(control: TimeControl | None, penalty: Penalty, left: tuple[int, ...]) -> Clock | None:
    """The same in a file; `left` is what each seat has, in milliseconds."""
    if control is None:
        return None
    if control.style == "turn":
        return Clock(style="per turn", limit=seconds(control.main), penalty=penalty)
    return Clock(style="chess", limit=seconds(control.main), penalty=penalty, left=tuple(map(seconds, left)))


def idle_rounds(style: Style, penalty: Penalty) -> int:
    """With chess clocks a skip is for good: the game is over as soon as everybody is skipped."""
    return 1 if style == "chess" and penalty == "skip" else 5


def seconds(millis: int) -> int:
    """Whole seconds, of which a begun one counts."""
    return -(-millis // 1000)
